//! The constraints in coordinates in which the objective is a distance.
//!
//! > y = Lᵀ x,  ½ xᵀ H x − fᵀ x = ½ ‖y − L⁻¹ f‖² + const,  cᵀ x ≥ d  ⇔  nᵀ y ≥ b,  n = L⁻¹ c / ‖L⁻¹ c‖
//!
//! so that lengths and angles do not depend on the units of coordinates and of rows.
//!
//! # Source
//!
//! Golub, Van Loan: Matrix Computations (4th edition), algorithm 4.2.2, for L.

use alloc::vec::Vec;

use crate::qp::{Error, Hessian, Problem};
use crate::slices::{cholesky, columns, copy, dot, largest, norm, scale, subtract};

/// The inequalities, then the equations.
#[derive(Clone, Debug, Default)]
pub(super) struct Polyhedron {
    n: usize,
    inequalities: usize,
    lower: Vec<f64>,
    /// L⁻¹ f.
    origin: Vec<f64>,
    /// n of each constraint, one after the other; zero if c is.
    normals: Vec<f64>,
    bounds: Vec<f64>,
    /// ‖L⁻¹ c‖; one if that is zero.
    lengths: Vec<f64>,
}

impl Polyhedron {
    pub(super) fn with_capacity(n: usize, constraints: usize) -> Self {
        Self {
            n: 0,
            inequalities: 0,
            lower: Vec::with_capacity(n * n),
            origin: Vec::with_capacity(n),
            normals: Vec::with_capacity(n * constraints),
            bounds: Vec::with_capacity(constraints),
            lengths: Vec::with_capacity(constraints),
        }
    }

    /// Takes a problem that has been checked.
    ///
    /// # Errors
    ///
    /// [`Error::NotPositiveDefinite`].
    pub(super) fn load(&mut self, problem: &Problem<'_>) -> Result<(), Error> {
        let (n, m, p) = (problem.force.len(), problem.bounds.len(), problem.values.len());
        (self.n, self.inequalities) = (n, m);
        match problem.hessian {
            Hessian::Matrix(h) => factor(copy(&mut self.lower, h), n)?,
            Hessian::Cholesky(l) => check_factor(copy(&mut self.lower, l), n)?,
        }
        self.bounds.clear();
        self.bounds.extend_from_slice(problem.bounds);
        self.bounds.extend_from_slice(problem.values);
        let rows = |a, rows| (0..rows).flat_map(move |k| row(a, rows, k, n));
        self.normals.clear();
        self.normals.extend(rows(problem.inequalities, m).chain(rows(problem.equations, p)));
        let Self { lower, origin, normals, bounds, lengths, .. } = self;
        solve(lower, copy(origin, problem.force));
        lengths.clear();
        for (bound, k) in bounds.iter_mut().zip(0..m + p) {
            let normal = &mut normals[k * n..][..n];
            solve(lower, normal);
            let length = norm(normal);
            let length = if length > 0.0 { length } else { 1.0 };
            scale(normal, 1.0 / length);
            *bound /= length;
            lengths.push(length);
        }
        Ok(())
    }

    pub(super) fn variables(&self) -> usize {
        self.n
    }

    pub(super) fn constraints(&self) -> usize {
        self.bounds.len()
    }

    pub(super) fn is_equation(&self, k: usize) -> bool {
        k >= self.inequalities
    }

    /// y₀.
    pub(super) fn origin(&self) -> &[f64] {
        &self.origin
    }

    pub(super) fn normal(&self, k: usize) -> &[f64] {
        &self.normals[k * self.n..][..self.n]
    }

    /// nᵀ y − b.
    pub(super) fn slack(&self, k: usize, y: &[f64]) -> f64 {
        dot(self.normal(k), y) - self.bounds[k]
    }

    /// The largest number of the problem in these coordinates.
    pub(super) fn size(&self) -> f64 {
        norm(&self.origin).max(largest(&self.bounds))
    }

    /// Writes x from y.
    pub(super) fn restore(&self, y: &[f64], x: &mut Vec<f64>) {
        let x = copy(x, y);
        let n = self.n;
        for k in (0..n).rev() {
            let column = &self.lower[k * n..][..n];
            x[k] = (x[k] - dot(&column[k + 1..], &x[k + 1..])) / column[k];
        }
    }

    /// Writes what a multiplier of constraint `k` is for the problem's own row to λ or ν.
    pub(super) fn write_multiplier(&self, k: usize, u: f64, lambda: &mut [f64], nu: &mut [f64]) {
        let u = u / self.lengths[k];
        if self.is_equation(k) {
            nu[k - self.inequalities] = u;
        } else {
            lambda[k] = u.max(0.0);
        }
    }
}

fn row(a: &[f64], rows: usize, k: usize, n: usize) -> impl Iterator<Item = f64> {
    (0..n).map(move |i| a[i * rows + k])
}

/// Factors a matrix in its lower triangle.
fn factor(a: &mut [f64], n: usize) -> Result<(), Error> {
    cholesky(a, n).map_err(|(column, pivot)| Error::NotPositiveDefinite { column, pivot })
}

fn check_factor(l: &[f64], n: usize) -> Result<(), Error> {
    match (0..n).find(|&k| l[k * n + k] <= 0.0) {
        Some(column) => Err(Error::NotPositiveDefinite { column, pivot: l[column * n + column] }),
        None => Ok(()),
    }
}

/// Solves L y = b in place.
fn solve(lower: &[f64], b: &mut [f64]) {
    for (k, column) in columns(lower, b.len()).enumerate() {
        b[k] /= column[k];
        let x = b[k];
        subtract(&mut b[k + 1..], x, &column[k + 1..]);
    }
}
