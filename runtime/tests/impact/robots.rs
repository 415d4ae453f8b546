//! Robots that are struck.

use jourdain::Robot;

/// A thin rod of one metre in the x-z plane; coordinates x, z, and the angle about −y.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(rod, mass = 1, inertia = [1 / 12.0, 1 / 12.0, 0.001]),
    joint(plane, planar(world -> rod), axis = [0, -1, 0]),
    contact(tip, on = rod, at = [0, 0, -0.5], friction = mu, restitution = e),
    contact(top, on = rod, at = [0, 0, 0.5], friction = mu, restitution = e),
)]
pub(crate) struct Rod {
    pub(crate) mu: f64,
    pub(crate) e: f64,
}

/// A hollow ball in the same plane.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(ball, mass = m, inertia = [2.0 / 3.0 * m * r * r, 2.0 / 3.0 * m * r * r, 2.0 / 3.0 * m * r * r]),
    joint(plane, planar(world -> ball), axis = [0, -1, 0]),
    contact(bottom, on = ball, sphere = r, friction = 0.1, restitution = e),
)]
pub(crate) struct HollowBall {
    pub(crate) m: f64,
    pub(crate) r: f64,
    pub(crate) e: f64,
}

/// Three balls in a row.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(a, mass = 1), joint(x, prismatic(world -> a), axis = [1, 0, 0]),
    link(b, mass = 1), joint(y, prismatic(world -> b), axis = [1, 0, 0], at = [0.2, 0, 0]),
    link(c, mass = m), joint(z, prismatic(world -> c), axis = [1, 0, 0], at = [0.4, 0, 0]),
    shape(first, on = a, sphere = 0.1),
    shape(second, on = b, sphere = 0.1),
    shape(third, on = c, sphere = 0.1),
    pair(first, second, restitution = e), pair(second, third, restitution = e),
)]
pub(crate) struct Balls {
    pub(crate) m: f64,
    pub(crate) e: f64,
}

/// A body in space with four points below it, one of them twice.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(body, mass = m, com = [0.02, -0.01, 0.03], inertia = [a, b, c]),
    joint(free, floating(world -> body)),
    contact(p, on = body, at = [0.3, 0.2, -0.1], friction = mu, restitution = e),
    contact(q, on = body, at = [-0.3, 0.2, -0.1], friction = mu, restitution = e),
    contact(r, on = body, at = [-0.3, -0.2, -0.1], friction = mu, restitution = e),
    contact(s, on = body, at = [0.3, -0.2, -0.1], friction = mu, restitution = e),
    contact(again, on = body, at = [0.3, 0.2, -0.1], friction = mu, restitution = e),
)]
pub(crate) struct Body {
    pub(crate) m: f64,
    pub(crate) a: f64,
    pub(crate) b: f64,
    pub(crate) c: f64,
    pub(crate) mu: f64,
    pub(crate) e: f64,
}

/// A body with two legs, whose joints have ends.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(body, mass = 1, inertia = [0.02, 0.03, 0.04]),
    joint(free, floating(world -> body)),
    link(thigh, mass = m, com = [0, 0, -0.2], inertia = [0.01, 0.01, 0.002]),
    joint(hip, revolute(body -> thigh), axis = [0, 1, 0], at = [0.1, 0.1, 0], limits = [-1, 1]),
    link(shank, mass = 0.5, com = [0, 0, -0.15], inertia = [0.005, 0.005, 0.001]),
    joint(knee, revolute(thigh -> shank), axis = [0, 1, 0], at = [0, 0, -0.4], limits = [-2, 0]),
    link(arm, mass = 0.7, com = [0.1, 0, 0], inertia = [0.005, 0.005, 0.001]),
    joint(shoulder, universal(body -> arm), axes = [[1, 0, 0], [0, 1, 0]], at = [0, -0.2, 0]),
    contact(foot, on = shank, at = [0, 0, -0.3], friction = mu, restitution = e),
    contact(knee_cap, on = thigh, at = [0.05, 0, -0.4], friction = mu, restitution = e),
    contact(hand, on = arm, at = [0.3, 0, 0], friction = mu, restitution = e),
)]
pub(crate) struct Legged {
    pub(crate) m: f64,
    pub(crate) mu: f64,
    pub(crate) e: f64,
}

/// A bead on a ring of one metre above the ground.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(slide, massless), joint(x, prismatic(world -> slide), axis = [1, 0, 0]),
    link(bead, mass = 2), joint(z, prismatic(slide -> bead), axis = [0, 0, 1]),
    rod(ring, a = world, b = bead, length = 1),
    rod(again, a = world, b = bead, length = 1),
    contact(bottom, on = bead, friction = mu, restitution = e),
)]
pub(crate) struct Bead {
    pub(crate) mu: f64,
    pub(crate) e: f64,
}
