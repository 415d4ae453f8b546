//! A brick against a wall, and a brick on the ground: the smallest robots with a contact and with
//! friction.
//!
//! # Source
//!
//! Tedrake: Underactuated Robotics, appendix "Multi-Body Dynamics", the examples of time stepping
//! with a normal force and with Coulomb friction.

use jourdain::Robot;

/// A brick on wheels, pushed along x and stopped by a wall at x = 0:
///
/// > m ẍ = u + λ,  0 ≤ λ ⟂ x ≥ 0
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(brick, mass = m),
    joint(wheels, prismatic(world -> brick), axis = [1, 0, 0], actuated),
    contact(wall, on = brick, plane(normal = [1, 0, 0]), restitution = e),
)]
pub struct WheeledBrick {
    /// Mass, kg.
    pub m: f64,
    /// Coefficient of restitution at the wall.
    pub e: f64,
}

/// A brick that slides along x on the ground z = 0, pushed along x, and may lift off:
///
/// > m ẍ = u + f,  |f| ≤ μ λ,  m z̈ = λ − m g,  0 ≤ λ ⟂ z ≥ 0
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(carriage, massless),
    joint(along, prismatic(world -> carriage), axis = [1, 0, 0], actuated),
    link(brick, mass = m),
    joint(above, prismatic(carriage -> brick), axis = [0, 0, 1]),
    contact(ground, on = brick, friction = mu),
)]
pub struct SlidingBrick {
    /// Mass, kg.
    pub m: f64,
    /// Coefficient of friction.
    pub mu: f64,
}
