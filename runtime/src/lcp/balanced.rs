//! A boxed problem in balanced units.
//!
//! > A' = D A D,  b' = D b / s,  λ = s D λ',  w = s D⁻¹ w'
//!
//! with powers of two, which round nothing: D brings the diagonal of A near one and s the largest
//! entry of b', so that the same threshold fits every pair, whatever the masses and units of its row.

use alloc::vec::Vec;

use super::boxed::{Problem, residual};
use super::scale::power_of_two;
use crate::slices::{columns, copy, largest, sqrt, zeros};

/// A point's largest natural residual, relative to the largest number that b and the bounds bring along.
const ACCEPTED: f64 = 2.5e-10;

/// What is not accepted, whatever the rounding.
const DOUBTFUL: f64 = 1e-6;
/// What rounding may make of w, relative to the largest λ.
pub(super) const ROUNDING: f64 = 1e-14;

/// The problem, and what a unit of each λ' is.
#[derive(Clone, Debug, Default)]
pub(super) struct Balanced {
    a: Vec<f64>,
    b: Vec<f64>,
    lo: Vec<f64>,
    hi: Vec<f64>,
    /// s D.
    unit: Vec<f64>,
}

impl Balanced {
    pub(super) fn with_capacity(n: usize) -> Self {
        let row = || Vec::with_capacity(n);
        Self { a: Vec::with_capacity(n * n), b: row(), lo: row(), hi: row(), unit: row() }
    }

    /// Takes a problem that has been checked.
    pub(super) fn load(&mut self, problem: &Problem<'_>) {
        let n = problem.b.len();
        balance(problem.a, zeros(&mut self.unit, n));
        let d = &self.unit;
        self.a.clear();
        for (column, dj) in columns(problem.a, n).zip(d) {
            self.a.extend(column.iter().zip(d).map(|(a, di)| a * di * dj));
        }
        self.b.clear();
        self.b.extend(problem.b.iter().zip(d).map(|(b, d)| b * d));
        let rest = (0..n).map(|i| problem.rest(i) / d[i]);
        let s = power_of_two(rest.fold(largest(&self.b), |most, rest| most.max(rest.abs())));
        self.b.iter_mut().for_each(|b| *b /= s);
        self.unit.iter_mut().for_each(|d| *d *= s);
        copy(&mut self.lo, problem.lo).iter_mut().zip(&self.unit).for_each(|(x, unit)| *x /= unit);
        copy(&mut self.hi, problem.hi).iter_mut().zip(&self.unit).for_each(|(x, unit)| *x /= unit);
    }

    pub(super) fn problem(&self) -> Problem<'_> {
        Problem { a: &self.a, b: &self.b, lo: &self.lo, hi: &self.hi }
    }

    /// λ' from λ, in place.
    pub(super) fn balance(&self, lambda: &mut [f64]) {
        lambda.iter_mut().zip(&self.unit).for_each(|(x, unit)| *x /= unit);
    }

    /// λ from λ', or a vector of Farkas of the problem from one of the balanced one, in place.
    pub(super) fn restore(&self, lambda: &mut [f64]) {
        lambda.iter_mut().zip(&self.unit).for_each(|(x, unit)| *x *= unit);
    }

    /// The natural residual of λ' by what may be left over of it.
    pub(super) fn badness(&self, lambda: &[f64]) -> f64 {
        let at_bound =
            lambda.iter().zip(&self.lo).zip(&self.hi).filter(|((x, lo), hi)| x == lo || x == hi);
        let scale = at_bound.fold(1.0, |most: f64, ((x, _), _)| most.max(x.abs()));
        residual(&self.problem(), lambda) / accepted(scale, lambda)
    }
}

/// The largest residual of a solution, where b and the bounds bring along numbers of a size of `scale`.
pub(super) fn accepted(scale: f64, lambda: &[f64]) -> f64 {
    (ACCEPTED * scale).max((ROUNDING * largest(lambda)).min(DOUBTFUL))
}

/// Writes D: the inverse root of each diagonal entry; where that is not positive, what brings the largest
/// entry of row and column near one.
pub(super) fn balance(a: &[f64], d: &mut [f64]) {
    let n = d.len();
    for (i, d) in d.iter_mut().enumerate() {
        let diagonal = a[i * n + i];
        *d = if diagonal > 0.0 { power_of_two(1.0 / sqrt(diagonal)) } else { 0.0 };
    }
    for i in 0..n {
        if a[i * n + i] <= 0.0 {
            let cross = |j: usize| a[j * n + i].abs().max(a[i * n + j].abs());
            let pairs = (0..n).filter(|&j| a[j * n + j] > 0.0);
            let coupled = pairs.fold(0.0, |most: f64, j| most.max(cross(j) * d[j]));
            let alone = (0..n).fold(0.0, |most: f64, j| most.max(cross(j)));
            d[i] = power_of_two(if coupled > 0.0 {
                1.0 / coupled
            } else if alone > 0.0 {
                1.0 / sqrt(alone)
            } else {
                1.0
            });
        }
    }
}
