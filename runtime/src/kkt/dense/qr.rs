//! QR factorisation with column pivoting, by Householder's reflections.
//!
//! > A Π = Q R,  A (rows, columns)
//!
//! with |R₀₀| ≥ |R₁₁| ≥ …, so that the numerical rank can be read from the diagonal.
//!
//! # Source
//!
//! Businger, Golub: Linear Least Squares Solutions by Householder Transformations (1965). Golub, Van
//! Loan: Matrix Computations (4th edition), algorithm 5.4.1.

use alloc::vec::Vec;

use crate::slices::{copy, dot, norm, scale, subtract};

/// A factorised matrix and the room for it.
#[derive(Clone, Debug, Default)]
pub(in crate::kkt) struct Qr {
    rows: usize,
    /// R in and above the diagonal; below it the reflections 1 − 2 u uᵀ / uᵀu, scaled so that their
    /// first entry, which is not stored, is 1.
    factors: Vec<f64>,
    /// 2 / uᵀu.
    weights: Vec<f64>,
    /// Which column of A each column of A Π is.
    order: Vec<usize>,
    norms: Vec<f64>,
}

impl Qr {
    /// Factors a (rows, columns) matrix. Returns the number of leading Rₖₖ that are above `least`
    /// times the first.
    pub(in crate::kkt) fn factor(
        &mut self,
        rows: usize,
        columns: usize,
        matrix: &[f64],
        least: f64,
    ) -> usize {
        self.rows = rows;
        copy(&mut self.factors, matrix);
        self.weights.clear();
        self.order.clear();
        self.order.extend(0..columns);
        let mut rank = 0;
        for k in 0..rows.min(columns) {
            self.bring_longest(k, columns);
            self.reflect(k);
            let (first, here) = (self.r(0, 0).abs(), self.r(k, k).abs());
            if rank == k && here > least * first && here > 0.0 {
                rank += 1;
            }
        }
        rank
    }

    /// Exchanges column k with the one that is longest below row k. The lengths are computed anew:
    /// updating them loses what cancels.
    fn bring_longest(&mut self, k: usize, columns: usize) {
        let (rows, factors) = (self.rows, &mut self.factors);
        self.norms.clear();
        self.norms.extend((k..columns).map(|j| norm(&factors[j * rows + k..(j + 1) * rows])));
        let norms = &self.norms;
        let longest = (0..norms.len()).fold(0, |l, j| if norms[j] > norms[l] { j } else { l }) + k;
        if longest != k {
            self.order.swap(k, longest);
            let (left, right) = factors.split_at_mut(longest * rows);
            left[k * rows..(k + 1) * rows].swap_with_slice(&mut right[..rows]);
        }
    }

    /// Makes zeros below Rₖₖ.
    fn reflect(&mut self, k: usize) {
        let rows = self.rows;
        let (done, rest) = self.factors.split_at_mut((k + 1) * rows);
        let column = &mut done[k * rows + k..];
        let length = norm(column);
        if length == 0.0 {
            self.weights.push(0.0);
            return;
        }
        let diagonal = if column[0] > 0.0 { -length } else { length };
        let first = column[0] - diagonal;
        column[0] = diagonal;
        let tail = &mut column[1..];
        scale(tail, 1.0 / first);
        // uᵀu / 2 = (length² − diagonal · x₀) / first² = −diagonal / first.
        let weight = -first / diagonal;
        self.weights.push(weight);
        for other in rest.chunks_exact_mut(rows) {
            reflect(&mut other[k..], weight, tail);
        }
    }

    /// R of row `i` and column `j` ≥ i.
    pub(in crate::kkt) fn r(&self, i: usize, j: usize) -> f64 {
        self.factors[j * self.rows + i]
    }

    /// Which column of A is column `k` of A Π.
    pub(in crate::kkt) fn column(&self, k: usize) -> usize {
        self.order[k]
    }

    /// b ← Qᵀ b, (rows).
    pub(in crate::kkt) fn apply_transposed(&self, b: &mut [f64]) {
        for (k, &weight) in self.weights.iter().enumerate() {
            reflect(&mut b[k..], weight, self.reflection(k));
        }
    }

    /// b ← Q b, (rows).
    pub(in crate::kkt) fn apply(&self, b: &mut [f64]) {
        for (k, &weight) in self.weights.iter().enumerate().rev() {
            reflect(&mut b[k..], weight, self.reflection(k));
        }
    }

    fn reflection(&self, k: usize) -> &[f64] {
        &self.factors[k * self.rows + k + 1..(k + 1) * self.rows]
    }

    /// Solves R x = b in place, for the leading block as long as `b`.
    pub(in crate::kkt) fn solve_upper(&self, b: &mut [f64]) {
        for k in (0..b.len()).rev() {
            let column = &self.factors[k * self.rows..];
            b[k] /= column[k];
            let x = b[k];
            subtract(&mut b[..k], x, &column[..k]);
        }
    }

    /// Solves Rᵀ x = b in place, for the leading block as long as `b`.
    pub(in crate::kkt) fn solve_upper_transposed(&self, b: &mut [f64]) {
        for k in 0..b.len() {
            let column = &self.factors[k * self.rows..];
            b[k] = (b[k] - dot(&column[..k], &b[..k])) / column[k];
        }
    }
}

/// x ← (1 − weight u uᵀ) x with u = (1, tail).
fn reflect(x: &mut [f64], weight: f64, tail: &[f64]) {
    let share = weight * (x[0] + dot(&x[1..], tail));
    x[0] -= share;
    subtract(&mut x[1..], share, tail);
}
