//! What a step begins with: limits, and conditions under which it can be taken.

use super::stepper::Stepper;
use super::{Conditions, Error};
use crate::model::Model;
use crate::space::Storage;

impl<M: Model> Stepper<M> {
    /// C of the declared limits at the beginning of the last step.
    pub(crate) fn declared_gaps(&self) -> &[f64] {
        &self.explicit.declared.value
    }

    /// φ at `q` of each end of a velocity coordinate's range, with the coordinate.
    pub(crate) fn limit_gaps(&self, q: &M::Q) -> impl Iterator<Item = (usize, f64)> {
        let limits = self.spans.iter().flat_map(move |span| span.limits(q.as_slice()));
        limits.map(|limit| (limit.v, limit.gap))
    }

    /// Whether steps can be taken under these conditions.
    ///
    /// # Errors
    ///
    /// [`Error::Parameter`], and [`Error::NotOffered`] of what the formulation has no law for.
    #[inline]
    pub(crate) fn check(&self, conditions: &Conditions) -> Result<(), Error> {
        conditions.check()?;
        self.explicit.spins.check(&self.explicit.pairs, &conditions.formulation)
    }
}
