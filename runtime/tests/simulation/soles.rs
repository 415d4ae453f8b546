//! Feet with several contacts each, solved for the velocities of the feet, against the same robots with dense matrices.

use jourdain::contact::{
    AnitescuPotra, Conditions, Formulation, Normal, Softness, Stepper, Todorov,
};
use jourdain::prelude::*;
use jourdain::space::Storage;

use crate::numbers::Numbers;

const STATES: usize = 300;
const H: f64 = 1e-2;
/// Of the lowest corner, m.
const PENETRATION: f64 = 1e-4;
/// By how much velocities may differ, since solvers stop at residuals of 1e-10, m/s.
const LEFT: f64 = 1e-8;

/// A robot, and the same beside a weight on a rail whose declared constraint makes all matrices dense.
macro_rules! pair {
    ($name:ident, $dense:ident, $($robot:tt)*) => {
        #[derive(Robot, Clone, Copy, Debug)]
        #[robot(gravity = [0, 0, -9.81], $($robot)*)]
        struct $name;

        #[derive(Robot, Clone, Copy, Debug)]
        #[robot(
            gravity = [0, 0, -9.81],
            $($robot)*,
            link(weight, mass = 1),
            joint(rail, prismatic(world -> weight), axis = [1, 0, 0]),
            constraint(stop, h = rail),
        )]
        struct $dense;
    };
}

// Two legs with knees, each of six coordinates; a foot of four points, and one of five.
pair!(
    Biped, DenseBiped,
    link(trunk, mass = 20, com = [0.01, 0.02, 0.2], inertia = [0.8, 0.7, 0.3]),
    joint(base, floating(world -> trunk)),
    link(left_hip, mass = 1, com = [0, 0, -0.02], inertia = [4e-3, 5e-3, 6e-3]),
    joint(left_ball, spherical(trunk -> left_hip), at = [0, 0.1, 0]),
    link(left_shank, mass = 2, com = [0, 0, -0.2], inertia = [3e-2, 3e-2, 4e-3]),
    joint(left_knee, revolute(left_hip -> left_shank), at = [0, 0, -0.4], axis = [0, 1, 0]),
    link(left_ankle, mass = 0.3, com = [0, 0, 0], inertia = [1e-3, 1e-3, 1e-3]),
    joint(left_pitch, revolute(left_shank -> left_ankle), at = [0, 0, -0.4], axis = [0, 1, 0]),
    link(left_foot, mass = 0.8, com = [0.03, 0, -0.05], inertia = [2e-3, 4e-3, 4e-3]),
    joint(left_roll, revolute(left_ankle -> left_foot), axis = [1, 0, 0]),
    link(right_hip, mass = 1.1, com = [0, 0, -0.02], inertia = [4e-3, 5e-3, 6e-3]),
    joint(right_ball, spherical(trunk -> right_hip), at = [0, -0.1, 0]),
    link(right_shank, mass = 2, com = [0, 0, -0.2], inertia = [3e-2, 3e-2, 4e-3]),
    joint(right_knee, revolute(right_hip -> right_shank), at = [0, 0, -0.4], axis = [0, 1, 0]),
    link(right_ankle, mass = 0.3, com = [0, 0, 0], inertia = [1e-3, 1e-3, 1e-3]),
    joint(right_pitch, revolute(right_shank -> right_ankle), at = [0, 0, -0.4], axis = [0, 1, 0]),
    link(right_foot, mass = 0.8, com = [0.03, 0, -0.05], inertia = [2e-3, 4e-3, 4e-3]),
    joint(right_roll, revolute(right_ankle -> right_foot), axis = [1, 0, 0]),
    contact(left_heel_out, on = left_foot, at = [-0.08, 0.05, -0.08], friction = 0.6),
    contact(left_heel_in, on = left_foot, at = [-0.08, -0.05, -0.08], friction = 0.6),
    contact(left_toe_out, on = left_foot, at = [0.14, 0.05, -0.08], friction = 0.5),
    contact(left_toe_in, on = left_foot, at = [0.14, -0.05, -0.08], friction = 0.5),
    contact(right_heel_out, on = right_foot, at = [-0.08, 0.05, -0.08], friction = 0.6),
    contact(right_heel_in, on = right_foot, at = [-0.08, -0.05, -0.08], friction = 0.6),
    contact(right_toe_out, on = right_foot, at = [0.14, 0.05, -0.08], friction = 0.7),
    contact(right_toe_in, on = right_foot, at = [0.14, -0.05, -0.08], friction = 0.7),
    contact(right_tip, on = right_foot, at = [0.16, 0, -0.08], friction = 0.4)
);

// Three and four legs with hip and knee, on feet that are boxes: none can turn a foot by itself as it likes.
pair!(
    Tripod, DenseTripod,
    link(trunk, mass = 9, com = [0.01, 0.02, 0], inertia = [0.1, 0.2, 0.25]),
    joint(base, floating(world -> trunk)),
    link(a, mass = 1, com = [0, 0, -0.1], inertia = [5e-3, 5e-3, 1e-3]),
    joint(a_hip, universal(trunk -> a), at = [0.3, 0.1, 0], axes = [[1, 0, 0], [0, 1, 0]]),
    contact(a_sole, on = a, at = [0, 0, -0.3], box = [0.08, 0.06, 0.02], friction = 0.7),
    link(b, mass = 1, com = [0, 0, -0.1], inertia = [5e-3, 5e-3, 1e-3]),
    joint(b_hip, universal(trunk -> b), at = [-0.3, 0.2, 0], axes = [[1, 0, 0], [0, 1, 0]]),
    contact(b_sole, on = b, at = [0, 0, -0.3], box = [0.08, 0.06, 0.02], friction = 0.6),
    link(c, mass = 1, com = [0, 0, -0.1], inertia = [5e-3, 5e-3, 1e-3]),
    joint(c_hip, universal(trunk -> c), at = [0, -0.3, 0], axes = [[1, 0, 0], [0, 1, 0]]),
    contact(c_sole, on = c, at = [0, 0, -0.3], box = [0.08, 0.06, 0.02], friction = 0.5)
);
pair!(
    Table, DenseTable,
    link(trunk, mass = 9, com = [0.01, 0.02, 0], inertia = [0.1, 0.2, 0.25]),
    joint(base, floating(world -> trunk)),
    link(a, mass = 1, com = [0, 0, -0.1], inertia = [5e-3, 5e-3, 1e-3]),
    joint(a_hip, revolute(trunk -> a), at = [0.3, 0.2, 0], axis = [0, 1, 0]),
    contact(a_sole, on = a, at = [0, 0, -0.3], box = [0.08, 0.06, 0.02], friction = 0.7),
    link(b, mass = 1, com = [0, 0, -0.1], inertia = [5e-3, 5e-3, 1e-3]),
    joint(b_hip, revolute(trunk -> b), at = [-0.3, 0.2, 0], axis = [0, 1, 0]),
    contact(b_sole, on = b, at = [0, 0, -0.3], box = [0.08, 0.06, 0.02], friction = 0.6),
    link(c, mass = 1, com = [0, 0, -0.1], inertia = [5e-3, 5e-3, 1e-3]),
    joint(c_hip, revolute(trunk -> c), at = [0.3, -0.2, 0], axis = [0, 1, 0]),
    contact(c_sole, on = c, at = [0, 0, -0.3], box = [0.08, 0.06, 0.02], friction = 0.5),
    link(d, mass = 1, com = [0, 0, -0.1], inertia = [5e-3, 5e-3, 1e-3]),
    joint(d_hip, revolute(trunk -> d), at = [-0.3, -0.2, 0], axis = [0, 1, 0]),
    contact(d_sole, on = d, at = [0, 0, -0.3], box = [0.08, 0.06, 0.02], friction = 0.5)
);

/// Standing nearly upright, at times with straight legs, with a motion in which some corners stick, others slide or part.
fn state<M: Model>(model: &M, numbers: &mut Numbers) -> (M::Q, M::V) {
    let mut q = model.neutral();
    let askew = [0.0, 0.003][numbers.below(2)];
    let turn = M::V::zeros().as_slice().iter().map(|_| askew * numbers.next()).collect::<Vec<_>>();
    let mut by = M::V::zeros();
    by.as_mut_slice().copy_from_slice(&turn);
    q = model.integrate(&q, &by);
    let mut gaps = vec![0.0; M::CONTACTS.len()];
    model.gap_into(&q, &mut gaps);
    q[2] -= PENETRATION + gaps.into_iter().fold(f64::INFINITY, f64::min);
    let speed = [0.3, 0.02][numbers.below(2)];
    let mut v = M::V::zeros();
    v.as_mut_slice().iter_mut().for_each(|v| *v = speed * numbers.next());
    v[2] -= speed;
    (q, v)
}

fn conditions(kind: usize) -> Conditions {
    let formulation = match kind {
        0..3 => Formulation::Coulomb(Normal::Gap),
        3 => Formulation::Coulomb(Normal::Velocity(AnitescuPotra::default())),
        _ => Formulation::Todorov(Todorov::default()),
    };
    let mut conditions = Conditions::of(formulation);
    if kind == 1 {
        conditions.soft_contacts.push((1, Softness::new(0.3, 1e-4).unwrap()));
    }
    conditions
}

/// Compares steps; how many were solved for the feet at once, by the number of iterations.
fn compare<M: Model, D: Model>(model: &M, dense: &D, bodies: usize) {
    assert_eq!(M::HUBS.iter().max().map(|most| most + 1), Some(bodies), "{}", M::NAME);
    let numbers = &mut Numbers(7);
    let mut stepper = Stepper::new(model).unwrap();
    let (mut worst, mut pressed) = (0.0_f64, [0; 3]);
    for _ in 0..STATES {
        let ((q, v), conditions) = (state(model, numbers), conditions(numbers.below(5)));
        let mut both = (D::Q::zeros(), D::V::zeros());
        both.0.as_mut_slice()[..M::NQ].copy_from_slice(q.as_slice());
        both.1.as_mut_slice()[..M::NV].copy_from_slice(v.as_slice());
        let start = (0.0, H);
        stepper.step(model, (&q, &v), &M::V::zeros(), start, &conditions).unwrap();
        let residual = stepper.residual(model, (&q, &v), H, &conditions).max();
        assert!(residual <= 1e-9, "{conditions:?}: {residual:e}");
        let mut other = Stepper::new(dense).unwrap();
        let state = (&both.0, &both.1);
        other.step(dense, state, &D::V::zeros(), start, &conditions).unwrap();
        let pairs = stepper.velocity().as_slice().iter().zip(other.velocity().as_slice());
        let error = pairs.fold(0.0, |most: f64, (x, y)| most.max((x - y).abs()));
        assert!(error <= LEFT, "{} {conditions:?}: {error:e}", M::NAME);
        worst = worst.max(error);
        let presses = stepper.impulse().normal.iter().filter(|normal| **normal > 0.0).count();
        pressed[presses.min(2)] += 1;
    }
    println!("{}: {worst:.1e} m/s, none, one, more press: {pressed:?}", M::NAME);
    assert!(pressed[2] > STATES / 2, "{pressed:?}");
}

#[test]
fn feet_move_as_by_dense_matrices() {
    compare(&Biped, &DenseBiped, 2);
    compare(&Tripod, &DenseTripod, 3);
    compare(&Table, &DenseTable, 4);
}
