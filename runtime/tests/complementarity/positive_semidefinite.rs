//! Positive semidefinite problems: each is solved, or refused with a proof.

use fastrand::Rng;
use jourdain::lcp::boxed::residual;
use jourdain::lcp::{self, Error};

use crate::families::{Rows, bodies, optimality, unsymmetric};
use crate::solvers::{EXACT, ITERATIVE, assert_right, scaled_residual};

/// b = J v is the velocity of a motion that λ can bring to rest.
#[test]
fn contacts_and_joints_are_solved() {
    let mut rng = Rng::with_seed(1);
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
    let mut rng = Rng::with_seed(2);
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
    let mut rng = Rng::with_seed(4);
    for case in 0..500 {
        let owned = unsymmetric(&mut rng, if case % 2 == 0 { Rows::Contacts } else { Rows::Mixed });
        for solver in &EXACT {
            assert!(assert_right(solver, &owned.problem(), &format!("case {case}")));
        }
    }
}

#[test]
fn optimality_conditions_are_solved_or_refused() {
    let mut rng = Rng::with_seed(5);
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

/// What the solvers that step solve is solved, and what they do not is said to be unsolved. Newton–min
/// solves all but a few of the problems that have a solution, Gauss–Seidel those that are well conditioned.
#[test]
fn steps_lead_to_solutions() {
    let mut rng = Rng::with_seed(6);
    let mut unsolved = [0; 4];
    for case in 0..600 {
        let rows = if case % 2 == 0 { Rows::Contacts } else { Rows::Mixed };
        let owned = match case % 3 {
            0 => bodies(&mut rng, rows, 0.0),
            1 => unsymmetric(&mut rng, rows),
            _ => optimality(&mut rng, 1.0),
        };
        let problem = owned.problem();
        if (EXACT[0].solve)(&problem).is_err() {
            continue;
        }
        for (solver, unsolved) in ITERATIVE.iter().zip(&mut unsolved) {
            match (solver.solve)(&problem) {
                Ok(z) => assert!(scaled_residual(&problem, &z) <= 1e-9, "{} {case}", solver.name),
                Err(Error::Unsolved { z, residual: carried, .. }) => {
                    assert_eq!(carried.to_bits(), residual(&problem, &z).to_bits());
                    *unsolved += 1;
                }
                Err(error) => panic!("{}, {case}: {error}", solver.name),
            }
        }
    }
    let [newton, fischer_burmeister, gauss_seidel, over_relaxed] = unsolved;
    assert!(newton <= 6 && fischer_burmeister <= 12, "{unsolved:?}");
    assert!(gauss_seidel <= 300 && over_relaxed <= 300, "{unsolved:?}");
}

/// The cascade leaves none of them.
#[test]
fn policy_solves_what_can_be() {
    let mut rng = Rng::with_seed(7);
    let mut workspace = lcp::Workspace::default();
    for case in 0..500 {
        let owned = match case % 3 {
            0 => bodies(&mut rng, Rows::Mixed, 0.0),
            1 => bodies(&mut rng, Rows::Contacts, 0.0),
            _ => unsymmetric(&mut rng, Rows::Contacts),
        };
        let problem = owned.problem();
        let solution = lcp::solve_boxed(&problem, &mut workspace).unwrap();
        assert!(scaled_residual(&problem, solution.z) <= 1e-9, "{case}: {solution:?}");
    }
}
