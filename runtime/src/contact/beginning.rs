//! What a step begins with: limits, and conditions under which it can be taken.

use super::stepper::Core;
use super::{Conditions, Error};

impl Core {
    /// C of the declared limits at the beginning of the last step.
    pub(crate) fn declared_gaps(&self) -> &[f64] {
        &self.explicit.declared.value
    }

    /// φ at `q` of each end of a velocity coordinate's range, with the coordinate.
    pub(crate) fn limit_gaps(&self, q: &[f64]) -> impl Iterator<Item = (usize, f64)> {
        let limits = self.spans.iter().flat_map(move |span| span.limits(q));
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
        self.explicit.turning.check(
            &self.explicit.pairs,
            conditions.ground.as_ref(),
            &conditions.formulation,
        )
    }
}
