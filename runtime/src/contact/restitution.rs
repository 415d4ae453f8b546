//! How contacts spring back: Newton's law of velocities, and Poisson's of impulses.
//!
//! **Newton**: where a constraint closes, n v⁺ ≥ −e n v is demanded beside what the formulation demands.
//!
//! **Poisson**: a step has two phases. In the compression no finite force acts, and nothing springs back,
//!
//! > v_c = v + N M⁻¹ Gᵀ Λ_c,  0 ≤ Λ_c,n ⟂ n v_c − l_c ≥ 0,  Λ_c,t by the friction of Λ_c,n,
//!
//! with l_c = 0 where a constraint with e > 0 closes, and else the least velocity of the formulation, but none that
//! puts a penetration right. In the expansion all forces of the step act, and at least the share e of each
//! impulse of the compression comes back,
//!
//! > M(q) (v⁺ − ṽ) = h (f − b) + Gᵀ (Λ_c + Λ_e),  e Λ_c,n ≤ Λ_e,n,  Λ_e,n − e Λ_c,n ⟂ n v⁺ − l ≥ 0,
//!
//! with friction of the size μ Λ_e,n that opposes the slip at the end. So what rests has no compression and is not
//! thrown up, and what another body's impact is passed on through springs back too, though it did not approach.
//! Limits and declared constraints spring back nowhere; motors and dry friction with finite bounds are no part of the
//! compression, motors without hold their velocities in it.
//!
//! With one e and no friction neither phase adds energy to what begins apart, φ ≥ 0: v_c is the projection of v, in
//! the metric of M, onto the velocities that are allowed, which zero is among, and v⁺ that of v_c + e (v_c − v).
//! Newton's law has that too, but gives energy with friction where Poisson's takes it, as a rod at 45° shows.
//!
//! # Source
//!
//! Anitescu, Potra: Formulating Dynamic Multi-Rigid-Body Contact Problems with Friction as Solvable Linear
//! Complementarity Problems, Nonlinear Dynamics 14 (1997); Pfeiffer, Glocker: Multibody Dynamics with Unilateral
//! Contacts (1996), chapter 8.

use super::demand::Approach;
use super::error::Error;
use super::formulation::Formulation;

/// What the coefficient of restitution e of a contact is a ratio of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Restitution {
    /// Of velocities along the normal, after and before. With friction it may give energy, the more the larger e is and the
    /// more a mechanism's joints couple normal and tangents; the work of each impact is reported.
    #[default]
    Newton,
    /// Of impulses along the normal, of expansion and of compression. Forces of the step act in the expansion: where gravity
    /// presses, a bounce loses about h g of its speed.
    Poisson,
    /// Of the work of the normal force: expansion returns e² of what compression took. For one contact at a time, in
    /// [`impact`](crate::impact) alone.
    Stronge,
    /// Nothing springs back, whatever the coefficients are.
    Inelastic,
}

impl Restitution {
    /// # Errors
    ///
    /// [`Error::NotOffered`] of Poisson's law in convex forms, whose friction is no matter of a phase, and of Stronge's in
    /// all, whose work is no matter of a step.
    pub(super) fn check(self, formulation: &Formulation) -> Result<(), Error> {
        let not = |what| Err(Error::NotOffered { formulation: formulation.name(), what, by: None });
        match self {
            Self::Poisson if formulation.friction().is_convex() => {
                not("restitution by Poisson's law")
            }
            Self::Stronge => not("restitution by Stronge's law, which impacts alone have"),
            _ => Ok(()),
        }
    }

    /// The approach as demands of velocities see it, to which Newton's law alone adds something.
    #[inline]
    pub(super) fn of_velocities(self, approach: &Approach) -> Approach {
        match self {
            Self::Newton => *approach,
            _ => Approach { restitution: 0.0, ..*approach },
        }
    }
}

/// l_c, from the demand l of the expansion.
pub(super) fn least_in_compression(least: f64, approach: &Approach) -> f64 {
    if approach.restitution > 0.0 && approach.closes() { 0.0 } else { least.min(0.0) }
}
