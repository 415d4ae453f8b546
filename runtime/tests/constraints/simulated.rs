//! Declared constraints in time stepping.

use jourdain::constrained::{Assembly, Constrained};
use jourdain::prelude::*;
use nalgebra::{SVector, vector};

/// A slider-crank that a motor drives at a given rate.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(crank, mass = 1, com = [0.15, 0, 0], inertia = [0.01, 0.01, 0.01]),
    joint(motor, revolute(world -> crank), axis = [0, 1, 0]),
    link(rod, mass = 1, com = [0.4, 0, 0], inertia = [0.05, 0.05, 0.05]),
    joint(pin, revolute(crank -> rod), at = [0.3, 0, 0], axis = [0, 1, 0]),
    link(piston, mass = 2),
    joint(slide, prismatic(world -> piston), axis = [1, 0, 0]),
    closure(wrist, a = rod @ [0.8, 0, 0], b = piston, axes = [x, z]),
    drive(speed, joint = motor, rate = rate * t),
)]
struct SliderCrank {
    rate: f64,
}

#[test]
fn a_driven_slider_crank_turns_as_it_is_told() {
    let robot = SliderCrank { rate: 2.0 };
    let mut held = Constrained::new(robot);
    let guess = vector![0.3, -0.5, 1.0];
    let q = held.assemble(&guess, Assembly::Weights(&[1.0, 0.0, 0.0]), 0.0).unwrap().value;
    let mut simulation = Simulation::new(robot).unwrap().state(q, SVector::zeros()).unwrap();
    let report = simulation.run(3.0, |_: &State<SliderCrank>| SVector::zeros()).unwrap();
    assert!(report.residual.max() < 1e-9, "{report:?}");
    let State { q: end, v, .. } = simulation.current();
    assert!((v[0] - 6.0).abs() < 1e-9, "{v}");
    // Semi-implicit Euler is ahead by half a step of the acceleration.
    assert!((end[0] - q[0] - 9.0).abs() < 4e-3, "{}", end[0] - q[0]);
    assert!(robot.constraint(end, 3.0).amax() < 1e-9, "{}", robot.constraint(end, 3.0));
}

/// A bar that hangs on two rods, and touches the ground with a corner.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(bar, mass = 3, com = [0, 0, 0], inertia = [0.3, 0.3, 0.3]),
    joint(free, planar(world -> bar), axis = [0, 1, 0]),
    rod(left, a = world @ [-0.5, 0, 1], b = bar @ [-0.5, 0, 0], length = 0.8),
    rod(right, a = world @ [0.5, 0, 1], b = bar @ [0.5, 0, 0], length = 0.8),
    contact(corner, on = bar, at = [0.5, 0, 0], friction = 0.3),
)]
struct Swing;

#[test]
fn a_swing_keeps_its_rods_and_its_energy() {
    let mut held = Constrained::new(Swing);
    let q = held.assemble(&vector![0.5, -0.6, 0.0], Assembly::Mass, 0.0).unwrap().value;
    let mut simulation = Simulation::new(Swing).unwrap().state(q, SVector::zeros()).unwrap();
    let energy = |s: &Simulation<Swing>| {
        let State { q, v, .. } = s.current();
        Swing.kinetic_energy(q, v) + Swing.potential_energy(q)
    };
    let start = energy(&simulation);
    let report = simulation.run(1.0, |_: &State<Swing>| SVector::zeros()).unwrap();
    assert!(report.residual.max() < 1e-9, "{report:?}");
    assert!(Swing.constraint(&simulation.current().q, 0.0).amax() < 1e-9);
    assert!((energy(&simulation) - start).abs() < 0.1, "{}", energy(&simulation) - start);
}

#[test]
fn a_state_that_violates_a_constraint_is_refused() {
    let mut simulation = Simulation::new(Swing).unwrap();
    let error = simulation.step(&SVector::zeros()).unwrap_err();
    let expected = matches!(error, SimulationError::Violated { constraint: "left", .. });
    assert!(expected, "{error}");
}

#[test]
fn a_film_draws_rods_and_records_what_they_carry() {
    let mut held = Constrained::new(Swing);
    let q = held.assemble(&vector![0.2, -0.6, 0.0], Assembly::Mass, 0.0).unwrap().value;
    let mut simulation = Simulation::new(Swing).unwrap().state(q, SVector::zeros()).unwrap();
    let mut recording = Recording::new(f64::INFINITY).unwrap();
    simulation.run_recorded(0.1, |_: &State<Swing>| SVector::zeros(), &mut recording).unwrap();
    let scene = Scene::film(&Swing, &recording);
    let names: Vec<_> = scene.bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["bar", "left", "right"]);
    for (frame, sample) in scene.frames.iter().zip(recording.samples()) {
        let [bar, left, right] = frame.poses[..] else { panic!("{:?}", frame.poses) };
        for (rod, x) in [(left, -0.5), (right, 0.5)] {
            let top = rod.position - rod.rotation * vector![0.0, 0.0, 0.4];
            let end = rod.position + rod.rotation * vector![0.0, 0.0, 0.4];
            assert!((top - vector![x, 0.0, 1.0]).norm() < 1e-5, "{top}");
            let held = bar.position + bar.rotation * vector![x, 0.0, 0.0];
            assert!((end - held).norm() < 1e-5, "{end}");
        }
        // Both rods together carry the bar's weight, less what it accelerates.
        let carried: f64 = sample.multipliers.iter().sum();
        assert_eq!(sample.multipliers.len(), 2);
        assert!(carried.abs() > 10.0, "{carried}");
    }
}

/// A bead on a ring, which a motor pushes.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(slide, massless),
    joint(x, prismatic(world -> slide), axis = [1, 0, 0], actuated),
    link(bead, mass = 1),
    joint(z, prismatic(slide -> bead), axis = [0, 0, 1]),
    constraint(ring, h = x * x + z * z - 1),
)]
struct Bead;

/// Pushed to where x² is no number any more, it stays where it was, and moves on as if nothing had been.
#[test]
fn a_failed_step_leaves_nothing_behind() {
    let start =
        || Simulation::new(Bead).unwrap().state(vector![1.0, 0.0], vector![0.0, 0.2]).unwrap();
    let (mut simulation, mut other) = (start(), start());
    for _ in 0..3 {
        let before = simulation.current().clone();
        assert!(simulation.step(&vector![1e200]).is_err());
        assert_eq!(simulation.current(), &before);
        let next = [&mut simulation, &mut other].map(|one| one.step(&vector![0.0]).map(|_| ()));
        assert!(next.iter().all(Result::is_ok), "{next:?}");
        assert_eq!(simulation.current(), other.current());
    }
}

/// A parallelogram of two cranks and a coupler.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(crank_1, mass = 1, com = [0, 0, 0.5], inertia = [0.0833, 0.0833, 1e-4]),
    joint(left, revolute(world -> crank_1), axis = [0, 1, 0]),
    link(coupler, mass = 1, com = [0.5, 0, 0], inertia = [1e-4, 0.0833, 0.0833]),
    joint(elbow, revolute(crank_1 -> coupler), at = [0, 0, 1], axis = [0, 1, 0]),
    link(crank_2, mass = 1, com = [0, 0, 0.5], inertia = [0.0833, 0.0833, 1e-4]),
    joint(right, revolute(world -> crank_2), at = [1, 0, 0], axis = [0, 1, 0]),
    closure(pin, a = coupler @ [1, 0, 0], b = crank_2 @ [0, 0, 1], axes = [x, z]),
)]
struct Parallelogram;

/// From rest, or nearly so, which of two motions follows is not determined; a velocity chooses one, and beside the dead centre
/// there is one only.
#[test]
fn rest_in_a_dead_centre_says_so() {
    let start = |distance: f64, speed: f64| {
        let ways = vector![1.0, -1.0, 1.0];
        let q = (core::f64::consts::FRAC_PI_2 + distance) * ways;
        let mut simulation =
            Simulation::new(Parallelogram).unwrap().state(q, speed * ways).unwrap();
        let first = simulation.step(&SVector::zeros());
        first.and_then(|_| simulation.run(0.5, |_: &State<Parallelogram>| SVector::zeros()))?;
        let q = simulation.current().q;
        Ok::<_, SimulationError>((q[0] + q[1]).abs() + (q[0] - q[2]).abs())
    };
    for (distance, speed) in [(0.0, 0.0), (1e-9, 0.0), (0.0, 1e-3), (-1e-8, -1e-3)] {
        let error = start(distance, speed).unwrap_err();
        let is_named = matches!(error, SimulationError::SingularPosition { constraint: "pin", .. });
        assert!(is_named, "{error}");
    }
    for (distance, speed) in [(0.0, 1.0), (0.0, -0.3), (1e-3, 0.0)] {
        let apart = start(distance, speed).unwrap();
        assert!(apart < 1e-9, "{distance} {speed}: {apart}");
    }
}

/// Two cranks two metres apart, and a coupler of two metres: a parallelogram that folds into a line at each half of a turn.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -g],
    link(crank, mass = 1, com = [0.5, 0, 0], inertia = [1.0 / 12.0, 1.0 / 12.0, 1.0 / 12.0]),
    joint(one, continuous(world -> crank), axis = [0, -1, 0]),
    link(coupler, mass = 1, com = [1, 0, 0], inertia = [1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0]),
    joint(knee, continuous(crank -> coupler), at = [1, 0, 0], axis = [0, -1, 0]),
    link(rocker, mass = 1, com = [0.5, 0, 0], inertia = [1.0 / 12.0, 1.0 / 12.0, 1.0 / 12.0]),
    joint(two, continuous(world -> rocker), at = [2, 0, 0], axis = [0, -1, 0]),
    closure(pin, a = coupler @ [2, 0, 0], b = rocker @ [1, 0, 0], axes = [x, z]),
)]
struct Long {
    g: f64,
}

/// Through its dead centres a linkage goes on by steps of the default length, at any rate, as a parallelogram that keeps its
/// energy.
#[test]
fn a_parallelogram_comes_through_its_dead_centres() {
    for (g, rate) in [(0.0, 6.0), (0.0, 12.0), (9.81, 7.0), (9.81, 8.5)] {
        let simulation = Simulation::new(Long { g }).unwrap();
        let (q, v) = (vector![0.3, -0.3, 0.3], rate * vector![1.0, -1.0, 1.0]);
        let mut simulation = simulation.state(q, v).unwrap();
        let first = simulation.energy();
        for second in 1..=3 {
            let run = simulation.run(1.0, |_: &State<Long>| SVector::zeros());
            assert!(run.is_ok(), "{g}, {rate}, {second}: {run:?}");
            let q = simulation.current().q;
            let apart = (q[0] + q[1]).abs() + (q[0] - q[2]).abs();
            assert!(apart < 1e-10 && q[0] > 5.0 * f64::from(second), "{g}, {rate}: {q}");
            let energy = simulation.energy() / first;
            assert!((energy - 1.0).abs() < 5e-3, "{g}, {rate}, {second}: {energy}");
        }
    }
}

/// Steps of so little way that rounding hides what constraints say of their velocity are refused beside a singular position.
#[test]
fn what_creeps_through_a_dead_centre_is_refused() {
    let ways = vector![1.0, -1.0, 1.0];
    for (speed, h, distance) in [
        (1e-4, 1e-5, 2e-7),
        (1e-4, 1e-4, 1e-6),
        (1e-4, 1e-3, 1e-5),
        (1e-3, 1e-3, 1e-5),
        (1.0, 1e-3, 0.1),
        (1e-2, 1e-6, 1e-6),
        (1e-6, 1e-3, 1e-7),
    ] {
        let simulation = Simulation::new(Long { g: 0.0 }).unwrap().step_size(h).unwrap();
        let mut simulation = simulation.state(-distance * ways, speed * ways).unwrap();
        let run = (0..(3.0 * distance / speed / h) as usize).try_for_each(|_| {
            simulation.step(&SVector::zeros())?;
            let off = (simulation.current().v / speed - ways).amax();
            assert!(off < 0.03, "{speed}, {h}: {off}");
            Ok(())
        });
        let is_told =
            matches!(run, Err(SimulationError::SingularPosition { constraint: "pin", .. }));
        assert!(is_told == (speed * h < 2e-7), "{speed}, {h}: {run:?}");
    }
}
