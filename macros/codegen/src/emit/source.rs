//! What an expansion is made from.

use std::path::PathBuf;

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};

use crate::derive::{Equations, Quantity};
use crate::description::{Coordinate, Description, Requirement};
use crate::expr::Graph;
use crate::kernels::Family;
use crate::scalar::Scalar;

use super::parts::Cut;

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
    /// The kernels that the description asks for.
    pub kernels: &'a [Family],
    /// Where its kernels are cut.
    pub cut: Cut,
    /// Files whose change must rebuild the crate.
    pub files: &'a [PathBuf],
    /// The derived quantities; `None` where the description has errors, and every kernel is then
    /// empty.
    pub equations: Option<(&'g Graph, &'a Equations<'g>)>,
}

impl Source<'_, '_> {
    /// Numbers of configuration and velocity coordinates and of inputs.
    pub(super) fn sizes(&self) -> (usize, usize, usize) {
        let own = self.description.joints.iter().filter(|joint| joint.mimic.is_none());
        let (nq, nv) =
            own.fold((0, 0), |(nq, nv), joint| (nq + joint.family.nq(), nv + joint.family.nv()));
        (nq, nv, self.description.actuators.len())
    }

    /// The type of a configuration.
    pub(super) fn configuration(&self) -> TokenStream {
        let (runtime, (nq, _, _)) = (self.runtime, self.sizes());
        quote!(#runtime::nalgebra::SVector<f64, #nq>)
    }

    /// The type of a velocity, an acceleration or a generalised force.
    pub(super) fn velocity(&self) -> TokenStream {
        let (runtime, (_, nv, _)) = (self.runtime, self.sizes());
        quote!(#runtime::nalgebra::SVector<f64, #nv>)
    }

    /// The type of a kernel. The struct's name in front keeps it apart from the struct.
    pub(super) fn kernel(&self, name: &str) -> Ident {
        format_ident!("{}{name}", self.ident)
    }

    /// The type of a kernel, or of the one of what the robot has not.
    pub(super) fn kernel_or_nothing(&self, name: &str) -> TokenStream {
        let prepares = self.equations.is_some() && name == "Preparation";
        if prepares || self.quantity(name).is_some() {
            self.kernel(name).into_token_stream()
        } else {
            let runtime = self.runtime;
            quote!(#runtime::kernel::Nothing)
        }
    }

    /// The derived quantity of this kernel.
    pub(super) fn quantity(&self, kernel: &str) -> Option<&Quantity<'_>> {
        let (_, equations) = self.equations?;
        let mut all = equations.quantities.iter().chain(&equations.requested);
        all.find(|quantity| quantity.kernel == kernel)
    }
}

/// The constant limits of every velocity coordinate, if no field is in any.
pub(super) fn constant_limits(description: &Description) -> Option<Vec<[f64; 2]>> {
    let own = description.joints.iter().filter(|joint| joint.mimic.is_none());
    let limits = |coordinate: &Coordinate| match &coordinate.limits {
        None => Some([f64::NEG_INFINITY, f64::INFINITY]),
        Some([lower, upper]) => Some([Scalar::constant(lower)?, Scalar::constant(upper)?]),
    };
    own.flat_map(|joint| &joint.coordinates).map(limits).collect()
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
