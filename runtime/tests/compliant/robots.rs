//! Small robots that touch something.

use jourdain::Robot;

/// A point above the ground.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -g],
    link(body, mass = m),
    joint(height, prismatic(world -> body), axis = [0, 0, 1], passive),
    contact(foot, on = body),
)]
pub(crate) struct Point {
    pub(crate) m: f64,
    pub(crate) g: f64,
}

/// A block of one kilogram on an incline, as seen along it, with a handle.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [9.81 * sine, 0, -9.81 * cosine],
    link(slide, massless),
    joint(x, prismatic(world -> slide), axis = [1, 0, 0], actuated),
    link(block, mass = 1),
    joint(z, prismatic(slide -> block), axis = [0, 0, 1], passive),
    contact(sole, on = block, friction = 0.5),
)]
pub(crate) struct Block {
    pub(crate) sine: f64,
    pub(crate) cosine: f64,
}

impl Block {
    pub(crate) fn on(slope: f64) -> Self {
        let cosine = 1.0 / f64::sqrt(1.0 + slope * slope);
        Self { sine: slope * cosine, cosine }
    }
}

/// A cube that is thrown.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(cube, mass = 1.5, box(size = [0.2, 0.2, 0.2])),
    joint(free, floating(world -> cube)),
    contact(corner, on = cube, box = [0.2, 0.2, 0.2], friction = 0.4),
)]
pub(crate) struct Cube;

/// A disc that turns about the vertical, and a finger that a spring presses on its middle and another one pulls
/// along it; the finger's slides turn with the disc, but for the joint between.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(disc, mass = 1, inertia = [1, 1, 1]),
    joint(turn, continuous(world -> disc), axis = [0, 0, 1], passive),
    link(along, mass = 0.01),
    joint(pull, prismatic(disc -> along), axis = [1, 0, 0], stiffness = 1, rest = 2, damping = 1, passive),
    link(finger, mass = 0.01),
    joint(press, prismatic(along -> finger), at = [0, 0, 1], axis = [0, 0, 1], stiffness = 1, rest = -10, damping = 1,
          passive),
    shape(below, on = disc, at = [0, 0, 0.5], sphere = 0.25, friction = 0.5),
    shape(tip, on = finger, sphere = 0.25, friction = 0.5),
    pair(below, tip),
)]
pub(crate) struct Carousel;

/// As the carousel, but the finger presses aslant, so that tangents turn beside what carries the bristles.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(disc, mass = 1, inertia = [1, 1, 1]),
    joint(turn, continuous(world -> disc), axis = [0, 0, 1], passive),
    link(along, mass = 0.01),
    joint(pull, prismatic(disc -> along), axis = [0, 1, 0], stiffness = 1, rest = 2, damping = 1, passive),
    link(finger, mass = 0.01),
    joint(press, prismatic(along -> finger), at = [0.3, 0, 0.9], axis = [0.6, 0, 0.8], stiffness = 1, rest = -10,
          damping = 1, passive),
    shape(below, on = disc, at = [0, 0, 0.5], sphere = 0.25, friction = 0.5),
    shape(tip, on = finger, sphere = 0.25, friction = 0.5),
    pair(below, tip),
)]
pub(crate) struct Aslant;

/// An inverted pendulum between stops, with dry friction.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(bob, mass = 1, com = [0, 0, 1]),
    joint(pivot, revolute(world -> bob), axis = [0, 1, 0], limits = [-0.5, 0.5], friction = dry, passive),
)]
pub(crate) struct Stopped {
    pub(crate) dry: f64,
}

/// A bead on a vertical ring of one metre that reaches into the ground.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    ground(normal = [0, 0, 1], offset = -0.8),
    link(slide, massless),
    joint(x, prismatic(world -> slide), axis = [1, 0, 0], passive),
    link(bead, mass = 2),
    joint(z, prismatic(slide -> bead), axis = [0, 0, 1], passive),
    rod(ring, a = world, b = bead, length = 1),
    contact(bead, on = bead, friction = 0.2),
)]
pub(crate) struct Ring;

/// A bead that must stay within a declared distance.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(bead, mass = 2),
    joint(z, prismatic(world -> bead), axis = [0, 0, 1], passive),
    limit(reach, c = 1 + 2 * z),
)]
pub(crate) struct Reach;
