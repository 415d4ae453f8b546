//! Springs and wrenches that hold a weight.

use fastrand::Rng;
use jourdain::prelude::*;
use nalgebra::{Vector1, Vector3, Vector6};

use crate::{Vector0, between, close};

const G: f64 = 9.81;

/// A mass that hangs on a spring, on a vertical rail.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(weight, mass = m),
    joint(rail, prismatic(world -> weight), axis = [0, 0, 1]),
    spring(coil, a = world @ [0, 0, 2], b = weight, stiffness = k, rest = rest, damping = c),
    frame(hook, on = weight),
)]
struct Hanging {
    m: f64,
    k: f64,
    rest: f64,
    c: f64,
}

/// A point that a spring and damper ties to (0.1, 0.2, 0.3).
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(first, massless),
    joint(x, prismatic(world -> first), axis = [1, 0, 0]),
    link(second, massless),
    joint(y, prismatic(first -> second), axis = [0, 1, 0]),
    link(point, mass = 1),
    joint(z, prismatic(second -> point), axis = [0, 0, 1]),
    spring(tie, a = point, b = world @ [0.1, 0.2, 0.3], stiffness = 30, rest = 0.4, damping = 2),
)]
struct Tied;

/// An arm with a load at its tip.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(upper, mass = 2, com = [0.2, 0, 0], inertia = [0.01, 0.02, 0.02]),
    joint(shoulder, revolute(world -> upper), at = [0, 0.1, 0.5], axis = [0.2, 1, 0.1]),
    link(lower, mass = 1, com = [0.1, 0.02, 0], inertia = [0.01, 0.01, 0.01]),
    joint(elbow, revolute(upper -> lower), at = [0.4, 0, 0], axis = [0, 1, 0]),
    link(load, mass = load),
    joint(wrist, prismatic(lower -> load), at = [0.3, 0, 0.1], rpy = [0.1, 0.2, 0.3], axis = [1, 0, 1]),
    frame(tip, on = load, rpy = [0.3, -0.2, 0.9]),
)]
struct Arm {
    load: f64,
}

/// The spring stretches by m g / k.
#[test]
fn a_weight_stretches_its_spring() -> Result<(), SimulationError> {
    let rng = &mut Rng::with_seed(6);
    for _ in 0..100 {
        let (m, k, rest) =
            (between(rng, 0.1, 5.0), between(rng, 50.0, 500.0), between(rng, 0.0, 0.5));
        let model = Hanging { m, k, rest, c: 0.0 };
        let q = Vector1::new(2.0 - rest - m * G / k);
        let sum = model.passive_force(&q, &Vector1::zeros()) + model.gravity_force(&q);
        close("force", sum.as_slice(), &[0.0], 1e-11);
    }
    let model = Hanging { m: 2.0, k: 80.0, rest: 0.3, c: 20.0 };
    let mut hanging = Simulation::new(model)?.state(Vector1::new(1.5), Vector1::zeros())?;
    hanging.run(8.0, |_: &State<Hanging>| Vector0::zeros())?;
    close("rest", hanging.current().q.as_slice(), &[2.0 - 0.3 - 2.0 * G / 80.0], 1e-10);
    Ok(())
}

/// f = −(k (l − l₀) + c l̇) Δ/l on the point, Δ from the anchor to the point.
#[test]
fn a_spring_pulls_along_its_line() {
    let rng = &mut Rng::with_seed(7);
    for _ in 0..100 {
        let mut vector = || Vector3::from_fn(|_, _| between(rng, -1.0, 1.0));
        let (q, v) = (vector(), vector());
        let span = q - Vector3::new(0.1, 0.2, 0.3);
        let (length, direction) = (span.norm(), span.normalize());
        let tension = 30.0 * (length - 0.4) + 2.0 * direction.dot(&v);
        let expected = -tension * direction;
        close("f", Tied.passive_force(&q, &v).as_slice(), expected.as_slice(), 1e-12);
    }
}

/// What a kilogram more at the tip weighs is the generalised force of its weight there, however the
/// wrench is expressed.
#[test]
fn a_wrench_holds_a_weight() {
    let rng = &mut Rng::with_seed(8);
    let tip = FrameId::<Arm>::named("tip").expect("declared");
    let arm = Arm { load: 1.0 };
    for _ in 0..100 {
        let q = Vector3::from_fn(|_, _| between(rng, -2.0, 2.0));
        let heavier = Arm { load: 2.0 }.gravity_force(&q) - arm.gravity_force(&q);
        let pose = arm.frame_pose(tip, &q);
        let force = Vector3::new(0.0, 0.0, -G);
        let local = pose.rotation.transpose() * force;
        let moment = pose.position.cross(&force);
        for (reference, force, moment) in [
            (ReferenceFrame::LocalWorldAligned, force, Vector3::zeros()),
            (ReferenceFrame::Local, local, Vector3::zeros()),
            (ReferenceFrame::World, force, moment),
        ] {
            let [fx, fy, fz] = force.into();
            let [mx, my, mz] = moment.into();
            let wrench = Vector6::new(fx, fy, fz, mx, my, mz);
            let found = Model::wrench_force(&arm, tip, reference, &q, &wrench);
            close("Jᵀ w", found.as_slice(), heavier.as_slice(), 1e-12);
        }
    }
}

#[test]
fn a_simulation_applies_wrenches_until_they_are_cleared() -> Result<(), SimulationError> {
    let model = Hanging { m: 2.0, k: 0.0, rest: 0.0, c: 0.0 };
    let hook = FrameId::<Hanging>::named("hook").expect("declared");
    let mut hanging = Simulation::new(model)?.state(Vector1::new(1.0), Vector1::zeros())?;
    let half = Vector6::new(0.0, 0.0, G, 0.0, 0.0, 0.0);
    for _ in 0..2 {
        hanging.apply(hook, ReferenceFrame::World, half)?;
    }
    hanging.run(1.0, |_: &State<Hanging>| Vector0::zeros())?;
    close("held", hanging.current().v.as_slice(), &[0.0], 1e-12);
    hanging.clear_wrenches();
    hanging.run(1.0, |_: &State<Hanging>| Vector0::zeros())?;
    close("dropped", hanging.current().v.as_slice(), &[-G], 1e-11);
    Ok(())
}
