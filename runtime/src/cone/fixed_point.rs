//! The fixed point of Acary and Cadoux: Coulomb's problem as a sequence of convex ones.
//!
//! > bₖ = b + (μ ‖wₜ‖ + ν |w_τ| + ϱ ‖w_ϱ‖) n,  λₖ₊₁ solves the convex problem of bₖ, w = A λₖ₊₁ + b
//!
//! A fixed point solves Coulomb's problem, since under the convex law what slides opens by just that much.
//!
//! # Source
//!
//! Acary, Cadoux, Lemaréchal, Malick: A Formulation of the Linear Discrete Coulomb Friction Problem via Convex
//! Optimization (2011).

use super::natural;
use super::view::View;

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
pub(super) fn open(view: &View<'_>, w: &[f64], part: f64, b: &mut [f64]) {
    for (first, block) in view.blocks() {
        if let Some(coefficients) = block.coefficients() {
            let opened = view.b[first] + coefficients.opens(&natural::rows(w, first, block));
            b[first] += part * (opened - b[first]);
        }
    }
}
