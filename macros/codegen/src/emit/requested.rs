//! What `kernels(…)` adds to the described struct: for each family an implementation of the runtime's
//! trait, and inherent methods with concrete types and their own documentation.

use std::collections::BTreeSet;
use std::ops::Range;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

use super::pair::{Method, pair, value};
use super::source::Source;
use crate::derive::Quantity;
use crate::kernels::Family;

/// The quantities of a family.
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
    let name = Ident::new(method.kernel, Span::call_site());
    let kernel = format_ident!("{}Kernel", method.kernel);
    let given = source.kernel_or_nothing(method.kernel);
    let value = value(source, method.kernel);
    quote! {
        type #kernel = #given;
        type #name = #value;
    }
}

/// Groups of four rows that are multiplied at once with two columns, their sums being kept in
/// registers.
const STRIP: usize = 5;

/// The body of a kernel and the products that are left to its end.
pub(super) fn with_products(
    source: &Source<'_, '_>,
    quantity: &Quantity<'_>,
    body: TokenStream,
) -> TokenStream {
    let Some(products) = &quantity.products else { return body };
    let (runtime, (_, nv, _)) = (source.runtime, source.sizes());
    let support = products.chunks(2).map(|pair| {
        let ranges = ranges(&pair.concat());
        let ranges = ranges.into_iter().map(|Range { start, end }| quote!(#start..#end));
        quote!(&[#(#ranges),*])
    });
    let fours = nv.div_ceil(4);
    let strips = fours.div_ceil(STRIP);
    let strip = fours.div_ceil(strips);
    quote!({
        #body
        #runtime::product::negated_products::<A, #nv, #strips, #strip, #fours>(
            output,
            &[#(#support),*],
        );
    })
}

/// The same places as ranges.
fn ranges(places: &[usize]) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for place in places.iter().copied().collect::<BTreeSet<_>>() {
        match ranges.last_mut() {
            Some(last) if last.end == place => last.end += 1,
            _ => ranges.push(place..place + 1),
        }
    }
    ranges
}
