//! Two pendulums, one of point masses and one of rods with inertia, and an arm with a load in its hand.

/// Point masses on massless rods, angles relative to the rod before, 0 where all hangs down.
#[derive(Robot)]
#[robot(
    gravity = [0, 0, -g],
    link(upper, mass = m1, com = [0, 0, -l1]),
    joint(shoulder, revolute(world -> upper), axis = [0, -1, 0], actuated),
    link(lower, mass = m2, com = [0, 0, -l2]),
    joint(elbow, revolute(upper -> lower), at = [0, 0, -l1], axis = [0, -1, 0], actuated),
)]
pub struct DoublePendulum {
    pub m1: f64,
    pub m2: f64,
    pub l1: f64,
    pub l2: f64,
    pub g: f64,
}

/// Rods whose centres of mass are at r, with inertias about these.
#[derive(Robot)]
#[robot(
    gravity = [0, 0, -g],
    link(upper, mass = m1, com = [0, 0, -r1], inertia = [0, I1, 0]),
    joint(shoulder, revolute(world -> upper), axis = [0, -1, 0]),
    link(lower, mass = m2, com = [0, 0, -r2], inertia = [0, I2, 0]),
    joint(elbow, revolute(upper -> lower), at = [0, 0, -l1], axis = [0, -1, 0]),
)]
pub struct Rods {
    pub m1: f64,
    pub m2: f64,
    pub I1: f64,
    pub I2: f64,
    pub l1: f64,
    pub r1: f64,
    pub r2: f64,
    pub g: f64,
}

/// A planar arm that moves in the horizontal plane, with a mass in its gripper.
#[derive(Robot)]
#[robot(
    gravity = [0, 0, 0],
    link(upper, mass = m1, com = [r1, 0, 0], inertia = [0, 0, I1]),
    joint(shoulder, revolute(world -> upper), axis = [0, 0, 1], actuated),
    link(fore, mass = m2, com = [r2, 0, 0], inertia = [0, 0, I2]),
    joint(elbow, revolute(upper -> fore), at = [l1, 0, 0], axis = [0, 0, 1], actuated),
    link(load, mass = m),
    joint(hand, fixed(fore -> load), at = [l2, 0, 0]),
)]
pub struct Arm {
    pub m1: f64,
    pub m2: f64,
    pub m: f64,
    pub I1: f64,
    pub I2: f64,
    pub l1: f64,
    pub l2: f64,
    pub r1: f64,
    pub r2: f64,
}

/// Two masses that turn together, with names that formulas have for something else.
#[derive(Robot)]
#[robot(
    gravity = [0, 0, -g],
    link(first, mass = m1, com = [0, 0, -l_m]),
    joint(hinge, revolute(world -> first), rpy = [0, x1, 0], axis = [0, 1, 0], stiffness = 0.05882352941176471),
    link(second, mass = m_1, com = [0, 0, -l_m]),
    joint(follower, revolute(first -> second), at = [0, 0, -l_m], rpy = [0, os, 0], axis = [0, 1, 0],
          mimic(hinge, multiplier = 0.5)),
)]
pub struct Names {
    pub m1: f64,
    pub m_1: f64,
    pub l_m: f64,
    pub x1: f64,
    pub os: f64,
    pub r#while: f64,
    pub g: f64,
}
