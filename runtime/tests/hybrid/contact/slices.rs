//! Runs in slices: what happens is what happens in one.

use jourdain::hybrid::Cause;
use jourdain::hybrid::contact::{ContactError, Guard};
use jourdain::prelude::*;
use nalgebra::vector;

use super::nothing;

#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(ball, mass = 2),
    joint(height, prismatic(world -> ball), axis = [0, 0, 1], passive),
    contact(ground, on = ball, restitution = 0.5),
)]
struct Ball;

fn ball() -> HybridSimulation<Ball> {
    HybridSimulation::new(Ball).unwrap().state(vector![1.0], vector![0.0]).unwrap()
}

/// Eight runs of 0.1 s end at 0.7999999999999999 s, where the guard is nothing but rounding.
#[test]
fn guards_are_watched_from_run_to_run() {
    let kicked = |state: &State<Ball>| (state.q, vector![3.0]);
    let mut ball = ball().guard_with_reset("kick", |state| 0.8 - state.time, kicked);
    for _ in 0..9 {
        ball.run(0.1, nothing).unwrap();
    }
    let kicks = ball.events().iter().filter(|event| ball.guards(event) == [Guard::Mark(0)]);
    let times: Vec<f64> = kicks.map(|event| event.time()).collect();
    assert!(times.len() == 1 && (times[0] - 0.8).abs() < 1e-15, "{times:?}");
}

/// Slices add nothing to what happens, neither while it bounces nor at rest, and its limit is known as well.
#[test]
fn slices_are_one_run() {
    let (mut whole, mut sliced) = (ball(), ball());
    whole.run(3.0, nothing).unwrap();
    for _ in 0..300 {
        sliced.run(0.01, nothing).unwrap();
    }
    assert_eq!(whole.events().len(), sliced.events().len());
    assert!(whole.events().len() > 10);
    for (one, other) in whole.events().iter().zip(sliced.events()) {
        assert_eq!(whole.guards(one), sliced.guards(other));
        assert!((one.time() - other.time()).abs() < 1e-9, "{} {}", one.time(), other.time());
    }
    let limit = |of: &HybridSimulation<Ball>| match &of.events().last().unwrap().cause {
        Cause::Accumulation(end) => end.clone(),
        other => panic!("{other:?}"),
    };
    let (one, other) = (limit(&whole), limit(&sliced));
    assert!((one.time - other.time).abs() < 1e-9 && other.error < 1e-9, "{one:?} {other:?}");
    assert!((other.ratio.unwrap() - 0.5).abs() < 1e-6);
    assert_eq!(whole.modes().len(), sliced.modes().len());
}

/// What a user's reset leads to is a start: depth is said, and what happened stays.
#[test]
fn a_jump_into_the_ground_is_refused() {
    let buried = |state: &State<Ball>| (vector![-0.3], state.v);
    let mut ball = ball().guard_with_reset("bury", |state| 0.1 - state.time, buried);
    ball = ball.guard("before", |state| 0.05 - state.time);
    let error = ball.run(1.0, nothing).unwrap_err();
    let ContactError::Overlap { part, depth, phase } = &error else { panic!("{error}") };
    assert!(part == "ground" && *depth == 0.3 && (phase.time - 0.1).abs() < 1e-15, "{error}");
    assert!(ball.events().len() == 1 && (ball.current().time - 0.1).abs() < 1e-15);
    assert!(ball.current().q[0] > 0.9);
}
