//! A distance as the length of a vector.
//!
//! > ½ dᵀ W d = ½ ‖R d‖²,  W = RᵀR,  ∂(R d) / ∂q = R D
//!
//! with R = Lᵀ of Cholesky's factorisation, of a semidefinite W too: where a pivot is zero, so is its column.
//!
//! # Source
//!
//! Higham: Accuracy and Stability of Numerical Algorithms (2nd edition), section 10.3.

use alloc::vec;
use alloc::vec::Vec;

use crate::manifold;
use crate::model::Model;
use crate::space::Storage;

/// A pivot below so much of its diagonal entry is zero.
const ZERO: f64 = 1e-14;

/// Lᵀ of a weight matrix, row by row.
pub(super) struct Root(Vec<f64>);

impl Root {
    /// That of W, (n, n).
    pub(super) fn new(weights: &[f64], n: usize) -> Self {
        let mut l = weights.to_vec();
        for k in 0..n {
            let (done, rest) = l.split_at_mut((k + 1) * n);
            let column = &mut done[k * n..];
            column[..k].fill(0.0);
            let inverse = if column[k] > ZERO * weights[k * n + k] {
                1.0 / nalgebra::ComplexField::sqrt(column[k])
            } else {
                0.0
            };
            column[k..].iter_mut().for_each(|x| *x *= inverse);
            for (other, share) in rest.chunks_exact_mut(n).zip(&column[k + 1..]) {
                other.iter_mut().zip(&*column).for_each(|(x, l)| *x -= share * l);
            }
        }
        Self(l)
    }

    /// The least pivot by the largest: zero for a singular W, 1 for weights that are alike.
    pub(super) fn evenness(&self) -> f64 {
        let n = self.0.len().isqrt();
        let pivots = || self.0.iter().step_by(n + 1).map(|root| root * root);
        let (least, most) = (pivots().fold(f64::INFINITY, f64::min), pivots().fold(0.0, f64::max));
        if most > 0.0 { least / most } else { 0.0 }
    }

    /// R d, (n).
    pub(super) fn weigh(&self, d: &[f64]) -> Vec<f64> {
        let rows = self.0.chunks_exact(d.len().max(1));
        rows.map(|row| row.iter().zip(d).map(|(r, d)| r * d).sum()).collect()
    }

    /// R, (n, n), column by column.
    pub(super) fn matrix(&self, n: usize) -> Vec<f64> {
        let mut matrix = vec![0.0; n * n];
        for (i, row) in self.0.chunks_exact(n.max(1)).enumerate() {
            row.iter().enumerate().for_each(|(j, r)| matrix[j * n + i] = *r);
        }
        matrix
    }

    /// R D, (n, n), column by column, for d = q ⊖ q₀.
    pub(super) fn slopes<M: Model>(&self, guess: &M::Q, q: &M::Q) -> Vec<f64> {
        let mut pulled = self.0.clone();
        for row in pulled.chunks_exact_mut(M::NV.max(1)) {
            manifold::pull_back(M::JOINTS, guess.as_slice(), q.as_slice(), row);
        }
        Self(pulled).matrix(M::NV)
    }
}
