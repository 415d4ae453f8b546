//! What refinement does to a solution with rounding in it, and to one that is another one.

use crate::contact::{Conditions, Cone, Formulation, Stepper, Todorov};
use crate::prelude::*;
use crate::space::Storage;

const H: f64 = 1e-2;

/// A trunk on two legs, one of which stands on heel and toe.
macro_rules! walker {
    ($name:ident $(, $beside:ident $with:tt)*) => {
        #[derive(Robot, Clone, Copy, Debug)]
        #[robot(
            gravity = [0, 0, -9.81],
            link(trunk, mass = 5, com = [0.03, -0.02, 0.05], inertia = [0.05, 0.11, 0.14]),
            joint(base, floating(world -> trunk)),
            link(left, mass = 0.4, com = [0, 0, -0.1], inertia = [2e-3, 2e-3, 1e-4]),
            joint(left_hip, revolute(trunk -> left), at = [0, 0.1, 0], axis = [0, 1, 0]),
            contact(heel, on = left, at = [-0.05, 0, -0.3], friction = 0.5),
            contact(toe, on = left, at = [0.1, 0, -0.3], friction = 0.5),
            link(right, mass = 0.6, com = [0, 0, -0.12], inertia = [3e-3, 3e-3, 1e-4]),
            joint(right_hip, revolute(trunk -> right), at = [0, -0.15, 0], axis = [1, 0, 0]),
            contact(right_foot, on = right, at = [0.02, 0, -0.3], friction = 0.3)
            $(, $beside $with)*
        )]
        struct $name;
    };
}

walker!(Walker);
// A declared constraint, though of a weight beside it, makes all matrices dense.
walker!(
    Rows,
    link(weight, mass = 1),
    joint(rail, prismatic(world -> weight), axis = [1, 0, 0]),
    constraint(stop, h = rail)
);

/// Every law of contacts that dense problems are refined under.
fn laws() -> [Formulation; 6] {
    [
        Formulation::stewart_trinkle(),
        Formulation::anitescu(),
        Formulation::todorov(),
        Formulation::Todorov(Todorov::default().cone(Cone::Pyramid)),
        Formulation::coulomb(),
        Formulation::frictionless(),
    ]
}

/// Adds an error to the first impulse along the rows of a step.
fn with_error<M: Model>(model: &M, error: f64, conditions: &Conditions) -> (Stepper<M>, Vec<f64>) {
    let (mut q, v, force) = (model.neutral(), M::V::zeros(), M::V::zeros());
    q.as_mut_slice()[2] = 0.3;
    let mut stepper = Stepper::new(model).unwrap();
    stepper.step(model, (&q, &v), &force, (0.0, H), conditions).unwrap();
    let core = &mut stepper.core;
    let velocity = core.velocity.clone();
    core.arrange(&conditions.formulation);
    core.start.copy(&core.impulse);
    core.start();
    core.impulses[0] += error;
    core.move_by_rows();
    (stepper, velocity)
}

fn difference(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).fold(0.0, |most, (x, y)| f64::max(most, (x - y).abs()))
}

#[test]
fn rounding_is_taken_out() {
    let conditions = Conditions::default();
    let (mut stepper, velocity) = with_error(&Walker, 1e-8, &conditions);
    assert!(stepper.residual(H, &conditions).max() > 1e-9);
    assert!(stepper.core.polish((H, &conditions)).is_some());
    assert!(stepper.residual(H, &conditions).max() < 1e-11);
    assert!(difference(&stepper.core.velocity, &velocity) < 1e-10);
}

#[test]
fn another_solution_is_kept_as_it_is() {
    let conditions = Conditions::default();
    let (mut stepper, _) = with_error(&Walker, 1e-2, &conditions);
    let (kept, residual) = (stepper.core.velocity.clone(), stepper.residual(H, &conditions).max());
    assert!(stepper.core.polish((H, &conditions)).is_none());
    assert!(difference(&stepper.core.velocity, &kept) < 1e-14);
    assert!((stepper.residual(H, &conditions).max() - residual).abs() < 1e-12);
}

/// Beside large impulses what is left of a step is found from v⁺, by whatever law.
#[test]
fn rounding_is_taken_out_of_dense_problems() {
    for law in laws() {
        let conditions = Conditions::of(law);
        let (mut stepper, velocity) = with_error(&Rows, 1e-8, &conditions);
        assert!(stepper.residual(H, &conditions).max() > 1e-9, "{law:?}");
        assert!(stepper.core.polish((H, &conditions)).is_some(), "{law:?}");
        let left = stepper.residual(H, &conditions).max();
        assert!(left < 1e-11, "{law:?}: {left:e}");
        assert!(difference(&stepper.core.velocity, &velocity) < 1e-10, "{law:?}");
    }
}

#[test]
fn another_solution_of_a_dense_problem_is_kept_as_it_is() {
    let conditions = Conditions::default();
    let (mut stepper, _) = with_error(&Rows, 1e-2, &conditions);
    let (kept, impulses) = (stepper.core.velocity.clone(), stepper.core.impulses.clone());
    assert!(stepper.core.polish((H, &conditions)).is_none());
    assert_eq!((&stepper.core.velocity, &stepper.core.impulses), (&kept, &impulses));
}
