//! What several test suites and benches share.

use jourdain::prelude::*;

/// Two cranks and a coupler without gravity.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(crank, mass = 1, com = [0, 0, 0.25], inertia = [0.02, 0.02, 0.01]),
    joint(a, revolute(world -> crank), axis = [0, 1, 0]),
    link(coupler, mass = 1, com = [0.6, 0, 0], inertia = [0.01, 0.12, 0.12]),
    joint(b, revolute(crank -> coupler), at = [0, 0, 0.5], axis = [0, 1, 0]),
    link(rocker, mass = 1, com = [0, 0, 0.4], inertia = [0.05, 0.05, 0.01]),
    joint(c, revolute(world -> rocker), at = [1, 0, 0], axis = [0, 1, 0]),
    closure(tip, a = coupler @ [1.2, 0, 0], b = rocker @ [0, 0, 0.8], axes = [x, z]),
)]
pub struct FreeFourBar;
