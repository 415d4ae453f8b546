//! The implementation of `Model` and the inherent methods of the described struct.

use std::str::FromStr;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use crate::derive::{LANES, Quantity};

use super::kernel::{is_in_lanes, kernel_source};
use super::methods;
use super::requested;
use super::source::Source;
use super::tables::tables;
use super::text::Lengths;

/// The kernels of the runtime's trait, in its order.
const KERNELS: [&str; 44] = [
    "Preparation",
    "MassMatrix",
    "CoriolisMatrix",
    "GravityForce",
    "BiasForce",
    "InverseDynamics",
    "ForwardDynamics",
    "KineticEnergy",
    "PotentialEnergy",
    "TotalMass",
    "Gravity",
    "CenterOfMass",
    "Momentum",
    "GeneralizedMomentum",
    "PassiveForce",
    "InputMatrix",
    "LinkPoses",
    "Gap",
    "ContactJacobian",
    "ContactBias",
    "ContactPoints",
    "ContactParameters",
    "Constraint",
    "ConstraintRate",
    "ConstraintJacobian",
    "ConstraintBias",
    "ConstraintPoints",
    "ConstraintParameters",
    "ConstrainedDynamics",
    "ConstrainedImpact",
    "ContactDynamics",
    "ContactResponse",
    "ContactMomentum",
    "CoordinateParameters",
    "Requirements",
    "Limit",
    "LimitJacobian",
    "LimitBias",
    "SpringParameters",
    "SpringSpans",
    "ContactFrames",
    "ShapeParameters",
    "PairParameters",
    "JointColumns",
];

/// The whole expansion of a description.
pub fn emit(source: &Source<'_, '_>) -> TokenStream {
    let files = source.files.iter().map(|path| path.to_string_lossy().into_owned());
    let kernels = kernels(source);
    let model = model(source);
    let methods = methods::methods(source);
    let requested = requested::requested(source);
    quote! {
        #[allow(clippy::all, clippy::pedantic, dead_code, missing_docs, non_camel_case_types, unreachable_pub, unused_imports, unused_parens, unused_qualifications, unused_variables)]
        const _: () = {
            use ::core::option::Option::{None, Some};
            #(const _: &[u8] = ::core::include_bytes!(#files);)*
            #kernels
            #model
            #methods
            #requested
        };
    }
}

fn kernels(source: &Source<'_, '_>) -> TokenStream {
    let runtime = source.runtime;
    let Some((graph, equations)) = source.equations else { return TokenStream::new() };
    let (nq, nv, _) = source.sizes();
    let (fields, rows) = (equations.preparation.outputs.len(), equations.held_rows);
    let prepared = Lengths { fields, q: nq, v: nv, holds: rows, asked: rows };
    let fields = Lengths { fields: source.description.fields.len(), ..prepared };
    let named = equations.quantities.iter().chain(&equations.requested);
    let all = named.chain(equations.frames.iter().flatten());
    let added = Lengths { asked: nv, ..prepared };
    let starts = equations.quantities.iter().find(|of| of.kernel == "ContactDynamics");
    let numbers = starts.map_or(0, |of| of.outputs.len());
    let asked = 3 * equations.contact_coordinates.len().next_multiple_of(LANES);
    let response = Lengths { holds: numbers, asked, ..prepared };
    let lengths = |quantity: &Quantity<'_>| match quantity.kernel.as_str() {
        "ContactDynamics" => added,
        "ContactResponse" | "ContactMomentum" => response,
        _ => prepared,
    };
    let all = all.map(|quantity| (quantity, lengths(quantity)));
    let all = all.chain([(&equations.preparation, fields)]);
    all.map(|(quantity, lengths)| {
        let (text, room) = kernel_source(source, graph, quantity, lengths);
        let body = TokenStream::from_str(&text).unwrap_or_else(|error| {
            let message = format!("the text of a kernel is no Rust: {error}");
            quote!({ ::core::compile_error!(#message) })
        });
        let body = requested::with_products(source, quantity, body);
        // What every time step waits for; all kernels of a humanoid would take the compiler too long.
        let of_steps = ["ContactDynamics", "ContactResponse", "ContactMomentum"];
        let is_wide = of_steps.contains(&quantity.kernel.as_str()) && is_in_lanes(graph, quantity);
        kernel(&source.kernel(&quantity.kernel), runtime, (is_wide, room), &body)
    })
    .collect()
}

fn kernel(
    name: &Ident,
    runtime: &TokenStream,
    (is_wide, room): (bool, usize),
    body: &TokenStream,
) -> TokenStream {
    let wide = is_wide.then(|| {
        quote!(
            const IS_WIDE: bool = true;
        )
    });
    let room = (room > 0).then(|| quote!(const ROOM: usize = #room;));
    quote! {
        #[doc(hidden)]
        #[derive(::core::fmt::Debug)]
        pub enum #name {}

        impl #runtime::kernel::Kernel for #name {
            #wide
            #room

            #[inline(always)]
            fn run<A: #runtime::arithmetic::Arithmetic>(
                input: &#runtime::kernel::Input<'_, A::Scalar>,
                output: &mut [A::Scalar],
            ) #body
        }
    }
}

fn model(source: &Source<'_, '_>) -> TokenStream {
    let (ident, runtime) = (source.ident, source.runtime);
    let (nq, nv, nu) = source.sizes();
    let name = &source.description.name;
    let algebra = quote!(#runtime::nalgebra);
    let count = source.description.fields.len();
    let fields = fields(source);
    let types = KERNELS.iter().map(|&kernel| {
        let place = Ident::new(kernel, Span::call_site());
        let given = source.kernel_or_nothing(kernel);
        quote!(type #place = #given;)
    });
    let nc = source.description.constraint_rows();
    let (tables, frames) = (tables(source), frames(source));
    let prepared = prepared(source);
    quote! {
        #[automatically_derived]
        impl #runtime::quantities::Quantities for #ident {
            #(#types)*
        }

        #[automatically_derived]
        impl #runtime::Model for #ident {
            type Q = #algebra::SVector<f64, #nq>;
            type V = #algebra::SVector<f64, #nv>;
            type U = #algebra::SVector<f64, #nu>;
            type Mass = #algebra::SMatrix<f64, #nv, #nv>;
            type Input = #algebra::SMatrix<f64, #nv, #nu>;
            type Fields = [f64; #count];

            const NAME: &'static str = #name;
            const NQ: usize = #nq;
            const NV: usize = #nv;
            const NU: usize = #nu;
            const NC: usize = #nc;
            #tables

            fn fields(&self) -> [f64; #count] {
                #fields
            }

            #prepared

            #frames
        }
    }
}

/// The method that shows the prepared numbers.
fn prepared(source: &Source<'_, '_>) -> TokenStream {
    let runtime = source.runtime;
    let count = source.equations.map_or(0, |(_, equations)| equations.preparation.outputs.len());
    let numbers = match count {
        0 => quote!([]),
        _ => {
            let kernel = source.kernel("Preparation");
            quote!(#runtime::kernel::prepare::<#kernel, #count>(&self.fields()))
        }
    };
    quote! {
        fn with_prepared<T>(&self, read: impl ::core::ops::FnOnce(&[f64]) -> T) -> T {
            read(&#numbers)
        }
    }
}

/// The fields in a row; where the description has errors, they may be no numbers.
fn fields(source: &Source<'_, '_>) -> TokenStream {
    let names = &source.description.fields;
    if source.equations.is_none() {
        let count = names.len();
        return quote!([f64::NAN; #count]);
    }
    let fields = names.iter().map(|name| identifier(name));
    quote!([#(<f64 as ::core::convert::From<_>>::from(self.#fields)),*])
}

/// A field by its name, `r#type` among them.
fn identifier(field: &str) -> Ident {
    match field.strip_prefix("r#") {
        Some(word) => Ident::new_raw(word, Span::call_site()),
        None => Ident::new(field, Span::call_site()),
    }
}

/// The method that evaluates a kernel of a declared frame.
fn frames(source: &Source<'_, '_>) -> TokenStream {
    let runtime = source.runtime;
    let count = source.equations.map_or(0, |(_, equations)| equations.frames.len());
    let arms = (0..count).flat_map(|k| {
        ["Pose", "Jacobian", "Bias"].map(|quantity| {
            let kernel = source.kernel(&format!("Frame{k}{quantity}"));
            let quantity = Ident::new(quantity, Span::call_site());
            quote! {
                (#k, #runtime::model::FrameQuantity::#quantity) => {
                    #runtime::kernel::evaluate::<#kernel>(input, output)
                }
            }
        })
    });
    quote! {
        fn write_frame(
            frame: usize,
            quantity: #runtime::model::FrameQuantity,
            input: &#runtime::kernel::Input<'_, f64>,
            output: &mut [f64],
        ) {
            match (frame, quantity) {
                #(#arms)*
                _ => {}
            }
        }
    }
}
