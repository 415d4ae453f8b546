//! The Unitree G1, a humanoid of 29 joints.
//!
//! Figures: `urdf/g1.urdf`, which names their source. Each foot touches the ground with the four
//! spheres that g1_description/urdf/g1_29dof_rev_1_0.urdf in example-robot-data 6.0.0 gives its
//! sole. Friction is that of rubber on a floor, chosen here.

use jourdain::Robot;
use nalgebra::SVector;

/// The G1 on a floating base.
///
/// Its frames are the soles, below the ankles, and the palms.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    urdf = "urdf/g1.urdf",
    base = floating,
    contact(left_front_in, on = left_ankle_roll_link, at = [0.12, -0.03, -0.03], sphere = 0.005, friction = 0.8),
    contact(left_front_out, on = left_ankle_roll_link, at = [0.12, 0.03, -0.03], sphere = 0.005, friction = 0.8),
    contact(left_back_in, on = left_ankle_roll_link, at = [-0.05, -0.025, -0.03], sphere = 0.005, friction = 0.8),
    contact(left_back_out, on = left_ankle_roll_link, at = [-0.05, 0.025, -0.03], sphere = 0.005, friction = 0.8),
    contact(right_front_in, on = right_ankle_roll_link, at = [0.12, 0.03, -0.03], sphere = 0.005, friction = 0.8),
    contact(right_front_out, on = right_ankle_roll_link, at = [0.12, -0.03, -0.03], sphere = 0.005, friction = 0.8),
    contact(right_back_in, on = right_ankle_roll_link, at = [-0.05, 0.025, -0.03], sphere = 0.005, friction = 0.8),
    contact(right_back_out, on = right_ankle_roll_link, at = [-0.05, -0.025, -0.03], sphere = 0.005, friction = 0.8),
    frame(left_foot, on = left_ankle_roll_link, at = [0, 0, -0.035]),
    frame(left_hand, on = left_rubber_hand),
    frame(right_foot, on = right_ankle_roll_link, at = [0, 0, -0.035]),
    frame(right_hand, on = right_rubber_hand),
)]
pub struct G1;

impl G1 {
    /// Upright with the origin of the pelvis at `height` (m), knees bent by 0.4 rad so that the
    /// centre of mass is above the soles, arms hanging.
    pub fn standing(height: f64) -> SVector<f64, 36> {
        let base = [0.0, 0.0, height, 0.0, 0.0, 0.0, 1.0];
        let leg = [-0.2, 0.0, 0.0, 0.4, -0.2, 0.0];
        let waist = [0.0; 3];
        let arm = |side: f64| [0.1, 0.2 * side, 0.0, 0.9, 0.0, 0.0, 0.0];
        let limbs = [&leg[..], &leg, &waist, &arm(1.0), &arm(-1.0)].concat();
        SVector::from_iterator(base.into_iter().chain(limbs))
    }
}
