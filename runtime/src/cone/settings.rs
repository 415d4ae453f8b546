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
    /// A residual that is too large whatever b is, but for what rounding makes of b; infinite unless stated.
    pub ceiling: f64,
}

/// Units of rounding of b that no ceiling is below.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

impl Default for Settings {
    fn default() -> Self {
        Self { tolerance: 1e-10, negligible: 0.0, ceiling: f64::INFINITY }
    }
}

impl Settings {
    /// # Errors
    ///
    /// [`Error::Setting`].
    #[inline]
    pub(super) fn check(&self) -> Result<(), Error> {
        let Self { tolerance, negligible, ceiling } = *self;
        if !(tolerance > 0.0 && tolerance.is_finite()) {
            return Err(Error::Setting { what: "tolerance", value: tolerance });
        }
        if !(negligible >= 0.0 && negligible.is_finite()) {
            return Err(Error::Setting { what: "negligible", value: negligible });
        }
        if ceiling.is_nan() || ceiling <= 0.0 {
            return Err(Error::Setting { what: "ceiling", value: ceiling });
        }
        Ok(())
    }

    /// The largest residual of a solution of a problem with so large a number; NaN if that is.
    #[inline(always)]
    pub(crate) fn accepted(&self, largest: f64) -> f64 {
        let Self { tolerance, negligible, ceiling } = *self;
        let ceiling = larger(ceiling, ROUNDING * largest);
        let relative = tolerance * largest;
        larger(negligible, if relative > ceiling { ceiling } else { relative })
    }
}
