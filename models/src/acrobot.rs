//! The acrobot: a double pendulum with a motor at the elbow alone, hung above the ground.
//!
//! Both masses are points at the ends of massless links. Angles are zero where the links hang down
//! and grow about +y; θ₂ is relative to the first link. The tip may touch the ground z = 0.

use jourdain::Robot;

/// Two links, a motor at the elbow, and a tip that touches the ground.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(upper, mass = m1, com = [0, 0, -l1]),
    joint(shoulder, revolute(world -> upper), at = [0, 0, height], axis = [0, 1, 0]),
    link(lower, mass = m2, com = [0, 0, -l2]),
    joint(elbow, revolute(upper -> lower), at = [0, 0, -l1], axis = [0, 1, 0], actuated, limits = [-2.5, 2.5]),
    contact(tip, on = lower, at = [0, 0, -l2], friction = mu, restitution = e),
)]
pub struct Acrobot {
    /// First mass, kg.
    pub m1: f64,
    /// Second mass, kg.
    pub m2: f64,
    /// First length, m.
    pub l1: f64,
    /// Second length, m.
    pub l2: f64,
    /// Of the shoulder above the ground, m.
    pub height: f64,
    /// Coefficient of friction between the tip and the ground.
    pub mu: f64,
    /// Coefficient of restitution of the tip.
    pub e: f64,
}
