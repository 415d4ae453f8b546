//! Complementarity problems of variables between bounds.
//!
//! > find λ with  w = A λ + b,  lo ≤ λ ≤ hi,  w = w⁺ − w⁻,  w± ≥ 0,  (λ − lo)ᵀ w⁺ = (hi − λ)ᵀ w⁻ = 0
//!
//! so that of every pair, w ≥ 0 at the lower bound, w ≤ 0 at the upper one and w = 0 in between. Bounds
//! may be infinite: a row with neither is the equation w = 0, and a linear complementarity problem has
//! lo = 0 and hi = ∞ everywhere. If A is symmetric and positive semidefinite, the solutions are the
//! minima of ½ λᵀ A λ + bᵀ λ in the box.
//!
//! # Source
//!
//! Cottle, Pang, Stone: The Linear Complementarity Problem (1992), section 1.5, as the mixed problem with
//! upper bounds; Facchinei, Pang: Finite-Dimensional Variational Inequalities and Complementarity Problems
//! (2003), section 1.1, as the variational inequality of a box.

use super::Error;
use super::error::{check_finite, check_length};
use crate::slices::{columns, combine, dot, worse};

/// What a vector of Farkas must show, as [`farkas`] measures it.
pub(super) const FAR: f64 = 1e8;

/// A boxed problem of n variables.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Problem<'a> {
    /// A, (n, n) column by column.
    pub a: &'a [f64],
    /// b, (n).
    pub b: &'a [f64],
    /// Lower bounds, (n); −∞ where there is none.
    pub lo: &'a [f64],
    /// Upper bounds, (n); ∞ where there is none.
    pub hi: &'a [f64],
}

impl Problem<'_> {
    /// Whether the shapes agree, A and b are finite, and there are numbers between all bounds.
    ///
    /// # Errors
    ///
    /// [`Error::Length`], [`Error::NotFinite`] or [`Error::EmptyBox`], of the first that is not so.
    pub fn check(&self) -> Result<(), Error> {
        let n = self.b.len();
        check_length("a", self.a, n.saturating_mul(n))?;
        check_length("lo", self.lo, n)?;
        check_length("hi", self.hi, n)?;
        check_finite("a", self.a)?;
        check_finite("b", self.b)?;
        for (index, (&lo, &hi)) in self.lo.iter().zip(self.hi).enumerate() {
            for (what, value) in [("lo", lo), ("hi", hi)] {
                if value.is_nan() {
                    return Err(Error::NotFinite { what, index, value });
                }
            }
            if lo > hi || lo == f64::INFINITY || hi == f64::NEG_INFINITY {
                return Err(Error::EmptyBox { index, lo, hi });
            }
        }
        Ok(())
    }

    /// The number between the bounds of entry `i` that is nearest to zero.
    pub(super) fn rest(&self, i: usize) -> f64 {
        if self.lo[i] > 0.0 {
            self.lo[i]
        } else if self.hi[i] < 0.0 {
            self.hi[i]
        } else {
            0.0
        }
    }

    /// How far a pair is from complementarity, λ − mid(lo, λ − w, hi).
    pub(super) fn natural(&self, i: usize, lambda: f64, w: f64) -> f64 {
        natural(lambda, w, self.lo[i], self.hi[i])
    }
}

/// The natural residual ‖λ − mid(lo, λ − w, hi)‖∞, zero exactly at the solutions; NaN if a number is NaN or
/// the shapes do not agree. As a sum of λ and w it depends on units: that of a problem in balanced units
/// is the more telling one.
pub fn residual(problem: &Problem<'_>, lambda: &[f64]) -> f64 {
    let n = problem.b.len();
    if [problem.lo.len(), problem.hi.len()] != [n; 2] {
        return f64::NAN;
    }
    residual_between(problem.a, problem.b, |i| (problem.lo[i], problem.hi[i]), lambda)
}

/// The same with bounds from anywhere.
pub(super) fn residual_between(
    a: &[f64],
    b: &[f64],
    bounds: impl Fn(usize) -> (f64, f64),
    lambda: &[f64],
) -> f64 {
    let n = b.len();
    if lambda.len() != n || a.len() != n.saturating_mul(n) {
        return f64::NAN;
    }
    // Of so many rows at a time, each column has a stretch without gaps.
    let mut stretch = [0.0; 64];
    let mut largest = 0.0;
    for start in (0..n).step_by(stretch.len()) {
        let rows = start..n.min(start + stretch.len());
        let w = &mut stretch[..rows.len()];
        w.copy_from_slice(&b[rows.clone()]);
        combine(w, lambda.iter().zip(columns(a, n)).map(|(&x, column)| (x, &column[rows.clone()])));
        for (i, &w) in rows.zip(&*w) {
            let (lo, hi) = bounds(i);
            largest = worse(largest, natural(lambda[i], w, lo, hi).abs());
        }
    }
    largest
}

/// λ − mid(lo, λ − w, hi); NaN if one of them is.
pub(super) fn natural(lambda: f64, w: f64, lo: f64, hi: f64) -> f64 {
    if lo.is_nan() || hi.is_nan() || lambda.is_nan() {
        f64::NAN
    } else if lambda - w < lo {
        lambda - lo
    } else if lambda - w > hi {
        lambda - hi
    } else {
        w
    }
}

/// How large the entries of a solution must at least be, as `y`, (n), shows: infinite if it proves that
/// there is none, zero if it shows nothing; NaN if the shapes do not agree.
///
/// A λ in the box can solve the problem only if w ≥ 0 where hi = ∞ alone, w ≤ 0 where lo = −∞ alone, and
/// w = 0 where both are infinite. So let yᵢ ≥ 0, ≤ 0, of any sign there, and yᵢ = 0 where both are finite.
/// Then yᵀ (A λ + b) ≥ 0, of which
///
/// > (Aᵀ y)ᵀ λ + bᵀ y ≤ −δ + ε ‖λ‖∞,  δ = −bᵀ y − Σⱼ max of (Aᵀ y)ⱼ λⱼ between finite bounds,
/// > ε = Σⱼ |(Aᵀ y)ⱼ| over those where that is infinite
///
/// leaves ‖λ‖∞ ≥ δ / ε if δ > 0. A vector of Farkas has ε = 0. In floating point, ε is some 1e-16 of the
/// terms in Aᵀ y.
///
/// # Source
///
/// Farkas' lemma; Cottle, Pang, Stone (1992), section 2.7.
pub fn farkas(problem: &Problem<'_>, y: &[f64]) -> f64 {
    if [problem.lo.len(), problem.hi.len()] != [problem.b.len(); 2] {
        return f64::NAN;
    }
    farkas_between(problem.a, problem.b, |i| (problem.lo[i], problem.hi[i]), y)
}

/// Whether a solver believes that `y` proves a problem with numbers near one to have no solution.
pub(super) fn is_refuted(problem: &Problem<'_>, y: &[f64]) -> bool {
    farkas(problem, y) >= FAR
}

/// The same with bounds from anywhere.
pub(super) fn farkas_between(
    a: &[f64],
    b: &[f64],
    bounds: impl Fn(usize) -> (f64, f64),
    y: &[f64],
) -> f64 {
    let n = b.len();
    if y.len() != n || a.len() != n.saturating_mul(n) {
        return f64::NAN;
    }
    let (mut margin, mut loss) = (-dot(b, y), 0.0);
    for (j, column) in columns(a, n).enumerate() {
        let (lo, hi) = bounds(j);
        if (y[j] > 0.0 && hi < f64::INFINITY) || (y[j] < 0.0 && lo > f64::NEG_INFINITY) {
            return 0.0;
        }
        let slope = dot(column, y);
        let bound = if slope > 0.0 { hi } else { lo };
        if slope != 0.0 && bound.is_infinite() {
            loss += slope.abs();
        } else if slope != 0.0 {
            margin -= slope * bound;
        }
    }
    if margin > 0.0 { margin / loss } else { 0.0 }
}
