//! One step of time stepping with contact, friction and joint limits.
//!
//! > M(q) (v⁺ − ṽ) = h (f − b(q, v)) + Gᵀ Λ
//!
//! ṽ is v, but for the linear velocity u of a floating joint, which is u + h ω × u: v⁺ is in the
//! axes that the joint's child has at the beginning of the step, so that free flight is straight.
//!
//! f is the applied generalised force, b = C v − τ_g the bias force and G holds one row for each
//! impulse of Λ:
//!
//! - a **unilateral** constraint, a contact or the limit of a joint's coordinate, with gap φ and
//!   row n: 0 ≤ λ ⟂ n v⁺ − l ≥ 0, where the [`Formulation`] says which least velocity l it
//!   demands, if any;
//! - **friction** of a contact, by a polygon of η directions d_k = cos(2πk/η) t₁ + sin(2πk/η) t₂:
//!   0 ≤ β_k ⟂ d_k v⁺ + σ ≥ 0 and 0 ≤ σ ⟂ μ λ − Σβ ≥ 0, which is maximum dissipation over the
//!   polygon;
//! - a declared **constraint**: impulses of either sign along its rows H(q, v, t) such that rows of positions
//!   have no error at the end of the step, h(q⁺, t⁺) = 0, nor those of velocities, h_v(q, v⁺, t⁺) = 0;
//! - **dry friction** of a joint with bound τ_f: the same with the two directions ±v_j and the
//!   bound h τ_f.
//!
//! Everything below is an impulse in N s (or N m s) over the step; a force is that divided by h.
//!
//! # Source
//!
//! Stewart, Trinkle: An Implicit Time-Stepping Scheme for Rigid Body Dynamics with Inelastic
//! Collisions and Coulomb Friction, IJNME 39 (1996). Anitescu, Potra: Formulating Dynamic
//! Multi-Rigid-Body Contact Problems with Friction as Solvable Linear Complementarity Problems,
//! Nonlinear Dynamics 14 (1997).

mod anitescu;
mod anitescu_potra;
mod bilateral;
mod candidate;
mod check;
mod columns;
mod conditions;
mod declared;
mod dynamics;
mod formulation;
mod implicit;
mod impulse;
mod limit;
mod motor;
mod parameter;
mod polygon;
mod problem;
mod pyramid;
mod residual;
mod rows;
mod softness;
mod solvers;
mod stepper;
mod stewart_trinkle;
mod sticking;
mod todorov;

pub use anitescu::Anitescu;
pub use anitescu_potra::AnitescuPotra;
pub use conditions::Conditions;
pub use formulation::{Approach, Demand, Formulation, Normal};
pub use impulse::{Impulse, direction};
pub use motor::Motor;
pub use parameter::Range;
pub use residual::{Residual, Transition, residual};
pub use softness::Softness;
pub use stepper::{Outcome, Stepper};
pub use todorov::{Cone, Todorov};

use crate::cone;
use crate::kkt;
use crate::lcp;

/// Why a step has no impulses to return.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The mass matrix is not positive definite, or not finite.
    #[error("the mass matrix is not positive definite")]
    MassMatrix,
    /// The gap of a contact is NaN: nobody knows whether it is open.
    #[error("the gap of contact {contact} is NaN")]
    Gap {
        /// Its place among the contacts.
        contact: usize,
    },
    /// A declared constraint does not hold at the beginning of a step, further than a step may be wrong.
    #[error("constraint `{constraint}` is violated by {error:e}")]
    Violated {
        /// Its name.
        constraint: &'static str,
        /// The largest |h| of its rows by the length of the longest one, ‖Hᵢ‖: how far coordinates have to
        /// move at least, m or rad.
        error: f64,
    },
    /// The declared constraints admit no solution of theirs.
    #[error("the bilateral constraints: {0}")]
    Bilateral(kkt::Error),
    /// The complementarity problem has no solution, or none was found.
    #[error("the contact problem: {0}")]
    Complementarity(#[from] lcp::Error),
    /// The problem of friction cones has no solution, or none was found.
    #[error("the contact problem: {0}")]
    Cone(#[from] cone::Error),
    /// With infinite friction contacts jam: after so many attempts some stick that would be pulled, or are open
    /// and approach.
    #[error(
        "contacts with infinite friction jam: no choice of those that stick was found in {tried} attempts"
    )]
    Jammed {
        /// How many were tried.
        tried: usize,
    },
    /// A parameter of a formulation, a motor or a soft row lies outside its range.
    #[error("{parameter} is {value}, expected {expected}")]
    Parameter {
        /// Which.
        parameter: &'static str,
        /// What was given.
        value: f64,
        /// What it must be.
        expected: Range,
    },
}
