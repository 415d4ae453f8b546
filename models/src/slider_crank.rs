//! A slider-crank: a motor turns the crank at a given rate, and a connecting rod moves the piston.
//!
//! φ = q₀ is the angle of the crank about −y, from the line of the piston; with the lengths r and l the
//! piston stands at
//!
//! > x = r cos φ + √(l² − r² sin² φ)

use jourdain::Robot;

/// Lengths in metres, masses in kilograms; crank and rod are slender bars.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(crank, mass = 0.6, com = [0.5 * r, 0, 0], inertia = [0.0001, 0.05 * r * r, 0.05 * r * r]),
    joint(motor, revolute(world -> crank), axis = [0, -1, 0]),
    link(rod, mass = 0.9, com = [0.5 * l, 0, 0], inertia = [0.0001, 0.075 * l * l, 0.075 * l * l]),
    joint(pin, revolute(crank -> rod), at = [r, 0, 0], axis = [0, -1, 0]),
    link(piston, mass = m),
    joint(cylinder, prismatic(world -> piston), axis = [1, 0, 0]),
    closure(wrist, a = rod @ [l, 0, 0], b = piston, axes = [x, z]),
    drive(speed, joint = motor, rate = omega),
)]
pub struct SliderCrank {
    /// Length of the crank, m.
    pub r: f64,
    /// Length of the rod, m.
    pub l: f64,
    /// Mass of the piston, kg.
    pub m: f64,
    /// Rate of the crank, rad/s.
    pub omega: f64,
}
