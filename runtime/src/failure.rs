//! What can go wrong in a simulation.

use alloc::string::String;

use crate::contact::{self, Residual};
use crate::error::ModelError;

/// Why a simulation cannot be set up as stated, or a step has no result. The state is that before
/// the step.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SimulationError {
    /// A field, the state, an input or a wrench is no possible value.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A number of the simulation itself is not possible.
    #[error("{quantity} is {value}, expected a finite number greater than 0")]
    Setting {
        /// `step_size`, `tolerance`, `duration` or `rate`.
        quantity: &'static str,
        /// What was given.
        value: f64,
    },
    /// Nothing of this name is declared.
    #[error("the robot has no {kind} `{name}`")]
    NotDeclared {
        /// `contact`, `constraint`, or `joint of one coordinate`.
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// A declared constraint does not hold at the beginning of a step, further than a step may be wrong.
    #[error(
        "at {time} s: constraint `{constraint}` is violated by {error:e}; start from a state that \
         `Constrained::assemble` finds, and take steps that are small enough"
    )]
    Violated {
        /// Beginning of the step, in seconds.
        time: f64,
        /// Its name.
        constraint: &'static str,
        /// The largest |h| of its rows by the length of the longest one, ‖Hᵢ‖: how far coordinates have to
        /// move at least, m or rad.
        error: f64,
    },
    /// Solids overlap in the state that a simulation starts from.
    #[error(
        "at {time} s: `{pair}` overlaps by {depth:e} m; start apart, or let \
         `Simulation::recovery` put it right"
    )]
    Overlap {
        /// Beginning of the step, in seconds.
        time: f64,
        /// The name of the pair that overlaps most, or of the shape that overlaps the ground.
        pair: &'static str,
        /// How deep, in metres.
        depth: f64,
    },
    /// The step's equations have no solution, or none was found.
    #[error("at {time} s: {error}")]
    Contact {
        /// Beginning of the step, in seconds.
        time: f64,
        /// Why.
        error: contact::Error,
    },
    /// What was found does not satisfy the step's equations.
    #[error(
        "at {time} s: the residual of {} is {:.2e}, more than {tolerance:e}",
        residual.worst().0,
        residual.worst().1
    )]
    Residual {
        /// Beginning of the step, in seconds.
        time: f64,
        /// The residual of each kind of equation.
        residual: Residual,
        /// What is allowed.
        tolerance: f64,
    },
}
