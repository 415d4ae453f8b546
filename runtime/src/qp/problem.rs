//! What a quadratic program is, and how well a point solves it.

use super::Error;
use super::error::check;
use crate::slices::{columns, dot, worse};

/// minimise ½ xᵀ H x − fᵀ x  subject to  C x ≥ d,  E x = e, with n variables, m inequalities and p equations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Problem<'a> {
    /// H.
    pub hessian: Hessian<'a>,
    /// f, (n).
    pub force: &'a [f64],
    /// C, (m, n) column by column.
    pub inequalities: &'a [f64],
    /// d, (m).
    pub bounds: &'a [f64],
    /// E, (p, n) column by column.
    pub equations: &'a [f64],
    /// e, (p).
    pub values: &'a [f64],
}

/// A positive definite matrix, (n, n) column by column. Of either only the lower triangle is read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Hessian<'a> {
    /// H.
    Matrix(&'a [f64]),
    /// L, lower triangular with a positive diagonal, where H = L Lᵀ.
    Cholesky(&'a [f64]),
}

/// What is left over of the conditions of optimality.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Quality {
    /// Primal less dual objective, ½ xᵀ H x − fᵀ x + ½ xᵀ H x − dᵀ λ − eᵀ ν, as the sum of λᵀ (C x − d),
    /// νᵀ (E x − e) and xᵀ (H x − f − Cᵀ λ − Eᵀ ν); for x that satisfies the constraints and H x = f + Cᵀ λ +
    /// Eᵀ ν it bounds how much less the objective could be.
    pub gap: f64,
    /// ‖H x − f − Cᵀ λ − Eᵀ ν‖∞.
    pub stationarity: f64,
    /// By how much a constraint is violated at most.
    pub violation: f64,
    /// The largest −λ.
    pub sign: f64,
}

impl Problem<'_> {
    /// Whether the shapes agree and all numbers are finite.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] and [`Error::NotFinite`], of the first that is not so.
    pub fn check(&self) -> Result<(), Error> {
        let (n, m, p) = (self.force.len(), self.bounds.len(), self.values.len());
        let (Hessian::Matrix(hessian) | Hessian::Cholesky(hessian)) = self.hessian;
        check("force", self.force, n)?;
        check("bounds", self.bounds, m)?;
        check("values", self.values, p)?;
        check("hessian", hessian, n.saturating_mul(n))?;
        check("inequalities", self.inequalities, m.saturating_mul(n))?;
        check("equations", self.equations, p.saturating_mul(n))
    }

    /// (H x)ᵢ.
    fn hessian_times(&self, i: usize, x: &[f64]) -> f64 {
        let n = x.len();
        match self.hessian {
            Hessian::Matrix(h) => (0..n).map(|j| h[i.min(j) * n + i.max(j)] * x[j]).sum(),
            Hessian::Cholesky(l) => {
                let down = |k: usize| dot(&l[k * n + k..][..n - k], &x[k..]);
                (0..=i).map(|k| l[k * n + i] * down(k)).sum()
            }
        }
    }
}

/// How well `x`, (n), with the multipliers λ, (m), and ν, (p), solves the problem; NaN if a number is NaN or
/// the shapes do not agree.
pub fn quality(problem: &Problem<'_>, x: &[f64], lambda: &[f64], nu: &[f64]) -> Quality {
    let (n, m, p) = (problem.force.len(), problem.bounds.len(), problem.values.len());
    if [x.len(), lambda.len(), nu.len()] != [n, m, p] || problem.check().is_err() {
        let unknown = f64::NAN;
        return Quality { gap: unknown, stationarity: unknown, violation: unknown, sign: unknown };
    }
    let mut quality = Quality::default();
    for i in 0..n {
        let c = columns(problem.inequalities, m).nth(i).map_or(0.0, |c| dot(c, lambda));
        let e = columns(problem.equations, p).nth(i).map_or(0.0, |e| dot(e, nu));
        let slope = problem.hessian_times(i, x) - problem.force[i] - c - e;
        quality.gap += x[i] * slope;
        quality.stationarity = worse(quality.stationarity, slope.abs());
    }
    let row =
        |a: &[f64], rows: usize, k: usize| (0..n).map(|i| a[i * rows + k] * x[i]).sum::<f64>();
    for (k, (lambda, bound)) in lambda.iter().zip(problem.bounds).enumerate() {
        let slack = row(problem.inequalities, m, k) - bound;
        quality.gap += lambda * slack;
        quality.violation = worse(quality.violation, -slack);
        quality.sign = worse(quality.sign, -lambda);
    }
    for (k, (nu, value)) in nu.iter().zip(problem.values).enumerate() {
        let error = row(problem.equations, p, k) - value;
        quality.gap += nu * error;
        quality.violation = worse(quality.violation, error.abs());
    }
    quality
}

/// How large the entries of a point that satisfies the constraints must at least be, as y, (m), and z, (p),
/// show: infinite if they prove that there is none, zero if they show nothing; NaN if the shapes do not
/// agree.
///
/// > dᵀ y + eᵀ z ≤ (Cᵀ y + Eᵀ z)ᵀ x ≤ ‖Cᵀ y + Eᵀ z‖₁ ‖x‖∞  for y ≥ 0
///
/// # Source
///
/// Farkas' lemma; Boyd, Vandenberghe (2004), section 5.8.
pub fn farkas(problem: &Problem<'_>, y: &[f64], z: &[f64]) -> f64 {
    let (n, m, p) = (problem.force.len(), problem.bounds.len(), problem.values.len());
    let shapes = [problem.inequalities.len(), problem.equations.len(), y.len(), z.len()];
    if shapes != [m.saturating_mul(n), p.saturating_mul(n), m, p] {
        return f64::NAN;
    }
    let margin = dot(problem.bounds, y) + dot(problem.values, z);
    if y.iter().any(|y| *y < 0.0) || margin.is_nan() || margin <= 0.0 {
        return 0.0;
    }
    let slope = |i: usize| {
        let c = columns(problem.inequalities, m).nth(i).map_or(0.0, |c| dot(c, y));
        c + columns(problem.equations, p).nth(i).map_or(0.0, |e| dot(e, z))
    };
    margin / (0..n).map(|i| slope(i).abs()).sum::<f64>()
}
