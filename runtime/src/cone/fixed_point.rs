//! The fixed point of Acary and Cadoux: Coulomb's problem as a sequence of convex ones.
//!
//! > bₖ = b + (μ ‖wₜ‖ + ν |w_τ|) n,  λₖ₊₁ solves the convex problem of bₖ, w = A λₖ₊₁ + b
//!
//! A fixed point solves Coulomb's problem, since under the convex law what slides opens by just that much.
//!
//! # Source
//!
//! Acary, Cadoux, Lemaréchal, Malick: A Formulation of the Linear Discrete Coulomb Friction Problem via Convex
//! Optimization (2011).

use super::natural;
use super::vector::length;
use super::view::View;
use crate::kernel::Real;

/// Steps at most.
pub(super) const STEPS: usize = 300;

/// The part of each step that is taken: less and less, since the map does not always contract.
pub(super) fn part(step: usize) -> f64 {
    match step {
        0..8 => 1.0,
        8..32 => 0.5,
        32..128 => 0.25,
        _ => 0.125,
    }
}

/// Goes a part of the way from b to that of the velocities w.
#[inline(always)]
pub(super) fn open<A: Real>(view: &View<'_>, w: &[f64], part: f64, b: &mut [f64]) {
    for (first, block) in view.blocks() {
        if let Some((friction, torsion)) = block.friction() {
            let w = natural::rows(w, first, block);
            let spin = torsion.unwrap_or(0.0) * w[3].abs();
            let opened = view.b[first] + friction * length::<A>(w[1], w[2]) + spin;
            b[first] += part * (opened - b[first]);
        }
    }
}
