//! What acts on single coordinates, which needs no rows: motors with bounds, dry friction and limits.
//!
//! Each is at one of its bounds, where its impulse is known, or between them, where it is linear in the velocity of its
//! coordinate: there it adds to the inertia of that coordinate and to the momentum of the step,
//!
//! > Λ = c − G s v⁺:  (M + δ + G)(v⁺ − ṽ) = h (f − b) + s c − G ṽ + Jᵀ Λ_J
//!
//! so that a problem of contacts is left, which is solved exactly. The projection of Λ − ρ w says whether a law is at a bound or
//! between. It is asked again after each solution until nothing changes, which is Newton's method for a piecewise linear function.
//!
//! A law with σ = 0 holds its coordinate. It gets the finite inertia κ ρ and carries its impulse, Λ ← Λ − κ ρ w, so that w = 0
//! exactly where Λ no longer changes. ρ is the entry of the coordinate in the diagonal of M + δ.
//!
//! Where laws are regularised in proportion to A, that is A without G: it is known from dynamics without these laws.
//!
//! The balance of momentum is judged with M + δ and the impulses Λ, not with G and c: G is so large that errors would hide in it.
//!
//! # Source
//!
//! Derived here. Alart, Curnier: A Mixed Formulation for Frictional Contact Problems Prone to Newton Like Solution Methods (1991) for
//! the projections; Rockafellar: Augmented Lagrangians and Applications of the Proximal Point Algorithm in Convex Programming
//! (1976) for what holds.

mod law;
mod solve;

use alloc::vec;
use alloc::vec::Vec;

use self::law::Law;
use crate::model::{Robot, Table};

/// What acts on single coordinates in a step, and room for it.
#[derive(Clone, Debug)]
pub(super) struct Coordinates {
    laws: Vec<Law>,
    /// Whether the step was solved with these laws.
    pub(super) are_used: bool,
    /// ρ, (nv); NaN where it is not known.
    inertia: Vec<f64>,
    /// G of each coordinate, (nv).
    slopes: Vec<f64>,
    /// δ and the force beside what they add, (nv).
    added: Vec<f64>,
    force: Vec<f64>,
    /// Room for M, (nv, nv).
    mass: Vec<f64>,
    /// By how much the force changes, (nv).
    change: Vec<f64>,
}

impl Coordinates {
    pub(super) fn new(table: &Table) -> Self {
        let zeros = || vec![0.0; table.nv];
        Self {
            laws: Vec::with_capacity(4 * table.nv),
            are_used: false,
            inertia: vec![f64::NAN; table.nv],
            slopes: zeros(),
            added: zeros(),
            force: zeros(),
            mass: vec![0.0; table.nv * table.nv],
            change: zeros(),
        }
    }

    /// G of the laws that the last step was solved with, (nv), if it was.
    #[inline(always)]
    pub(super) fn slopes(&self) -> Option<&[f64]> {
        self.are_used.then_some(&self.slopes)
    }

    /// Finds the inertia at `q`, if that of the step before is not known.
    fn know_inertia(&mut self, robot: Robot<'_>, q: &[f64]) {
        if self.inertia.iter().any(|rho| rho.is_nan()) {
            robot.mass_matrix_into(q, &mut self.mass);
            let diagonal = self.mass.iter().step_by(robot.nv + 1);
            self.inertia.iter_mut().zip(diagonal).for_each(|(rho, mass)| *rho = *mass);
        }
    }

    /// Forgets the inertia of the last step.
    pub(super) fn forget(&mut self) {
        self.inertia.fill(f64::NAN);
    }
}
