//! Why there is no constrained motion.

use alloc::string::String;
use alloc::vec::Vec;

use crate::digits::given;
use crate::error::ModelError;
use crate::kkt;

/// What went wrong; what was to be written is unchanged.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Nothing of this name is declared.
    #[error("the robot has no {kind} `{name}`")]
    NotDeclared {
        /// `constraint` or `contact`.
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// A direction along which a contact is to be held has no length, or is not finite.
    #[error(
        "the direction of contact `{contact}` is {direction:?}, expected one of non-zero length"
    )]
    Direction {
        /// Its name.
        contact: &'static str,
        /// What was given.
        direction: [f64; 3],
    },
    /// Only what is held has an anchor.
    #[error("`{name}` is not held, and only what is held has an anchor")]
    NotHeld {
        /// The contact or frame.
        name: &'static str,
    },
    /// A rate of stabilisation is negative or not finite.
    #[error("the stabilization of `{name}` is {}, expected a finite number of at least 0", given(*value))]
    Stabilization {
        /// The contact or frame.
        name: &'static str,
        /// What it is.
        value: f64,
    },
    /// The axes of an anchor's pose are not of unit length, not at right angles, or left-handed.
    #[error(
        "the anchor of frame `{frame}` is turned by {rotation:?}, expected a rotation: RᵀR = 1 to 1e-6, \
         where it is {deviation:.2e} away, and det R = 1"
    )]
    Rotation {
        /// Its name.
        frame: &'static str,
        /// What was given, row by row.
        rotation: [[f64; 3]; 3],
        /// The largest entry of RᵀR − 1.
        deviation: f64,
    },
    /// A weight is negative or not finite.
    #[error("weights[{index}] is {}, expected a finite number of at least 0", given(*value))]
    Weight {
        /// Which entry.
        index: usize,
        /// What it is.
        value: f64,
    },
    /// The state, the force or a field is no number that motion can be computed from.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The mass matrix is singular, and the method is for regular ones.
    #[error("M is singular: joint `{joint}` can move without inertia, which the method is not for")]
    SingularMass {
        /// The joint of the coordinate.
        joint: &'static str,
    },
    /// The equations have no solution that the method finds.
    #[error(transparent)]
    Unsolved(kkt::Error),
    /// No configuration near the guess satisfies the constraints.
    #[error(
        "not assemblable: at the nearest place that was found, coordinates have still to move by {residual:.2e} m or \
         rad at least for {}",
        .constraints.join(", ")
    )]
    NotAssemblable {
        /// How far from satisfied the worst row is, m or rad: |h| by the length of the longest row of its
        /// constraint.
        residual: f64,
        /// The constraints that fight, the worst first.
        constraints: Vec<&'static str>,
    },
    /// The rows lose rank at this configuration, and ask for velocities that contradict one another.
    #[error(
        "singular: of {rows} rows {rank} are independent here, and they contradict one another by {violation:.2e}"
    )]
    Singular {
        /// Number of rows.
        rows: usize,
        /// Their rank.
        rank: usize,
        /// The largest |ḣ| or |h_v| of a row, by the length of the longest row of its constraint, m/s or rad/s;
        /// of inverse dynamics what is left of its equations, N or N m.
        violation: f64,
    },
    /// A slice of weights, multipliers or joints has not the expected length.
    #[error("`{what}` has {length} entries, expected {expected}")]
    Length {
        /// The slice.
        what: &'static str,
        /// Its length.
        length: usize,
        /// What it must be.
        expected: usize,
    },
}
