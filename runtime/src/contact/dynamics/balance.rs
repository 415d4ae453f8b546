//! The balance of momentum of a step, by the mass matrix as it was before it was factored.

use super::Given;
use super::tree::Tree;
use crate::arithmetic::{Lanes, Ordered};
use crate::fours::{largest, load, starts, store};
use crate::kernel::{Input, Real, evaluate};
use crate::model::Model;
use crate::space::Storage;

impl<M: Model> Tree<M> {
    /// What is missing of the momentum balance of a step to the velocity `end`, as [`Dynamics`](super::Dynamics) says.
    /// Each error is by its largest term, |Dᵢ Δᵢ| among them, which is no larger than |(M + δ)ᵢᵢ Δᵢ|.
    #[inline(always)]
    pub(super) fn imbalance<A: Real>(&self, given: &Given<'_, M>, end: &M::V) -> f64 {
        let (mut change, mut momentum) = (M::V::zeros(), M::V::zeros());
        for i in starts(M::NV) {
            let difference = load::<A>(end.as_slice(), i) - load::<A>(given.carried.as_slice(), i);
            store::<A>(change.as_mut_slice(), i, difference);
        }
        let (holds, a) = (&self.numbers[..], change.as_slice());
        let input = Input { holds, a, ..Input::default() };
        evaluate::<M::ContactMomentum>(&input, momentum.as_mut_slice());
        let h = A::Quad::splat(given.step_size);
        let (mut sum, mut most) = (A::Quad::splat(0.0), A::Quad::splat(0.0));
        for i in starts(M::NV) {
            let momentum = h.mul_add(load::<A>(self.bias(), i), load::<A>(momentum.as_slice(), i));
            let impulse = h * load::<A>(given.force.as_slice(), i);
            let terms = [momentum, -impulse, -load::<A>(self.generalized(), i)];
            let change = load::<A>(change.as_slice(), i);
            let error = missing::<A>(terms, change, load::<A>(self.inverse_pivots(), i)).abs();
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
