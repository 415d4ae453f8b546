//! Bad input: typed errors, and nothing lost.

use jourdain::compliant::{Error, Material};
use jourdain::contact;
use jourdain::integrate;
use nalgebra::{SVector, Vector1, vector};

use super::robots::{Block, Carousel, Point, Ring};
use super::unoffered::{Pair, Roller, Spinner};
use super::*;

fn parameter<T: core::fmt::Debug>(result: Result<T, Error>) -> &'static str {
    match result.unwrap_err() {
        Error::Setup(contact::Error::Parameter { parameter, .. })
        | Error::Between { parameter, .. } => parameter,
        other => panic!("{other}"),
    }
}

#[test]
fn parameters_are_possible() {
    let curve = Stribeck::constant(0.5).unwrap();
    for bad in [-1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(parameter(Spring::linear(bad, 0.0)), "stiffness");
        assert_eq!(parameter(Spring::linear(1.0, bad)), "damping");
        assert_eq!(parameter(Spring::linear_rebounding(1.0, bad, 0.5)), "mass");
        assert_eq!(parameter(Spring::linear_rebounding(1.0, 1.0, bad)), "restitution");
        assert_eq!(parameter(Spring::hunt_crossley(bad, 1.0, 0.0)), "stiffness");
        assert_eq!(parameter(Spring::hunt_crossley(1.0, bad, 0.0)), "exponent");
        assert_eq!(parameter(Spring::hunt_crossley(1.0, 1.0, bad)), "dissipation");
        assert_eq!(parameter(Spring::hunt_crossley_rebounding(1.0, 1.0, (0.5, bad))), "speed");
        assert_eq!(
            parameter(Spring::hunt_crossley_rebounding(1.0, 1.0, (bad, 1.0))),
            "restitution"
        );
        assert_eq!(parameter(Stribeck::constant(bad)), "friction at rest");
        assert_eq!(parameter(Stribeck::new(0.5, bad, 1.0)), "friction when sliding");
        assert_eq!(parameter(Stribeck::new(0.5, 0.5, bad)), "Stribeck's speed");
        assert_eq!(parameter(Regularised::new(curve, bad)), "speed of regularisation");
        assert_eq!(parameter(Bristles::new(curve, bad, 0.0)), "stiffness of bristles");
        assert_eq!(parameter(Bristles::new(curve, 1.0, bad)), "damping of bristles");
        assert_eq!(parameter(Material::new(bad, 0.3)), "Young's modulus");
        assert_eq!(parameter(Material::new(1.0, 2.0 * bad)), "Poisson's ratio");
    }
    let steel = Material::new(210e9, 0.3).unwrap();
    for radii in [[0.0, 1.0], [1.0, -1.0], [f64::INFINITY; 2], [f64::NAN, 1.0]] {
        assert_eq!(parameter(Spring::hertz([steel; 2], radii, None)), "radius");
    }
    assert_eq!(parameter(Spring::linear_rebounding(1.0, 1.0, 0.0)), "restitution");
    assert_eq!(
        parameter(Bristles::new(Stribeck::constant(0.0).unwrap(), 1.0, 0.0)),
        "friction when sliding"
    );
}

#[test]
fn friction_does_not_grow_with_speed() {
    let error = Stribeck::new(0.3, 0.5, 0.01).unwrap_err();
    assert_eq!(error, Error::Coefficients { at_rest: 0.3, sliding: 0.5 });
}

#[test]
fn what_is_not_offered_is_named() {
    let what = |error: Error| match error {
        Error::Setup(contact::Error::NotOffered { what, .. }) => what,
        other => panic!("{other}"),
    };
    assert_eq!(what(CompliantSimulation::new(Spinner).unwrap_err()), "torsional friction");
    assert_eq!(what(CompliantSimulation::new(Roller).unwrap_err()), "rolling resistance");
    let text = CompliantSimulation::new(Spinner).unwrap_err().to_string();
    assert_eq!(text, "compliant contact has no torsional friction, as `ground` has");
    let pairs = CompliantSimulation::new(Pair).unwrap_err();
    assert_eq!(what(pairs), "pairs of solids other than spheres");
}

#[test]
fn a_contact_has_its_name() {
    let spring = Spring::linear(1.0, 0.0).unwrap();
    let error =
        CompliantSimulation::new(Block::on(0.0)).unwrap().spring("soles", spring).unwrap_err();
    assert_eq!(error.to_string(), "the robot has no contact `soles`; did you mean `sole`?");
}

#[test]
fn numbers_are_finite() {
    let new = || CompliantSimulation::new(Point { m: 1.0, g: G }).unwrap();
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(
            new().tolerance(bad),
            Err(Error::Motion(integrate::Error::Between { quantity: "tolerance", .. }))
        ));
        assert!(matches!(
            new().longest_step(bad),
            Err(Error::Motion(integrate::Error::Setting { .. }))
        ));
        let duration = new().run(bad, idle).unwrap_err();
        assert!(matches!(
            duration,
            Error::Motion(integrate::Error::Setting { quantity: "duration", .. })
        ));
    }
    let error = new().state(vector![f64::NAN], vector![0.0]).unwrap_err();
    assert!(matches!(error, Error::Model(ModelError::NotFinite { quantity: "q", .. })));
    let error = CompliantSimulation::new(Point { m: -1.0, g: G }).unwrap_err();
    assert!(matches!(error, Error::Model(ModelError::Quantity { .. })));
}

#[test]
fn a_constraint_holds_at_the_start() {
    let start = (vector![1.3, 0.0], vector![0.0, 0.0]);
    let mut simulation = CompliantSimulation::new(Ring).unwrap().state(start.0, start.1).unwrap();
    match simulation.run(1.0, idle) {
        Err(Error::Simulation(SimulationError::Violated { constraint, error, .. })) => {
            assert_eq!(constraint, "ring");
            assert!((error - 0.3).abs() < 0.1, "{error}");
        }
        other => panic!("{other:?}"),
    }
}

/// What was recorded before a controller failed stays, and the state is that of the last step.
#[test]
fn a_failure_loses_nothing() {
    let mut simulation = CompliantSimulation::new(Block::on(0.1)).unwrap();
    let mut recording = Recording::new(100.0).unwrap();
    let failing =
        |state: &State<Block>| Vector1::from_element(if state.time > 0.5 { f64::NAN } else { 0.0 });
    match simulation.run_recorded(1.0, failing, &mut recording) {
        Err(Error::Model(ModelError::Control { time, index: 0, .. })) => {
            assert!(time > 0.5, "{time}");
        }
        other => panic!("{other:?}"),
    }
    assert!(recording.samples().len() >= 49, "{}", recording.samples().len());
    let time = simulation.current().time;
    assert!(time > 0.49 && time <= 0.5, "{time}");
    // It goes on from there.
    simulation.run(0.5, |_: &State<Block>| Vector1::zeros()).unwrap();
    let mut few = CompliantSimulation::new(Block::on(0.1)).unwrap().most_steps(3);
    match few.run(10.0, |_: &State<Block>| Vector1::zeros()) {
        Err(Error::Motion(integrate::Error::Steps { steps: 3, time, .. })) => {
            assert_eq!(time, few.current().time);
        }
        other => panic!("{other:?}"),
    }
}

/// The slowest numbers are speeds too.
#[test]
fn what_barely_moves_does() {
    for speed in [5e-324, 1e-315, 1e-300] {
        let mut carousel = CompliantSimulation::new(Carousel).unwrap();
        carousel = carousel.state(SVector::zeros(), vector![speed, 0.0, 0.0]).unwrap();
        carousel.run(0.01, idle).unwrap();
    }
}

/// What it took is counted from the beginning, whatever is set and from wherever it goes on.
#[test]
fn effort_is_not_forgotten() {
    let mut carousel = CompliantSimulation::new(Carousel).unwrap();
    carousel.run(0.01, idle).unwrap();
    let before = carousel.effort();
    carousel.reset(SVector::zeros(), SVector::zeros()).unwrap();
    assert!(before.steps > 0 && carousel.effort() == before);
    carousel.run(0.01, idle).unwrap();
    assert!(carousel.effort().steps >= 2 * before.steps);
}
