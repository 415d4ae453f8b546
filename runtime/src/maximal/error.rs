//! Why a world cannot be made or moved as stated.

use super::Residual;
use crate::cone;
use crate::contact::Range;
use crate::digits::{figure, given};
use crate::error::ModelError;

/// Why there is no world, or no next state of it; the world is then as it was.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A number is out of its range.
    #[error("{what} is {}, expected {expected}", given(*value))]
    Parameter {
        /// Which.
        what: &'static str,
        /// What was given.
        value: f64,
        /// What it must be.
        expected: Range,
    },
    /// A number of a body's state or its applied force is NaN or infinite.
    #[error("body {body} has the number {} in its state", given(*value))]
    NotFinite {
        /// Its place.
        body: usize,
        /// What it is.
        value: f64,
    },
    /// There is no such body.
    #[error("there is no body {body}")]
    Body {
        /// Its place.
        body: usize,
    },
    /// There is no such solid.
    #[error("there is no solid {solid}")]
    Solid {
        /// Its place.
        solid: usize,
    },
    /// A frame's place is not finite, or its axes are not orthonormal and right-handed.
    #[error(
        "the frame of a solid is none: expected orthonormal, right-handed axes at a finite place"
    )]
    Frame,
    /// A joint, or a solid on each side of a contact, must be on two bodies.
    #[error("a joint ties a body to itself, or the world to the world")]
    Joint,
    /// There is no such joint, or it has no such [coordinate](super::Joint::coordinates_into).
    #[error("joint {joint} has no coordinate {coordinate}")]
    Coordinate {
        /// The joint's place.
        joint: usize,
        /// Which of its coordinates.
        coordinate: usize,
    },
    /// The joints leave a body a motion without inertia.
    #[error("body {body} has a motion without inertia")]
    Singular {
        /// Its place.
        body: usize,
    },
    /// The problem of contacts, limits, motors and loops has no solution, or none was found.
    #[error("the problem of contacts, limits, friction and motors: {0}")]
    Cone(#[from] cone::Error),
    /// What was found does not satisfy the step's equations.
    #[error("the residual is {:.2e}, more than {tolerance:e}", residual.max())]
    Residual {
        /// What is left of each kind of equation.
        residual: Residual,
        /// What is allowed.
        tolerance: f64,
    },
    /// A body moves so far in a step, or its step is so long, that rounding leaves nothing of the place at which joints, limits
    /// and contacts stop it, or of its orientation.
    #[error(
        "in a step of {step_size} s what acts would move body {body} by {} m or rad, expected at most {}: of more than that, \
         rounding leaves nothing of its place; let smaller forces act, or take smaller steps",
        figure(*distance), figure(*most)
    )]
    Drowned {
        /// Its place.
        body: usize,
        /// How far it would move before errors are put right, in m, or turn, in rad.
        distance: f64,
        /// What that may be beside how far it goes, in m, or in rad.
        most: f64,
        /// h, in seconds.
        step_size: f64,
    },
    /// The robot's fields or its state are not possible.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The robot has something that a world of bodies has not.
    #[error("a world of bodies has no {what}, as at `{name}`")]
    Unsupported {
        /// What.
        what: &'static str,
        /// Where in the description.
        name: &'static str,
    },
}
