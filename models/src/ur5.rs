//! The UR5 arm of 6 joints.
//!
//! Figures: `urdf/ur5.urdf`, which names their source.

use jourdain::Robot;

/// The UR5, bolted to the world; its frame `tool` is the flange's `tool0`.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(urdf = "urdf/ur5.urdf", frame(tool, on = tool0), kernels(regressor))]
pub struct Ur5;
