//! Bodies that spin: energy and momentum of free rotation, and the precession of a top.

use jourdain::contact::{Error, Transition, residual};
use jourdain::nalgebra::{SVector, vector};
use jourdain::prelude::*;

type Run = Result<(), Box<dyn std::error::Error>>;

/// A body whose joint is not at its centre of mass.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(body, mass = 2, com = [x, 0.03, -0.02], inertia = [0.01, 0.02, 0.025, 0.001, -0.002, 0.0005]),
    joint(base, floating(world -> body)),
)]
struct Tumbling {
    x: f64,
}

/// A heavy top on its tip.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(top, mass = 0.5, com = [0, 0, 0.08], inertia = [3e-4, 3e-4, 4e-4]),
    joint(tip, spherical(world -> top)),
)]
struct Top;

/// A plate on four feet.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(plate, mass = 50, com = [0.01, 0.02, 0], inertia = [0.002, 0.0011, 0.0015]),
    joint(base, floating(world -> plate)),
    contact(a, on = plate, at = [0.2, 0.2, 0], friction = 1),
    contact(b, on = plate, at = [-0.2, 0.2, 0], friction = 1),
    contact(c, on = plate, at = [-0.2, -0.2, 0], friction = 1),
    contact(d, on = plate, at = [0.2, -0.2, 0], friction = 1),
)]
struct Plate;

/// A body on a ball joint with a damper.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(body, mass = 0.5, com = [0, 0, 0.05], inertia = [3e-4, 4e-4, 5e-4]),
    joint(ball, spherical(world -> body), damping = 5e-3),
)]
struct Damped;

/// The largest share by which the energy changes, and what is lost of the momentum, relative to it.
fn free(
    robot: Tumbling,
    v: SVector<f64, 6>,
    (h, seconds): (f64, f64),
) -> Result<[f64; 2], Box<dyn std::error::Error>> {
    let q = robot.neutral();
    let mut simulation = Simulation::new(robot)?.step_size(h)?.state(q, v)?;
    let (energy, momentum) = (robot.kinetic_energy(&q, &v), robot.momentum(&q, &v));
    let (mut change, mut lost): (f64, f64) = (0.0, 0.0);
    let sizes = [momentum.fixed_rows::<3>(0).norm(), momentum.fixed_rows::<3>(3).norm()];
    for _ in 0..(seconds / h).round() as usize {
        simulation.step(&SVector::zeros())?;
        let State { q, v, .. } = simulation.current();
        change = change.max((robot.kinetic_energy(q, v) / energy - 1.0).abs());
        let error = robot.momentum(q, v) - momentum;
        lost = lost.max(error.fixed_rows::<3>(0).norm() / sizes[0].max(1e-3));
        lost = lost.max(error.fixed_rows::<3>(3).norm() / sizes[1]);
    }
    Ok([change, lost])
}

#[test]
fn free_rotation_keeps_energy_and_momentum() -> Run {
    let about_middle = vector![0.0, 0.0, 0.0, 0.01, 10.0, 0.02];
    let tumbling = vector![0.3, -0.2, 0.5, 3.0, -8.0, 5.0];
    let fast = vector![0.3, -0.2, 0.5, 100.0, -300.0, 200.0];
    for (x, v, h, seconds) in [
        (0.0, about_middle, 1e-3, 100.0),
        (0.1, tumbling, 1e-3, 100.0),
        (0.1, tumbling, 1e-2, 100.0),
        (0.1, fast, 1e-4, 5.0),
        (0.1, fast, 1e-3, 5.0),
    ] {
        let [change, lost] = free(Tumbling { x }, v, (h, seconds))?;
        println!("{x} {h}: {change:e} {lost:e}");
        assert!(change < 1e-10 && lost < 1e-9, "{x}, {h}: {change:e} {lost:e}");
    }
    Ok(())
}

/// Where its axis points in the world.
fn axis(q: &SVector<f64, 4>) -> SVector<f64, 3> {
    let [x, y, z, w] = [q[0], q[1], q[2], q[3]];
    vector![2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)]
}

/// It nods while it precesses, as a motion does that is integrated to a tolerance: to the first order in the step at least. Its
/// energy has no trend, and its angular momentum about the vertical and about its axis stay as they are.
#[test]
fn a_top_precesses_as_it_does_in_continuous_time() -> Run {
    let mut q = Top.neutral();
    (q[1], q[3]) = (0.25_f64.sin(), 0.25_f64.cos());
    let v = vector![0.0, 0.0, 150.0];
    let mut smooth = SmoothSimulation::new(Top)?.tolerance(1e-11)?.state(q, v)?;
    smooth.run(2.0, |_: &State<Top>| SVector::zeros())?;
    let (energy, upright) =
        (Top.kinetic_energy(&q, &v) + Top.potential_energy(&q), Top.momentum(&q, &v)[5]);
    let mut errors = Vec::new();
    for h in [1e-3, 5e-4, 2.5e-4] {
        let mut simulation = Simulation::new(Top)?.step_size(h)?.state(q, v)?;
        for _ in 0..(2.0 / h).round() as usize {
            simulation.step(&SVector::zeros())?;
            let State { q, v, .. } = simulation.current();
            let change = Top.kinetic_energy(q, v) + Top.potential_energy(q) - energy;
            assert!(change.abs() < 4.0 * h, "{h}: {change}");
            assert!((Top.momentum(q, v)[5] - upright).abs() < 1e-12);
            assert!((v[2] - 150.0).abs() < 1e-9);
        }
        errors.push((axis(&simulation.current().q) - axis(&smooth.current().q)).norm());
    }
    assert!(errors[0] < 0.1, "{errors:?}");
    assert!(errors.windows(2).all(|pair| pair[0] > 1.8 * pair[1]), "{errors:?}");
    Ok(())
}

/// A body turns by any angle in a step: up to a thousand radians it is followed to its end, and audited to have been.
#[test]
fn a_step_may_turn_a_body_by_any_angle() -> Run {
    let robot = Tumbling { x: 0.05 };
    let h = 4e-3;
    for angle in [0.9, 1.2, 2.0, 3.1, 3.2, 6.3, 40.0, 1000.0] {
        let w = vector![0.3, 1.0, -0.5] * angle / h;
        let u = vector![0.3, -0.2, 0.5] - w.cross(&vector![0.05, 0.03, -0.02]);
        let v = vector![u.x, u.y, u.z, w.x, w.y, w.z];
        let mut simulation = Simulation::new(robot)?.step_size(h)?.state(robot.neutral(), v)?;
        let State { q, .. } = *simulation.current();
        let (energy, momentum) = (robot.kinetic_energy(&q, &v), robot.momentum(&q, &v));
        for _ in 0..50 {
            let State { time, q, v } = *simulation.current();
            simulation.step(&SVector::zeros())?;
            let (conditions, force) = (simulation.conditions(), &SVector::zeros());
            let (v_next, impulse) = (&simulation.current().v, simulation.impulse());
            let (q, v, step_size) = (&q, &v, h);
            let step = Transition { conditions, time, step_size, q, v, force, v_next, impulse };
            let audited = residual(&robot, &step);
            assert!(audited.max() < 1e-9, "{angle}: {audited:?}");
        }
        let State { q, v, .. } = *simulation.current();
        let change = robot.kinetic_energy(&q, &v) / energy - 1.0;
        let lost = (robot.momentum(&q, &v) - momentum).norm() / momentum.norm();
        // Centripetal forces, of the order of h² ω², leave rounding of their own size.
        let most = 1e-13 * (10.0 + angle * angle);
        assert!(change.abs() < most && lost < most, "{angle}: {change:e} {lost:e}");
    }
    // What no step can follow is said.
    let v = vector![0.0, 0.0, 0.0, 2e6, 1e6, 1e6];
    let mut simulation = Simulation::new(robot)?.step_size(h)?.state(robot.neutral(), v)?;
    let failure = simulation.step(&SVector::zeros()).expect_err("too fast");
    assert!(failure.to_string().contains("too long"), "{failure}");
    Ok(())
}

/// Feet that hold a body at rest bear all of a moment on it, also one that would turn it far.
#[test]
fn what_is_held_hands_on_its_moment() -> Run {
    let (h, moment) = (1e-2, vector![3.0, -2.0, 4.0]);
    for share in [0.01, 0.1, 0.5, 1.0, 3.0_f64] {
        let robot = Plate;
        let mut simulation =
            Simulation::new(robot)?.step_size(h)?.state(robot.neutral(), SVector::zeros())?;
        let moment: SVector<f64, 3> = share * moment;
        let wrench = vector![0.0, 0.0, 0.0, moment.x, moment.y, moment.z];
        let origin = SVector::<f64, 3>::zeros();
        simulation.apply_to_link("plate", origin, ReferenceFrame::LocalWorldAligned, wrench)?;
        for _ in 0..20 {
            simulation.step(&SVector::zeros())?;
        }
        let State { q, v, .. } = simulation.current();
        assert!(v.amax() < 1e-9, "{share}: {v}");
        let center = robot.center_of_mass(q);
        let forces = simulation.contact_forces();
        let about_center = |force: &ContactForce| (force.point - center).cross(&force.force);
        let error = forces.iter().map(about_center).sum::<SVector<f64, 3>>() + moment;
        assert!(error.norm() < 1e-9 * moment.norm(), "{share}: {error}");
    }
    Ok(())
}

/// A body with a damper is followed by about a radian in a step, and gains no energy; more is refused.
#[test]
fn what_has_a_damper_turns_by_a_radian() -> Run {
    let h = 4e-3;
    for angle in [0.3, 0.6, 0.9, 1.5, 3.0, 6.0, 20.0] {
        let v = vector![0.4 * angle / h, 0.5 * angle / h, 0.7 * angle / h];
        let mut simulation = Simulation::new(Damped)?.step_size(h)?.state(Damped.neutral(), v)?;
        let mut before = simulation.energy();
        for _ in 0..100 {
            match simulation.step(&SVector::zeros()) {
                Ok(_) => assert!(simulation.energy() <= before * (1.0 + 1e-9), "{angle}"),
                Err(failure) => {
                    assert!(angle > 1.0 && failure.to_string().contains("too long"), "{failure}");
                    break;
                }
            }
            before = simulation.energy();
        }
    }
    Ok(())
}

/// A top under its weight, at more than a radian a step, keeps its energy within what weight may do in one; a swing that steps do
/// not resolve is refused.
#[test]
fn steps_resolve_the_swing_of_a_top() -> Run {
    let (sin, cos) = (0.2_f64.sin(), 0.2_f64.cos());
    for (h, speed) in [(4e-3, 300.0), (0.03, 30.0), (0.03, 100.0), (0.04, 1e3), (0.05, 0.0)] {
        let mut simulation = Simulation::new(Top)?
            .step_size(h)?
            .state(vector![sin, 0.0, 0.0, cos], vector![0.0, 0.0, speed])?;
        let before = simulation.energy();
        for _ in 0..2000 {
            simulation.step(&SVector::zeros())?;
            let change = simulation.energy() - before;
            assert!(change.abs() < 0.5 * 9.81 * 0.08, "{h} {speed}: {change}");
        }
    }
    for speed in [0.0, 10.0, 30.0] {
        let mut simulation = Simulation::new(Top)?
            .step_size(0.2)?
            .state(vector![sin, 0.0, 0.0, cos], vector![speed, 0.0, 0.0])?;
        let failure = simulation.run(20.0, |_: &State<Top>| SVector::zeros()).expect_err("swings");
        let is_told = match failure {
            SimulationError::Diverged { joint, .. } => joint == "tip",
            SimulationError::Contact { error: Error::TooLong { .. }, .. } => true,
            _ => false,
        };
        assert!(is_told, "{failure}");
    }
    Ok(())
}

/// A force through the centre of mass of a body at rest, and a moment that stops one, are no reason for NaN.
#[test]
fn a_body_at_rest_is_pushed() -> Run {
    let robot = Tumbling { x: 0.0 };
    let point = SVector::<f64, 3>::new(0.0, 0.03, -0.02);
    let mut simulation = Simulation::new(robot)?.state(robot.neutral(), SVector::zeros())?;
    let push = vector![2.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    simulation.apply_to_link("body", point, ReferenceFrame::LocalWorldAligned, push)?;
    simulation.run(0.1, |_: &State<Tumbling>| SVector::zeros())?;
    let v = simulation.current().v;
    assert!((v[0] - 0.1).abs() < 1e-12 && v.fixed_rows::<3>(3).amax() < 1e-12, "{v}");
    Ok(())
}

/// Without it energy grows by the order of h ω² of itself in a second, and each step is the explicit one, as an audit has it.
#[test]
fn free_rotation_may_be_left_out() -> Run {
    let robot = Tumbling { x: 0.1 };
    let (q, v, h) = (robot.neutral(), vector![0.3, -0.2, 0.5, 3.0, -8.0, 5.0], 1e-3);
    let energy = robot.kinetic_energy(&q, &v);
    let mut simulation = Simulation::new(robot)?.step_size(h)?.state(q, v)?.free_rotation(false);
    for _ in 0..1000 {
        let State { time, q, v } = simulation.current().clone();
        simulation.step(&SVector::zeros())?;
        let step = Transition {
            conditions: simulation.conditions(),
            time,
            step_size: h,
            q: &q,
            v: &v,
            force: &SVector::zeros(),
            v_next: &simulation.current().v,
            impulse: simulation.impulse(),
        };
        assert!(residual(&robot, &step).max() < 1e-9);
    }
    let State { q, v, .. } = simulation.current();
    let gained = robot.kinetic_energy(q, v) / energy - 1.0;
    assert!((1e-3..0.2).contains(&gained), "{gained}");
    Ok(())
}
