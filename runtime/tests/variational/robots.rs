//! Small robots with joints of every chart.

use jourdain::Robot;

/// Two pendulums in a plane, the first pivot on rails.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(cart, mass = 2),
    joint(rail, prismatic(world -> cart), axis = [1, 0, 0]),
    link(upper, mass = 1, com = [0, 0, -0.5]),
    joint(shoulder, continuous(cart -> upper), axis = [0, 1, 0], armature = 0.02),
    link(lower, mass = 0.7, com = [0.1, 0, -0.4], inertia = [0.02, 0.03, 0.01]),
    joint(elbow, continuous(upper -> lower), at = [0, 0, -0.5], axis = [0, 1, 0]),
)]
pub(crate) struct Chain;

/// An unsymmetrical body on a ball joint, with another one hanging on it.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(body, mass = 1.5, com = [0.1, -0.2, -0.6], inertia = [0.05, 0.08, 0.04, 0.01, -0.005, 0.002]),
    joint(ball, spherical(world -> body)),
    link(bob, mass = 0.5, com = [0, 0, -0.3], inertia = [0.01, 0.02, 0.015]),
    joint(wrist, spherical(body -> bob), at = [0.2, 0, -0.8]),
)]
pub(crate) struct Balls;

/// A body that floats, with an arm of a hinge and a slider; its origin is not its centre of mass.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -g],
    link(body, mass = 3, com = [0.05, -0.1, 0.07], inertia = [0.1, 0.2, 0.15, 0.01, -0.02, 0.015]),
    joint(free, floating(world -> body)),
    link(arm, mass = 1, com = [0.2, 0, 0.1], inertia = [0.02, 0.05, 0.03]),
    joint(hinge, continuous(body -> arm), at = [0.3, 0.1, 0], axis = [1, 2, 3]),
    link(hand, mass = 0.6, com = [0, 0.1, 0]),
    joint(slide, prismatic(arm -> hand), at = [0.4, 0, 0], axis = [1, 0, 1]),
)]
pub(crate) struct Floater {
    pub(crate) g: f64,
}

/// A heavy pendulum on a ball joint.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(bob, mass = 1, com = [0, 0, -1], inertia = [0.1, 0.1, 0.02]),
    joint(ball, spherical(world -> bob)),
)]
pub(crate) struct Top;

/// A pendulum.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(bob, mass = 1, com = [0, 0, -1]),
    joint(pivot, continuous(world -> bob), axis = [0, 1, 0]),
)]
pub(crate) struct Pendulum;

/// A symmetrical body in space.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(body, mass = 2, inertia = [0.3, 0.3, 0.1]),
    joint(free, floating(world -> body)),
)]
pub(crate) struct Gyroscope;
