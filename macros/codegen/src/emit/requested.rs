//! What `kernels(…)` adds to the described struct: for each family an implementation of the runtime's
//! trait, and inherent methods with concrete types and their own documentation.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

use super::document;
use super::source::{Source, snake_case};
use crate::derive::Quantity;
use crate::kernels::Family;

/// One kernel of a family.
struct Method {
    kernel: &'static str,
    inputs: &'static [&'static str],
    summary: &'static str,
}

fn methods(family: Family) -> &'static [Method] {
    match family {
        Family::InverseDynamicsDerivatives => &[Method {
            kernel: "InverseDynamicsDerivatives",
            inputs: &["q", "v", "v_dot"],
            summary: "∂τ/∂q and ∂τ/∂v of inverse dynamics, one beside the other, along the tangent \
                      space of the configurations; ∂τ/∂v̇ is M.",
        }],
        Family::ForwardDynamicsDerivatives => &[Method {
            kernel: "ForwardDynamicsDerivatives",
            inputs: &["q", "v", "tau"],
            summary: "∂v̇/∂q, ∂v̇/∂v and ∂v̇/∂τ = M⁻¹ of forward dynamics, one beside the other, along the \
                      tangent space of the configurations; ∂v̇/∂u is M⁻¹ B.",
        }],
        Family::InverseMassMatrix => &[Method {
            kernel: "InverseMassMatrix",
            inputs: &["q"],
            summary: "The inverse M⁻¹(q) of the mass matrix, symmetric.",
        }],
        Family::MassMatrixRate => &[Method {
            kernel: "MassMatrixRate",
            inputs: &["q", "v"],
            summary: "The rate Ṁ(q, v) of the mass matrix, symmetric.",
        }],
        Family::Centroidal => &[
            Method {
                kernel: "CentroidalMatrix",
                inputs: &["q"],
                summary: "The centroidal momentum matrix A_G(q): A_G v is the linear momentum, then the \
                          angular momentum about the centre of mass, in world axes.",
            },
            Method {
                kernel: "CentroidalBias",
                inputs: &["q", "v"],
                summary: "Ȧ_G v: the rate of centroidal momentum at v̇ = 0, N and N m.",
            },
            Method {
                kernel: "CentroidalInertia",
                inputs: &["q"],
                summary: "The rotational inertia of all that moves about its centre of mass, in world \
                          axes, kg m².",
            },
        ],
        Family::JointJacobians => &[Method {
            kernel: "JointJacobians",
            inputs: &["q"],
            summary: "The columns of all joints in world axes about the world's origin, and the poses of \
                      all moving bodies.",
        }],
        Family::Regressor => &[
            Method {
                kernel: "TorqueRegressor",
                inputs: &["q", "v", "v_dot"],
                summary: "The regressor Y(q, v, v̇): Y π is the force of inverse dynamics without armature.",
            },
            Method {
                kernel: "EnergyRegressor",
                inputs: &["q", "v"],
                summary: "The rows of kinetic and potential energy: each times π is the energy without \
                          armature, J.",
            },
            Method {
                kernel: "InertialParameters",
                inputs: &[],
                summary: "The inertial parameters π of all moving bodies: ten each, m, h = m c (3), then \
                          Ixx, Ixy, Iyy, Ixz, Iyz, Izz about the origin of the body's link.",
            },
        ],
        Family::FieldDerivatives => &[Method {
            kernel: "FieldDerivatives",
            inputs: &["q", "v", "v_dot"],
            summary: "∂τ/∂p of inverse dynamics by the fields of the struct, one column a field.",
        }],
    }
}

/// Implementations and methods of all families that are asked for.
pub(super) fn requested(source: &Source<'_, '_>) -> TokenStream {
    // Where nothing is derived, nothing that is named wrongly may be missing.
    let families = if source.equations.is_some() { source.kernels } else { &Family::ALL };
    families.iter().map(|&family| of_family(source, family)).collect()
}

fn of_family(source: &Source<'_, '_>, family: Family) -> TokenStream {
    let (ident, runtime) = (source.ident, source.runtime);
    let name = format_ident!("{family:?}");
    let place = quote!(#runtime::kernels::#name);
    let types = methods(family).iter().map(|method| types(source, method));
    let pairs = methods(family).iter().map(|method| pair(source, &place, method));
    quote! {
        #[automatically_derived]
        impl #place for #ident {
            #(#types)*
        }

        impl #ident {
            #(#pairs)*
        }
    }
}

fn types(source: &Source<'_, '_>, method: &Method) -> TokenStream {
    let value = Ident::new(method.kernel, Span::call_site());
    let kernel = format_ident!("{}Kernel", method.kernel);
    let given = source.kernel(if source.equations.is_some() { method.kernel } else { "Nothing" });
    let output = output(source, method.kernel);
    quote! {
        type #kernel = #given;
        type #value = #output;
    }
}

/// A method and its variant that writes into what it is given.
fn pair(source: &Source<'_, '_>, place: &TokenStream, method: &Method) -> TokenStream {
    let document = document::quantity(method.summary, source.quantity(method.kernel));
    let name = snake_case(method.kernel);
    let into = format_ident!("{name}_into");
    let into_document = format!("[`{name}`](Self::{name}), written into `out`.");
    let name = Ident::new(&name, Span::call_site());
    let inputs: Vec<_> =
        method.inputs.iter().map(|input| Ident::new(input, Span::call_site())).collect();
    let types =
        method.inputs.iter().map(|&input| source.concrete(if input == "q" { "Q" } else { "V" }));
    let types: Vec<_> = types.collect();
    let output = output(source, method.kernel);
    quote! {
        #[doc = #document]
        #[inline]
        pub fn #name(&self #(, #inputs: &#types)*) -> #output {
            #place::#name(self #(, #inputs)*)
        }

        #[doc = #into_document]
        #[inline]
        pub fn #into(&self #(, #inputs: &#types)*, out: &mut #output) {
            #place::#into(self #(, #inputs)*, out)
        }
    }
}

/// The type of a kernel's value.
fn output(source: &Source<'_, '_>, kernel: &str) -> TokenStream {
    let runtime = source.runtime;
    let (_, nv, _) = source.sizes();
    let bodies = source.description.moving_bodies();
    let (rows, columns) = match kernel {
        "InverseDynamicsDerivatives" => (nv, 2 * nv),
        "ForwardDynamicsDerivatives" => (nv, 3 * nv),
        "CentroidalMatrix" => (6, nv),
        "CentroidalBias" => (6, 1),
        "CentroidalInertia" => (3, 3),
        "TorqueRegressor" => (nv, 10 * bodies),
        "EnergyRegressor" => (2, 10 * bodies),
        "InertialParameters" => (10 * bodies, 1),
        "FieldDerivatives" => (nv, source.description.fields.len()),
        "JointJacobians" => {
            let columns = nv + 2 * bodies;
            return quote!(#runtime::kernels::JointMotion<#nv, #columns>);
        }
        _ => (nv, nv),
    };
    quote!(#runtime::nalgebra::SMatrix<f64, #rows, #columns>)
}

/// The body of a kernel and the products that are left to its end.
pub(super) fn with_products(
    source: &Source<'_, '_>,
    quantity: &Quantity<'_>,
    body: TokenStream,
) -> TokenStream {
    let Some(products) = &quantity.products else { return body };
    let (runtime, (_, nv, _)) = (source.runtime, source.sizes());
    let support = products.iter().map(|places| quote!(&[#(#places),*]));
    quote!({
        #body
        #runtime::product::negated_products::<A, #nv>(output, &[#(#support),*]);
    })
}
