//! Closed loops, through a dead centre among them.

use jourdain::prelude::*;
use nalgebra::vector;

use crate::{Others, Outcome, Scene, nothing};

/// Two cranks and a coupler, which passes its dead centre.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(crank_1, mass = 1, com = [0, 0, 0.5], inertia = [0.0833333333333, 0.0833333333333, 1e-4]),
    joint(left, revolute(world -> crank_1), axis = [0, 1, 0]),
    link(coupler, mass = 1, com = [0.5, 0, 0], inertia = [1e-4, 0.0833333333333, 0.0833333333333]),
    joint(elbow, revolute(crank_1 -> coupler), at = [0, 0, 1], axis = [0, 1, 0]),
    link(crank_2, mass = 1, com = [0, 0, 0.5], inertia = [0.0833333333333, 0.0833333333333, 1e-4]),
    joint(right, revolute(world -> crank_2), at = [1, 0, 0], axis = [0, 1, 0]),
    closure(pin, a = coupler @ [1, 0, 0], b = crank_2 @ [0, 0, 1], axes = [x, z]),
)]
struct FourBar;

#[test]
fn a_four_bar_passes_its_dead_centre() -> Outcome {
    let (q, v) = (vector![0.0, 0.0, 0.0], vector![1.0, -1.0, 1.0]);
    Scene {
        robot: FourBar,
        q,
        v,
        seconds: 1.0,
        input: nothing,
        orders: [1.0, 2.0],
        others: Others::Closed,
    }
    .agrees("a four-bar")
}

/// A crank that pushes a slide with a spring and a damper.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(crank, mass = 1, com = [0.05, 0, 0], inertia = [1e-3, 2e-3, 2e-3]),
    joint(turn, revolute(world -> crank), axis = [0, 1, 0], actuated),
    link(rod, mass = 0.5, com = [0.2, 0, 0], inertia = [1e-3, 7e-3, 7e-3]),
    joint(pin, revolute(crank -> rod), at = [0.1, 0, 0], axis = [0, 1, 0]),
    link(slide, mass = 1),
    joint(way, prismatic(world -> slide), axis = [1, 0, 0], stiffness = 50, rest = 0.4, damping = 1),
    closure(eye, a = rod @ [0.4, 0, 0], b = slide, axes = [x, z]),
)]
struct Engine;

#[test]
fn an_engine_turns() -> Outcome {
    let (angle, rate) = (0.5_f64, 5.0);
    let tilt = -(0.1 * angle.sin() / 0.4).asin();
    let turn = -0.1 * angle.cos() * rate / (0.4 * tilt.cos());
    let way = 0.1 * angle.cos() + 0.4 * tilt.cos();
    let along = -0.1 * angle.sin() * rate - 0.4 * tilt.sin() * turn;
    let (q, v) = (vector![angle, tilt - angle, way], vector![rate, turn - rate, along]);
    let input = |t: f64| vector![0.3 + 0.2 * (4.0 * t).sin()];
    Scene { robot: Engine, q, v, seconds: 1.0, input, orders: [1.0, 1.0], others: Others::Closed }
        .agrees("an engine")
}
