//! Why runs do not begin or go on, and what they keep.

use jourdain::hybrid;
use jourdain::hybrid::contact::ContactError;
use jourdain::integrate;
use jourdain::prelude::*;
use nalgebra::{Vector1, vector};

use super::nothing;

/// A ball over the ground.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(ball, mass = 1),
    joint(height, prismatic(world -> ball), axis = [0, 0, 1], passive),
    contact(ground, on = ball, restitution = 0.5),
)]
pub(super) struct Ball;

#[test]
fn a_failed_run_keeps_its_recording() {
    let mut ball = HybridSimulation::new(Ball).unwrap().most_steps(2);
    ball = ball.state(vector![1.0], vector![0.0]).unwrap();
    let mut recording = Recording::new(1e3).unwrap();
    let error = ball.run_recorded(10.0, nothing, &mut recording).unwrap_err();
    assert!(matches!(error, ContactError::Motion(integrate::Error::Steps { steps: 2, .. })));
    let last = recording.samples().last().unwrap().state.time;
    assert!(last > 0.0 && last <= ball.current().time && ball.current().time - last <= 1.001e-3);
}

/// A controller that lets a guard fire back and forth.
#[test]
fn a_storm() {
    let mut ball = HybridSimulation::new(Ball).unwrap();
    ball = ball
        .guard_with_reset("up", |state| state.v[0], |state| (state.q, vector![1e-7]))
        .state(vector![1.0], vector![1e-7])
        .unwrap();
    match ball.run(1.0, nothing).unwrap_err() {
        ContactError::Events(error) => match *error {
            hybrid::Error::Storm { events, ref guards, ref phase, .. } => {
                assert!(events == 1000 && guards == &["up"] && phase.time < 1e-3);
            }
            other => panic!("{other}"),
        },
        other => panic!("{other}"),
    }
    assert!(ball.events().len() >= 1000);
}

/// A guard that has no value is named, and what was done before stays.
#[test]
fn a_guard_without_a_value_is_named() {
    for from in [0.1, 0.0] {
        let mut ball = HybridSimulation::new(Ball).unwrap();
        ball = ball.guard("hot", move |state| if state.time < from { 1.0 } else { f64::NAN });
        ball = ball.state(vector![1.0], vector![0.0]).unwrap();
        let ContactError::Events(error) = ball.run(1.0, nothing).unwrap_err() else { panic!() };
        let hybrid::Error::Guard { guard, value, time, name, .. } = &*error else {
            panic!("{error}")
        };
        assert!(guard == "hot" && value.is_nan() && name == "ground open", "{error}");
        assert!(*time >= from, "{error}");
        assert!(error.to_string().ends_with("hot is NaN in mode ground open, expected a number"));
    }
}

/// A joint with dry friction.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(arm, mass = 1, com = [0, 0, -1]),
    joint(pivot, revolute(world -> arm), axis = [0, 1, 0], friction = 0.1, passive),
)]
struct Dry;

#[test]
fn what_has_no_law_is_refused_by_name() {
    match HybridSimulation::new(Dry).unwrap_err() {
        ContactError::NotOffered { name, .. } => assert_eq!(name, "pivot"),
        other => panic!("{other}"),
    }
}

/// A bead on a line that ends where the bead is, seen to second order alone.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(bead, mass = 1),
    joint(x, prismatic(world -> bead), axis = [1, 0, 0], passive),
    limit(dead_end, c = -x * x),
)]
struct DeadEnd;

/// No acceleration keeps a bead that moves there, and the part that shows it is named.
#[test]
fn what_contradicts_every_acceleration_is_named() {
    let mut bead = HybridSimulation::new(DeadEnd).unwrap();
    bead = bead.state(vector![0.0], vector![0.5]).unwrap();
    match bead.run(1.0, nothing).unwrap_err() {
        ContactError::Inconsistent { parts, phase } => {
            assert!(parts == ["dead_end"] && phase.v == [0.5], "{parts:?}");
        }
        other => panic!("{other}"),
    }
}

/// A bead under a roof that bends down to the floor on both sides of where the bead is.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(slide, massless),
    joint(x, prismatic(world -> slide), axis = [1, 0, 0], passive),
    link(bead, mass = 1),
    joint(z, prismatic(slide -> bead), axis = [0, 0, 1], passive),
    contact(floor, on = bead),
    limit(roof, c = -z - x * x),
)]
struct Wedged;

/// Moving, it could neither stay on the floor nor leave it: z̈ ≥ 0 and z̈ ≤ −2 ẋ².
#[test]
fn contacts_that_contradict_one_another_are_refused() {
    let mut bead = HybridSimulation::new(Wedged).unwrap();
    bead = bead.state(vector![0.0, 0.0], vector![0.5, 0.0]).unwrap();
    let mut recording = Recording::new(100.0).unwrap();
    match bead.run_recorded(1.0, nothing, &mut recording).unwrap_err() {
        ContactError::Inconsistent { parts, phase } => {
            assert_eq!(parts, ["floor", "roof"]);
            assert!(phase.time == 0.0 && phase.q == [0.0, 0.0] && phase.v == [0.5, 0.0]);
        }
        other => panic!("{other}"),
    }
    assert!(bead.events().is_empty() && bead.current().v == vector![0.5, 0.0]);
    // At rest it stays.
    bead.reset(vector![0.0, 0.0], vector![0.0, 0.0]).unwrap();
    bead.run(1.0, nothing).unwrap();
    assert_eq!(bead.mode_name(), "floor closed, roof held");
}

/// An arm between stops.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(arm, mass = 1, com = [0.1, 0, 0], inertia = [0.01, 0.02, 0.02]),
    joint(axle, revolute(world -> arm), axis = [0, 1, 0], limits = [-1, 1], actuated),
)]
struct Stopped;

/// An arm stays at the stop that it is pressed on, to the tolerance, or it is said that rounding lets it drift.
#[test]
fn a_push_that_hides_the_stop_is_refused() {
    for exponent in 1..150 {
        let u = 10_f64.powi(exponent);
        let arm = HybridSimulation::new(Stopped).unwrap().most_steps(10_000).stiff();
        let mut arm = arm.state(vector![0.999], Vector1::zeros()).unwrap();
        match arm.run(0.05, |_: &State<Stopped>| vector![u]) {
            Ok(()) => {
                let q = arm.current().q[0];
                assert!(
                    exponent < 9 && (exponent < 2 || (q - 1.0).abs() < 1e-9),
                    "1e{exponent}: {q}"
                );
            }
            Err(ContactError::Drowned { joint: "axle", acceleration, .. }) => {
                assert!(exponent >= 9 && acceleration > 4e9, "1e{exponent}: {acceleration}");
            }
            Err(error) => panic!("1e{exponent}: {error}"),
        }
    }
}
