//! What the check of a step sees, for a robot whose coordinates form a tree and whose limbs are alike.

use nalgebra::SVector;

use crate::contact::dynamics::Dynamics;
use crate::contact::{Conditions, Motor, Stepper};
use crate::prelude::*;

const H: f64 = 1e-2;

/// A trunk on two alike legs.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(trunk, mass = 5, com = [0.03, -0.02, 0.05], inertia = [0.05, 0.11, 0.14]),
    joint(base, floating(world -> trunk)),
    link(left, mass = 0.4, com = [0, 0, -0.1], inertia = [2e-3, 2e-3, 1e-4]),
    joint(left_hip, revolute(trunk -> left), at = [0.2, 0.1, 0], axis = [0, 1, 0]),
    contact(left_foot, on = left, at = [0, 0.01, -0.3], friction = 0.5),
    link(right, mass = 0.6, com = [0, 0, -0.12], inertia = [3e-3, 3e-3, 1e-4]),
    joint(right_hip, revolute(trunk -> right), at = [0.2, -0.15, 0], axis = [0, 1, 0]),
    contact(right_foot, on = right, at = [0.02, 0, -0.3], friction = 0.3),
)]
struct Walker;

type Q = SVector<f64, 9>;
type V = SVector<f64, 8>;

/// On its feet, moving.
fn state() -> (Q, V) {
    let mut q = Walker.neutral();
    q[2] = 0.3;
    (q, V::from_fn(|i, _| 0.1 * (i as f64 - 3.5)))
}

/// Compares what is missing of the momentum balance of a step with M times an error of v⁺ in each coordinate. `rounding` is the
/// most that may be missing without an error.
fn compare((q, v): (Q, V), conditions: &Conditions, rounding: f64) {
    let mut stepper = Stepper::new(&Walker).unwrap();
    assert!(matches!(stepper.core.dynamics, Dynamics::Tree(_)));
    stepper.step(&Walker, (&q, &v), &V::zeros(), (0.0, H), conditions).unwrap();
    assert!(stepper.impulse().normal.iter().any(|normal| *normal > 0.0));
    assert_eq!(stepper.core.coordinates.are_used, !conditions.motors.is_empty());
    let found = stepper.residual(H, conditions).momentum;
    assert!(found < rounding, "{found:e}");
    let mass = Walker.mass_matrix(&q);
    for i in 0..8 {
        let right = stepper.core.velocity[i];
        stepper.core.velocity[i] += 1e-3;
        let missing = 1e-3 * mass.column(i).amax();
        let found = stepper.residual(H, conditions).momentum;
        assert!((found - missing).abs() < 1e-3 * missing, "{i}: {found:e} of {missing:e}");
        stepper.core.velocity[i] = right;
    }
}

#[test]
fn a_wrong_velocity_is_seen_in_every_coordinate() {
    compare(state(), &Conditions::default(), 1e-14);
}

#[test]
fn a_wrong_velocity_is_seen_where_a_motor_holds() {
    let mut conditions = Conditions::default();
    conditions.motors.push((6, Motor::Velocity { velocity: 0.0, force: f64::INFINITY }));
    // On the right foot, with the left one swinging.
    let (mut q, mut v) = (state().0, V::zeros());
    (q[3], q[6]) = (0.05_f64.sin(), 0.05_f64.cos());
    let mut gaps = [0.0; 2];
    Walker.gap_into(&q, &mut gaps);
    q[2] -= gaps[1];
    v[6] = 0.3;
    // Rounding of 10⁵ times the momentum that the motor stops.
    let stopped = Walker.mass_matrix(&q)[(6, 6)] * v[6];
    compare((q, v), &conditions, 1e5 * f64::EPSILON * stopped);
}
