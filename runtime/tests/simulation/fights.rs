//! What fights in a step, and what is no number of a controller: errors that name both.

use jourdain::contact::{Formulation, Motor};
use jourdain::control::{Controller, Pd};
use jourdain::prelude::*;
use jourdain::{ModelError, SimulationError};
use nalgebra::{SVector, vector};

/// A press: a plate on a rail above the ground, and a slider across it.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(plate, mass = 2),
    joint(press, prismatic(world -> plate), axis = [0, 0, 1], actuated),
    link(slider, mass = 1),
    joint(across, prismatic(plate -> slider), axis = [1, 0, 0], actuated),
    contact(stamp, on = slider, sphere = 0.1, friction = 0.5),
)]
struct Press;

fn pressing(motor: Motor) -> Simulation<Press> {
    let start = vector![0.1005, 0.0];
    let mut simulation = Simulation::new(Press).unwrap().state(start, SVector::zeros()).unwrap();
    simulation.set_motor("press", Some(motor)).unwrap();
    simulation
}

fn run(simulation: &mut Simulation<Press>) -> Result<(), SimulationError> {
    (0..100).try_for_each(|_| simulation.step(&SVector::zeros()).map(|_| ()))
}

#[test]
fn a_motor_that_drives_a_contact_into_the_ground_is_named_with_it() {
    let down = Motor::Velocity { velocity: -0.1, force: f64::INFINITY };
    for formulation in [
        Formulation::coulomb(),
        Formulation::stewart_trinkle(),
        Formulation::anitescu_potra(),
        Formulation::anitescu(),
        Formulation::frictionless(),
        Formulation::sticking(),
    ] {
        let mut simulation = pressing(down).formulation(formulation);
        let error = run(&mut simulation).unwrap_err();
        let is_named =
            matches!(error, SimulationError::Driven { joint: "press", contact: "stamp", .. });
        assert!(is_named, "{formulation:?}: {error}");
        let text = error.to_string();
        assert!(text.contains("`press`") && text.contains("`stamp`"), "{text}");
        // Nothing has changed: with a bound the run goes on.
        let bounded = Motor::Velocity { velocity: -0.1, force: 50.0 };
        simulation.set_motor("press", Some(bounded)).unwrap();
        run(&mut simulation).unwrap();
    }
}

#[test]
fn a_motor_that_gives_way_or_leaves_the_ground_is_no_fight() {
    let position = |position| Motor::Position { position, reduction: 0.5, force: f64::INFINITY };
    run(&mut pressing(Motor::Velocity { velocity: 0.1, force: f64::INFINITY })).unwrap();
    run(&mut pressing(position(0.2))).unwrap();
    let error = run(&mut pressing(position(0.05))).unwrap_err();
    assert!(matches!(error, SimulationError::Driven { joint: "press", .. }), "{error}");
    let servo = Motor::Servo {
        position: 0.05,
        velocity: 0.0,
        stiffness: 1e4,
        damping: 1e2,
        force: f64::INFINITY,
    };
    run(&mut pressing(servo)).unwrap();
}

#[test]
fn gains_that_are_none_are_named() {
    let pd = |k: [f64; 2], d: [f64; 2]| {
        Pd::new(&Press, vector![0.3, 0.0], 0.0, 0.0).gains(k.into(), d.into())
    };
    let cases = [
        (pd([-1.0, 1.0], [1.0, 1.0]), "press", "stiffness"),
        (pd([1.0, f64::NAN], [1.0, 1.0]), "across", "stiffness"),
        (pd([1.0, 1.0], [1.0, -1e-9]), "across", "damping"),
        (pd([1.0, 1.0], [f64::NAN, 1.0]), "press", "damping"),
        (pd([f64::INFINITY, 1.0], [1.0, 1.0]), "press", "stiffness"),
        (pd([1.0, 1.0], [1.0, 1.0]).effort(vector![1.0, -1.0]), "across", "effort"),
        (pd([1.0, 1.0], [1.0, 1.0]).effort(vector![f64::NAN, 1.0]), "press", "effort"),
    ];
    for (mut controller, joint, gain) in cases {
        let start = vector![0.4, 0.1];
        let state = || Simulation::new(Press).unwrap().state(start, vector![0.1, 0.1]);
        let error = state().unwrap().run(0.01, controller.clone()).unwrap_err();
        let SimulationError::Model(ModelError::Gain { joint: named, gain: which, .. }) = error
        else {
            panic!("{joint}, {gain}: {error}");
        };
        assert_eq!((named, which), (joint, gain));
        assert!(error.to_string().contains(joint), "{error}");
        // By hand the input is no number, which a step refuses.
        let mut simulation = state().unwrap();
        let u = controller.input(simulation.current());
        assert!(simulation.step(&u).is_err());
    }
    let possible = pd([0.0, 5.0], [0.0, 1.0]).effort(vector![f64::INFINITY, 0.0]);
    let mut simulation =
        Simulation::new(Press).unwrap().state(vector![0.4, 0.1], SVector::zeros()).unwrap();
    simulation.run(0.01, possible).unwrap();
}

/// A light plate on three points, and a weight that it carries by a joint with stops.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(plate, mass = plate, inertia = [0.01 * plate, 0.01 * plate, 0.01 * plate]),
    joint(base, floating(world -> plate)),
    link(weight, mass = weight),
    joint(on, prismatic(plate -> weight), axis = [0, 0, 1], limits = [-0.001, 0.001]),
    contact(first, on = plate, at = [0.1, 0.1, 0], friction = 0.5),
    contact(second, on = plate, at = [-0.1, 0.1, 0], friction = 0.5),
    contact(third, on = plate, at = [0, -0.1, 0], friction = 0.5),
)]
struct Carrier {
    plate: f64,
    weight: f64,
}

fn carry(plate: f64, weight: f64) -> Result<(), SimulationError> {
    let carrier = Carrier { plate, weight };
    let mut q = carrier.neutral();
    q[2] = 1e-4;
    let mut simulation = Simulation::new(carrier)?.state(q, SVector::zeros())?;
    (0..100).try_for_each(|_| simulation.step(&SVector::zeros()).map(|_| ()))
}

#[test]
fn links_whose_masses_are_too_far_apart_are_named() {
    carry(1.0, 1e5).unwrap();
    carry(1e-5, 1.0).unwrap();
    for (plate, weight) in [(1e-8, 1.0), (1.0, 1e8), (1.0, 1e10), (1e-11, 1.0)] {
        let error = carry(plate, weight).unwrap_err();
        let SimulationError::Uneven { light: "plate", heavy: "weight", ratio, .. } = error else {
            panic!("{plate:e}, {weight:e}: {error}");
        };
        assert!((ratio * plate / weight - 1.0).abs() < 1e-3, "{ratio:e}");
        let text = error.to_string();
        assert!(text.contains("`plate`") && text.contains("`weight`"), "{text}");
    }
    for (plate, weight) in [(1.0, 1e14), (1e-18, 1.0)] {
        let error = carry(plate, weight).unwrap_err();
        let SimulationError::Model(ModelError::SingularMassMatrix { joint, beside, .. }) = error
        else {
            panic!("{plate:e}, {weight:e}: {error}");
        };
        assert_eq!((joint, beside), ("base", Some("weight")));
        assert!(error.to_string().contains("`weight`"), "{error}");
    }
}

/// Two weights on one rail, each on the one before.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(first, mass = first),
    joint(one, prismatic(world -> first), axis = [1, 0, 0], limits = [-1, 1], friction = 0.1),
    link(second, mass = second),
    joint(two, prismatic(first -> second), axis = [1, 0, 0], limits = [-1, 1]),
)]
struct Weights {
    first: f64,
    second: f64,
}

#[test]
fn a_light_link_on_a_heavy_one_is_named() {
    let run = |first, second| {
        let weights = Weights { first, second };
        let simulation = Simulation::new(weights)?.state(vector![0.5, 0.5], vector![1.0, 1.0]);
        let mut simulation = simulation?;
        (0..1000).try_for_each(|_| simulation.step(&SVector::zeros()).map(|_| ()))
    };
    run(1e5, 1.0).unwrap();
    let error: SimulationError = run(1e10, 1.0).unwrap_err();
    let is_named = matches!(error, SimulationError::Uneven { light: "second", heavy: "first", .. });
    assert!(is_named, "{error}");
}
