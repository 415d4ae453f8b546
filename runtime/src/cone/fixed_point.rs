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

use alloc::vec::Vec;

use super::Block;
use super::natural;
use super::vector::length;
use super::view::View;
use crate::kernel::Real;

/// Steps at most.
pub(super) const STEPS: usize = 150;

/// bₖ for the velocities w.
#[inline(always)]
pub(super) fn opened<A: Real>(view: &View<'_>, w: &[f64], b: &mut Vec<f64>) {
    b.clear();
    b.extend_from_slice(view.b);
    for (first, block) in view.blocks() {
        if let Block::Contact { friction, torsion } = *block {
            let w = natural::rows(w, first, block);
            let spin = torsion.unwrap_or(0.0) * w[3].abs();
            b[first] += friction * length::<A>(w[1], w[2]) + spin;
        }
    }
}
