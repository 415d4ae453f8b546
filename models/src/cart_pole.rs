//! The cart–pole: a cart driven along a rail, with a pole that swings freely on it.
//!
//! The pole is a massless rod with a point mass at its end. θ is zero where it hangs down and grows
//! about −y, so that with the cart's position x
//!
//! > (mc + mp) ẍ + mp l (θ̈ cos θ − θ̇² sin θ) = u,  mp l (ẍ cos θ + l θ̈ + g sin θ) = 0

use jourdain::Robot;

/// A cart of mass `mc` and a point mass `mp` on a rod of length `l`.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(cart, mass = mc),
    joint(rail, prismatic(world -> cart), axis = [1, 0, 0], actuated),
    link(pole, mass = mp, com = [0, 0, -l]),
    joint(hinge, revolute(cart -> pole), axis = [0, -1, 0]),
    frame(bob, on = pole, at = [0, 0, -l]),
)]
pub struct CartPole {
    /// Mass of the cart, kg.
    pub mc: f64,
    /// Mass of the pole, kg.
    pub mp: f64,
    /// Length of the pole, m.
    pub l: f64,
}
