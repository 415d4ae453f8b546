//! Audits of steps from their results alone.

use jourdain::contact::{
    Conditions, Formulation, Impulse, Motor, Restitution, Stepper, Transition, residual,
};
use jourdain::nalgebra::SMatrix;
use proptest::prelude::*;

use super::every_formulation;
use super::laws::{anything, formulations};
use super::robots::Anything;

/// The residual of a step by its own numbers and from q, v, v⁺ and Λ alone; zeros where there is none, which convex laws
/// always have.
fn audited(any: &Anything, conditions: &Conditions, (q, v): (&[f64; 6], &[f64; 6])) -> (f64, f64) {
    // Todorov's time constant asks for short steps.
    let is_soft = matches!(conditions.formulation, Formulation::Todorov(_));
    let step_size = if is_soft { 5e-3 } else { 0.05 };
    let (q, v, force) = (&(*q).into(), &(*v).into(), &SMatrix::zeros());
    let mut stepper = Stepper::new(any).unwrap();
    if let Err(error) = stepper.step(any, (q, v), force, (0.0, step_size), conditions) {
        assert!(!is_soft, "{error}");
        return (0.0, 0.0);
    }
    let own = stepper.residual(step_size, conditions).max();
    let (v_next, impulse) = (stepper.velocity(), stepper.impulse());
    let step = Transition { conditions, time: 0.0, step_size, q, v, force, v_next, impulse };
    (own, residual(any, &step).max())
}

proptest! {
    /// A step that is accepted by its own numbers is accepted from q, v, v⁺ and Λ alone.
    #[test]
    fn an_audit_finds_what_a_step_says(formulation in formulations(), (any, q, v) in anything()) {
        let (own, audit) = audited(&any, &Conditions::of(formulation), (&q, &v));
        prop_assert!(own > 1e-9 || audit <= 1e-9, "{own:e} {audit:e}");
    }

    /// The same where a limit is reached, and a servo without bound is part of the inertia.
    #[test]
    fn an_audit_knows_of_limits_and_servos(
        formulation in formulations(), (any, mut q, v) in anything(), at in 0..6_usize,
    ) {
        q[at] = any.range.copysign(v[at]);
        let servo = Motor::Servo {
            position: 0.1,
            velocity: 0.0,
            stiffness: 50.0,
            damping: 1.0,
            force: f64::INFINITY,
        };
        let motors = vec![((at + 1) % 6, servo)];
        let conditions = &Conditions { motors, ..Conditions::of(formulation) };
        let (own, audit) = audited(&any, conditions, (&q, &v));
        prop_assert!(own > 1e-9 || audit <= 1e-9, "{own:e} {audit:e}");
    }
}

/// A mass matrix of NaN leaves nothing to audit, where a law asks for its inverse as where none does.
#[test]
fn an_audit_of_no_numbers_ends() {
    let any = Anything {
        root: [f64::NAN; 36],
        jacobian: [0.5; 72],
        gap: [0.0; 4],
        friction: 0.5,
        restitution: 0.0,
        range: 0.9,
        dry_friction: 0.0,
    };
    let (q, v, force) = (&[0.9; 6].into(), &[0.1; 6].into(), &SMatrix::zeros());
    let (time, step_size, v_next, impulse) = (0.0, 0.05, v, &Impulse::zeros::<Anything>());
    for formulation in every_formulation() {
        for restitution in [Restitution::Newton, Restitution::Poisson] {
            let conditions = &Conditions { restitution, ..Conditions::of(formulation) };
            let step = Transition { conditions, time, step_size, q, v, force, v_next, impulse };
            assert!(residual(&any, &step).max().is_nan(), "{formulation:?}, {restitution:?}");
        }
    }
}
