//! What becomes of a step that is not within its tolerance.

use crate::contact::{Conditions, Error, Outcome, Residual, Stepper};
use crate::model::with_data;
use crate::prelude::*;

const H: f64 = 1e-2;

/// A foot on a leg.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(trunk, mass = 5),
    joint(lift, prismatic(world -> trunk), axis = [0, 0, 1]),
    link(leg, mass = 0.5, com = [0, 0, -0.1], inertia = [2e-3, 2e-3, 1e-4]),
    joint(hip, revolute(trunk -> leg), axis = [0, 1, 0]),
    contact(foot, on = leg, at = [0.05, 0, -0.3], friction = 0.5),
)]
struct Hopper;

/// Solves a step again that was found so; what that leads to, and v⁺.
fn anew(
    stepper: &mut Stepper<Hopper>,
    found: &Result<(Outcome, Residual), Error>,
) -> (Option<(Outcome, Residual)>, Vec<f64>) {
    let (conditions, state) = (Conditions::default(), (&[0.3, 0.0][..], &[-0.1, 1.0][..]));
    let core = &mut stepper.core;
    let anew = with_data(&Hopper, |robot| {
        core.advance_anew(robot, state, &[0.0; 2], (0.0, H), (&conditions, found))
    });
    (anew, stepper.core.velocity().to_vec())
}

fn stepper(is_warm: bool) -> Stepper<Hopper> {
    let mut stepper = Stepper::new(&Hopper).unwrap();
    stepper.warm_start(is_warm);
    stepper
}

#[test]
fn what_is_not_within_the_tolerance_is_solved_from_nothing() {
    let poor = Residual { normal: 1.0, ..Residual::default() };
    let found = Ok((Outcome { pivots: 7, problems: 2, ..Outcome::default() }, poor));
    let mut warm = stepper(true);
    // A start that must not be looked at.
    warm.core.impulse.normal[0] = f64::NAN;
    let (anew_of_warm, velocity) = anew(&mut warm, &found);
    let (outcome, residual) = anew_of_warm.unwrap();
    assert!(residual.max() <= 1e-9 && outcome.pivots > 7 && outcome.problems > 2, "{outcome:?}");
    assert!(warm.core.impulse.normal[0] > 0.0 && warm.core.is_warm);

    let mut cold = stepper(false);
    let (q, v, force) = ([0.3, 0.0].into(), [-0.1, 1.0].into(), [0.0; 2].into());
    cold.step(&Hopper, (&q, &v), &force, (0.0, H), &Conditions::default()).unwrap();
    assert_eq!(cold.core.velocity(), velocity);
    assert!(anew(&mut cold, &found).0.is_none(), "there is no other start");
    assert!(anew(&mut stepper(true), &Err(Error::MassMatrix)).0.is_none(), "no solver's error");
}
