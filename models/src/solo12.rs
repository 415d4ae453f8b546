//! Solo 12, an open torque-controlled quadruped of 12 joints.
//!
//! Figures: `urdf/solo12.urdf`, which names their source. Each foot is a sphere of the radius of its
//! mesh, solo_description/meshes/stl/with_foot/solo_foot.stl in example-robot-data 6.0.0. The file
//! states no torque limit that binds; an actuator gives 2.5 N m at 12 A, says
//! mechanics/actuator_module_v1 of open_robot_actuator_hardware by the Open Dynamic Robot
//! Initiative. Friction is that of rubber on a floor, chosen here.

use jourdain::Robot;
use nalgebra::SVector;

/// Solo 12 on a floating base, with a spherical contact at each foot.
///
/// Legs are named by front or hind and left or right; the joints of each are hip abduction (HAA),
/// hip flexion (HFE) and knee flexion (KFE).
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    urdf = "urdf/solo12.urdf",
    base = floating,
    joint(FL_HAA, effort = 2.5),
    joint(FL_HFE, effort = 2.5),
    joint(FL_KFE, effort = 2.5),
    joint(FR_HAA, effort = 2.5),
    joint(FR_HFE, effort = 2.5),
    joint(FR_KFE, effort = 2.5),
    joint(HL_HAA, effort = 2.5),
    joint(HL_HFE, effort = 2.5),
    joint(HL_KFE, effort = 2.5),
    joint(HR_HAA, effort = 2.5),
    joint(HR_HFE, effort = 2.5),
    joint(HR_KFE, effort = 2.5),
    contact(fl, on = FL_FOOT, sphere = 0.016, friction = 0.8),
    frame(fl_foot, on = FL_FOOT),
    contact(fr, on = FR_FOOT, sphere = 0.016, friction = 0.8),
    frame(fr_foot, on = FR_FOOT),
    contact(hl, on = HL_FOOT, sphere = 0.016, friction = 0.8),
    frame(hl_foot, on = HL_FOOT),
    contact(hr, on = HR_FOOT, sphere = 0.016, friction = 0.8),
    frame(hr_foot, on = HR_FOOT),
)]
pub struct Solo12;

impl Solo12 {
    /// Upright with the origin of the base at `height` (m) and every knee bent outwards.
    ///
    /// # Source
    ///
    /// The posture `straight_standing` of solo_description/srdf/solo.srdf in example-robot-data
    /// 6.0.0.
    pub fn standing(height: f64) -> SVector<f64, 19> {
        let base = [0.0, 0.0, height, 0.0, 0.0, 0.0, 1.0];
        let (front, hind) = ([0.0, 0.8, -1.6], [0.0, -0.8, 1.6]);
        let legs = [front, front, hind, hind].into_iter().flatten();
        SVector::from_iterator(base.into_iter().chain(legs))
    }
}
