//! Linkages with singular positions, where rows of their closure lose rank.

use jourdain::constrained::{Assembly, Constrained};
use jourdain::prelude::*;

/// Two cranks and a coupler, all uniform rods of one metre: a parallelogram that folds into a line.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(crank_1, mass = 1, com = [0, 0, 0.5], inertia = [1.0 / 12.0, 1.0 / 12.0, 1.0 / 12.0]),
    joint(one, continuous(world -> crank_1), axis = [0, 1, 0]),
    link(crank_2, mass = 1, com = [0, 0, 0.5], inertia = [1.0 / 12.0, 1.0 / 12.0, 1.0 / 12.0]),
    joint(two, continuous(world -> crank_2), at = [1, 0, 0], axis = [0, 1, 0]),
    link(coupler, mass = 1, com = [0.5, 0, 0], inertia = [1.0 / 12.0, 1.0 / 12.0, 1.0 / 12.0]),
    joint(knee, continuous(crank_1 -> coupler), at = [0, 0, 1], axis = [0, 1, 0]),
    closure(pin, a = coupler @ [1, 0, 0], b = crank_2 @ [0, 0, 1], axes = [x, z]),
)]
pub(crate) struct FourBar;

/// A parallelogram of short cranks and long rods, in a chain of coordinates: all in one line at zero, where it is in a dead centre.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(crank, mass = 0.1, com = [0.05, 0, 0], inertia = [1e-4, 1e-4, 1e-4]),
    joint(motor, continuous(world -> crank), axis = [0, 1, 0]),
    link(coupler, mass = 0.3, com = [0.15, 0, 0], inertia = [2e-3, 2e-3, 2e-3]),
    joint(elbow, continuous(crank -> coupler), at = [0.1, 0, 0], axis = [0, 1, 0]),
    link(rocker, mass = 0.1, com = [0.05, 0, 0], inertia = [1e-4, 1e-4, 1e-4]),
    joint(pivot, continuous(world -> rocker), at = [0.3, 0, 0], axis = [0, 1, 0]),
    closure(pin, a = coupler @ [0.3, 0, 0], b = rocker @ [0.1, 0, 0], axes = [x, z]),
)]
pub(crate) struct ShortCranks;

/// A platform on three cranks that stay parallel: one row of two is redundant wherever it is.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(crank_1, mass = 1, com = [0, 0, 0.5], inertia = [0.08, 0.08, 0.08]),
    joint(one, continuous(world -> crank_1), axis = [0, 1, 0]),
    link(crank_2, mass = 1, com = [0, 0, 0.5], inertia = [0.08, 0.08, 0.08]),
    joint(two, continuous(world -> crank_2), at = [1, 0, 0], axis = [0, 1, 0]),
    link(crank_3, mass = 1, com = [0, 0, 0.5], inertia = [0.08, 0.08, 0.08]),
    joint(three, continuous(world -> crank_3), at = [2, 0, 0], axis = [0, 1, 0]),
    link(platform, mass = 2, com = [1, 0, 0.1], inertia = [0.1, 0.6, 0.6]),
    joint(knee, continuous(crank_1 -> platform), at = [0, 0, 1], axis = [0, 1, 0]),
    closure(first, a = platform @ [1, 0, 0], b = crank_2 @ [0, 0, 1], axes = [x, z]),
    closure(second, a = platform @ [2, 0, 0], b = crank_3 @ [0, 0, 1], axes = [x, z]),
)]
pub(crate) struct Platform;

/// A crank and a rod of the same length with a slider, which comes through the crank's axis where the rod lies on the crank.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(crank, mass = 1, com = [0, 0, 0.5], inertia = [0.08, 0.08, 0.08]),
    joint(axle, continuous(world -> crank), axis = [0, 1, 0]),
    link(rod, mass = 1, com = [0, 0, 0.5], inertia = [0.08, 0.08, 0.08]),
    joint(knee, continuous(crank -> rod), at = [0, 0, 1], axis = [0, 1, 0]),
    link(slider, mass = 1),
    joint(rail, prismatic(world -> slider), axis = [1, 0, 0]),
    closure(pin, a = rod @ [0, 0, 1], b = slider, axes = [x, z]),
)]
pub(crate) struct SliderCrank;

/// Two short sides and two long ones: where the crank lies on the ground, the long ones fold onto each other.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(crank, mass = 1, com = [0, 0, 0.5], inertia = [0.08, 0.08, 0.08]),
    joint(axle, continuous(world -> crank), axis = [0, 1, 0]),
    link(coupler, mass = 2, com = [0, 0, 1], inertia = [0.6, 0.6, 0.6]),
    joint(knee, continuous(crank -> coupler), at = [0, 0, 1], axis = [0, 1, 0]),
    link(rocker, mass = 2, com = [0, 0, 1], inertia = [0.6, 0.6, 0.6]),
    joint(pivot, continuous(world -> rocker), at = [1, 0, 0], axis = [0, 1, 0]),
    closure(pin, a = coupler @ [0, 0, 2], b = rocker @ [0, 0, 2], axes = [x, z]),
)]
pub(crate) struct Kite;

/// A bead on two lines that cross.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(along, massless),
    joint(x, prismatic(world -> along), axis = [1, 0, 0]),
    link(bead, mass = 1),
    joint(y, prismatic(along -> bead), axis = [0, 1, 0], stiffness = 1, rest = 0.3),
    constraint(lines, h = x * y),
)]
pub(crate) struct Crossing;

/// A state near this one that constraints allow.
pub(crate) fn assembled<M: Model + Copy>(model: M, (q, v): (&M::Q, &M::V)) -> (M::Q, M::V) {
    let mut held = Constrained::new(model);
    let q = held.assemble(q, Assembly::Mass, 0.0).unwrap().value;
    let v = held.assemble_velocity(&q, v, Assembly::Mass, 0.0).unwrap().value;
    (q, v)
}
