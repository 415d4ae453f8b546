//! Problems with known answers, for every solver whose class they are of; the others must solve them or say
//! that they do not.

use std::time::{Duration, Instant};

use jourdain::lcp::boxed::Problem;
use jourdain::lcp::{self, Attempt, Error, Method, farkas, residual};

use crate::solvers::{EXACT, ITERATIVE, Solver};

/// Column by column from rows.
fn matrix<const N: usize>(rows: [[f64; N]; N]) -> Vec<f64> {
    (0..N * N).map(|e| rows[e % N][e / N]).collect()
}

/// Ones on the diagonal and twos above it.
fn murty(n: usize) -> Vec<f64> {
    let entry = |i: usize, j: usize| match i.cmp(&j) {
        std::cmp::Ordering::Less => 2.0,
        std::cmp::Ordering::Equal => 1.0,
        std::cmp::Ordering::Greater => 0.0,
    };
    (0..n * n).map(|e| entry(e % n, e / n)).collect()
}

fn lemke(m: &[f64], q: &[f64]) -> Result<Vec<f64>, Error> {
    let mut workspace = lcp::lemke::Workspace::default();
    lcp::lemke::solve(m, q, &mut workspace).map(|solution| solution.z.to_vec())
}

fn run(solver: &Solver, m: &[f64], q: &[f64]) -> Result<Vec<f64>, Error> {
    let (lo, hi) = (vec![0.0; q.len()], vec![f64::INFINITY; q.len()]);
    (solver.solve)(&Problem { a: m, b: q, lo: &lo, hi: &hi })
}

fn assert_near(z: &[f64], expected: &[f64], name: &str) {
    let worst = z.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(worst <= 1e-8 && z.len() == expected.len(), "{name}: {z:?}, expected {expected:?}");
}

/// Solved by Lemke and by the solvers of P-matrices; no other solver claims another answer.
fn assert_solved_by_all(m: &[f64], q: &[f64], expected: &[f64]) {
    assert_near(&lemke(m, q).unwrap(), expected, "Lemke");
    for solver in EXACT.iter().chain(&ITERATIVE[..2]) {
        let z = run(solver, m, q).unwrap_or_else(|error| panic!("{}: {error}", solver.name));
        assert_near(&z, expected, solver.name);
    }
    assert_no_other_answer(m, q, expected);
}

fn assert_no_other_answer(m: &[f64], q: &[f64], expected: &[f64]) {
    for solver in EXACT.iter().chain(&ITERATIVE) {
        match run(solver, m, q) {
            Ok(z) => assert_near(&z, expected, solver.name),
            Err(Error::Unsolved { z, residual: carried, .. }) => {
                assert_eq!(carried.to_bits(), residual(m, q, &z).to_bits(), "{}", solver.name);
            }
            Err(error) => panic!("{}: {error}", solver.name),
        }
    }
}

#[test]
fn two_by_two() {
    let (m, q) = (matrix([[2.0, 1.0], [1.0, 2.0]]), [-5.0, -6.0]);
    assert_solved_by_all(&m, &q, &[4.0 / 3.0, 7.0 / 3.0]);
    for solver in &ITERATIVE[2..] {
        assert_near(&run(solver, &m, &q).unwrap(), &[4.0 / 3.0, 7.0 / 3.0], solver.name);
    }
}

#[test]
fn a_game_that_is_not_copositive() {
    let m = matrix([[0.0, -1.0, 2.0], [2.0, 0.0, -2.0], [-1.0, 1.0, 0.0]]);
    let q = [-3.0, 6.0, -1.0];
    assert_near(&lemke(&m, &q).unwrap(), &[0.0, 1.0, 3.0], "Lemke");
    assert_no_other_answer(&m, &q, &[0.0, 1.0, 3.0]);
}

#[test]
fn the_cycle_of_kostreva() {
    let m = matrix([[1.0, 2.0, 0.0], [0.0, 1.0, 2.0], [2.0, 0.0, 1.0]]);
    assert_solved_by_all(&m, &[-1.0; 3], &[1.0 / 3.0; 3]);
}

/// Principal pivoting takes 2ⁿ − 1 pivots here, Lemke's method a few.
#[test]
fn upper_triangle_of_murty() {
    for n in [1, 2, 5, 10] {
        let mut last = vec![0.0; n];
        last[n - 1] = 1.0;
        assert_solved_by_all(&murty(n), &vec![-1.0; n], &last);
    }
}

/// Lemke takes 2⁵⁰ pivots, so another solver has to take over.
#[test]
fn murtys_doubling_family_returns_within_a_second() {
    let n = 50;
    let two = |k: usize| f64::powi(2.0, k as i32);
    let q: Vec<f64> = (0..n).map(|i| two(i) - two(n)).collect();
    let mut workspace = lcp::Workspace::with_capacity(n);
    let start = Instant::now();
    let solution = lcp::solve(&murty(n), &q, &mut workspace).unwrap();
    assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
    assert_ne!(solution.status.method(), Method::Lemke);
    assert!(solution.residual <= 1e-9 * two(n), "{:e}", solution.residual);
    assert_eq!(solution.z[n - 1], two(n - 1));
    assert!(solution.z[..n - 1].iter().all(|z| *z <= 1e-9 * two(n)), "{:?}", solution.z);
}

#[test]
fn no_solution_is_refused() {
    let (m, q) = ([-1.0], [-1.0]);
    let proofs =
        [lemke(&m, &q), lcp::solve(&m, &q, &mut lcp::Workspace::default()).map(|_| vec![])];
    for refused in proofs {
        let Err(Error::Infeasible { y, .. }) = refused else { panic!("{refused:?}") };
        assert_eq!(farkas(&m, &q, &y), f64::INFINITY);
    }
    for solver in EXACT.iter().chain(&ITERATIVE) {
        match run(solver, &m, &q).unwrap_err() {
            Error::Infeasible { y, .. } => assert_eq!(farkas(&m, &q, &y), f64::INFINITY),
            Error::Unsolved { residual, .. } => assert!(residual >= 1.0),
            error => panic!("{error}"),
        }
    }
}

#[test]
fn the_policy_is_kept() {
    let (m, q) = (matrix([[2.0, 1.0], [1.0, 2.0]]), [-5.0, -6.0]);
    let all = [
        Method::Lemke,
        Method::Dantzig,
        Method::NewtonMin,
        Method::FischerBurmeister,
        Method::GaussSeidel,
    ];
    for method in all {
        let attempt = Attempt { method, pivots_per_pair: 1000 };
        let mut workspace = lcp::Workspace::default().policy(&[attempt]);
        let found = lcp::solve(&m, &q, &mut workspace).unwrap().status;
        assert_eq!(found, lcp::Status::Solved(method));
        let found = lcp::resume(&m, &q, &mut workspace).unwrap();
        assert_eq!((found.status, found.residual <= 1e-9), (lcp::Status::Resumed(method), true));
    }
    let none = lcp::solve(&m, &q, &mut lcp::Workspace::default().policy(&[])).unwrap_err();
    assert_eq!(none, Error::Unsolved { z: vec![0.0; 2], residual: 6.0, pivots: 0 });
    // Lemke's method is for no box, and passed over.
    let problem = Problem { a: &m, b: &q, lo: &[0.0; 2], hi: &[1.0; 2] };
    let mut workspace = lcp::Workspace::default();
    let boxed = lcp::solve_boxed(&problem, &mut workspace).unwrap();
    assert_eq!((boxed.status.method(), boxed.z), (Method::Dantzig, &[1.0, 1.0][..]));
}
