//! Motors of joints.
//!
//! > w = θ̇⁺ − v*,  |λ| ≤ h F,  w ≥ 0 where λ is at −h F, w ≤ 0 where it is at h F, w = 0 between
//!
//! on the row of a coordinate θ: as much force as it takes, up to F. A positive λ pushes b along, or turns it about,
//! the axis of a. With v* = 0 it is dry friction. That of a ball has one bound for its three components,
//!
//! > ‖λ‖ ≤ h F,  w = 0 below, and λ = −h F w / ‖w‖ where w ≠ 0

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

/// Dry friction of a ball joint, the same about all axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DryFriction {
    /// The joint, of [`Kind::Ball`](super::Kind::Ball).
    pub joint: usize,
    /// The largest moment F ≥ 0, N m.
    pub bound: f64,
}

impl DryFriction {
    /// # Errors
    ///
    /// [`Error::Parameter`].
    pub(super) fn check(&self) -> Result<(), Error> {
        parameter::check("the dry friction of a joint", self.bound, Range::NotNegative)
    }
}
