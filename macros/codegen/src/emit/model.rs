//! The implementation of `Model` and the inherent methods of the described struct.

use std::path::PathBuf;
use std::str::FromStr;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

use crate::derive::{Equations, Quantity};
use crate::description::{Bound, Coordinate, Description, Parent, Requirement};
use crate::expr::{Graph, Operations};
use crate::joint::Chart;
use crate::scalar::Scalar;

use super::document;
use super::text::{Lengths, kernel_source};

/// Everything that an expansion is made from.
pub struct Source<'a, 'g> {
    /// The described struct.
    pub ident: &'a Ident,
    /// Path of the runtime.
    pub runtime: &'a TokenStream,
    /// What was described.
    pub description: &'a Description,
    /// What is checked at run time.
    pub requirements: &'a [Requirement],
    /// Files whose change must rebuild the crate.
    pub files: &'a [PathBuf],
    /// The derived quantities; `None` where the description has errors, and every kernel is then
    /// empty.
    pub equations: Option<(&'g Graph, &'a Equations<'g>)>,
}

/// The kernels that every model has, in the order of the runtime's trait.
const KERNELS: [&str; 20] = [
    "MassMatrix",
    "CoriolisMatrix",
    "GravityForce",
    "BiasForce",
    "InverseDynamics",
    "ForwardDynamics",
    "KineticEnergy",
    "PotentialEnergy",
    "CenterOfMass",
    "Momentum",
    "PassiveForce",
    "InputMatrix",
    "LinkPoses",
    "Gap",
    "ContactJacobian",
    "ContactBias",
    "ContactPoints",
    "ContactParameters",
    "CoordinateParameters",
    "Requirements",
];

/// The whole expansion of a description.
pub fn emit(source: &Source<'_, '_>) -> TokenStream {
    let files = source
        .files
        .iter()
        .map(|path| path.to_string_lossy().into_owned());
    let kernels = kernels(source);
    let model = model(source);
    let methods = super::methods::methods(source);
    quote! {
        #[allow(clippy::all, clippy::pedantic, dead_code, missing_docs, unreachable_pub, unused_parens, unused_qualifications)]
        const _: () = {
            #(const _: &[u8] = ::core::include_bytes!(#files);)*
            #kernels
            #model
            #methods
        };
    }
}

impl Source<'_, '_> {
    /// Numbers of configuration and velocity coordinates and of inputs.
    pub(super) fn sizes(&self) -> (usize, usize, usize) {
        let own = self
            .description
            .joints
            .iter()
            .filter(|joint| joint.mimic.is_none());
        let (nq, nv) = own.fold((0, 0), |(nq, nv), joint| {
            (nq + joint.family.nq(), nv + joint.family.nv())
        });
        (nq, nv, self.description.actuators.len())
    }

    /// The type of a kernel. The struct's name in front keeps it apart from the struct.
    fn kernel(&self, name: &str) -> Ident {
        format_ident!("{}{name}", self.ident)
    }

    pub(super) fn quantity(&self, kernel: &str) -> Option<&Quantity<'_>> {
        let (_, equations) = self.equations?;
        equations
            .quantities
            .iter()
            .find(|quantity| quantity.kernel == kernel)
    }
}

fn kernels(source: &Source<'_, '_>) -> TokenStream {
    let runtime = source.runtime;
    let Some((graph, equations)) = source.equations else {
        return kernel(&source.kernel("Nothing"), runtime, quote!({}));
    };
    let (nq, nv, _) = source.sizes();
    let lengths = Lengths {
        fields: source.description.fields.len(),
        q: nq,
        v: nv,
    };
    let all = equations
        .quantities
        .iter()
        .chain(equations.frames.iter().flatten());
    all.map(|quantity| {
        let text = kernel_source(graph, quantity, lengths);
        let body = TokenStream::from_str(&text).unwrap_or_default();
        kernel(&source.kernel(&quantity.kernel), runtime, body)
    })
    .collect()
}

fn kernel(name: &Ident, runtime: &TokenStream, body: TokenStream) -> TokenStream {
    quote! {
        #[doc(hidden)]
        #[derive(Debug)]
        pub enum #name {}

        impl #runtime::kernel::Kernel for #name {
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
    let fields: Vec<_> = source
        .description
        .fields
        .iter()
        .map(|field| identifier(field))
        .collect();
    let count = fields.len();
    let types = KERNELS.iter().map(|kernel| {
        let place = Ident::new(kernel, Span::call_site());
        let given = source.kernel(match source.equations {
            Some(_) => kernel,
            None => "Nothing",
        });
        quote!(type #place = #given;)
    });
    let (tables, frames) = (tables(source), frame_methods(source));
    quote! {
        #[automatically_derived]
        impl #runtime::Model for #ident {
            type Q = #algebra::SVector<f64, #nq>;
            type V = #algebra::SVector<f64, #nv>;
            type U = #algebra::SVector<f64, #nu>;
            type Mass = #algebra::SMatrix<f64, #nv, #nv>;
            type Input = #algebra::SMatrix<f64, #nv, #nu>;
            type Fields = [f64; #count];
            #(#types)*

            const NAME: &'static str = #name;
            const NQ: usize = #nq;
            const NV: usize = #nv;
            const NU: usize = #nu;
            #tables

            fn fields(&self) -> [f64; #count] {
                [#(f64::from(self.#fields)),*]
            }

            #frames
        }
    }
}

/// A field by its name, `r#type` among them.
fn identifier(field: &str) -> Ident {
    match field.strip_prefix("r#") {
        Some(word) => Ident::new_raw(word, Span::call_site()),
        None => Ident::new(field, Span::call_site()),
    }
}

fn tables(source: &Source<'_, '_>) -> TokenStream {
    let (runtime, description) = (source.runtime, source.description);
    let joints = joints(source);
    let links = (0..description.links.len()).map(|k| {
        let name = &description.links[k].name.text;
        let parent = match parent(description, k) {
            Some(parent) => quote!(::core::option::Option::Some(#parent)),
            None => quote!(::core::option::Option::None),
        };
        quote!(#runtime::description::Link { name: #name, parent: #parent })
    });
    let frames = description.frames.iter().map(|frame| {
        let (name, link) = (&frame.name.text, frame.link);
        quote!(#runtime::description::Frame { name: #name, link: #link })
    });
    let contacts = description.contacts.iter().map(|contact| {
        let (name, link, directions) = (&contact.name.text, contact.link, contact.directions);
        quote! {
            #runtime::description::Contact { name: #name, link: #link, directions: #directions }
        }
    });
    let inputs = description
        .actuators
        .iter()
        .map(|actuator| &actuator.name.text);
    let requirements = source.requirements.iter().map(|requirement| {
        let (quantity, bound) = (&requirement.quantity, bound(requirement.bound));
        quote! {
            #runtime::description::Requirement {
                quantity: #quantity,
                bound: #runtime::description::Bound::#bound,
            }
        }
    });
    let operations = operations(source);
    quote! {
        const JOINTS: &'static [#runtime::description::Joint] = &[#joints];
        const LINKS: &'static [#runtime::description::Link] = &[#(#links),*];
        const FRAMES: &'static [#runtime::description::Frame] = &[#(#frames),*];
        const CONTACTS: &'static [#runtime::description::Contact] = &[#(#contacts),*];
        const INPUTS: &'static [&'static str] = &[#(#inputs),*];
        const REQUIREMENTS: &'static [#runtime::description::Requirement] = &[#(#requirements),*];
        const OPERATIONS: &'static [(&'static str, #runtime::description::Operations)] =
            &[#operations];
    }
}

fn joints(source: &Source<'_, '_>) -> TokenStream {
    let runtime = source.runtime;
    let (mut q, mut v) = (0, 0);
    let mut tokens = TokenStream::new();
    for joint in source
        .description
        .joints
        .iter()
        .filter(|joint| joint.mimic.is_none())
    {
        let (name, family) = (&joint.name.text, joint.family.keyword());
        let (nq, nv) = (joint.family.nq(), joint.family.nv());
        let chart = chart(joint.family.chart());
        if nv > 0 {
            tokens.extend(quote! {
                #runtime::description::Joint {
                    name: #name,
                    family: #family,
                    q: #q,
                    nq: #nq,
                    v: #v,
                    nv: #nv,
                    chart: #runtime::description::Chart::#chart,
                },
            });
        }
        (q, v) = (q + nq, v + nv);
    }
    tokens
}

fn chart(chart: Chart) -> Ident {
    format_ident!("{chart:?}")
}

fn bound(bound: Bound) -> Ident {
    format_ident!("{bound:?}")
}

/// The link that link `k` hangs on.
fn parent(description: &Description, k: usize) -> Option<usize> {
    let joint = description.joints.iter().find(|joint| joint.child == k)?;
    match joint.parent {
        Parent::Link(parent) => Some(parent),
        Parent::World => None,
    }
}

fn operations(source: &Source<'_, '_>) -> TokenStream {
    let runtime = source.runtime;
    let Some((_, equations)) = source.equations else {
        return TokenStream::new();
    };
    let entry = |quantity: &Quantity<'_>| {
        let name = snake_case(&quantity.kernel);
        let Operations {
            additions,
            multiplications,
            divisions,
            roots,
            trigonometric,
        } = quantity.operations;
        quote! {
            (#name, #runtime::description::Operations {
                additions: #additions,
                multiplications: #multiplications,
                divisions: #divisions,
                roots: #roots,
                trigonometric: #trigonometric,
            }),
        }
    };
    equations.quantities.iter().map(entry).collect()
}

/// `MassMatrix` as `mass_matrix`.
pub(super) fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}

fn frame_methods(source: &Source<'_, '_>) -> TokenStream {
    let runtime = source.runtime;
    let count = source
        .equations
        .map_or(0, |(_, equations)| equations.frames.len());
    let kinds = [
        ("write_frame_pose", "Pose"),
        ("write_frame_jacobian", "Jacobian"),
        ("write_frame_bias", "Bias"),
    ];
    let method = |(method, kind): (&str, &str)| {
        let method = Ident::new(method, Span::call_site());
        let arms = (0..count).map(|k| {
            let kernel = source.kernel(&format!("Frame{k}{kind}"));
            quote!(#k => #runtime::kernel::evaluate::<#kernel>(input, output),)
        });
        quote! {
            fn #method(
                &self,
                frame: usize,
                input: &#runtime::kernel::Input<'_, f64>,
                output: &mut [f64],
            ) {
                match frame {
                    #(#arms)*
                    _ => {}
                }
            }
        }
    };
    kinds.into_iter().map(method).collect()
}

/// The constant limits of every velocity coordinate, if no field is in any.
pub(super) fn constant_limits(description: &Description) -> Option<Vec<[f64; 2]>> {
    let own = description
        .joints
        .iter()
        .filter(|joint| joint.mimic.is_none());
    let limits = |coordinate: &Coordinate| match &coordinate.limits {
        None => Some([f64::NEG_INFINITY, f64::INFINITY]),
        Some([lower, upper]) => Some([Scalar::constant(lower)?, Scalar::constant(upper)?]),
    };
    own.flat_map(|joint| &joint.coordinates)
        .map(limits)
        .collect()
}

pub(super) fn robot_document(source: &Source<'_, '_>) -> String {
    document::robot(source.description, source.sizes())
}
