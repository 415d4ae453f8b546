//! An impact of one contact, and why it fails.

use crate::impact::{Error, Part};
use crate::integrate;

/// One contact: w = A Λ + w before, along normal and tangents.
#[derive(Clone, Copy, Debug)]
pub(in crate::impact) struct Single {
    /// Symmetric, positive semidefinite.
    pub(in crate::impact) a: [[f64; 3]; 3],
    /// Of a speed of about one, and approaching.
    pub(in crate::impact) w: [f64; 3],
    /// μ.
    pub(in crate::impact) friction: f64,
    /// e.
    pub(in crate::impact) restitution: f64,
}

/// Why there is no impulse.
#[derive(Clone, Debug)]
pub(in crate::impact) enum Failure {
    /// Along the normal nothing moves.
    Immovable,
    /// The path did not end.
    Unending,
    /// That of a slip that turns.
    Slip(integrate::Error),
}

impl Failure {
    /// The failure of a part.
    pub(in crate::impact) fn of(self, part: Part) -> Error {
        match self {
            Failure::Immovable => Error::Immovable { part },
            Failure::Unending => Error::Unsolved { residual: f64::INFINITY },
            Failure::Slip(error) => Error::Slip(error),
        }
    }
}
