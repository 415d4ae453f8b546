//! Inherent methods whose shapes are not those of the coordinates: energies, contacts, limits, frames.

use proc_macro2::TokenStream;
use quote::quote;

use super::document;
use super::source::Source;

/// Energies, momentum and the check of a state.
pub(super) fn numbers(source: &Source<'_, '_>) -> TokenStream {
    let runtime = source.runtime;
    let (q, v) = (source.configuration(), source.velocity());
    let of = |kernel: &str, summary: &str| document::quantity(summary, source.quantity(kernel));
    let kinetic = of("KineticEnergy", "The kinetic energy T = ½ vᵀ M v, in joules.");
    let potential = of(
        "PotentialEnergy",
        "The potential energy U of gravity, in joules, zero for a mass at the world's origin.",
    );
    let mass = of("TotalMass", "The mass of all that moves, in kilograms.");
    let gravity = of("Gravity", "The acceleration of gravity in the world, m/s².");
    let center = of("CenterOfMass", "The centre of mass in the world, in metres.");
    let momentum = of(
        "Momentum",
        "Linear momentum, then angular momentum about the world's origin, in world axes.",
    );
    quote! {
        #[doc = #kinetic]
        pub fn kinetic_energy(&self, q: &#q, v: &#v) -> f64 {
            #runtime::Model::kinetic_energy(self, q, v)
        }

        #[doc = #potential]
        pub fn potential_energy(&self, q: &#q) -> f64 {
            #runtime::Model::potential_energy(self, q)
        }

        #[doc = #mass]
        pub fn total_mass(&self) -> f64 {
            #runtime::Model::total_mass(self)
        }

        #[doc = #gravity]
        pub fn gravity(&self) -> #runtime::nalgebra::Vector3<f64> {
            #runtime::Model::gravity(self)
        }

        #[doc = #center]
        pub fn center_of_mass(&self, q: &#q) -> #runtime::nalgebra::Vector3<f64> {
            #runtime::Model::center_of_mass(self, q)
        }

        #[doc = #momentum]
        pub fn momentum(&self, q: &#q, v: &#v) -> #runtime::nalgebra::Vector6<f64> {
            #runtime::Model::momentum(self, q, v)
        }

        /// Whether motion can be computed from the fields and this state.
        ///
        /// # Errors
        ///
        /// Names what cannot be.
        pub fn check(&self, q: &#q, v: &#v) -> ::core::result::Result<(), #runtime::ModelError> {
            #runtime::Model::check(self, q, v)
        }
    }
}

/// Gaps and Jacobians of the contacts, if there are any.
pub(super) fn contacts(source: &Source<'_, '_>) -> TokenStream {
    let runtime = source.runtime;
    let contacts = source.description.contacts.len();
    if contacts == 0 {
        return TokenStream::new();
    }
    let (_, nv, _) = source.sizes();
    let rows = 3 * contacts;
    let (q, v) = (source.configuration(), source.velocity());
    let algebra = quote!(#runtime::nalgebra);
    let zeros = quote!(#runtime::space::Storage);
    let of = |kernel: &str, summary: &str| document::quantity(summary, source.quantity(kernel));
    let gap = of("Gap", "The gaps φ(q) of the contacts, in metres, positive apart.");
    let jacobian = of(
        "ContactJacobian",
        "The contact Jacobian J(q); rows of a contact: normal, first and second tangent.",
    );
    let bias = of("ContactBias", "J̇ v of the contacts, m/s².");
    quote! {
        #[doc = #gap]
        pub fn gap(&self, q: &#q) -> #algebra::SVector<f64, #contacts> {
            let mut out = <#algebra::SVector<f64, #contacts> as #zeros>::zeros();
            #runtime::Model::gap_into(self, q, #zeros::as_mut_slice(&mut out));
            out
        }

        #[doc = #jacobian]
        pub fn contact_jacobian(&self, q: &#q) -> #algebra::SMatrix<f64, #rows, #nv> {
            let mut out = <#algebra::SMatrix<f64, #rows, #nv> as #zeros>::zeros();
            #runtime::Model::contact_jacobian_into(self, q, #zeros::as_mut_slice(&mut out));
            out
        }

        #[doc = #bias]
        pub fn contact_bias(&self, q: &#q, v: &#v) -> #algebra::SVector<f64, #rows> {
            let mut out = <#algebra::SVector<f64, #rows> as #zeros>::zeros();
            #runtime::Model::contact_bias_into(self, q, v, #zeros::as_mut_slice(&mut out));
            out
        }
    }
}

/// Errors and Jacobian of the constraints, if there are any.
pub(super) fn constraints(source: &Source<'_, '_>) -> TokenStream {
    let runtime = source.runtime;
    let rows = source.description.constraint_rows();
    if rows == 0 {
        return TokenStream::new();
    }
    let (_, nv, _) = source.sizes();
    let (q, v) = (source.configuration(), source.velocity());
    let zeros = quote!(#runtime::space::Storage);
    let vector = quote!(#runtime::nalgebra::SVector<f64, #rows>);
    let matrix = quote!(#runtime::nalgebra::SMatrix<f64, #rows, #nv>);
    let of = |kernel: &str, summary: &str| document::quantity(summary, source.quantity(kernel));
    let error =
        of("Constraint", "The errors h(q, t) of the constraints, zero of rows of velocities.");
    let rate = of("ConstraintRate", "The rates ḣ = H v + ∂h/∂t, or h_v, of the constraints.");
    let jacobian =
        of("ConstraintJacobian", "The constraint Jacobian: (∂h/∂q) N, or ∂h_v/∂v, row by row.");
    let bias = of(
        "ConstraintBias",
        "What of ḧ, or ḣ_v, does not depend on v̇: the rates change by H v̇ and this.",
    );
    quote! {
        #[doc = #error]
        pub fn constraint(&self, q: &#q, t: f64) -> #vector {
            let mut out = <#vector as #zeros>::zeros();
            #runtime::Model::constraint_into(self, q, t, #zeros::as_mut_slice(&mut out));
            out
        }

        #[doc = #rate]
        pub fn constraint_rate(&self, q: &#q, v: &#v, t: f64) -> #vector {
            let mut out = <#vector as #zeros>::zeros();
            #runtime::Model::constraint_rate_into(self, q, v, t, #zeros::as_mut_slice(&mut out));
            out
        }

        #[doc = #jacobian]
        pub fn constraint_jacobian(&self, q: &#q, v: &#v, t: f64) -> #matrix {
            let mut out = <#matrix as #zeros>::zeros();
            let slice = #zeros::as_mut_slice(&mut out);
            #runtime::Model::constraint_jacobian_into(self, q, v, t, slice);
            out
        }

        #[doc = #bias]
        pub fn constraint_bias(&self, q: &#q, v: &#v, t: f64) -> #vector {
            let mut out = <#vector as #zeros>::zeros();
            #runtime::Model::constraint_bias_into(self, q, v, t, #zeros::as_mut_slice(&mut out));
            out
        }
    }
}

/// Values and Jacobian of the limits, if there are any.
pub(super) fn limits(source: &Source<'_, '_>) -> TokenStream {
    let runtime = source.runtime;
    let count = source.description.limits.len();
    if count == 0 {
        return TokenStream::new();
    }
    let (_, nv, _) = source.sizes();
    let (q, v) = (source.configuration(), source.velocity());
    let zeros = quote!(#runtime::space::Storage);
    let vector = quote!(#runtime::nalgebra::SVector<f64, #count>);
    let matrix = quote!(#runtime::nalgebra::SMatrix<f64, #count, #nv>);
    let of = |kernel: &str, summary: &str| document::quantity(summary, source.quantity(kernel));
    let limit = of("Limit", "The limits C(q), which never become negative.");
    let jacobian = of("LimitJacobian", "(∂C/∂q) N of the limits, row by row.");
    let bias = of("LimitBias", "What of C̈ does not depend on v̇.");
    quote! {
        #[doc = #limit]
        pub fn limit(&self, q: &#q) -> #vector {
            let mut out = <#vector as #zeros>::zeros();
            #runtime::Model::limit_into(self, q, #zeros::as_mut_slice(&mut out));
            out
        }

        #[doc = #jacobian]
        pub fn limit_jacobian(&self, q: &#q) -> #matrix {
            let mut out = <#matrix as #zeros>::zeros();
            #runtime::Model::limit_jacobian_into(self, q, #zeros::as_mut_slice(&mut out));
            out
        }

        #[doc = #bias]
        pub fn limit_bias(&self, q: &#q, v: &#v) -> #vector {
            let mut out = <#vector as #zeros>::zeros();
            #runtime::Model::limit_bias_into(self, q, v, #zeros::as_mut_slice(&mut out));
            out
        }
    }
}

/// Poses and Jacobians of the frames, if there are any.
pub(super) fn frames(source: &Source<'_, '_>) -> TokenStream {
    let runtime = source.runtime;
    if source.description.frames.is_empty() {
        return TokenStream::new();
    }
    let (_, nv, _) = source.sizes();
    let (q, v) = (source.configuration(), source.velocity());
    let zeros = quote!(#runtime::space::Storage);
    let matrix = quote!(#runtime::nalgebra::SMatrix<f64, 6, #nv>);
    quote! {
        /// The pose of a declared frame in the world, in metres.
        pub fn frame_pose(&self, frame: #runtime::FrameId<Self>, q: &#q) -> #runtime::Pose {
            #runtime::Model::frame_pose(self, frame, q)
        }

        /// The Jacobian of a declared frame, linear rows first: J v is the frame's velocity as
        /// `reference` says.
        pub fn frame_jacobian(
            &self,
            frame: #runtime::FrameId<Self>,
            reference: #runtime::ReferenceFrame,
            q: &#q,
        ) -> #matrix {
            let mut out = <#matrix as #zeros>::zeros();
            let slice = #zeros::as_mut_slice(&mut out);
            #runtime::Model::frame_jacobian_into(self, frame, reference, q, slice);
            out
        }

        /// J̇ v of a declared frame, linear first: the derivative of its velocity as `reference`
        /// says at v̇ = 0, m/s² and rad/s².
        pub fn frame_bias(
            &self,
            frame: #runtime::FrameId<Self>,
            reference: #runtime::ReferenceFrame,
            q: &#q,
            v: &#v,
        ) -> #runtime::nalgebra::Vector6<f64> {
            #runtime::Model::frame_bias(self, frame, reference, q, v)
        }
    }
}
