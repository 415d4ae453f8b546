//! Why there is no compliant motion.

use crate::constrained;
use crate::contact::{self, Range};
use crate::digits::given;
use crate::error::ModelError;
use crate::failure::SimulationError;
use crate::integrate;

/// Why a compliant simulation cannot be set up as stated, or does not go on. Its state is then that of the last step
/// that was made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A field, the state or what follows from it is no possible value.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A parameter is out of its range, or compliant contact has no law for what is declared.
    #[error(transparent)]
    Setup(#[from] contact::Error),
    /// A parameter is out of its range.
    #[error("{parameter} is {}, expected a number from {least} to {most}", given(*value))]
    Between {
        /// Which.
        parameter: &'static str,
        /// What was given.
        value: f64,
        /// What it must be at least.
        least: f64,
        /// What it may be at most.
        most: f64,
    },
    /// Friction would grow with speed.
    #[error(
        "friction is {} at rest and {} when sliding, expected no more than at rest", given(*at_rest), given(*sliding))]
    Coefficients {
        /// μ_s.
        at_rest: f64,
        /// μ_d.
        sliding: f64,
    },
    /// Nothing of this name is declared, or a declared constraint does not hold at the start.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// The motion does not go on.
    #[error(transparent)]
    Motion(#[from] integrate::Error),
    /// There are no accelerations under the declared constraints, or no state on them.
    #[error("at {time} s: {error}")]
    Constrained {
        /// When, in seconds.
        time: f64,
        /// Why.
        error: constrained::Error,
    },
}

/// # Errors
///
/// [`Error::Setup`] if `value` is out of its range.
pub(super) fn check(parameter: &'static str, value: f64, expected: Range) -> Result<f64, Error> {
    Ok(contact::check_parameter(parameter, value, expected)?)
}

/// # Errors
///
/// [`Error::Between`] if `value` is not.
pub(super) fn between(
    parameter: &'static str,
    value: f64,
    [least, most]: [f64; 2],
) -> Result<f64, Error> {
    if (least..=most).contains(&value) {
        Ok(value)
    } else {
        Err(Error::Between { parameter, value, least, most })
    }
}
