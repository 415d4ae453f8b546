//! The balance of momentum of a step, by the mass matrix as it was before it was factored.

use super::start::Given;
use super::sum::sum_of;
use super::tree::Tree;
use crate::arithmetic::{Lanes, Ordered};
use crate::fours::{largest, load, starts};
use crate::kernel::Real;

impl Tree {
    /// What is missing of the momentum balance of a step to the velocity `end`, as [`Dynamics`](super::Dynamics) says.
    /// Each error is by its largest term, |Dᵢ Δᵢ| among them, which is no larger than |(M + δ)ᵢᵢ Δᵢ|.
    #[inline(always)]
    pub(super) fn imbalance<A: Real>(&mut self, given: &Given<'_>, end: &[f64]) -> f64 {
        let Self { table, kernels, numbers, change, momentum, response, .. } = self;
        let nv = table.nv;
        sum_of(&mut change[..nv], &end[..nv], -1.0, &given.carried[..nv]);
        kernels.contact_momentum_into(numbers, change, momentum);
        let (inverse_pivots, bias) = (&numbers[nv..][..nv], &numbers[2 * nv..][..nv]);
        let (momentum, change, force) = (&momentum[..nv], &change[..nv], &given.force[..nv]);
        let (generalized, slopes) = (&response[nv..][..nv], given.slopes.map(|of| &of[..nv]));
        let h = A::Quad::splat(given.step_size);
        let (mut sum, mut most) = (A::Quad::splat(0.0), A::Quad::splat(0.0));
        for i in starts(nv) {
            let (mut change, inverse_pivot) = (load::<A>(change, i), load::<A>(inverse_pivots, i));
            let mut momentum = h.mul_add(load::<A>(bias, i), load::<A>(momentum, i));
            if let Some(slopes) = slopes {
                let of_slope = load::<A>(slopes, i) * change;
                // (D − G) Δ by D.
                (momentum, change) = (momentum - of_slope, change - of_slope * inverse_pivot);
            }
            let impulse = h * load::<A>(force, i);
            let terms = [momentum, -impulse, -load::<A>(generalized, i)];
            let error = missing::<A>(terms, change, inverse_pivot).abs();
            (sum, most) = (sum + error, error.maximum(most));
        }
        if sum.sum().is_nan() { f64::NAN } else { largest::<A>(most) }
    }
}

/// The sum of the terms by the largest one, or by |Dᵢ Δᵢ|, or by one; with a single division.
#[inline(always)]
fn missing<A: Real>([a, b, c]: [A::Quad; 3], change: A::Quad, inverse_pivot: A::Quad) -> A::Quad {
    let size = a.abs().maximum(b.abs()).maximum(c.abs()).maximum(A::Quad::splat(1.0));
    let sum = (a + b + c) * inverse_pivot;
    sum / change.abs().maximum(size * inverse_pivot)
}
