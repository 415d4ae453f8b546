//! Impulses along edges of polyhedral cones.
//!
//! > Λ = W x + λ₀,  W a column for each edge
//!
//! An edge of a contact's polygon is d_k = cos(2πk/η) t₁ + sin(2πk/η) t₂, one of its pyramid n + μ d_k; a
//! bounded row is its own edge.

use alloc::vec::Vec;

use super::direction;
use super::problem::Problem;
use crate::slices;

/// A column of W: weights of up to three rows from `first` on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Column {
    first: usize,
    weights: [f64; 3],
    rows: usize,
}

impl Column {
    /// Along one row, with a sign.
    pub(super) fn row(first: usize, sign: f64) -> Self {
        Self { first, weights: [sign, 0.0, 0.0], rows: 1 }
    }

    /// n weights the normal of a contact, `tangential` the direction k of `count`.
    pub(super) fn edge(first: usize, normal: f64, tangential: f64, k: usize, count: usize) -> Self {
        let [x, y] = direction(k, count);
        Self { first, weights: [normal, tangential * x, tangential * y], rows: 3 }
    }

    /// This column times a vector along the rows.
    pub(super) fn times(&self, x: &[f64]) -> f64 {
        let rows = &x[self.first..self.first + self.rows];
        rows.iter().zip(self.weights).map(|(x, w)| x * w).sum()
    }

    /// Λ += x times this column.
    pub(super) fn add(&self, x: f64, impulses: &mut [f64]) {
        let rows = &mut impulses[self.first..self.first + self.rows];
        rows.iter_mut().zip(self.weights).for_each(|(to, w)| *to += w * x);
    }

    /// Column j of A times that of another, self Aᵀ other.
    fn between(&self, a: &[f64], n: usize, other: &Self) -> f64 {
        let columns = a[other.first * n..].chunks_exact(n).take(other.rows);
        columns.zip(other.weights).map(|(column, w)| w * self.times(column)).sum()
    }
}

/// Writes Wᵀ A W · mass into the upper left of `m`, which has `size` rows.
pub(super) fn matrix(
    problem: &Problem,
    columns: &[Column],
    mass: f64,
    size: usize,
    m: &mut Vec<f64>,
) {
    let n = problem.rows();
    slices::zeros(m, size * size);
    for (j, right) in columns.iter().enumerate() {
        for (i, left) in columns.iter().enumerate().take(j + 1) {
            let entry = mass * left.between(&problem.a, n, right);
            (m[j * size + i], m[i * size + j]) = (entry, entry);
        }
    }
}
