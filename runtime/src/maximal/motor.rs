//! Motors of joints.
//!
//! > w = θ̇⁺ − v*,  |λ| ≤ h F,  w ≥ 0 where λ is at −h F, w ≤ 0 where it is at h F, w = 0 between
//!
//! on the row of a coordinate θ: as much force as it takes, up to F. A positive λ pushes b along, or turns it about,
//! the axis of a. With v* = 0 it is dry friction.

use super::Error;
use super::parameter::{self, Range};

/// Seeks a velocity of a coordinate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motor {
    /// The joint.
    pub joint: usize,
    /// Which of its [coordinates](super::Joint::coordinates_into), 0 if there is but one; of a ball, which axis of b it
    /// turns about.
    pub coordinate: usize,
    /// v*, in rad/s or m/s.
    pub velocity: f64,
    /// The largest force F ≥ 0 or moment; may be infinite.
    pub force: f64,
}

impl Motor {
    /// # Errors
    ///
    /// [`Error::Parameter`].
    pub(super) fn check(&self) -> Result<(), Error> {
        parameter::check("the velocity of a motor", self.velocity, Range::Finite)?;
        let force = if self.force == f64::INFINITY { 0.0 } else { self.force };
        parameter::check("the force of a motor", force, Range::NotNegative)
    }
}
