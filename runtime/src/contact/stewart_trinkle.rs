//! Stewart and Trinkle: no gap is negative at the end of the step.
//!
//! > 0 ≤ λ ⟂ φ(q)/h + n v⁺ ≥ 0
//!
//! is φ(q ⊕ h v⁺) ≥ 0 to first order, divided by h: the least velocity is −φ/h. It holds for
//! every constraint at every distance. What is open stays open until the step in which it closes
//! and then closes exactly. What has penetrated is put right within one step, by its velocity no faster than
//! it came, and else by a [displacement](super::overlap).
//!
//! # Source
//!
//! Stewart, Trinkle: An Implicit Time-Stepping Scheme for Rigid Body Dynamics with Inelastic
//! Collisions and Coulomb Friction, IJNME 39 (1996).

use super::demand::{Approach, Demand};
use super::depth::seen;
use super::normal::NormalLaw;

/// No gap is negative.
pub(super) struct Gap;

impl NormalLaw for Gap {
    #[inline]
    fn demand(&self, approach: &Approach) -> Option<Demand> {
        Some(approach.demand(rate_to_close(approach.gap, approach.step_size)))
    }

    fn margin(&self) -> f64 {
        0.0
    }

    fn is_of_gaps(&self) -> bool {
        true
    }
}

/// −φ/h, in m/s, of a gap that is not a spring's and has the rate n v at the beginning.
#[inline(always)]
pub(super) fn least_velocity(gap: f64, rate: f64, step_size: f64) -> f64 {
    rate_to_close(seen(gap, rate, step_size), step_size)
}

/// −φ/h, in m/s.
#[inline(always)]
fn rate_to_close(gap: f64, step_size: f64) -> f64 {
    -gap / step_size
}
