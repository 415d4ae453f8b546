//! The balance of momentum of a step, by the mass matrix as it was before it was factored.

use super::tree::Tree;
use super::{Given, missing};
use crate::kernel::{Input, evaluate};
use crate::model::Model;
use crate::slices::largest;
use crate::space::Storage;

impl<M: Model> Tree<M> {
    /// What is missing of the momentum balance of a step to the velocity `end`, as [`Dynamics`](super::Dynamics) says.
    /// Each error is by its largest term, |Dᵢ Δᵢ| among them, which is no larger than |(M + δ)ᵢᵢ Δᵢ|.
    #[inline]
    pub(super) fn imbalance(&self, given: &Given<'_, M>, end: &M::V) -> f64 {
        let h = given.step_size;
        let (mut change, mut momentum) = (M::V::zeros(), M::V::zeros());
        for i in 0..M::NV {
            change[i] = end[i] - given.carried[i];
        }
        let (holds, a) = (&self.numbers[..], change.as_slice());
        let input = Input { holds, a, ..Input::default() };
        evaluate::<M::ContactMomentum>(&input, momentum.as_mut_slice());
        let (bias, pivots) = (self.bias(), self.inverse_pivots());
        let (p, mut errors) = (self.generalized(), M::V::zeros());
        for i in 0..M::NV {
            let terms = [momentum[i] + h * bias[i], -h * given.force[i], -p[i]];
            errors[i] = missing(terms, (change[i] / pivots[i]).abs());
        }
        largest(errors.as_slice())
    }
}
