//! The Franka Emika Panda arm of 7 joints with its gripper, whose second finger follows the first.
//!
//! Figures: `urdf/panda.urdf`, which names their source.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

use jourdain::Robot;
use nalgebra::{SVector, vector};

/// The Panda, bolted to the world.
///
/// Its frames are the flange's `hand` and `tool`, the point between the tips of the fingers.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    urdf = "urdf/panda.urdf",
    frame(hand, on = panda_hand),
    frame(tool, on = panda_hand_tcp),
)]
pub struct Panda;

impl Panda {
    /// Elbow up, hand down, gripper almost closed.
    ///
    /// # Source
    ///
    /// The posture `default` of panda_description/srdf/panda.srdf in example-robot-data 6.0.0, which
    /// writes the multiples of π/4 to five or six digits.
    pub fn ready() -> SVector<f64, 8> {
        vector![0.0, -FRAC_PI_4, 0.0, -3.0 * FRAC_PI_4, 0.0, FRAC_PI_2, FRAC_PI_4, 0.001]
    }
}
