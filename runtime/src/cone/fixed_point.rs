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

use super::natural;
use super::newton::{Newton, Run};
use super::operator::Operator;
use super::vector::length;
use super::view::{Point, View};
use super::{Block, Law};
use crate::kernel::{Real, compute_with};

/// Steps at most.
pub(super) const ITERATIONS: usize = 300;
/// Iterations of Newton's method for a convex problem.
const INNER: usize = 60;
const PROXIMAL: f64 = 1e-9;

/// Room for the method: bₖ.
#[derive(Clone, Debug, Default)]
pub(super) struct FixedPoint {
    b: Vec<f64>,
}

impl FixedPoint {
    pub(super) fn with_capacity(n: usize) -> Self {
        Self { b: Vec::with_capacity(n) }
    }

    /// One step from a point. Returns the iterations of Newton's method.
    #[inline(always)]
    pub(super) fn step<A: Real, O: Operator>(
        &mut self,
        view: &View<'_>,
        operator: &mut O,
        newton: &mut Newton,
        point: &mut Point,
        accepted: f64,
    ) -> usize {
        self.b.clear();
        self.b.extend_from_slice(view.b);
        for (first, block) in view.blocks() {
            if let Block::Contact { friction, torsion } = *block {
                let w = natural::rows(&point.w, first, block);
                let spin = torsion.unwrap_or(0.0) * w[3].abs();
                self.b[first] += friction * length::<A>(w[1], w[2]) + spin;
            }
        }
        let convex = View { b: &self.b, law: Law::Convex, ..*view };
        operator.apply::<A>(&convex, &point.lambda, &mut point.w);
        point.error = convex.measure::<A>(&point.lambda, &point.w);
        let iterations = compute_with::<A, _>(Run {
            view: convex,
            operator: &mut *operator,
            newton,
            point: &mut *point,
            limit: INNER,
            proximal: PROXIMAL,
            accepted: 0.1 * accepted,
        });
        operator.apply::<A>(view, &point.lambda, &mut point.w);
        point.error = view.measure::<A>(&point.lambda, &point.w);
        iterations
    }
}
