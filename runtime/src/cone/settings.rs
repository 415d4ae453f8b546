//! What a solution must satisfy.

use super::Error;
use crate::slices::larger;

/// What a solution must satisfy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The largest [`residual`](fn@super::residual) of a solution, by the largest number of b; 1e-10 unless stated.
    /// Where rounding of A λ is larger, a residual of eight units of that is accepted, but never one of
    /// more than 1e4 times this.
    pub tolerance: f64,
    /// A residual that is small enough whatever b is; 0 unless stated.
    pub negligible: f64,
    /// Newton's method goes on to a residual of this, whatever b is, as long as each iteration leaves half of what the one
    /// before did, or less; infinite unless stated. It is an aim, and what misses it is a solution all the same.
    pub aim: f64,
}

/// Residuals that are looked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Goal {
    /// The largest of a solution.
    pub(super) accepted: f64,
    /// The largest with which Newton's method ends while it gets nearer; not above the former.
    pub(super) aim: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { tolerance: 1e-10, negligible: 0.0, aim: f64::INFINITY }
    }
}

impl Settings {
    /// # Errors
    ///
    /// [`Error::Setting`].
    #[inline]
    pub(super) fn check(&self) -> Result<(), Error> {
        let Self { tolerance, negligible, aim } = *self;
        if !(tolerance > 0.0 && tolerance.is_finite()) {
            return Err(Error::Setting { what: "tolerance", value: tolerance });
        }
        if !(negligible >= 0.0 && negligible.is_finite()) {
            return Err(Error::Setting { what: "negligible", value: negligible });
        }
        if aim.is_nan() || aim <= 0.0 {
            return Err(Error::Setting { what: "aim", value: aim });
        }
        Ok(())
    }

    /// What is looked for in a problem with so large a number.
    #[inline(always)]
    pub(super) fn goal(&self, largest: f64) -> Goal {
        let accepted = self.accepted(largest);
        Goal { accepted, aim: if self.aim < accepted { self.aim } else { accepted } }
    }

    /// The largest residual of a solution of a problem with so large a number; NaN if that is.
    #[inline(always)]
    pub(crate) fn accepted(&self, largest: f64) -> f64 {
        larger(self.negligible, self.tolerance * largest)
    }
}
