//! Chains of bodies that something holds, lifts or may touch, by the generalised leapfrog.

use jourdain::contact::{Conditions, Motor, Stepper, Transition, residual};
use jourdain::nalgebra::{SVector, vector};
use jourdain::prelude::*;
use jourdain::space::Storage;

type Failure = Box<dyn std::error::Error>;

/// Makes a step without input, whose residual is small as it is told from its ends alone.
fn audited_step<R: Model + Clone>(simulation: &mut Simulation<R>) -> Result<(), Failure> {
    let (robot, conditions) = (simulation.model().clone(), simulation.conditions().clone());
    let State { time, q, v } = &simulation.current().clone();
    simulation.step(&R::U::zeros())?;
    let step = Transition {
        conditions: &conditions,
        time: *time,
        step_size: simulation.time_step(),
        q,
        v,
        force: &robot.passive_force(q, v),
        v_next: &simulation.current().v,
        impulse: simulation.impulse(),
    };
    let audited = residual(&robot, &step);
    assert!(audited.max() < 1e-9, "{time}: {audited:?}");
    Ok(())
}

/// Two bodies on a hinge, free in space, that friction, a damper or a motor may hold.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(one, mass = 1, com = [0.25, 0, 0.02], inertia = [0.001, 0.02, 0.02]),
    joint(base, floating(world -> one)),
    link(two, mass = 0.5, com = [0.2, 0, 0], inertia = [0.001, 0.007, 0.007]),
    joint(hinge, revolute(one -> two), at = [0.5, 0, 0], axis = [0, 0, 1], friction = f, damping = d, actuated, effort = 1e3),
)]
struct Held {
    f: f64,
    d: f64,
}

/// What holds a joint acts between bodies, and leaves the momentum of both together as it is.
#[test]
fn what_holds_a_chain_keeps_its_momentum() -> Result<(), Failure> {
    let servo =
        Motor::Servo { position: 1.2, velocity: 0.0, stiffness: 1e5, damping: 1e3, force: 900.0 };
    for (f, d, motor) in
        [(300.0, 0.0, None), (0.0, 1e4, None), (0.0, 0.0, Some(servo)), (1.0, 0.5, None)]
    {
        let robot = Held { f, d };
        let mut q = robot.neutral();
        q[7] = 1.2;
        let v = vector![0.3, -0.2, 0.1, 2.0, -3.0, 30.0, 0.0];
        let (energy, momentum) = (robot.kinetic_energy(&q, &v), robot.momentum(&q, &v));
        let h = 1e-3;
        let mut simulation = Simulation::new(robot)?.step_size(h)?.state(q, v)?;
        simulation.set_motor("hinge", motor)?;
        for _ in 0..300 {
            audited_step(&mut simulation)?;
        }
        let State { q, v, .. } = simulation.current();
        let lost = (robot.momentum(q, v) - momentum).amax();
        let change = robot.kinetic_energy(q, v) / energy - 1.0;
        println!("{f} {d}: {lost:.1e} of {:.1}, {change:.1e}, {:.3}", momentum.amax(), q[7]);
        assert!(lost < 1e-9, "{f} {d}: {lost}");
    }
    Ok(())
}

/// A heavy base on the ground, with two light links that spin.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(base, mass = 60),
    joint(root, prismatic(world -> base), axis = [0, 0, 1]),
    contact(foot, on = base),
    link(near, mass = 0.2, com = [0.1, 0, 0], inertia = [1e-4, 6e-4, 6e-4]),
    joint(one, continuous(base -> near), at = [0, 0, 0.3], axis = [0, 1, 0]),
    link(far, mass = 0.1, com = [0.05, 0, 0.01], inertia = [1e-4, 3e-4, 3e-4]),
    joint(two, continuous(near -> far), at = [0.2, 0, 0], axis = [0, 1, 0]),
)]
struct Spinning;

/// The contact holds the base, and takes nothing of what spins.
#[test]
fn a_limb_spins_beside_a_base_at_rest() -> Result<(), Failure> {
    for h in [1e-3, 5e-4] {
        let simulation = Simulation::new(Spinning)?.step_size(h)?.symplectic(true);
        let mut simulation = simulation.state(vector![0.0, 0.3, 0.5], vector![0.0, 0.0, 20.0])?;
        let (first, mut most) = (simulation.energy(), 0.0_f64);
        for _ in 0..(4.0 / h) as usize {
            simulation.step(&SVector::zeros())?;
            most = most.max((simulation.energy() - first).abs());
        }
        println!("{h}: {most:e}");
        assert!(most < 6.0 * h, "{h}: {most}");
    }
    Ok(())
}

/// A whip over ground.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(trunk, mass = 2, com = [0.03, -0.02, 0.05], inertia = [0.05, 0.11, 0.14]),
    joint(base, floating(world -> trunk)),
    contact(foot, on = trunk, at = [0.1, 0, -0.2], friction = 0.6),
    link(upper, mass = 1, com = [0.2, 0.01, 0], inertia = [0.002, 0.014, 0.013]),
    joint(ball, spherical(trunk -> upper), at = [0.1, 0.2, 0.1]),
    link(lower, mass = 0.5, com = [0.2, 0, 0.02], inertia = [0.001, 0.007, 0.0068]),
    joint(knee, revolute(upper -> lower), at = [0.4, 0, 0], axis = [0, 1, 0.2]),
    contact(tip, on = lower, at = [0.4, 0, 0], friction = 0.6),
    ground(offset = -1000),
)]
struct Whip;

/// How far T comes from where it was, by that, with steps of `h` seconds that are checked each from its ends.
fn turned(h: f64, drift: Option<f64>) -> Result<f64, Failure> {
    let (q, mut v) = (Whip.neutral(), SVector::<f64, 10>::zeros());
    v.copy_from_slice(&[3.0, -2.0, 5.0, 10.0, -20.0, 30.0, 20.0, -30.0, 10.0, 50.0]);
    let first = Whip.kinetic_energy(&q, &v);
    let simulation = Simulation::new(Whip)?.step_size(h)?;
    let simulation = match drift {
        Some(drift) => simulation.energy_drift(drift)?,
        None => simulation,
    };
    let mut simulation = simulation.state(q, v)?;
    let mut most = 0.0_f64;
    for _ in 0..(0.1 / h).round() as usize {
        audited_step(&mut simulation)?;
        let State { q, v, .. } = simulation.current();
        most = most.max((Whip.kinetic_energy(q, v) - first).abs() / first);
    }
    Ok(most)
}

/// Chains that can touch something have the Coriolis force at the beginning of a step unless a drift is stated, and then the
/// leapfrog where they turn fast.
#[test]
fn what_turns_fast_beside_contacts_keeps_its_energy() -> Result<(), Failure> {
    for h in [1e-3, 5e-4] {
        let [explicit, always, fast, slow] = [None, Some(0.0), Some(0.1), Some(10.0)];
        let explicit = turned(h, explicit)?;
        assert!(explicit > 45.0 * h && turned(h, slow)? == explicit, "{h}: {explicit}");
        for drift in [always, fast] {
            let off = turned(h, drift)?;
            assert!(off < 8.0 * h, "{h}, {drift:?}: {off}");
        }
    }
    for drift in [-1.0, f64::NAN] {
        let error = Simulation::new(Whip)?.energy_drift(drift).expect_err("no drift").to_string();
        assert_eq!(error, format!("energy_drift is {drift}, expected a number of at least 0"));
    }
    Ok(())
}

/// A box without friction, with an arm on a hinge.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(trunk, mass = 10, inertia = [0.1, 0.1, 0.1]), joint(base, floating(world -> trunk)),
    contact(a, on = trunk, at = [0.2, 0.2, -0.1]), contact(b, on = trunk, at = [-0.2, 0.2, -0.1]),
    contact(c, on = trunk, at = [0.2, -0.2, -0.1]), contact(d, on = trunk, at = [-0.2, -0.2, -0.1]),
    link(arm, mass = 0.1, com = [0, 0, 0.05], inertia = [0.001, 0.001, 0.001]),
    joint(hinge, revolute(trunk -> arm), axis = [0, 1, 0], at = [0, 0, 0.1]),
)]
struct Sledge;

/// What ground lifts is displaced, and gets no spin of its way along the ground, however fast it goes.
#[test]
fn what_is_lifted_does_not_turn() -> Result<(), Failure> {
    let (mut q, h) = (Sledge.neutral(), 1e-3);
    q[2] = 0.098;
    let conditions = Conditions { symplectic: true, ..Conditions::default() };
    for speed in [0.0, 1.0, 10.0, 100.0] {
        let mut v = SVector::<f64, 7>::zeros();
        (v[0], v[6]) = (speed, 0.01);
        let mut stepper = Stepper::new(&Sledge)?;
        stepper.step(&Sledge, (&q, &v), &SVector::zeros(), (0.0, h), &conditions)?;
        let (q_next, v_next) = stepper.end(&Sledge, &q, h)?;
        assert!((q_next[2] - 0.1).abs() < 1e-7, "{q_next}");
        assert!((v_next - v).amax() < 1e-6, "{speed}: {v_next}");
    }
    Ok(())
}

/// A table that stands on three feet, with an arm.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(table, mass = 5, inertia = [0.2, 0.2, 0.3]), joint(base, floating(world -> table)),
    contact(one, on = table, at = [0.3, 0, -0.5], friction = 0.6),
    contact(two, on = table, at = [-0.2, 0.3, -0.5], friction = 0.6),
    contact(three, on = table, at = [-0.2, -0.3, -0.5], friction = 0.6),
    link(upper, mass = 0.5, com = [0, 0, 0.1], inertia = [0.002, 0.002, 0.0005]),
    joint(shoulder, revolute(table -> upper), at = [0, 0, 0.1], axis = [0, 1, 0], actuated),
    link(lower, mass = 0.3, com = [0, 0, 0.1], inertia = [0.001, 0.001, 0.0003]),
    joint(elbow, revolute(upper -> lower), at = [0, 0, 0.2], axis = [0, 1, 0], actuated),
)]
struct Table;

/// Steps at rest are solved by contacts alone, and those of the leapfrog not: each is judged by its own.
#[test]
fn what_rests_begins_to_move() -> Result<(), Failure> {
    let mut q = Table.neutral();
    (q[2], q[7]) = (0.5, 0.3);
    let simulation = Simulation::new(Table)?.step_size(1e-3)?.symplectic(true);
    let mut simulation = simulation.state(q, SVector::zeros())?;
    for _ in 0..5 {
        let hold = -simulation.model().gravity_force(&simulation.current().q);
        simulation.step(&vector![hold[6], hold[7]])?;
    }
    for _ in 0..300 {
        let report = simulation.step(&vector![0.3, -0.1])?;
        assert!(report.residual.max() < 1e-9, "{report:?}");
    }
    assert!(simulation.current().v[6].abs() > 1.0);
    Ok(())
}

/// Two bodies that float, one of them pressed on the stop of its hinge.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(first, mass = 1, com = [0.25, 0.02, 0], inertia = [0.001, 0.02, 0.02]),
    joint(base, floating(world -> first)),
    link(middle, mass = 0.2, com = [0.05, 0, 0], inertia = [0.001, 0.001, 0.001]),
    joint(ball, spherical(first -> middle), at = [0.5, 0, 0]),
    link(second, mass = 0.5, com = [0.2, 0, 0.01], inertia = [0.001, 0.007, 0.007]),
    joint(elbow, revolute(middle -> second), at = [0.1, 0, 0], axis = [0, 0, 1], limits = [-1.5, 1.5], stiffness = 400, rest = 2),
)]
struct Pressed;

/// The second half of a step comes beyond the stop. The next one displaces that, and what is displaced keeps its momentum.
#[test]
fn what_overlaps_keeps_its_momentum() -> Result<(), Failure> {
    let (mut q, mut v) = (Pressed.neutral(), SVector::<f64, 10>::zeros());
    q[11] = 1.5;
    v.copy_from_slice(&[1.0, -2.0, 3.0, 4.0, -7.0, 30.0, 3.0, -5.0, 8.0, 0.0]);
    let momentum = Pressed.momentum(&q, &v);
    for h in [1e-3, 1e-4] {
        let mut simulation = Simulation::new(Pressed)?.step_size(h)?.state(q, v)?;
        let mut displaced = 0;
        for _ in 0..300 {
            audited_step(&mut simulation)?;
            let State { time, q, v } = simulation.current();
            displaced += usize::from(simulation.impulse().displacement.iter().any(|x| *x != 0.0));
            let lost = (Pressed.momentum(q, v) - momentum).amax() / momentum.amax();
            assert!(lost < 1e-9, "{h}, {time}: {lost}");
        }
        assert!(displaced > 10, "{displaced}");
    }
    Ok(())
}

/// An arm on a hinge of a body that floats.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(trunk, mass = 6, inertia = [0.05, 0.08, 0.1]), joint(base, floating(world -> trunk)),
    link(arm, mass = 1, com = [0.1, 0, 0], inertia = [0.001, 0.004, 0.004]),
    joint(shoulder, revolute(trunk -> arm), at = [0.1, 0, 0.1], axis = [0, 1, 0], friction = friction),
)]
struct Hinged {
    friction: f64,
}

/// The same on a ball joint.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(trunk, mass = 6, inertia = [0.05, 0.08, 0.1]), joint(base, floating(world -> trunk)),
    link(arm, mass = 1, com = [0.1, 0, 0], inertia = [0.001, 0.004, 0.004]),
    joint(shoulder, spherical(trunk -> arm), at = [0.1, 0, 0.1], friction = 8),
)]
struct Socketed;

/// Five seconds of a body that tumbles; how far the joint moves that is held, and the largest change of T, by T.
fn tumbles<R: Model + Clone>(mut simulation: Simulation<R>, h: f64) -> Result<[f64; 2], Failure> {
    let (robot, mut v) = (simulation.model().clone(), R::V::zeros());
    (v[3], v[4], v[5]) = (1.0, 2.0, -1.5);
    simulation = simulation.step_size(h)?.state(robot.neutral(), v.clone())?;
    let (first, start) = (simulation.energy(), robot.neutral());
    let mut most = [0.0; 2];
    for step in 0..(5.0 / h) as usize {
        audited_step(&mut simulation)?;
        if step % 100 == 0 {
            simulation.least_norm_impulse()?;
        }
        let q = &simulation.current().q;
        most[0] = (7..R::NQ).fold(most[0], |most: f64, i| most.max((q[i] - start[i]).abs()));
        most[1] = f64::max(most[1], (simulation.energy() - first).abs() / first);
    }
    Ok(most)
}

/// What friction or a motor holds does not move in a step, and takes or gives nothing.
#[test]
fn what_is_held_does_not_move() -> Result<(), Failure> {
    for h in [1e-2, 1e-3] {
        let free = tumbles(Simulation::new(Hinged { friction: 0.0 })?, h)?;
        assert!(free[0] > 0.1 && free[1] < h * h, "{h}: {free:?}");
        let mut driven = Simulation::new(Hinged { friction: 0.0 })?;
        let motor = Motor::Velocity { velocity: 0.0, force: f64::INFINITY };
        driven.set_motor("shoulder", Some(motor))?;
        let rubs = Simulation::new(Hinged { friction: 8.0 })?;
        for held in
            [tumbles(driven, h)?, tumbles(rubs, h)?, tumbles(Simulation::new(Socketed)?, h)?]
        {
            assert!(held[0] < 1e-10 && held[1] < h * h, "{h}: {held:?}");
        }
    }
    Ok(())
}
