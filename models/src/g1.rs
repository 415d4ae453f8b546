//! The Unitree G1, a humanoid of 29 joints.
//!
//! Figures: `urdf/g1.urdf`, which names their source. Each foot touches the ground at the four
//! corners of its sole.

use jourdain::Robot;

/// The G1 on a floating base.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    urdf = "urdf/g1.urdf",
    base = floating,
    contact(left_front_in, on = left_ankle_roll_link, at = [0.12, -0.03, -0.03], sphere = 0.005, friction = 0.8),
    contact(left_front_out, on = left_ankle_roll_link, at = [0.12, 0.03, -0.03], sphere = 0.005, friction = 0.8),
    contact(left_back_in, on = left_ankle_roll_link, at = [-0.05, -0.025, -0.03], sphere = 0.005, friction = 0.8),
    contact(left_back_out, on = left_ankle_roll_link, at = [-0.05, 0.025, -0.03], sphere = 0.005, friction = 0.8),
    contact(right_front_out, on = right_ankle_roll_link, at = [0.12, -0.03, -0.03], sphere = 0.005, friction = 0.8),
    contact(right_front_in, on = right_ankle_roll_link, at = [0.12, 0.03, -0.03], sphere = 0.005, friction = 0.8),
    contact(right_back_out, on = right_ankle_roll_link, at = [-0.05, -0.025, -0.03], sphere = 0.005, friction = 0.8),
    contact(right_back_in, on = right_ankle_roll_link, at = [-0.05, 0.025, -0.03], sphere = 0.005, friction = 0.8),
)]
pub struct G1;
