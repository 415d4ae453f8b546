//! Motors with bounds, dry friction and limits of coordinates beside contacts, against the same robot with dense matrices.

use jourdain::contact::{Conditions, Formulation, Impulse, Motor, Outcome, Solver, Stepper};
use jourdain::prelude::*;
use nalgebra::{SVector, Vector3};

use crate::every_formulation;
use crate::numbers::Numbers;
use crate::star::{H, step};

const STATES: usize = 600;
/// By how much velocities may differ, since solvers stop at residuals of 1e-10.
const LEFT: f64 = 1e-8;

/// A trunk on three legs, one with a knee, whose joints rub and have stops.
macro_rules! rubbing {
    ($name:ident, [$left:tt, $right:tt, $knee:tt] $(, ($($beside:tt)*))*) => {
        #[derive(Robot, Clone, Copy, Debug)]
        #[robot(
            gravity = [0, 0, -9.81],
            link(trunk, mass = 5, com = [0.03, -0.02, 0.05], inertia = [0.05, 0.11, 0.14]),
            joint(base, floating(world -> trunk)),
            link(left, mass = 0.4, com = [0, 0, -0.1], inertia = [2e-3, 2e-3, 1e-4]),
            joint(left_hip, revolute(trunk -> left), at = [0.2, 0.1, 0], axis = [0, 1, 0],
                friction = 0.2, limits = [-0.02, 0.02]),
            contact(left_foot, on = left, at = [0, 0.01, -0.3], friction = $left),
            link(right, mass = 0.6, com = [0, 0, -0.12], inertia = [3e-3, 3e-3, 1e-4]),
            joint(right_hip, revolute(trunk -> right), at = [0.2, -0.15, 0], axis = [1, 0, 0],
                friction = 1, limits = [-0.02, 0.02]),
            contact(right_foot, on = right, at = [0.02, 0, -0.3], friction = $right),
            link(thigh, mass = 0.5, com = [0, 0, -0.05], inertia = [1e-3, 1e-3, 1e-4]),
            joint(hip, revolute(trunk -> thigh), at = [-0.25, 0, 0], axis = [0, 1, 0],
                friction = 0.05),
            link(shank, mass = 0.3, com = [0, 0, -0.08], inertia = [1e-3, 1e-3, 1e-4]),
            joint(knee, revolute(thigh -> shank), at = [0, 0, -0.15], axis = [0, 1, 0],
                friction = 0.4, limits = [-0.02, 0.02]),
            contact(foot, on = shank, at = [0, 0, -0.15], friction = $knee)
            $(, $($beside)*)*
        )]
        pub(crate) struct $name;
    };
}

rubbing!(Rubbing, [0.5, 0.3, 0.8]);
// A declared constraint, though of a weight beside it, makes all matrices dense, and what acts on coordinates is rows.
rubbing!(
    Rows, [0.5, 0.3, 0.8],
    (link(weight, mass = 1)),
    (joint(rail, prismatic(world -> weight), axis = [1, 0, 0])),
    (constraint(stop, h = rail))
);
// With so much friction the laws that are not convex have several solutions.
rubbing!(Rough, [5, 4, 6]);
rubbing!(
    RoughRows, [5, 4, 6],
    (link(weight, mass = 1)),
    (joint(rail, prismatic(world -> weight), axis = [1, 0, 0])),
    (constraint(stop, h = rail))
);

/// A random state on or above the ground, at rest or not, with joints about their stops.
pub(crate) fn state(numbers: &mut Numbers) -> (SVector<f64, 11>, SVector<f64, 10>) {
    let mut q = SVector::<f64, 11>::zeros();
    let turn = Vector3::from_fn(|_, _| 0.005 * numbers.next());
    q.fixed_rows_mut::<3>(3).copy_from(&turn);
    q[6] = (1.0 - turn.norm_squared()).sqrt();
    q.fixed_rows_mut::<4>(7).apply(|angle| *angle = 0.0199 * numbers.next());
    let mut gaps = [0.0; 3];
    Rubbing.gap_into(&q, &mut gaps);
    q[2] = 1e-4 * numbers.below(2) as f64 - gaps.into_iter().fold(f64::INFINITY, f64::min);
    let speed = [1.0, 0.1, 0.0][numbers.below(3)];
    let mut v = SVector::from_fn(|_, _| speed * numbers.next());
    v[2] -= 0.5 * speed;
    (q, v)
}

/// Coulomb's law, and motors of all kinds.
fn conditions(numbers: &mut Numbers) -> Conditions {
    let mut conditions = Conditions::of(Formulation::coulomb());
    for v in 6..10 {
        let force = [0.5, 20.0][numbers.below(2)];
        let motor = match numbers.below(5) {
            0 => Motor::Velocity { velocity: numbers.next(), force },
            1 => Motor::Position { position: 0.01 * numbers.next(), reduction: 0.2, force },
            2 => {
                let position = 0.03 * numbers.next();
                let (stiffness, damping) = ([0.0, 50.0, 1e5][numbers.below(3)], 0.5);
                Motor::Servo { position, velocity: 0.0, stiffness, damping, force }
            }
            3 => Motor::Velocity { velocity: 0.1 * numbers.next(), force: f64::INFINITY },
            _ => continue,
        };
        // Beside a stop, what drives without bound has no solution.
        if matches!(motor, Motor::Velocity { force: f64::INFINITY, .. }) && v != 8 {
            continue;
        }
        conditions.motors.push((v, motor));
    }
    conditions
}

#[test]
fn what_acts_on_coordinates_needs_no_rows() {
    let numbers = &mut Numbers(11);
    let mut stepper = Stepper::new(&Rubbing).unwrap();
    let (mut without, mut pressing, mut others) = (0, 0, 0);
    for _ in 0..STATES {
        let ((q, v), conditions) = (state(numbers), conditions(numbers));
        if numbers.below(2) == 0 {
            stepper.forget();
        }
        let (found, outcome) = step((&Rubbing, &mut stepper), (&q, &v), &conditions);
        without += usize::from(outcome.solver == Solver::SideBySide);
        pressing += stepper.impulse().limits.iter().filter(|ends| **ends != [0.0; 2]).count();
        let rows = &mut Stepper::new(&Rows).unwrap();
        let (by_rows, _) = step((&Rows, rows), (&q.push(0.0), &v.push(0.0)), &conditions);
        let difference = (found - by_rows.fixed_rows::<10>(0)).amax();
        others += usize::from(difference > LEFT);
    }
    // From random states and impulses of others, most are solved for velocities.
    assert!(without > STATES / 20 && pressing > STATES / 10, "{without}, {pressing}");
    assert_eq!(others, 0);
}

/// Whether a matrix of rows was needed.
fn is_by_rows(outcome: Outcome) -> bool {
    !matches!(outcome.solver, Solver::None | Solver::SideBySide | Solver::Newton)
}

/// Steps by every law lead where those with dense matrices and rows do, from random states and impulses of others, and many are solved
/// for velocities.
fn assert_alike<M, R>(model: &M, dense: &R)
where
    M: Model<Q = SVector<f64, 11>, V = SVector<f64, 10>>,
    R: Model<Q = SVector<f64, 12>, V = SVector<f64, 11>>,
{
    for formulation in every_formulation() {
        let numbers = &mut Numbers(23);
        let (mut stepper, mut by_rows) = (Stepper::new(model).unwrap(), 0);
        for _ in 0..STATES / 4 {
            let (mut q, v) = state(numbers);
            // Todorov's form acts on what touches: rounding of gaps decides on what just does.
            q[2] -= 1e-6;
            let conditions = Conditions { formulation, ..conditions(numbers) };
            if numbers.below(2) == 0 {
                stepper.forget();
            }
            let (found, outcome) = step((model, &mut stepper), (&q, &v), &conditions);
            by_rows += usize::from(is_by_rows(outcome));
            let rows = &mut Stepper::new(dense).unwrap();
            let (found_by_rows, _) = step((dense, rows), (&q.push(0.0), &v.push(0.0)), &conditions);
            let difference = (found - found_by_rows.fixed_rows::<10>(0)).amax();
            assert!(difference <= LEFT, "{formulation:?}: {difference:e} by {outcome:?}");
        }
        assert!(by_rows < STATES / 5, "{formulation:?}: {by_rows}");
    }
}

#[test]
fn every_law_is_solved_for_velocities() {
    assert_alike(&Rubbing, &Rows);
}

/// Where friction is so large that what it can hold might also move.
#[test]
fn what_friction_can_hold_is_held_for_velocities_too() {
    assert_alike(&Rough, &RoughRows);
}

/// Impulses that friction can have lead to rest, from what was solved before and from nothing. A contact that parts without any is
/// not asked for one.
#[test]
fn what_can_be_at_rest_is_at_rest() {
    let laws = [
        Formulation::coulomb(),
        Formulation::stewart_trinkle(),
        Formulation::anitescu_potra(),
        Formulation::anitescu(),
        Formulation::sticking(),
    ];
    let (mut q, still) = (SVector::<f64, 11>::zeros(), SVector::<f64, 10>::zeros());
    (q[2], q[6]) = (0.3, 1.0);
    let jacobian = Rough.contact_jacobian(&q);
    let weight = Rough.bias_force(&q, &still);
    let mobility = jacobian * Rough.mass_matrix(&q).try_inverse().unwrap() * jacobian.transpose();
    for formulation in laws {
        let numbers = &mut Numbers(29);
        let (mut stepper, mut by_rows) = (Stepper::new(&Rough).unwrap(), 0);
        for _ in 0..2 * STATES {
            let mut impulse = SVector::<f64, 9>::zeros();
            for (foot, friction) in [5.0, 4.0, 6.0].into_iter().enumerate() {
                let normal = 0.05 * numbers.below(3) as f64;
                // Of any direction, the square has this much.
                let most = 0.7 * friction * normal;
                let angle = core::f64::consts::PI * numbers.next();
                let slip = most * numbers.next();
                let along = [normal, slip * angle.cos(), slip * angle.sin()];
                impulse.fixed_rows_mut::<3>(3 * foot).copy_from_slice(&along);
            }
            let free = -mobility * impulse;
            if (0..3).any(|foot| impulse[3 * foot] > 0.0 && free[3 * foot] > 0.0) {
                continue;
            }
            if numbers.below(2) == 0 {
                stepper.forget();
            } else {
                let ((q, v), conditions) = (state(numbers), conditions(numbers));
                step((&Rough, &mut stepper), (&q, &v), &Conditions { formulation, ..conditions });
            }
            let force = weight - jacobian.transpose() * impulse / H;
            let conditions = Conditions::of(formulation);
            let during = (0.0, H);
            let outcome = stepper.step(&Rough, (&q, &still), &force, during, &conditions).unwrap();
            by_rows += usize::from(is_by_rows(outcome));
            let speed = stepper.velocity().amax();
            assert!(speed < LEFT, "{formulation:?}: {speed:e} by {outcome:?}");
        }
        assert!(by_rows < STATES, "{formulation:?}: {by_rows}");
    }
}

#[test]
fn a_walker_whose_joints_rub_moves_as_by_rows() {
    let (mut q, mut v) = (SVector::<f64, 11>::zeros(), SVector::<f64, 10>::zeros());
    (q[2], q[6]) = (0.3, 1.0);
    let mut conditions = Conditions::of(Formulation::coulomb());
    let (mut stepper, mut rows) = (Stepper::new(&Rubbing).unwrap(), Stepper::new(&Rows).unwrap());
    let (mut without, mut pressing, mut sliding) = (0, 0, 0);
    for k in 0..STATES {
        // Servos that swing to stops and back, some of which have little force.
        let swing = 0.03 * (0.02 * k as f64).sin();
        conditions.motors = (6..10)
            .map(|i| {
                let (position, force) = (swing, [0.8, 4.0, 1.0, 2.0][i - 6]);
                let (stiffness, damping) = (100.0, 1.0);
                (i, Motor::Servo { position, velocity: 0.0, stiffness, damping, force })
            })
            .collect();
        if k % 200 == 150 {
            v[0] += 0.3;
        }
        let (found, outcome) = step((&Rubbing, &mut stepper), (&q, &v), &conditions);
        without += usize::from(outcome.solver == Solver::SideBySide);
        let Impulse { limits, dry_friction, .. } = stepper.impulse();
        pressing += limits.iter().filter(|ends| **ends != [0.0; 2]).count();
        sliding += dry_friction
            .iter()
            .filter(|p| [0.05, 0.2, 0.4, 1.0].iter().any(|c| (p.abs() - H * c).abs() < 1e-12))
            .count();
        let (by_rows, _) = step((&Rows, &mut rows), (&q.push(0.0), &v.push(0.0)), &conditions);
        let difference = (found - by_rows.fixed_rows::<10>(0)).amax();
        assert!(difference <= LEFT, "{k}: {difference:e}");
        (q, v) = stepper.end(&Rubbing, &q, H).unwrap();
    }
    let acts = without > STATES / 2 && pressing > STATES / 10 && sliding > STATES / 10;
    assert!(acts, "{without}, {pressing}, {sliding}");
}

/// Dry friction that holds takes up what changes of forces, and contacts stay what they are.
#[test]
fn what_stands_still_is_solved_at_once() {
    let (mut q, mut v) = (SVector::<f64, 11>::zeros(), SVector::<f64, 10>::zeros());
    (q[2], q[6]) = (0.3, 1.0);
    let conditions = Conditions::of(Formulation::coulomb());
    let mut stepper = Stepper::new(&Rubbing).unwrap();
    for k in 0..STATES {
        let mut force = SVector::<f64, 10>::zeros();
        (6..10).for_each(|i| force[i] = 0.02 * (0.01 * (k * i) as f64).sin());
        let during = (H * k as f64, H);
        let outcome = stepper.step(&Rubbing, (&q, &v), &force, during, &conditions).unwrap();
        assert!(k == 0 || outcome.problems == 1, "{k}: {outcome:?}");
        assert!(stepper.velocity().amax() < 1e-9, "{k}");
        (q, v) = stepper.end(&Rubbing, &q, H).unwrap();
    }
}

#[test]
fn a_displacement_is_of_one_step() {
    let (mut q, v) = (SVector::<f64, 11>::zeros(), SVector::<f64, 10>::zeros());
    (q[2], q[6]) = (0.3 - 1e-3, 1.0);
    let conditions = Conditions::of(Formulation::coulomb());
    let mut stepper = Stepper::new(&Rubbing).unwrap();
    step((&Rubbing, &mut stepper), (&q, &v), &conditions);
    assert!(stepper.impulse().displacement.iter().any(|way| way.abs() > 1e-4));
    let (q, v) = stepper.end(&Rubbing, &q, H).unwrap();
    let (_, outcome) = step((&Rubbing, &mut stepper), (&q, &v), &conditions);
    assert_eq!(outcome.solver, Solver::SideBySide);
    assert!(stepper.impulse().displacement.is_empty());
    let (end, v_end) = stepper.end(&Rubbing, &q, H).unwrap();
    assert!((end[2] - q[2] - H * v_end[2]).abs() < 1e-6, "{end} {q}");
}

/// A block whose friction is a field.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(block, mass = 1, inertia = [0.01, 0.01, 0.01]),
    joint(base, floating(world -> block)),
    contact(left, on = block, at = [-0.1, 0, -0.1], friction = self.friction),
    contact(right, on = block, at = [0.1, 0, -0.1], friction = self.friction)
)]
struct Block {
    friction: f64,
}

/// That is what sticks, and nothing else.
#[test]
fn no_law_takes_infinite_friction() {
    let (mut q, mut v) = (SVector::<f64, 7>::zeros(), SVector::<f64, 6>::zeros());
    (q[2], q[6], v[0]) = (0.1, 1.0, 0.5);
    let endless = Block { friction: f64::INFINITY };
    for formulation in every_formulation() {
        let conditions = Conditions::of(formulation);
        let mut stepper = Stepper::new(&endless).unwrap();
        for speed in [-0.5, 0.5] {
            v[2] = speed;
            let force = SVector::zeros();
            let found = stepper.step(&endless, (&q, &v), &force, (0.0, H), &conditions);
            let obeys = stepper.residual(H, &conditions).max() < LEFT;
            assert!(found.is_err() || obeys, "{formulation:?} {speed}: {found:?}");
            let needs_none =
                matches!(formulation, Formulation::Frictionless(_) | Formulation::Sticking(_));
            assert!(speed > 0.0 || found.is_ok() == needs_none, "{formulation:?}: {found:?}");
        }
    }
}
