//! The simple double pendulum: two point masses on massless rods, both joints driven.
//!
//! Angles are zero where the rods hang down; θ₂ is relative to the first rod, and both grow
//! about −y, so that a positive angle moves a mass towards +x.

use jourdain::Robot;

/// Two point masses m₁, m₂ on rods of lengths l₁, l₂.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(upper, mass = m1, com = [0, 0, -l1]),
    joint(shoulder, revolute(world -> upper), axis = [0, -1, 0], actuated),
    link(lower, mass = m2, com = [0, 0, -l2]),
    joint(elbow, revolute(upper -> lower), at = [0, 0, -l1], axis = [0, -1, 0], actuated),
    frame(tip, on = lower, at = [0, 0, -l2]),
)]
pub struct DoublePendulum {
    /// First mass, kg.
    pub m1: f64,
    /// Second mass, kg.
    pub m2: f64,
    /// First length, m.
    pub l1: f64,
    /// Second length, m.
    pub l2: f64,
}
