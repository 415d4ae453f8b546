//! The Unitree Go2, a quadruped of 12 joints.
//!
//! Figures: `urdf/go2.urdf`, which names their source. Feet are the spheres with which
//! robots/go2_description/urdf/go2_description.urdf of unitree_ros describes their collisions.
//! Friction is that of rubber on a floor, chosen here.

use jourdain::Robot;
use nalgebra::SVector;

/// The Go2 on a floating base, with a spherical contact at each foot.
///
/// Legs are named by front or rear and left or right.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    urdf = "urdf/go2.urdf",
    base = floating,
    contact(fl, on = FL_foot, at = [-0.002, 0, 0], sphere = 0.022, friction = 0.8),
    frame(fl_foot, on = FL_foot),
    contact(fr, on = FR_foot, at = [-0.002, 0, 0], sphere = 0.022, friction = 0.8),
    frame(fr_foot, on = FR_foot),
    contact(rl, on = RL_foot, at = [-0.002, 0, 0], sphere = 0.022, friction = 0.8),
    frame(rl_foot, on = RL_foot),
    contact(rr, on = RR_foot, at = [-0.002, 0, 0], sphere = 0.022, friction = 0.8),
    frame(rr_foot, on = RR_foot),
)]
pub struct Go2;

impl Go2 {
    /// Upright with the origin of the base at `height` (m).
    ///
    /// # Source
    ///
    /// The posture `standing` of go2_description/srdf/go2.srdf in example-robot-data 6.0.0.
    pub fn standing(height: f64) -> SVector<f64, 19> {
        let base = [0.0, 0.0, height, 0.0, 0.0, 0.0, 1.0];
        let legs = [0.068, -0.068, 0.068, -0.068].map(|hip| [hip, 0.785, -1.44]);
        SVector::from_iterator(base.into_iter().chain(legs.into_iter().flatten()))
    }
}
