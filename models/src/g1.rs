//! The Unitree G1, a humanoid of 29 joints.
//!
//! Figures: `urdf/g1.urdf`, which names their source. Each foot touches the ground with the four
//! spheres that g1_description/urdf/g1_29dof_rev_1_0.urdf in example-robot-data 6.0.0 gives its
//! sole. Friction is that of rubber on a floor, chosen here.

use jourdain::Robot;

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
