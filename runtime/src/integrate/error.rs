//! Why motion cannot be integrated.

use alloc::boxed::Box;

use super::Phase;
use crate::digits::{figure, given, least};
use crate::error::ModelError;

/// Why an integration cannot be set up as stated, or does not go on. What was integrated before stays as it is.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A phase, an input or a field of a robot is no possible value.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A number of the integration itself is not possible.
    #[error("{quantity} is {}, expected a finite number greater than {}", figure(*value), least(*value))]
    Setting {
        /// `absolute tolerance`, `relative tolerance`, `step` …
        quantity: &'static str,
        /// What was given.
        value: f64,
    },
    /// A number of the integration itself is out of its range.
    #[error("{quantity} is {}, expected a number from {least:e} to {most}", figure(*value))]
    Between {
        /// `tolerance`.
        quantity: &'static str,
        /// What was given.
        value: f64,
        /// What it must be at least.
        least: f64,
        /// What it may be at most.
        most: f64,
    },
    /// A part of a phase has another length than the space has coordinates.
    #[error("{quantity} has {found} numbers, expected {expected}")]
    Length {
        /// `q`, `v` or `z`.
        quantity: &'static str,
        /// Number of coordinates.
        expected: usize,
        /// Number of entries.
        found: usize,
    },
    /// The robot has constraints, which smooth motion of all its coordinates does not know.
    #[error(
        "constraint `{constraint}` is declared; `constrained::Constrained` gives its accelerations"
    )]
    Constrained {
        /// The first of them.
        constraint: &'static str,
    },
    /// The time to go to is not after that of the phase.
    #[error("the end of the motion is {end} s, expected a time after {time} s")]
    Backward {
        /// Time of the phase, in seconds.
        time: f64,
        /// What was asked for.
        end: f64,
    },
    /// The right-hand side is NaN or infinite, however short the step.
    #[error("at {} s: {quantity}[{index}] is {}, expected a finite number", phase.time, given(*value))]
    NotFinite {
        /// `v_dot` or `z_dot`, or `q_dot` where the velocity is infinite.
        quantity: &'static str,
        /// Which entry.
        index: usize,
        /// What it is.
        value: f64,
        /// Where.
        phase: Box<Phase>,
    },
    /// A guard is NaN or infinite.
    #[error("at {time} s: a guard is {}, expected a finite number", given(*value))]
    Guard {
        /// When, in seconds.
        time: f64,
        /// What it is.
        value: f64,
    },
    /// No step that changes the time meets the tolerance: the motion ends here, or its tolerance is below the rounding
    /// of its numbers.
    #[error(
        "at {time} s: a step of {step:e} s is too long for the tolerance, and a shorter one does nothing"
    )]
    StepSize {
        /// Time of the phase, in seconds.
        time: f64,
        /// The last step tried, in seconds.
        step: f64,
    },
    /// Forces are stiff for the explicit method: thousands of steps were as short as its stability asks for, not its error,
    /// and tens of thousands would follow. The method for stiff forces takes steps as long as the motion allows.
    #[error(
        "at {time} s: the motion is stiff, with forces that act at {rate:.1e} 1/s, and explicit steps of {step:.1e} s \
         would take for ever; take the method for stiff forces, by `.stiff()`"
    )]
    Stiff {
        /// Time of the phase, in seconds.
        time: f64,
        /// The last step, in seconds.
        step: f64,
        /// |λ| of the fastest rate, in 1/s.
        rate: f64,
    },
    /// More steps are needed than are allowed.
    #[error("at {time} s: {steps} steps are done and no more are allowed; the end is {end} s")]
    Steps {
        /// Time of the phase, in seconds.
        time: f64,
        /// How many there were.
        steps: u64,
        /// Where to, in seconds.
        end: f64,
    },
}

/// # Errors
///
/// [`Error::Setting`] unless `value` is finite and greater than zero, and its inverse finite.
pub(crate) fn positive(quantity: &'static str, value: f64) -> Result<f64, Error> {
    if value > 0.0 && value.is_normal() {
        Ok(value)
    } else {
        Err(Error::Setting { quantity, value })
    }
}
