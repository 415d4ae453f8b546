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

/// A mass on rails with a spring and a damper, pushed.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(body, mass = 2),
    joint(rail, prismatic(world -> body), axis = [1, 0, 0], stiffness = k, damping = c, actuated),
)]
pub(crate) struct Oscillator {
    pub(crate) k: f64,
    pub(crate) c: f64,
}

/// A bead on a vertical ring of one metre.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(slide, massless),
    joint(x, prismatic(world -> slide), axis = [1, 0, 0]),
    link(bead, mass = 2),
    joint(z, prismatic(slide -> bead), axis = [0, 0, 1]),
    rod(ring, a = world, b = bead, length = 1),
)]
pub(crate) struct Ring;

/// Two bodies in space, tied by a rod.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(first, mass = 2, com = [0.1, 0, 0], inertia = [0.1, 0.2, 0.15]),
    joint(one, floating(world -> first)),
    link(second, mass = 1, inertia = [0.05, 0.03, 0.04]),
    joint(two, floating(world -> second)),
    rod(tether, a = first @ [0, 0.2, 0], b = second @ [0, -0.1, 0.1], length = 1),
)]
pub(crate) struct Tether;

/// A linkage of Bricard's that turns although one of its five closing rows is redundant.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(l1, mass = 1, com = [0.5, 0, 0], inertia = [0.01, 0.1, 0.1]),
    joint(j1, revolute(world -> l1), axis = [0, 1, 0]),
    link(l2, mass = 1, com = [0.5, 0, 0], inertia = [0.01, 0.1, 0.1]),
    joint(j2, revolute(l1 -> l2), at = [1, 0, 0], axis = [0, 1, 0]),
    link(l3, mass = 1, com = [0.5, 0, 0], inertia = [0.01, 0.1, 0.1]),
    joint(j3, revolute(l2 -> l3), at = [1, 0, 0], axis = [0, 1, 0]),
    closure(end, a = l3 @ [1, 0, 0], b = world @ [1.2, 0, 0], axes = [x, y, z, rx]),
)]
pub(crate) struct Redundant;

/// A bead in a plane that turns about the vertical.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(along, massless),
    joint(x, prismatic(world -> along), axis = [1, 0, 0]),
    link(across, massless),
    joint(y, prismatic(along -> across), axis = [0, 1, 0]),
    link(bead, mass = 0.5),
    joint(z, prismatic(across -> bead), axis = [0, 0, 1]),
    constraint(plane, h = y * cos(spin * t) - x * sin(spin * t)),
)]
pub(crate) struct Turning {
    pub(crate) spin: f64,
}

/// A solid ball that rolls down a slope of 15°.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(ball, mass = 2, sphere(radius = 0.1)),
    joint(free, floating(world -> ball)),
    rolling(slope, on = ball, radius = 0.1, plane(normal = [sin(PI / 12), 0, cos(PI / 12)], offset = 0)),
)]
pub(crate) struct Roller;

/// A point above the ground.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(slide, massless),
    joint(x, prismatic(world -> slide), axis = [1, 0, 0]),
    link(point, mass = 2),
    joint(z, prismatic(slide -> point), axis = [0, 0, 1]),
    contact(ground, on = point, friction = 0.3, restitution = e),
)]
pub(crate) struct Point {
    pub(crate) e: f64,
}

/// A block on four of its vertices; the ground is level, and gravity slants.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [9.81 * sine, 0, -9.81 * cosine],
    link(block, mass = 3, inertia = [0.02, 0.03, 0.04]),
    joint(free, floating(world -> block)),
    contact(a, on = block, at = [0.3, 0.2, -0.1], friction = 0.5),
    contact(b, on = block, at = [0.3, -0.2, -0.1], friction = 0.5),
    contact(c, on = block, at = [-0.3, 0.2, -0.1], friction = 0.5),
    contact(d, on = block, at = [-0.3, -0.2, -0.1], friction = 0.5),
)]
pub(crate) struct Block {
    pub(crate) sine: f64,
    pub(crate) cosine: f64,
}

/// A solid ball over the ground.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(ball, mass = 1.5, sphere(radius = 0.1)),
    joint(free, floating(world -> ball)),
    contact(ground, on = ball, sphere = 0.1, friction = 0.3),
)]
pub(crate) struct Ball;

/// A leg with springs and dampers that drops on its foot.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(hip, mass = 3),
    joint(mast, prismatic(world -> hip), axis = [0, 0, 1]),
    link(thigh, mass = 0.5, com = [0, 0, -0.15], inertia = [0.004, 0.004, 0.001]),
    joint(upper, revolute(hip -> thigh), axis = [0, 1, 0], stiffness = 60, damping = 2, rest = 0.6),
    link(shank, mass = 0.3, com = [0, 0, -0.15], inertia = [0.002, 0.002, 0.001]),
    joint(knee, revolute(thigh -> shank), at = [0, 0, -0.3], axis = [0, 1, 0], stiffness = 60, damping = 2, rest = -1.2),
    contact(foot, on = shank, at = [0, 0, -0.3], friction = 5),
)]
pub(crate) struct Leg;

/// A body on rails with ends and dry friction.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(body, mass = 2),
    joint(rail, prismatic(world -> body), axis = [1, 0, 0], limits = [-1, 1], friction = dry),
)]
pub(crate) struct Slider {
    pub(crate) dry: f64,
}
