//! A planar four-bar linkage of five revolute joints without gravity, as RBDL tests it.

use core::f64::consts::{FRAC_PI_2, FRAC_PI_4};

use jourdain::prelude::*;
use nalgebra::vector;

/// Two chains of two links of 2 m and 2 kg from the origin; a body without mass closes them.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(first, mass = 2, com = [1, 0, 0], inertia = [2, 2, 8.0 / 3.0]),
    link(second, mass = 2, com = [1, 0, 0], inertia = [2, 2, 8.0 / 3.0]),
    link(third, mass = 2, com = [1, 0, 0], inertia = [2, 2, 8.0 / 3.0]),
    link(fourth, mass = 2, com = [1, 0, 0], inertia = [2, 2, 8.0 / 3.0]),
    link(coupler, massless),
    joint(one, revolute(world -> first), axis = [0, 0, 1]),
    joint(two, revolute(first -> second), at = [2, 0, 0], axis = [0, 0, 1]),
    joint(three, revolute(world -> third), axis = [0, 0, 1]),
    joint(four, revolute(third -> fourth), at = [2, 0, 0], axis = [0, 0, 1]),
    joint(five, revolute(fourth -> coupler), at = [2, 0, 0], axis = [0, 0, 1]),
    closure(tip, a = second @ [2, 0, 0], b = coupler, axes = [x, y, rz]),
)]
pub(crate) struct FourBar;

#[test]
fn a_state_that_closes_the_loop_has_no_error() {
    let q = vector![3.0 * FRAC_PI_4, -FRAC_PI_2, FRAC_PI_4, FRAC_PI_2, -FRAC_PI_2];
    let v = vector![-1.0, -1.0, -2.0, 1.0, -1.0];
    assert!(FourBar.constraint(&q, 0.0).amax() < 1e-15, "{}", FourBar.constraint(&q, 0.0));
    assert!(FourBar.constraint_rate(&q, &v, 0.0).amax() < 1e-15);
    assert_eq!(FourBar::CONSTRAINTS[0].levels.len(), 3);
}
