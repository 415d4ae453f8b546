//! Bad input: typed errors, with the state as it was.

use std::ops::Range;

use jourdain::contact;
use nalgebra::{Vector1, Vector2, vector};

use super::robots::{Chain, Oscillator, Point, Ring};
use super::unoffered::{Pair, Roller, Spinner};
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
    assert_eq!(what(Variational::new(Roller).unwrap_err()), "rolling resistance");
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

/// An arm between stops.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(arm, mass = 1, com = [0.1, 0, 0], inertia = [0.01, 0.02, 0.02]),
    joint(axle, revolute(world -> arm), axis = [0, 1, 0], limits = [-1, 1], actuated),
)]
struct Stopped;

/// A carriage between stops.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(carriage, mass = 1),
    joint(rail, prismatic(world -> carriage), axis = [1, 0, 0], limits = [-1, 1], actuated),
)]
struct Carriage;

#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(grain, mass = 1, inertia = [0.01, 0.01, 0.01]),
    joint(base, floating(world -> grain)),
    contact(tip, on = grain, at = [0, 0, 0], friction = 0.5),
)]
struct Grain;

/// Whether a robot that is driven into its upper stop is there after some steps, to 1e-6, or one of these is refused as one of
/// which rounding leaves nothing.
fn is_stopped_or_drowned<M: Model<Q = Vector1<f64>, U = Vector1<f64>>>(
    mut run: Variational<M>,
    u: f64,
) -> Result<bool, SimulationError> {
    for _ in 0..20 {
        match run.step(&vector![u]) {
            Ok(_) => {}
            Err(SimulationError::Drowned { .. }) => return Ok(false),
            Err(error) => return Err(error),
        }
    }
    let q = run.current().q[0];
    assert!((q - 1.0).abs() < 1e-6, "{q}");
    Ok(true)
}

/// Whether what is smaller than a range of exponents is stopped, and what is beyond refused.
fn is_as_expected(is_stopped: bool, exponent: i32, between: Range<i32>) -> bool {
    between.contains(&exponent) || is_stopped == (exponent < between.start)
}

#[test]
fn a_push_that_hides_the_stop_is_refused() {
    for (rule, exponent) in RULES.into_iter().flat_map(|rule| (5..300).map(move |k| (rule, k))) {
        let (u, at) = (10_f64.powi(exponent), vector![0.999]);
        let rest = Vector1::zeros();
        let carriage = Variational::new(Carriage).unwrap().rule(rule).state(at, rest).unwrap();
        let is_stopped = is_stopped_or_drowned(carriage, u).unwrap();
        assert!(is_as_expected(is_stopped, exponent, 9..14), "{rule:?} 1e{exponent}");
        let arm = Variational::new(Stopped).unwrap().rule(rule).state(at, rest).unwrap();
        let is_stopped = match is_stopped_or_drowned(arm, u) {
            Err(SimulationError::Residual { .. }) => (10..12).contains(&exponent),
            is_stopped => is_stopped.unwrap(),
        };
        assert!(is_as_expected(is_stopped, exponent, 9..12), "{rule:?} 1e{exponent}");
    }
}

#[test]
fn a_speed_that_hides_the_stop_is_refused() {
    for (rule, exponent) in RULES.into_iter().flat_map(|rule| (3..300).map(move |k| (rule, k))) {
        let (v, at) = (vector![10_f64.powi(exponent)], vector![0.5]);
        let carriage = Variational::new(Carriage).unwrap().rule(rule).state(at, v).unwrap();
        let is_stopped = is_stopped_or_drowned(carriage, 0.0).unwrap();
        assert!(is_as_expected(is_stopped, exponent, 11..13), "{rule:?} 1e{exponent}");
        let arm = Variational::new(Stopped).unwrap().rule(rule).state(at, v).unwrap();
        let is_stopped = is_stopped_or_drowned(arm, 0.0).unwrap();
        assert!(is_as_expected(is_stopped, exponent, 11..13), "{rule:?} 1e{exponent}");
    }
}

#[test]
fn a_step_so_long_that_gaps_drown_is_refused() {
    let mut q = Grain.neutral();
    q[2] = 2.0;
    for (rule, exponent) in RULES.into_iter().flat_map(|rule| (0..=300).map(move |k| (rule, k))) {
        let h = 10_f64.powi(exponent);
        let run = Variational::new(Grain).unwrap().rule(rule).step_size(h).unwrap();
        let mut run = run.state(q, SVector::zeros()).unwrap();
        let error = run.step(&Vector0::zeros()).err();
        let height = run.current().q[2];
        match error {
            None => assert!(exponent < 5 && height.abs() < 1e-6, "{rule:?} 1e{exponent}: {height}"),
            Some(SimulationError::Drowned { joint: "base", step_size, .. }) => {
                assert!(exponent >= 5 && step_size == h && height == 2.0, "{rule:?} 1e{exponent}");
            }
            Some(error) => panic!("{rule:?} 1e{exponent}: {error}"),
        }
    }
    // In free flight nothing is hidden.
    let mut flight = Variational::new(Grain).unwrap().step_size(1e5).unwrap();
    let mut up = SVector::zeros();
    up[2] = 1e6;
    flight.reset(Grain.neutral(), up).unwrap();
    flight.step(&Vector0::zeros()).unwrap();
    assert!((flight.current().q[2] / (1e11 - 4.905e10) - 1.0).abs() < 1e-9);
}
