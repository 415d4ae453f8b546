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
    /// What takes little time is done for a residual of this, whatever b is; infinite unless stated. It is an aim: what misses
    /// it is a solution all the same.
    pub aim: f64,
    /// Iterations of Newton's method and of interior points, sweeps and pivots at most, altogether; `usize::MAX` unless
    /// stated. A search ends by itself too, but where there is no solution it takes minutes with hundreds of contacts. The
    /// first 38 of a [star](super::Matrix::Star) are counted, but done whatever the limit.
    pub max_iterations: usize,
}

/// Rounding of b, by b.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Residuals that are looked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Goal {
    /// The largest of a solution.
    pub(super) accepted: f64,
    /// The largest with which Newton's method ends as long as that finds better points; not above the former.
    pub(super) aim: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { tolerance: 1e-10, negligible: 0.0, aim: f64::INFINITY, max_iterations: usize::MAX }
    }
}

impl Settings {
    /// # Errors
    ///
    /// [`Error::Setting`].
    #[inline]
    pub(super) fn check(&self) -> Result<(), Error> {
        let Self { tolerance, negligible, aim, .. } = *self;
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

    /// Those of which the aim is a condition, but for what rounding makes of b, of a problem with so large a number.
    pub(crate) fn insisted(&self, largest: f64) -> Self {
        let Self { tolerance, aim, .. } = *self;
        if tolerance * largest <= aim {
            return *self;
        }
        Self { tolerance: f64::min(f64::max(aim / largest, ROUNDING), tolerance), ..*self }
    }

    /// The largest residual of a solution of a problem with so large a number; NaN if that is.
    #[inline(always)]
    pub(crate) fn accepted(&self, largest: f64) -> f64 {
        larger(self.negligible, self.tolerance * largest)
    }
}

#[cfg(test)]
mod tests {
    use super::{Goal, Settings};

    #[test]
    fn aims_are_what_b_does_not_allow_for() {
        let settings = Settings { negligible: 1e-11, aim: 1e-10, ..Settings::default() };
        for (largest, goals, insisted) in [
            (0.0, [1e-11; 2], 1e-10),
            (0.5, [1e-10 * 0.5; 2], 1e-10),
            (1e3, [1e-10 * 1e3, 1e-10], 1e-10 / 1e3),
            (1e9, [1e-10 * 1e9, 1e-10], 64.0 * f64::EPSILON),
        ] {
            let Goal { accepted, aim } = settings.goal(largest);
            assert_eq!([accepted, aim], goals);
            assert_eq!(settings.insisted(largest).tolerance, insisted);
        }
        assert!(settings.goal(f64::INFINITY).accepted.is_infinite());
        let bad = Settings { aim: 0.0, ..settings }.check();
        assert_eq!(
            bad.map_err(|error| error.to_string()),
            Err("settings: aim is 0, expected a number above zero".into())
        );
    }
}
