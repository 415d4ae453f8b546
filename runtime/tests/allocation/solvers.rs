//! Solvers on plain slices, and the narrow phase.

use jourdain::Pose;
use jourdain::description::ShapeKind;
use jourdain::geometry::{Narrow, Solid};
use jourdain::lcp::boxed::Problem;
use jourdain::lcp::{self, dantzig, gauss_seidel, lemke, newton};
use jourdain::qp::{self, dual_active_set};
use nalgebra::{Matrix3, Vector3};

use super::allocations;
use crate::numbers::Numbers;

/// M = A Aᵀ + ¹⁄₁₀ of a sequence of numbers between −1 and 1, and q from it.
fn problem(n: usize) -> (Vec<f64>, Vec<f64>) {
    let mut numbers = Numbers(1);
    let a: Vec<f64> = (0..n * n).map(|_| numbers.next()).collect();
    let entry = |i: usize, j: usize| (0..n).map(|k| a[k * n + i] * a[k * n + j]).sum::<f64>();
    let m = (0..n * n).map(|e| entry(e % n, e / n) + if e % (n + 1) == 0 { 0.1 } else { 0.0 });
    (m.collect(), (0..n).map(|_| numbers.next()).collect())
}

#[test]
fn lemke() {
    let (m, q) = problem(30);
    let mut workspace = lemke::Workspace::with_capacity(30);
    assert_eq!(allocations(|| lemke::solve(&m, &q, &mut workspace).unwrap().pivots), 0);
    assert_eq!(allocations(|| lemke::resume(&m, &q, &mut workspace).unwrap().pivots), 0);
}

#[test]
fn dantzig() {
    let (a, b) = problem(30);
    let problem = Problem { a: &a, b: &b, lo: &[0.0; 30], hi: &[f64::INFINITY; 30] };
    let mut workspace = dantzig::Workspace::with_capacity(30);
    assert_eq!(allocations(|| dantzig::solve(&problem, &mut workspace).unwrap().pivots), 0);
    assert_eq!(allocations(|| dantzig::resume(&problem, &mut workspace).unwrap().pivots), 0);
}

#[test]
fn dual_active_set() {
    let (hessian, force) = problem(20);
    let (inequalities, _) = problem(20);
    let problem = qp::Problem {
        hessian: qp::Hessian::Matrix(&hessian),
        force: &force,
        inequalities: &inequalities,
        bounds: &[1.0; 20],
        equations: &[1.0; 20],
        values: &[1.0],
    };
    let mut workspace = dual_active_set::Workspace::with_capacity(20, 21);
    let mut pivots = 0;
    let mut solve = || pivots = dual_active_set::solve(&problem, &mut workspace).unwrap().pivots;
    assert_eq!(allocations(&mut solve), 0);
    assert!(pivots > 1);
    assert_eq!(
        allocations(|| dual_active_set::resume(&problem, &mut workspace).unwrap().pivots),
        0
    );
}

#[test]
fn newton() {
    let (a, b) = problem(30);
    let problem = Problem { a: &a, b: &b, lo: &[0.0; 30], hi: &[f64::INFINITY; 30] };
    for equation in [newton::Equation::Natural, newton::Equation::FischerBurmeister] {
        let mut workspace = newton::Workspace::with_capacity(30).equation(equation);
        assert_eq!(allocations(|| newton::solve(&problem, &mut workspace).unwrap().pivots), 0);
        assert_eq!(allocations(|| newton::resume(&problem, &mut workspace).unwrap().pivots), 0);
    }
}

#[test]
fn gauss_seidel() {
    let (a, b) = problem(30);
    let problem = Problem { a: &a, b: &b, lo: &[0.0; 30], hi: &[1.0; 30] };
    let mut workspace = gauss_seidel::Workspace::with_capacity(30);
    assert_eq!(allocations(|| gauss_seidel::solve(&problem, &mut workspace).unwrap().pivots), 0);
    assert_eq!(allocations(|| gauss_seidel::resume(&problem, &mut workspace).unwrap().pivots), 0);
}

#[test]
fn policy() {
    let (m, q) = problem(30);
    let mut workspace = lcp::Workspace::with_capacity(30);
    assert_eq!(allocations(|| lcp::solve(&m, &q, &mut workspace).unwrap().pivots), 0);
    assert_eq!(allocations(|| lcp::resume(&m, &q, &mut workspace).unwrap().pivots), 0);
}

/// Of boxes on each other, once there is room for their points.
#[test]
fn narrow_phase() {
    let cube = Solid::new(ShapeKind::Box, &[1.0; 3]).unwrap();
    let at = |z: f64| Pose { rotation: Matrix3::identity(), position: Vector3::new(0.1, 0.2, z) };
    let mut narrow = Narrow::default();
    let mut touch = || narrow.touches((&cube, &at(1.0)), (&cube, &at(0.0)), 0.01).len();
    assert_eq!(touch(), 4);
    assert_eq!(allocations(touch), 0);
}
