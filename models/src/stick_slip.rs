//! The stick–slip oscillator: a block on the ground that a spring pulls along, whose other end moves steadily.
//!
//! The block's place is x, the far end's x + l + s, with the spring's length l at rest and its stretch s:
//!
//! > m ẍ = k s − F,  ẋ + ṡ = speed,  |F| ≤ μ m g

use jourdain::Robot;

/// A block of mass `m`, a spring of stiffness `k`, and a carriage that moves with `speed`.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(slide, massless),
    joint(x, prismatic(world -> slide), axis = [1, 0, 0], passive),
    link(block, mass = m),
    joint(z, prismatic(slide -> block), axis = [0, 0, 1], passive),
    link(carriage, mass = 1),
    joint(pull, prismatic(world -> carriage), at = [0.3, 0, 0], axis = [1, 0, 0], passive),
    drive(steady, joint = pull, rate = speed),
    spring(pulling, a = block, b = carriage, stiffness = k, rest = 0.3),
    contact(sole, on = block, friction = 0.5),
)]
pub struct StickSlip {
    /// Mass of the block, kg.
    pub m: f64,
    /// Stiffness of the spring, N/m.
    pub k: f64,
    /// Of the carriage, m/s.
    pub speed: f64,
}

impl StickSlip {
    /// The spring's length where it is not stretched, m.
    pub const LENGTH: f64 = 0.3;
}
