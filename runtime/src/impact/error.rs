//! Why there is no velocity after an impact.

use super::Part;
use crate::contact::{self, as_of};
use crate::digits::{figure, given};
use crate::error::ModelError;
use crate::integrate;
use crate::kkt;

/// Polygons of more directions are round to 5·10⁻⁶, and need much room.
pub(super) const MOST_DIRECTIONS: usize = 1000;

/// What went wrong; the velocity that was to be written is unchanged.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The state, the time or a field is none.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The restitution of limits is out of its range.
    #[error("the restitution of {of} is {}, expected a number of at least 0 and at most 1", given(*value))]
    Restitution {
        /// `limits`.
        of: &'static str,
        /// What it is.
        value: f64,
    },
    /// A tolerance is out of its range.
    #[error("the tolerance of gaps is {} m, expected a finite number of at least 0", given(*value))]
    Tolerance {
        /// What was given.
        value: f64,
    },
    /// A polygon of friction has too few or too many directions, or an odd number of them.
    #[error(
        "friction by {directions} directions, expected an even number from 4 to {}",
        MOST_DIRECTIONS
    )]
    Directions {
        /// How many.
        directions: usize,
    },
    /// A law says nothing of what was asked of it.
    #[error("there is no {what} with {law}{}", as_of(*by))]
    NotOffered {
        /// Which.
        law: &'static str,
        /// What it lacks.
        what: &'static str,
        /// The contact or pair that has it, if one has.
        by: Option<&'static str>,
    },
    /// Stronge's law is of one contact at a time.
    #[error(
        "restitution by Stronge's law is of one part at a time, and {count} touch: expected a sequential law, or \
         another restitution"
    )]
    Several {
        /// How many.
        count: usize,
    },
    /// The robot has no such part, or a point is not within 1 cm.
    #[error("{part} is not there, or it is a point further than 1 cm")]
    Unknown {
        /// Which.
        part: Part,
    },
    /// Gaps, or the problem of the impulses; a solver's error carries what it has reached.
    #[error(transparent)]
    Contact(#[from] contact::Error),
    /// The declared constraints admit no solution of theirs.
    #[error("the bilateral constraints: {0}")]
    Bilateral(kkt::Error),
    /// An impulse along the normal of a part moves nothing.
    #[error("{part} cannot move along its normal")]
    Immovable {
        /// Which.
        part: Part,
    },
    /// The path of a slip during an impact could not be followed.
    #[error("slip during the impact: {0}")]
    Slip(integrate::Error),
    /// Parts go on hitting each other.
    #[error(
        "impacts do not end: after {impacts} of them parts approach at {} m/s or rad/s",
        figure(*approach)
    )]
    Endless {
        /// How many there were.
        impacts: usize,
        /// How fast one still approaches.
        approach: f64,
    },
    /// What was found does not satisfy its equations.
    #[error("the impact is unsolved, with a residual of {}", figure(*residual))]
    Unsolved {
        /// Velocities by the largest one before, and momentum by its largest term.
        residual: f64,
    },
}
