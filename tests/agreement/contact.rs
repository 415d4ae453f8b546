//! Motions with contact, friction and stops.

use jourdain::prelude::*;
use nalgebra::{SVector, vector};

use crate::{Others, Outcome, Scene, nothing};

/// A point that falls, and bounces.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(point, mass = 1, inertia = [0.01, 0.01, 0.01]),
    joint(fall, planar(world -> point), axis = [0, -1, 0]),
    contact(ground, on = point, friction = 0.3, restitution = e),
)]
struct Ball {
    e: f64,
}

#[test]
fn a_ball_bounces() -> Outcome {
    let (q, v) = (vector![0.0, 0.2, 0.0], vector![0.5, 0.0, 1.0]);
    Scene {
        robot: Ball { e: 0.8 },
        q,
        v,
        seconds: 0.5,
        input: nothing,
        orders: [0.9, 0.9],
        others: Others::Neither,
    }
    .agrees_within("a ball", 3.0)
}

/// A leg with springs that lands on its foot, which stays.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(slide, massless),
    joint(x, prismatic(world -> slide), axis = [1, 0, 0], passive),
    link(body, mass = 5),
    joint(z, prismatic(slide -> body), axis = [0, 0, 1], passive),
    link(thigh, com = [0, 0, -0.1], inertia = [4e-3, 4e-3, 2e-4], mass = 0.6),
    joint(hip, revolute(body -> thigh), axis = [0, 1, 0], stiffness = 60, damping = 3, rest = -0.6, passive),
    link(shank, com = [0, 0, -0.1], inertia = [4e-3, 4e-3, 2e-4], mass = 0.3),
    joint(knee, revolute(thigh -> shank), at = [0, 0, -0.2], axis = [0, 1, 0], stiffness = 60, damping = 3, rest = 1.2,
          passive),
    contact(foot, on = shank, at = [0, 0, -0.2], friction = 3),
)]
struct Leg;

#[test]
fn a_leg_lands() -> Outcome {
    let q = vector![0.0, 0.4 * 0.6_f64.cos() + 0.04, -0.6, 1.2];
    let others = Others::Springs(6.0, 3.0);
    Scene {
        robot: Leg,
        q,
        v: SVector::zeros(),
        seconds: 0.3,
        input: nothing,
        orders: [1.0, 1.0],
        others,
    }
    .agrees("a leg")
}

/// A block on a slope, or a ball.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [4, 0, -9],
    link(block, mass = 1, inertia = [0.01, i, 0.01]),
    joint(plane, planar(world -> block), axis = [0, -1, 0]),
    contact(front, on = block, at = [0.1, 0, -r], friction = mu),
    contact(back, on = block, at = [-0.1, 0, -r], friction = mu),
)]
struct Block {
    i: f64,
    r: f64,
    mu: f64,
}

/// It comes to rest where friction holds more than the slope pulls, after it has slid.
#[test]
fn a_block_slides() -> Outcome {
    let (q, v) = (vector![0.0, 0.05, 0.0], vector![1.0, 0.0, 0.0]);
    for mu in [0.2, 0.8] {
        let (robot, others) = (Block { i: 0.01, r: 0.05, mu }, Others::Springs(1.0, mu));
        Scene { robot, q, v, seconds: 0.5, input: nothing, orders: [1.0, 1.0], others }
            .agrees(&format!("a block with friction {mu}"))?;
    }
    Ok(())
}

/// A ball that starts without spin, slips and then rolls.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [1, 0, -9],
    link(ball, mass = 1, sphere(radius = 0.1)),
    joint(plane, planar(world -> ball), axis = [0, -1, 0]),
    contact(ground, on = ball, sphere = 0.1, friction = 0.3),
)]
struct Bowl;

#[test]
fn a_ball_slips_and_rolls() -> Outcome {
    let (q, v) = (vector![0.0, 0.1, 0.0], vector![1.5, 0.0, 0.0]);
    let others = Others::Springs(1.0, 0.3);
    Scene { robot: Bowl, q, v, seconds: 0.5, input: nothing, orders: [1.0, 1.0], others }
        .agrees("a bowl")
}

/// A pendulum that swings into its stop, and rests there.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [3, 0, -9],
    link(bob, mass = 1, com = [0, 0, -0.4], inertia = [0.02, 0.02, 0.002]),
    joint(pin, revolute(world -> bob), axis = [0, -1, 0], limits = [-1.2, 0.2]),
)]
struct Stopped;

#[test]
fn a_pendulum_meets_its_stop() -> Outcome {
    let others = Others::Springs(0.18, 0.1);
    let (q, v) = (vector![-1.0], vector![0.0]);
    Scene { robot: Stopped, q, v, seconds: 1.0, input: nothing, orders: [1.0, 1.0], others }
        .agrees("a pendulum")
}

/// Two pads on springs that hold a bar by friction, while it is pulled.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(bar, mass = 0.2, inertia = [1e-4, 1e-4, 1e-4]),
    joint(free, planar(world -> bar), axis = [0, -1, 0]),
    link(left, mass = 0.1),
    joint(squeeze_left, prismatic(world -> left), axis = [1, 0, 0], passive),
    link(right, mass = 0.1),
    joint(squeeze_right, prismatic(world -> right), axis = [-1, 0, 0], passive),
    actuator(press_left, joint = squeeze_left),
    actuator(press_right, joint = squeeze_right),
    shape(bar_left, on = bar, at = [-0.02, 0, 0], sphere = 0.01),
    shape(bar_right, on = bar, at = [0.02, 0, 0], sphere = 0.01),
    shape(pad_left, on = left, at = [-0.05, 0, 0], sphere = 0.02),
    shape(pad_right, on = right, at = [0.05, 0, 0], sphere = 0.02),
    pair(bar_left, pad_left, friction = 0.6),
    pair(bar_right, pad_right, friction = 0.6),
)]
struct Grasp;

/// The pads close, and the bar falls until they hold it.
#[test]
fn pads_grasp_a_bar() -> Outcome {
    let q = vector![0.0, 0.0, 0.0, -0.01, -0.01];
    let input = |_: f64| vector![3.0, 3.0];
    let others = Others::Springs(0.2, 0.6);
    Scene { robot: Grasp, q, v: SVector::zeros(), seconds: 0.3, input, orders: [1.0, 1.0], others }
        .agrees("a grasp")
}

/// A stack of two balls on a guide.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(lower, mass = 1),
    joint(low, prismatic(world -> lower), axis = [0, 0, 1]),
    contact(base, on = lower, sphere = 0.1, friction = 0.5),
    link(upper, mass = 2),
    joint(high, prismatic(world -> upper), axis = [0, 0, 1]),
    contact(top, on = upper, sphere = 0.1),
    pair(base, top),
)]
struct Stack;

#[test]
fn a_stack_falls() -> Outcome {
    let (q, v) = (vector![0.12, 0.35], vector![0.0, 0.0]);
    let others = Others::Springs(3.0, 0.5);
    Scene { robot: Stack, q, v, seconds: 0.4, input: nothing, orders: [1.0, 1.0], others }
        .agrees("a stack")
}

/// A table that lands on one side, tips and stands.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(plate, mass = 2, inertia = [0.05, 0.06, 0.1]),
    joint(free, planar(world -> plate), axis = [0, -1, 0]),
    contact(left, on = plate, at = [-0.2, 0, -0.3], friction = 0.7),
    contact(right, on = plate, at = [0.2, 0, -0.3], friction = 0.7),
)]
struct Table;

#[test]
fn a_table_lands() -> Outcome {
    let tilt = 0.2_f64;
    let height = 0.3 * tilt.cos() + 0.2 * tilt.sin() + 0.03;
    let others = Others::Springs(2.0, 0.7);
    let q = vector![0.0, height, tilt];
    Scene {
        robot: Table,
        q,
        v: SVector::zeros(),
        seconds: 0.5,
        input: nothing,
        orders: [1.0, 1.0],
        others,
    }
    .agrees_within("a table", 3.0)
}
