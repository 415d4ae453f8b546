//! Positive semidefinite problems: each is solved, or refused with a proof.

use fastrand::Rng;

use crate::families::{Rows, bodies, optimality, unsymmetric};
use crate::solvers::{EXACT, assert_right};

/// b = J v is the velocity of a motion that λ can bring to rest.
#[test]
fn contacts_and_joints_are_solved() {
    let mut rng = Rng::with_seed(20);
    for case in 0..1000 {
        let owned = bodies(&mut rng, if case % 2 == 0 { Rows::Contacts } else { Rows::Mixed }, 0.0);
        for solver in &EXACT {
            assert!(assert_right(solver, &owned.problem(), &format!("case {case}")));
        }
    }
}

/// Prescribed velocities may contradict one another.
#[test]
fn contradictions_are_refused_with_a_proof() {
    let mut rng = Rng::with_seed(20);
    let mut refused = 0;
    for case in 0..500 {
        let owned = bodies(&mut rng, if case % 2 == 0 { Rows::Contacts } else { Rows::Mixed }, 1.0);
        for solver in &EXACT {
            let solved = assert_right(solver, &owned.problem(), &format!("case {case}"));
            refused += usize::from(!solved);
        }
    }
    assert!(refused > 50, "{refused}");
}

#[test]
fn unsymmetric_problems_are_solved() {
    let mut rng = Rng::with_seed(20);
    for case in 0..500 {
        let owned = unsymmetric(&mut rng, if case % 2 == 0 { Rows::Contacts } else { Rows::Mixed });
        for solver in &EXACT {
            assert!(assert_right(solver, &owned.problem(), &format!("case {case}")));
        }
    }
}

#[test]
fn optimality_conditions_are_solved_or_refused() {
    let mut rng = Rng::with_seed(20);
    let mut solved = 0;
    for case in 0..500 {
        let owned = optimality(&mut rng, 1.0);
        for solver in &EXACT {
            let found = assert_right(solver, &owned.problem(), &format!("case {case}"));
            solved += usize::from(found);
        }
    }
    assert!(solved > 50 && solved < 450, "{solved}");
}
