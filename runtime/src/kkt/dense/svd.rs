//! Singular value decomposition by one-sided rotations.
//!
//! > A V = U Σ
//!
//! Columns of A are rotated, two at a time, until all are at right angles to each other; their lengths
//! are then the singular values. Small singular values are found to high relative accuracy where the
//! columns of A differ in scale only.
//!
//! Class: all square matrices.
//!
//! # Source
//!
//! Hestenes: Inversion of Matrices by Biorthogonalization and Related Results (1958). Demmel, Veselić:
//! Jacobi's Method is More Accurate than QR (1992).

use alloc::vec::Vec;

use crate::slices::{copy, dot, multiply, norm, sqrt, zeros};

/// Columns whose cosine is below are at right angles.
const RIGHT: f64 = 1e-14;

/// Convergence is quadratic: five to ten sweeps are usual.
const MAX_SWEEPS: usize = 60;

/// A decomposed matrix and the room for it.
#[derive(Clone, Debug, Default)]
pub(super) struct Svd {
    n: usize,
    /// U Σ, in no order.
    columns: Vec<f64>,
    v: Vec<f64>,
    values: Vec<f64>,
    /// The singular values that count are not below.
    least: f64,
    room: Vec<f64>,
}

impl Svd {
    /// Decomposes an (n, n) matrix, of which so many singular values count. Returns the smallest of
    /// them by the largest, zero if the rank is less.
    pub(super) fn factor(&mut self, n: usize, matrix: &[f64], rank: usize) -> f64 {
        self.n = n;
        copy(&mut self.columns, matrix);
        zeros(&mut self.v, n * n).iter_mut().step_by(n + 1).for_each(|x| *x = 1.0);
        let mut sweeps = 0;
        while sweeps < MAX_SWEEPS && self.sweep() {
            sweeps += 1;
        }
        self.values.clear();
        self.values.extend(self.columns.chunks_exact(n.max(1)).map(norm));
        let sorted = copy(&mut self.room, &self.values);
        sorted.sort_unstable_by(|a, b| b.total_cmp(a));
        self.least = if rank == 0 { f64::INFINITY } else { sorted[rank - 1] };
        if rank == 0 { 1.0 } else { self.least / sorted[0] }
    }

    /// Rotates each pair of columns once. Returns whether there was a rotation.
    fn sweep(&mut self) -> bool {
        let mut rotated = false;
        for j in 1..self.n {
            for i in 0..j {
                rotated |= self.rotate(i, j);
            }
        }
        rotated
    }

    /// Brings columns i < j to right angles.
    fn rotate(&mut self, i: usize, j: usize) -> bool {
        let (a, b) = pair(&mut self.columns, self.n, i, j);
        let (aa, bb, ab) = (dot(a, a), dot(b, b), dot(a, b));
        let skewed = ab.abs() > RIGHT * sqrt(aa) * sqrt(bb);
        if !skewed {
            return false;
        }
        let cotangent = (bb - aa) / (2.0 * ab);
        let tangent = cotangent.signum() / (cotangent.abs() + sqrt(1.0 + cotangent * cotangent));
        let cosine = 1.0 / sqrt(1.0 + tangent * tangent);
        let sine = cosine * tangent;
        turn(a, b, cosine, sine);
        let (a, b) = pair(&mut self.v, self.n, i, j);
        turn(a, b, cosine, sine);
        true
    }

    /// b ← A⁺ b = V Σ⁺ Uᵀ b.
    pub(super) fn solve(&mut self, b: &mut [f64]) {
        let n = self.n;
        let room = zeros(&mut self.room, n);
        for (k, column) in self.columns.chunks_exact(n.max(1)).enumerate() {
            let value = self.values[k];
            if value >= self.least && value > 0.0 {
                room[k] = dot(column, b) / value / value;
            }
        }
        b.fill(0.0);
        multiply(b, &self.v, room);
    }
}

/// Columns i < j.
fn pair(matrix: &mut [f64], n: usize, i: usize, j: usize) -> (&mut [f64], &mut [f64]) {
    let (left, right) = matrix.split_at_mut(j * n);
    (&mut left[i * n..(i + 1) * n], &mut right[..n])
}

fn turn(a: &mut [f64], b: &mut [f64], cosine: f64, sine: f64) {
    for (a, b) in a.iter_mut().zip(b) {
        (*a, *b) = (cosine * *a - sine * *b, sine * *a + cosine * *b);
    }
}
