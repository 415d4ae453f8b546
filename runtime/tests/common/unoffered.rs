//! Robots with what contact at points alone has no law for.

use jourdain::Robot;

/// A ball that resists spinning on the ground.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(ball, mass = 1, sphere(radius = 0.1)),
    joint(free, floating(world -> ball)),
    contact(ground, on = ball, sphere = 0.1, friction = 0.3, torsion = 0.01),
)]
pub(crate) struct Spinner;

/// A ball that resists rolling on the ground.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(ball, mass = 1, sphere(radius = 0.1)),
    joint(free, floating(world -> ball)),
    contact(ground, on = ball, sphere = 0.1, friction = 0.3, rolling = 0.001),
)]
pub(crate) struct Roller;

/// Two boxes that touch each other.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(a, mass = 1, inertia = [1, 1, 1]),
    joint(one, prismatic(world -> a), axis = [1, 0, 0]),
    link(b, mass = 1, inertia = [1, 1, 1]),
    joint(two, prismatic(world -> b), axis = [1, 0, 0]),
    shape(left, on = a, box = [0.1, 0.1, 0.1]),
    shape(right, on = b, at = [1, 0, 0], box = [0.1, 0.1, 0.1]),
    pair(left, right),
)]
pub(crate) struct Pair;
