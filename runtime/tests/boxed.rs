//! Problems of variables between bounds: what their residual and vectors of Farkas say.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

use jourdain::lcp::boxed::{self, Problem, farkas, residual};
use jourdain::lcp::{self, Error, Method, Status, dantzig, gauss_seidel};

const NONE: f64 = f64::INFINITY;

#[test]
fn residual_is_zero_at_solutions_of_each_kind() {
    // w = 2 λ + b: below, between and above the bounds, and without any.
    for (b, lo, hi, lambda) in [
        (1.0, 0.0, NONE, 0.0),
        (-1.0, 0.0, NONE, 0.5),
        (-1.0, 0.0, 0.25, 0.25),
        (1.0, -0.25, 0.25, -0.25),
        (0.0, -1.0, 1.0, 0.0),
        (3.0, -NONE, NONE, -1.5),
        (3.0, -NONE, -2.0, -2.0),
        (3.0, 7.0, 7.0, 7.0),
    ] {
        let problem = Problem { a: &[2.0], b: &[b], lo: &[lo], hi: &[hi] };
        assert_eq!(residual(&problem, &[lambda]), 0.0, "{problem:?}");
        assert!(lo == hi || residual(&problem, &[lambda + 0.125]) > 0.0);
    }
}

#[test]
fn residual_of_a_complementarity_problem_is_that_of_the_box() {
    let (m, q) = ([2.0, 1.0, 1.0, 2.0], [-5.0, -6.0]);
    let problem = Problem { a: &m, b: &q, lo: &[0.0; 2], hi: &[NONE; 2] };
    for z in [[0.0, 0.0], [1.0, 2.0], [-1.0, 0.5], [4.0 / 3.0, 7.0 / 3.0]] {
        assert_eq!(residual(&problem, &z), lcp::residual(&m, &q, &z));
    }
}

#[test]
fn residual_passes_no_number_over() {
    let problem = Problem { a: &[2.0], b: &[1.0], lo: &[0.0], hi: &[NONE] };
    assert!(residual(&problem, &[f64::NAN]).is_nan());
    assert!(residual(&Problem { b: &[f64::NAN], ..problem }, &[1.0]).is_nan());
    assert!(residual(&Problem { lo: &[f64::NAN], ..problem }, &[1.0]).is_nan());
    assert!(residual(&Problem { hi: &[f64::NAN], ..problem }, &[1.0]).is_nan());
    assert!(residual(&Problem { hi: &[], ..problem }, &[1.0]).is_nan());
    assert!(residual(&problem, &[]).is_nan());
}

/// Two rows that pull at one body, [1 −1; −1 1], ask for opposite velocities.
#[test]
fn vectors_of_farkas_are_told_from_others() {
    let problem =
        Problem { a: &[1.0, -1.0, -1.0, 1.0], b: &[-1.0; 2], lo: &[0.0; 2], hi: &[NONE; 2] };
    assert_eq!(farkas(&problem, &[1.0, 1.0]), NONE);
    assert_eq!(farkas(&problem, &[1.0, 0.5]), 1.5 / 0.5);
    assert_eq!(farkas(&problem, &[-1.0, 1.0]), 0.0);
    assert_eq!(farkas(&problem, &[0.0, 0.0]), 0.0);
    assert!(farkas(&problem, &[1.0]).is_nan());
    // As equations they contradict one another by both signs of y, if b does.
    let equations = Problem { lo: &[-NONE; 2], ..problem };
    assert_eq!(farkas(&equations, &[1.0, 1.0]), NONE);
    assert_eq!(farkas(&equations, &[-1.0, -1.0]), 0.0);
    assert_eq!(farkas(&Problem { b: &[1.0; 2], ..equations }, &[-1.0, -1.0]), NONE);
    // A bound above lets w be negative there, so that y must be zero.
    assert_eq!(farkas(&Problem { hi: &[2.0; 2], ..problem }, &[1.0, 1.0]), 0.0);
    // λ₂ ≤ 2 does what it can for w₁ = λ₁ + λ₂ − b ≥ 0 where λ₁ can do nothing.
    let bounded =
        Problem { a: &[0.0, 0.0, 1.0, 0.0], b: &[-3.0, 0.0], lo: &[0.0; 2], hi: &[NONE, 2.0] };
    assert_eq!(farkas(&bounded, &[1.0, 0.0]), NONE);
    assert_eq!(farkas(&Problem { b: &[-2.0, 0.0], ..bounded }, &[1.0, 0.0]), 0.0);
}

#[test]
fn bad_input_is_named() {
    let good = Problem { a: &[1.0], b: &[1.0], lo: &[0.0], hi: &[NONE] };
    assert_eq!(good.check(), Ok(()));
    let check = |problem: Problem<'_>| problem.check().unwrap_err();
    assert_eq!(
        check(Problem { a: &[], ..good }),
        Error::Length { what: "a", length: 0, expected: 1 }
    );
    assert_eq!(
        check(Problem { hi: &[1.0; 2], ..good }),
        Error::Length { what: "hi", length: 2, expected: 1 }
    );
    assert!(matches!(
        check(Problem { b: &[f64::NAN], ..good }),
        Error::NotFinite { what: "b", index: 0, .. }
    ));
    assert!(matches!(
        check(Problem { lo: &[f64::NAN], ..good }),
        Error::NotFinite { what: "lo", index: 0, .. }
    ));
    let empty = [(2.0, 1.0), (NONE, NONE), (-NONE, -NONE), (NONE, -NONE)];
    for (lo, hi) in empty {
        let found = boxed::Problem { lo: &[lo], hi: &[hi], ..good }.check().unwrap_err();
        assert_eq!(found, Error::EmptyBox { index: 0, lo, hi });
    }
}

#[test]
fn relaxation_that_does_not_converge_is_named() {
    let problem = Problem { a: &[1.0], b: &[-1.0], lo: &[0.0], hi: &[NONE] };
    for value in [0.0, 2.0, -1.0, NONE] {
        let mut workspace = gauss_seidel::Workspace::default().relaxation(value);
        let error = gauss_seidel::solve(&problem, &mut workspace).unwrap_err();
        assert_eq!(error, Error::Parameter { parameter: "relaxation", value });
    }
}

/// A workspace that has solved problems of other sizes starts anew, and one that was given a start uses it.
#[test]
fn starts_are_taken_if_they_fit() {
    let problem = Problem { a: &[1.0], b: &[-1.0], lo: &[0.0], hi: &[NONE] };
    let mut workspace = dantzig::Workspace::default();
    workspace.start_at(&[1.0, 2.0]);
    let found = dantzig::resume(&problem, &mut workspace).unwrap();
    assert_eq!((found.status, found.z), (Status::Solved(Method::Dantzig), &[1.0][..]));
    workspace.start_at(&[0.5]);
    let found = dantzig::resume(&problem, &mut workspace).unwrap();
    assert_eq!((found.status, found.pivots), (Status::Resumed(Method::Dantzig), 0));
    workspace.start_at(&[f64::NAN]);
    let error = dantzig::resume(&problem, &mut workspace).unwrap_err();
    assert!(matches!(error, Error::NotFinite { what: "start", index: 0, .. }));
}
