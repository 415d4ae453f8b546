//! A hollow ball in the plane that spins and bounces on the ground.
//!
//! q = (x, z, θ), and the point of contact moves along the ground with ẋ + r θ̇. A ball that sticks
//! while it touches leaves with
//!
//! > v⁺ = [3/5 0 −2r/5; 0 −e 0; −3/(5r) 0 2/5] v⁻
//!
//! # Source
//!
//! Tedrake: Underactuated Robotics, appendix "Multi-Body Dynamics", the example of a spinning ball
//! bouncing on the ground.

use jourdain::Robot;

/// A thin spherical shell: its moment of inertia is ⅔ m r².
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(ball, mass = m, inertia = [2.0 / 3.0 * m * r * r, 2.0 / 3.0 * m * r * r, 2.0 / 3.0 * m * r * r]),
    joint(plane, planar(world -> ball), axis = [0, -1, 0]),
    contact(ground, on = ball, sphere = r, friction = mu, restitution = e),
)]
pub struct HollowBall {
    /// Mass, kg.
    pub m: f64,
    /// Radius, m.
    pub r: f64,
    /// Coefficient of friction.
    pub mu: f64,
    /// Coefficient of restitution.
    pub e: f64,
}
