//! Motions without contact.

use jourdain::prelude::*;
use jourdain_models::DoublePendulum;
use nalgebra::vector;

use crate::{Others, Outcome, Scene, nothing};

/// A body with its joint off its centre of mass.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(body, mass = 2, com = [0.1, 0.03, -0.02], inertia = [0.01, 0.02, 0.025, 0.001, -0.002, 0.0005]),
    joint(base, floating(world -> body)),
)]
struct Tumbling;

#[test]
fn a_body_tumbles() -> Outcome {
    let v = vector![0.3, -0.2, 0.5, 3.0, -8.0, 5.0];
    let q = Tumbling.neutral();
    Scene {
        robot: Tumbling,
        q,
        v,
        seconds: 0.5,
        input: nothing,
        orders: [1.0, 2.0],
        others: Others::Both,
    }
    .agrees("a body")
}

/// The same without weight.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(body, mass = 2, com = [0.1, 0.03, -0.02], inertia = [0.01, 0.02, 0.025, 0.001, -0.002, 0.0005]),
    joint(base, floating(world -> body)),
)]
struct Spinning;

#[test]
fn a_body_spins() -> Outcome {
    let v = vector![0.3, -0.2, 0.5, 3.0, -18.0, 5.0];
    let q = Spinning.neutral();
    Scene {
        robot: Spinning,
        q,
        v,
        seconds: 0.5,
        input: nothing,
        orders: [2.0, 2.0],
        others: Others::Both,
    }
    .agrees("a spin")
}

/// Two rods with a hinge.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(first, mass = 1, com = [0.5, 0, 0], inertia = [0.01, 0.0833, 0.0833]),
    joint(plane, planar(world -> first), axis = [0, 0, 1]),
    link(second, mass = 1, com = [0.5, 0, 0], inertia = [0.01, 0.0833, 0.0833]),
    joint(hinge, revolute(first -> second), at = [1, 0, 0], axis = [0, 0, 1]),
)]
struct Rods;

#[test]
fn rods_turn() -> Outcome {
    let (q, v) = (vector![0.0, 0.0, 0.3, 1.2], vector![0.3, -2.0, 4.0, -2.0]);
    Scene {
        robot: Rods,
        q,
        v,
        seconds: 1.0,
        input: nothing,
        orders: [2.0, 2.0],
        others: Others::Both,
    }
    .agrees("rods")
}

/// A wheel whose damper stops it within less than a step.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(wheel, mass = 1, inertia = [1e-3, 1e-3, 1e-3]),
    joint(axle, revolute(world -> wheel), axis = [0, 0, 1], damping = 2.5),
)]
struct Stiff;

#[test]
fn a_stiff_damper_stops_a_wheel() -> Outcome {
    let (q, v) = (vector![0.0], vector![1.0]);
    Scene {
        robot: Stiff,
        q,
        v,
        seconds: 0.4,
        input: nothing,
        orders: [1.0, 1.0],
        others: Others::Both,
    }
    .agrees("a wheel")
}

#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(top, mass = 0.5, com = [0, 0, 0.08], inertia = [3e-4, 3e-4, 4e-4]),
    joint(tip, spherical(world -> top)),
)]
struct Top;

#[test]
fn a_top_precesses() -> Outcome {
    let q = vector![0.0, 0.25_f64.sin(), 0.0, 0.25_f64.cos()];
    let v = vector![0.0, 0.0, 60.0];
    Scene {
        robot: Top,
        q,
        v,
        seconds: 0.2,
        input: nothing,
        orders: [1.0, 2.0],
        others: Others::Both,
    }
    .agrees("a top")
}

#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(body, mass = 3, com = [0.05, -0.1, 0.07], inertia = [0.1, 0.2, 0.15, 0.01, -0.02, 0.015]),
    joint(free, floating(world -> body)),
    link(wheel, mass = 1, inertia = [0.02, 0.02, 0.03]),
    joint(axle, continuous(body -> wheel), at = [0.1, 0, 0.2], axis = [1, 2, 3]),
    link(boom, mass = 0.5, com = [0.2, 0, 0], inertia = [0.005, 0.02, 0.02]),
    joint(ball, spherical(body -> boom), at = [0, 0.2, 0]),
)]
struct Satellite;

#[test]
fn a_satellite_turns() -> Outcome {
    let q = Satellite.neutral();
    let v = vector![0.2, -0.1, 0.3, 0.7, 1.1, -0.4, 3.0, -0.5, 0.8, 1.2];
    Scene {
        robot: Satellite,
        q,
        v,
        seconds: 1.0,
        input: nothing,
        orders: [2.0, 2.0],
        others: Others::Both,
    }
    .agrees("a satellite")
}

#[test]
fn a_double_pendulum_swings() -> Outcome {
    let robot = DoublePendulum { m1: 1.0, m2: 1.0, l1: 0.5, l2: 0.5 };
    let (q, v) = (vector![1.0, 0.5], vector![0.0, 1.0]);
    Scene { robot, q, v, seconds: 1.0, input: nothing, orders: [1.0, 2.0], others: Others::Both }
        .agrees("a double pendulum")
}

/// With dampers, springs and armatures.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(upper, mass = 2, com = [0.2, 0, 0], inertia = [0.005, 0.03, 0.03]),
    joint(shoulder, universal(world -> upper), axes = [[0, 0, 1], [0, 1, 0]], damping = 0.4, actuated),
    link(lower, mass = 1, com = [0.2, 0, 0.02], inertia = [0.002, 0.014, 0.013]),
    joint(elbow, revolute(upper -> lower), at = [0.4, 0, 0], axis = [0, 1, 0], damping = 0.2, stiffness = 5, rest = 0.4,
          armature = 0.01, actuated),
)]
struct Arm;

#[test]
fn a_damped_arm_is_driven() -> Outcome {
    let (q, v) = (vector![0.1, -0.3, 0.5], vector![1.0, -2.0, 3.0]);
    let input = |t: f64| vector![2.0 * (5.0 * t).sin(), -3.0, (3.0 * t).cos()];
    Scene { robot: Arm, q, v, seconds: 1.0, input, orders: [1.0, 1.0], others: Others::Both }
        .agrees("an arm")
}

/// Two bodies on springs between points.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(bob, mass = 1, inertia = [0.01, 0.01, 0.01]),
    joint(swing, planar(world -> bob), axis = [0, 1, 0]),
    link(ring, mass = 0.3, inertia = [0.01, 0.01, 0.01]),
    joint(slide, cylindrical(world -> ring), axis = [1, 0, 0]),
    spring(first, a = world @ [0, 0, 0.3], b = bob @ [0, 0, 0], stiffness = 40, damping = 0.2, rest = 0.2),
    spring(second, a = ring @ [0, 0.1, 0], b = bob @ [0, 0, 0], stiffness = 30, damping = 0.1, rest = 0.1),
)]
struct Sprung;

#[test]
fn what_hangs_on_springs_swings() -> Outcome {
    let (q, v) = (vector![0.1, -0.2, 0.0, 0.2, 0.1], vector![0.5, 0.3, 2.0, 1.0, 0.2]);
    Scene {
        robot: Sprung,
        q,
        v,
        seconds: 1.0,
        input: nothing,
        orders: [1.0, 1.0],
        others: Others::Both,
    }
    .agrees("springs")
}

/// A screw that turns as it falls, and a finger whose tip follows.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(nut, mass = 0.5, com = [0.02, 0, 0], inertia = [1e-3, 1e-3, 2e-3]),
    joint(screw, helical(world -> nut), axis = [0, 0.2, 1], pitch = 0.05),
    link(near, mass = 0.1, com = [0.05, 0, 0], inertia = [1e-4, 2e-4, 2e-4]),
    joint(knuckle, revolute(nut -> near), at = [0.1, 0, 0], axis = [0, 1, 0]),
    link(far, mass = 0.1, com = [0.05, 0, 0], inertia = [1e-4, 2e-4, 2e-4]),
    joint(tip, revolute(near -> far), at = [0.1, 0, 0], axis = [0, 1, 0], mimic(knuckle, multiplier = 0.8)),
)]
struct Finger;

#[test]
fn a_finger_on_a_screw_turns() -> Outcome {
    let (q, v) = (vector![0.1, 0.5], vector![4.0, 3.0]);
    Scene {
        robot: Finger,
        q,
        v,
        seconds: 0.5,
        input: nothing,
        orders: [1.0, 2.0],
        others: Others::Both,
    }
    .agrees("a finger")
}
