//! Bad input: typed errors, with the state as it was.

use jourdain::contact;
use nalgebra::{Vector1, Vector2, vector};

use super::robots::{Chain, Oscillator, Point, Ring};
use super::unoffered::{Pair, Spinner};
use super::*;

#[test]
fn settings_are_positive() {
    let new = || Variational::new(Chain).unwrap();
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let setting = |error: SimulationError| match error {
            SimulationError::Setting { quantity, .. } => quantity,
            other => panic!("{other}"),
        };
        assert_eq!(setting(new().step_size(bad).unwrap_err()), "step_size");
        assert_eq!(setting(new().tolerance(bad).unwrap_err()), "tolerance");
        let idle = |_: &State<Chain>| Vector0::zeros();
        assert_eq!(setting(new().run(bad, idle).unwrap_err()), "duration");
    }
}

#[test]
fn numbers_are_finite() {
    let mut run = Variational::new(Oscillator { k: 1.0, c: 0.0 }).unwrap();
    let before = run.current().clone();
    let refused = |error: SimulationError, name: &str| match error {
        SimulationError::Model(ModelError::NotFinite { quantity, .. }) => {
            assert_eq!(quantity, name);
        }
        other => panic!("{other}"),
    };
    refused(run.step(&vector![f64::NAN]).unwrap_err(), "u");
    refused(run.reset(vector![f64::INFINITY], Vector1::zeros()).unwrap_err(), "q");
    refused(run.reset(Vector1::zeros(), vector![f64::NAN]).unwrap_err(), "v");
    assert_eq!(*run.current(), before);
}

#[test]
fn what_is_not_offered_is_named() {
    let what = |error: SimulationError| match error {
        SimulationError::Setup(contact::Error::NotOffered { what, .. }) => what,
        other => panic!("{other}"),
    };
    assert_eq!(what(Variational::new(Spinner).unwrap_err()), "torsional friction");
    assert_eq!(what(Variational::new(Pair).unwrap_err()), "pairs of solids other than spheres");
    let text = Variational::new(Pair).unwrap_err().to_string();
    assert!(text.ends_with("other than spheres, as `left_right` has"), "{text}");
}

#[test]
fn a_constraint_holds_at_the_start() {
    let mut run =
        Variational::new(Ring).unwrap().state(vector![1.3, 0.0], Vector2::zeros()).unwrap();
    let before = run.current().clone();
    match run.step(&Vector0::zeros()) {
        Err(SimulationError::Violated { constraint, error, .. }) => {
            assert_eq!(constraint, "ring");
            assert!((error - 0.3).abs() < 0.1, "{error}");
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(*run.current(), before);
}

/// A step in which a pendulum would turn many times has no solution that is near.
#[test]
fn a_step_that_is_too_long_says_so() {
    let run = Variational::new(Chain).unwrap().step_size(1e3).unwrap();
    let mut run = run.state(vector![0.0, 1.0, 2.0], vector![1e3, 3e2, -5e2]).unwrap();
    let before = (run.current().clone(), *run.momentum());
    let error = run.step(&Vector0::zeros()).unwrap_err();
    assert!(
        error.to_string().ends_with("take smaller steps, or set a larger `tolerance`"),
        "{error}"
    );
    match error {
        SimulationError::Residual { residual, tolerance, .. } => {
            let accepted = residual.max() <= tolerance;
            assert!(!accepted);
        }
        other => panic!("{other:?}"),
    }
    assert_eq!((run.current().clone(), *run.momentum()), before);
}

#[test]
fn a_field_has_a_possible_value() {
    let error = Variational::new(Point { e: 2.0 }).unwrap_err();
    assert!(matches!(error, SimulationError::Model(ModelError::Quantity { .. })), "{error}");
}
