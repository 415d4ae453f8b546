//! What the check of a step sees, for a robot whose coordinates form a tree and whose limbs are alike.

use nalgebra::SVector;

use crate::contact::dynamics::Dynamics;
use crate::contact::{Conditions, Stepper};
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

#[test]
fn a_wrong_velocity_is_seen_in_every_coordinate() {
    let (q, v) = state();
    let (conditions, mut stepper) = (Conditions::default(), Stepper::new(&Walker).unwrap());
    assert!(matches!(stepper.core.dynamics, Dynamics::Tree(_)));
    stepper.step(&Walker, (&q, &v), &V::zeros(), (0.0, H), &conditions).unwrap();
    assert!(stepper.impulse().normal.iter().any(|normal| *normal > 0.0));
    assert!(stepper.residual(H, &conditions).momentum < 1e-14);
    let mass = Walker.mass_matrix(&q);
    for i in 0..8 {
        let right = stepper.core.velocity[i];
        stepper.core.velocity[i] += 1e-3;
        let missing = 1e-3 * mass.column(i).amax();
        let found = stepper.residual(H, &conditions).momentum;
        assert!((found - missing).abs() < 1e-3 * missing, "{i}: {found:e} of {missing:e}");
        stepper.core.velocity[i] = right;
    }
}
