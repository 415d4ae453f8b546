//! Solo 12, an open torque-controlled quadruped of 12 joints.
//!
//! Figures: `urdf/solo12.urdf`, which names their source. Each foot is a sphere.

use jourdain::Robot;

/// Solo 12 on a floating base, with a spherical contact at each foot.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    urdf = "urdf/solo12.urdf",
    base = floating,
    contact(fl, on = FL_FOOT, sphere = 0.0165, friction = 0.8),
    contact(fr, on = FR_FOOT, sphere = 0.0165, friction = 0.8),
    contact(hl, on = HL_FOOT, sphere = 0.0165, friction = 0.8),
    contact(hr, on = HR_FOOT, sphere = 0.0165, friction = 0.8),
)]
pub struct Solo12;
