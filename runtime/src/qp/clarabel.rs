//! A second opinion of quadratic programs: the interior-point method of Clarabel.
//!
//! > minimise ½ xᵀ H x − fᵀ x  subject to  C x ≥ d,  E x = e
//!
//! Clarabel minimises ½ xᵀ P x + qᵀ x subject to A x + s = b, s = 0 or s ≥ 0: here P = H, q = −f,
//! A = \[E; −C\] and b = \[e; −d\], and its multipliers are −ν and λ.
//!
//! Class: H positive definite, any constraints. It allocates and has no warm start; its accuracy is some
//! 1e-8 where that of an active set is 1e-15, and its vectors of Farkas may show little. On failure: as
//! [`dual_active_set`](super::dual_active_set).
//!
//! # Source
//!
//! Goulart, Chen: Clarabel: An interior-point solver for conic programs with quadratic objectives (2024).

use alloc::vec;
use alloc::vec::Vec;

use clarabel::algebra::CscMatrix;
use clarabel::solver::{
    DefaultSettings, DefaultSolver, IPSolver, NonnegativeConeT, SolverStatus, ZeroConeT,
};

use super::{Error, Hessian, Problem, Quality, quality};

/// A solution.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// x, (n).
    pub x: Vec<f64>,
    /// λ, (m).
    pub inequality_multipliers: Vec<f64>,
    /// ν, (p).
    pub equation_multipliers: Vec<f64>,
    /// How well the conditions of optimality hold, recomputed from the problem's own numbers.
    pub quality: Quality,
    /// Number of iterations.
    pub iterations: usize,
}

/// Solves the problem.
///
/// # Errors
///
/// [`Error::Infeasible`], [`Error::Unsolved`], [`Error::Length`] and [`Error::NotFinite`].
///
/// # Source
///
/// Goulart, Chen (2024).
pub fn solve(problem: &Problem<'_>) -> Result<Point, Error> {
    problem.check()?;
    let (n, m, p) = (problem.force.len(), problem.bounds.len(), problem.values.len());
    let objective = columns(n, n, |i, j| if i <= j { hessian(problem, i, j) } else { 0.0 });
    let constraints = columns(p + m, n, |k, j| match k.checked_sub(p) {
        None => problem.equations[j * p + k],
        Some(k) => -problem.inequalities[j * m + k],
    });
    let linear: Vec<f64> = problem.force.iter().map(|f| -f).collect();
    let offsets = problem.values.iter().copied().chain(problem.bounds.iter().map(|d| -d));
    let offsets: Vec<f64> = offsets.collect();
    let cones = [ZeroConeT(p), NonnegativeConeT(m)];
    let settings = DefaultSettings { verbose: false, ..DefaultSettings::default() };
    let unsolved = |x: Vec<f64>, lambda: &[f64], nu: &[f64], pivots| Error::Unsolved {
        quality: quality(problem, &x, lambda, nu),
        x,
        pivots,
    };
    let solver = DefaultSolver::new(&objective, &linear, &constraints, &offsets, &cones, settings);
    let Ok(mut solver) = solver else {
        return Err(unsolved(vec![0.0; n], &vec![0.0; m], &vec![0.0; p], 0));
    };
    solver.solve();
    let solution = solver.solution;
    let iterations = solution.iterations as usize;
    let nu: Vec<f64> = solution.z[..p].iter().map(|z| -z).collect();
    let lambda: Vec<f64> = solution.z[p..].iter().map(|z| z.max(0.0)).collect();
    match solution.status {
        SolverStatus::Solved => Ok(Point {
            quality: quality(problem, &solution.x, &lambda, &nu),
            x: solution.x,
            inequality_multipliers: lambda,
            equation_multipliers: nu,
            iterations,
        }),
        SolverStatus::PrimalInfeasible => {
            Err(Error::Infeasible { y: lambda, z: nu, pivots: iterations })
        }
        _ => Err(unsolved(solution.x, &lambda, &nu, iterations)),
    }
}

/// H_ij.
fn hessian(problem: &Problem<'_>, i: usize, j: usize) -> f64 {
    let n = problem.force.len();
    match problem.hessian {
        Hessian::Matrix(h) => h[i.min(j) * n + i.max(j)],
        Hessian::Cholesky(l) => (0..=i.min(j)).map(|k| l[k * n + i] * l[k * n + j]).sum(),
    }
}

/// A matrix by its entries, without those that are zero.
fn columns(rows: usize, columns: usize, entry: impl Fn(usize, usize) -> f64) -> CscMatrix<f64> {
    let (mut starts, mut places, mut values) = (vec![0], Vec::new(), Vec::new());
    for j in 0..columns {
        for i in 0..rows {
            let value = entry(i, j);
            if value != 0.0 {
                places.push(i);
                values.push(value);
            }
        }
        starts.push(values.len());
    }
    CscMatrix::new(rows, columns, starts, places, values)
}
