//! An explicit method that would take for ever on stiff forces says so.

use jourdain::integrate::{Adaptive, At, Error, Phase, Space, Tolerance};
use jourdain::prelude::*;
use jourdain::{HybridError, Robot};
use nalgebra::{SVector, vector};

/// A joint whose damper acts within 10⁻⁷ s.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(arm, mass = 1, inertia = [0.001, 0.001, 0.001]),
    joint(hinge, continuous(world -> arm), axis = [0, 0, 1], damping = 1e4),
    link(hand, mass = 0.1, com = [0.1, 0, 0]),
    joint(wrist, continuous(arm -> hand), axis = [0, 0, 1], stiffness = 2),
)]
struct Damped;

fn assert_says_stiff(error: &Error) {
    let Error::Stiff { time, step, rate } = *error else { panic!("{error}") };
    // M⁻¹ D of both joints, and steps that are stable.
    assert!(time < 0.1 && rate > 1e6 && rate < 1e8 && step * rate > 4.0, "{error}");
    assert!(error.to_string().contains("`.stiff()`"), "{error}");
}

#[test]
fn an_explicit_method_that_stalls_says_that_motion_is_stiff() {
    let start = (vector![0.0, 1.0], vector![1.0, 0.0]);
    let idle = |_: &State<Damped>| SVector::<f64, 0>::zeros();
    let new = || SmoothSimulation::new(Damped).unwrap().state(start.0, start.1).unwrap();
    assert_says_stiff(&new().run(10.0, idle).unwrap_err());
    let mut stiff = new().stiff();
    stiff.run(1.0, idle).unwrap();
    assert!(stiff.effort().steps < 4000, "{:?}", stiff.effort());

    let new = || HybridSimulation::new(Damped).unwrap().state(start.0, start.1).unwrap();
    match new().run(10.0, idle).unwrap_err() {
        HybridError::Motion(error) => assert_says_stiff(&error),
        other => panic!("{other}"),
    }
    let mut event_driven = new().stiff();
    event_driven.run(1.0, idle).unwrap();
    let apart = event_driven.current().q - stiff.current().q;
    assert!(apart.amax() < 1e-7, "{apart}");
}

/// A spring of the ground as a force of the user's own.
#[test]
fn an_explicit_method_on_a_stiff_spring_says_so() {
    let space = Space::flat(1, 0);
    let mut contact = |at: At<'_>, v_dot: &mut [f64], _: &mut [f64]| {
        v_dot[0] = -9.81 - 1e12 * at.q[0] - 1e8 * at.v[0];
    };
    let start = Phase { q: vec![0.0], v: vec![-1.0], ..Phase::neutral(&space) };
    let mut motion = Adaptive::new(&space, start, Tolerance::default()).unwrap();
    let error = motion.run_to(&mut contact, 10.0, 1_000_000).unwrap_err();
    assert!(matches!(error, Error::Stiff { .. }), "{error}");
}

/// What is stiff for a short while is gone through.
#[test]
fn a_short_while_of_stiffness_is_no_error() {
    let space = Space::flat(1, 0);
    let mut burst = |at: At<'_>, v_dot: &mut [f64], _: &mut [f64]| {
        let damping = 1e5 / (1.0 + (1e3 * (at.time - 0.5)).powi(2));
        v_dot[0] = -damping * at.v[0] + 1.0;
    };
    let start = Phase { v: vec![1.0], ..Phase::neutral(&space) };
    let mut motion = Adaptive::new(&space, start, Tolerance::default()).unwrap();
    motion.run_to(&mut burst, 10.0, 1_000_000).unwrap();
}
