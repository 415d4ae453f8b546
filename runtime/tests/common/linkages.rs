//! Linkages with singular positions, where rows of their closure lose rank.

use jourdain::Robot;

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
