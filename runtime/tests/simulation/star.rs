//! Contacts that share a floating base and have each a limb of their own, against the same robot with dense matrices.

use jourdain::contact::{
    AnitescuPotra, Conditions, Formulation, Motor, Normal, Outcome, Softness, Solver, Stepper,
    Transition, residual,
};
use jourdain::prelude::*;
use nalgebra::{SVector, UnitQuaternion, Vector3};

use crate::every_formulation;
use crate::numbers::Numbers;

const STATES: usize = 500;
pub(crate) const H: f64 = 1e-2;
/// Of the lowest foot, m.
const PENETRATION: f64 = 1e-4;
/// By how much velocities may differ, since solvers stop at residuals of 1e-10, and by how much those do where the last
/// step of Newton's method leaves rounding only, m/s.
const LEFT: f64 = 1e-9;
const EXACT: f64 = 1e-11;

/// A trunk of which no two directions are alike, on three legs, one with a knee; those without turn about y and `axis`.
macro_rules! walker {
    ($name:ident, $axis:tt $(, ($($beside:tt)*))*) => {
        #[derive(Robot, Clone, Copy, Debug)]
        #[robot(
            gravity = [0, 0, -9.81],
            link(trunk, mass = 5, com = [0.03, -0.02, 0.05], inertia = [0.05, 0.11, 0.14]),
            joint(base, floating(world -> trunk)),
            link(left, mass = 0.4, com = [0, 0, -0.1], inertia = [2e-3, 2e-3, 1e-4]),
            joint(left_hip, revolute(trunk -> left), at = [0.2, 0.1, 0], axis = [0, 1, 0]),
            contact(left_foot, on = left, at = [0, 0.01, -0.3], friction = 0.5),
            link(right, mass = 0.6, com = [0, 0, -0.12], inertia = [3e-3, 3e-3, 1e-4]),
            joint(right_hip, revolute(trunk -> right), at = [0.2, -0.15, 0], axis = $axis),
            contact(right_foot, on = right, at = [0.02, 0, -0.3], friction = 0.3),
            link(thigh, mass = 0.5, com = [0, 0, -0.05], inertia = [1e-3, 1e-3, 1e-4]),
            joint(hip, revolute(trunk -> thigh), at = [-0.25, 0, 0], axis = [0, 1, 0]),
            link(shank, mass = 0.3, com = [0, 0, -0.08], inertia = [1e-3, 1e-3, 1e-4]),
            joint(knee, revolute(thigh -> shank), at = [0, 0, -0.15], axis = [0, 1, 0]),
            contact(foot, on = shank, at = [0, 0, -0.15], friction = 0.8)
            $(, $($beside)*)*
        )]
        struct $name;
    };
}

walker!(Walker, [1, 0, 0]);
// Two of its legs are alike.
walker!(Alike, [0, 1, 0]);
// A declared constraint, though of a weight beside it, makes all matrices dense.
walker!(
    Constrained,
    [1, 0, 0],
    (link(weight, mass = 1)),
    (joint(rail, prismatic(world -> weight), axis = [1, 0, 0])),
    (constraint(stop, h = rail))
);
walker!(
    AlikeConstrained,
    [0, 1, 0],
    (link(weight, mass = 1)),
    (joint(rail, prismatic(world -> weight), axis = [1, 0, 0])),
    (constraint(stop, h = rail))
);

/// The velocity after a step of [`H`] that obeys the law, by what the step says of itself and from outside, and how it was solved.
pub(crate) fn step<M: Model>(
    (model, stepper): (&M, &mut Stepper<M>),
    (q, v): (&M::Q, &M::V),
    conditions: &Conditions,
) -> (M::V, Outcome)
where
    M::V: Default,
{
    let outcome = stepper.step(model, (q, v), &M::V::default(), (0.0, H), conditions).unwrap();
    let own = stepper.residual(H, conditions).max();
    assert!(own <= LEFT, "{conditions:?}: {own:e}");
    let mut v_next = stepper.velocity().clone();
    let [u, w] = [0, 3].map(|k| Vector3::from_fn(|i, _| v_next[k + i]));
    let turned = UnitQuaternion::from_scaled_axis(H * w).inverse() * u;
    (0..3).for_each(|i| v_next[i] = turned[i]);
    let (force, impulse, v_next) = (&M::V::default(), stepper.impulse(), &v_next);
    let transition =
        Transition { conditions, time: 0.0, step_size: H, q, v, force, v_next, impulse };
    let audit = residual(model, &transition).max();
    assert!(audit <= LEFT, "{conditions:?}: {audit:e} by the law, {own:e} by the step");
    (stepper.velocity().clone(), outcome)
}

/// Standing askew, with a motion, fast or slow, in which some feet stick, others slide or part.
fn state(
    walker: &impl Model<Q = SVector<f64, 11>>,
    numbers: &mut Numbers,
) -> (SVector<f64, 11>, SVector<f64, 10>) {
    let mut q = SVector::<f64, 11>::zeros();
    let turn = Vector3::from_fn(|_, _| 0.005 * numbers.next());
    q.fixed_rows_mut::<3>(3).copy_from(&turn);
    q[6] = (1.0 - turn.norm_squared()).sqrt();
    q.fixed_rows_mut::<4>(7).apply(|angle| *angle = 0.02 * numbers.next());
    let mut gaps = [0.0; 3];
    walker.gap_into(&q, &mut gaps);
    q[2] = -PENETRATION - gaps.into_iter().fold(f64::INFINITY, f64::min);
    let speed = [0.5, 0.02][numbers.below(2)];
    let mut v = SVector::from_fn(|_, _| speed * numbers.next());
    v[2] -= speed;
    (q, v)
}

/// What steps may have been asked for before.
fn conditions(numbers: &mut Numbers) -> Conditions {
    let all = every_formulation();
    let formulation = match all.get(numbers.below(all.len() + 1)) {
        Some(formulation) => *formulation,
        None => Formulation::Coulomb(Normal::Velocity(AnitescuPotra::default())),
    };
    let mut conditions = Conditions::of(formulation);
    match numbers.below(5) {
        0 => conditions.soft_contacts.push((1, Softness::new(0.3, 1e-4).unwrap())),
        1 => conditions.motors.push((7, Motor::Velocity { velocity: 0.3, force: 2.0 })),
        _ => {}
    }
    conditions
}

/// Whether a law can have several solutions.
fn has_several(formulation: &Formulation) -> bool {
    !matches!(
        formulation,
        Formulation::Anitescu(_) | Formulation::Todorov(_) | Formulation::Frictionless(_)
    )
}

/// Compares steps of one stepper with those of dense matrices, whatever was asked for before; how many differ, though
/// both obey a law that has several solutions.
fn compare<M, D>(walker: &M, dense: &D) -> usize
where
    M: Model<Q = SVector<f64, 11>, V = SVector<f64, 10>>,
    D: Model<Q = SVector<f64, 12>, V = SVector<f64, 11>>,
{
    let numbers = &mut Numbers(5);
    let mut stepper = Stepper::new(walker).unwrap();
    let (mut counts, mut exact, mut others) = ([0; 4], 0, 0);
    for _ in 0..STATES {
        let ((q, v), conditions) = (state(walker, numbers), conditions(numbers));
        if numbers.below(2) == 0 {
            stepper.forget();
        }
        let (star, _) = step((walker, &mut stepper), (&q, &v), &conditions);
        let pressed = stepper.impulse().normal.iter().filter(|normal| **normal > 0.0).count();
        let dense_stepper = &mut Stepper::new(dense).unwrap();
        let state = (&q.push(0.0), &v.push(0.0));
        let (found, _) = step((dense, dense_stepper), state, &conditions);
        let difference = (star - found.fixed_rows::<10>(0)).amax();
        if difference > LEFT {
            assert!(
                has_several(&conditions.formulation),
                "{conditions:?}: {difference:e} {star} {found}"
            );
            others += 1;
            continue;
        }
        let motors = |motors: &[f64]| motors[..10].iter().sum::<f64>();
        let error = motors(&stepper.impulse().motors) - motors(&dense_stepper.impulse().motors);
        assert!(error.abs() <= LEFT, "{conditions:?}: {error:e} of motors");
        exact += usize::from(difference <= EXACT);
        counts[pressed] += 1;
    }
    let enough = counts[1..].iter().all(|count| *count > STATES / 20) && exact > STATES * 4 / 5;
    assert!(enough, "{counts:?} {exact}");
    others
}

#[test]
fn a_base_with_limbs_moves_as_by_dense_matrices() {
    // In one state infinite friction holds one foot by one way, and two by the other.
    assert!(compare(&Walker, &Constrained) <= 1);
}

#[test]
fn a_base_with_alike_limbs_moves_as_by_dense_matrices() {
    assert!(Alike::ALIKE.contains(&&[6, 7][..]), "{:?}", Alike::ALIKE);
    // In one state a foot that gives way sticks by one way and slips by the other.
    assert!(compare(&Alike, &AlikeConstrained) <= 1);
}

#[test]
fn a_step_says_that_feet_were_solved_side_by_side() {
    let (q, v) = state(&Walker, &mut Numbers(3));
    for formulation in every_formulation() {
        let (conditions, still) = (&Conditions::of(formulation), &SVector::zeros());
        let mut stepper = Stepper::new(&Walker).unwrap();
        let outcome = stepper.step(&Walker, (&q, &v), still, (0.0, H), conditions).unwrap();
        let how = (outcome.solver, outcome.problems);
        assert_eq!(how, (Solver::SideBySide, 1), "{formulation:?}");
    }
}
