//! The balance of momentum of a step, by inverse dynamics.

use super::tree::Tree;
use super::{Start, missing};
use crate::model::Model;
use crate::slices::largest;
use crate::space::Storage;

impl<M: Model> Tree<M> {
    /// What is missing of the momentum balance of a step to the velocity `end`, as [`Dynamics`](super::Dynamics) says,
    /// with (M + δ) Δ + h b by inverse dynamics. |D Δ| is no larger than the largest term of each of its entries.
    #[inline]
    pub(super) fn imbalance(&self, model: &M, start: &Start<'_, M>, end: &M::V) -> f64 {
        let (h, rate) = (start.step_size, 1.0 / start.step_size);
        let (mut change, mut acceleration) = (M::V::zeros(), M::V::zeros());
        for i in 0..M::NV {
            change[i] = end[i] - start.carried[i];
            acceleration[i] = rate * change[i];
        }
        let mut inverse = M::V::zeros();
        model.inverse_dynamics_into(start.q, start.v, &acceleration, &mut inverse);
        let (added, pivots) = (&start.added[..M::NV], self.inverse_pivots());
        let (p, mut errors) = (self.generalized(), M::V::zeros());
        for i in 0..M::NV {
            let terms = [h * inverse[i] + added[i] * change[i], -h * start.force[i], -p[i]];
            errors[i] = missing(terms, (change[i] / pivots[i]).abs());
        }
        largest(errors.as_slice())
    }
}
