//! The two inherent methods of a quantity, which returns it and which writes it into what it is given.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

use super::document;
use super::source::{Source, snake_case};

/// A quantity as a method: its kernel, what it reads, and what it says of itself.
pub(super) struct Method {
    pub(super) kernel: &'static str,
    pub(super) inputs: &'static [&'static str],
    pub(super) summary: &'static str,
}

/// The methods, by those of the same names of the trait at `place`.
pub(super) fn pair(source: &Source<'_, '_>, place: &TokenStream, method: &Method) -> TokenStream {
    let document = document::quantity(method.summary, source.quantity(method.kernel));
    let name = snake_case(method.kernel);
    let into = format_ident!("{name}_into");
    let into_document = format!("[`{name}`](Self::{name}), written into `out`.");
    let name = Ident::new(&name, Span::call_site());
    let inputs: Vec<_> =
        method.inputs.iter().map(|input| Ident::new(input, Span::call_site())).collect();
    let types = method.inputs.iter().map(|&input| match input {
        "q" => source.configuration(),
        _ => source.velocity(),
    });
    let types: Vec<_> = types.collect();
    let value = value(source, method.kernel);
    quote! {
        #[doc = #document]
        #[inline]
        pub fn #name(&self #(, #inputs: &#types)*) -> #value {
            #place::#name(self #(, #inputs)*)
        }

        #[doc = #into_document]
        #[inline]
        pub fn #into(&self #(, #inputs: &#types)*, out: &mut #value) {
            #place::#into(self #(, #inputs)*, out)
        }
    }
}

/// The type of a kernel's value.
pub(super) fn value(source: &Source<'_, '_>, kernel: &str) -> TokenStream {
    let runtime = source.runtime;
    let (_, nv, nu) = source.sizes();
    let bodies = source.description.moving_bodies();
    let (rows, columns) = match kernel {
        "MassMatrix" | "CoriolisMatrix" | "InverseMassMatrix" | "MassMatrixRate" => (nv, nv),
        "InputMatrix" => (nv, nu),
        "InverseDynamicsDerivatives" => (nv, 2 * nv),
        "ForwardDynamicsDerivatives" => (nv, 3 * nv),
        "CentroidalMatrix" => (6, nv),
        "CentroidalBias" => return quote!(#runtime::nalgebra::Vector6<f64>),
        "CentroidalInertia" => (3, 3),
        "TorqueRegressor" => (nv, 10 * bodies),
        "EnergyRegressor" => (2, 10 * bodies),
        "InertialParameters" => {
            let numbers = 10 * bodies;
            return quote!(#runtime::nalgebra::SVector<f64, #numbers>);
        }
        "FieldDerivatives" => (nv, source.description.fields.len()),
        "JointJacobians" => {
            let columns = nv + 2 * bodies;
            return quote!(#runtime::kernels::JointMotion<#nv, #columns>);
        }
        _ => return source.velocity(),
    };
    quote!(#runtime::nalgebra::SMatrix<f64, #rows, #columns>)
}
