//! The Franka Emika Panda arm of 7 joints with its gripper, whose second finger follows the first.
//!
//! Figures: `urdf/panda.urdf`, which names their source.

use jourdain::Robot;

/// The Panda, bolted to the world.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(urdf = "urdf/panda.urdf", frame(hand, on = panda_hand))]
pub struct Panda;
