//! A distance as the length of a vector.
//!
//! > ½ dᵀ W d = ½ ‖R d‖²,  W = RᵀR,  ∂(R d) / ∂q = R D
//!
//! with R = Lᵀ Πᵀ of Cholesky's factorisation with complete pivoting, Πᵀ W Π = L Lᵀ: the largest diagonal entry
//! of what is left comes first, so that W may be semidefinite. The rows of R then are in the order of their
//! size, in which a factorisation of R by reflections is as accurate in each row as that is large.
//!
//! # Source
//!
//! Higham: Accuracy and Stability of Numerical Algorithms (2nd edition), sections 10.3 and 19.4.

use alloc::vec;
use alloc::vec::Vec;

use crate::description::Joint;
use crate::manifold;

/// A pivot below so much of its diagonal entry is zero.
const ZERO: f64 = 1e-14;

/// R of a weight matrix.
pub(super) struct Root {
    /// Row by row.
    rows: Vec<f64>,
    /// The least pivot by the largest: zero for a singular W, 1 for weights that are alike.
    pub(super) evenness: f64,
}

impl Root {
    /// That of W, (n, n).
    pub(super) fn new(weights: &[f64], n: usize) -> Self {
        let (mut left, mut open) = (weights.to_vec(), (0..n).collect::<Vec<_>>());
        let (mut rows, mut pivots) = (vec![0.0; n * n], Vec::with_capacity(n));
        for row in rows.chunks_exact_mut(n.max(1)) {
            let entry = |k: usize| left[open[k] * (n + 1)];
            let first =
                (1..open.len()).fold(0, |most, k| if entry(k) > entry(most) { k } else { most });
            let pivot = open.swap_remove(first);
            let size = left[pivot * (n + 1)];
            if size <= ZERO * weights[pivot * (n + 1)] {
                pivots.push(0.0);
                continue;
            }
            pivots.push(size);
            let root = nalgebra::ComplexField::sqrt(size);
            row[pivot] = root;
            open.iter().for_each(|&k| row[k] = left[pivot * n + k] / root);
            for &k in &open {
                open.iter().for_each(|&j| left[k * n + j] -= row[k] * row[j]);
            }
        }
        let most = pivots.iter().copied().fold(0.0, f64::max);
        let least = pivots.iter().copied().fold(most, f64::min);
        Self { rows, evenness: if most > 0.0 { least / most } else { 0.0 } }
    }

    /// R d, (n).
    pub(super) fn weigh(&self, d: &[f64]) -> Vec<f64> {
        let rows = self.rows.chunks_exact(d.len().max(1));
        rows.map(|row| row.iter().zip(d).map(|(r, d)| r * d).sum()).collect()
    }

    /// R, (n, n), column by column.
    pub(super) fn matrix(&self, n: usize) -> Vec<f64> {
        let mut matrix = vec![0.0; n * n];
        for (i, row) in self.rows.chunks_exact(n.max(1)).enumerate() {
            row.iter().enumerate().for_each(|(j, r)| matrix[j * n + i] = *r);
        }
        matrix
    }

    /// R D, (n, n), column by column, for d = q ⊖ q₀.
    pub(super) fn slopes(&self, joints: &[Joint], guess: &[f64], q: &[f64]) -> Vec<f64> {
        let n = self.rows.len().isqrt();
        let mut pulled = Self { rows: self.rows.clone(), ..*self };
        for row in pulled.rows.chunks_exact_mut(n.max(1)) {
            manifold::pull_back(joints, guess, q, row);
        }
        pulled.matrix(n)
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::Root;

    /// RᵀR = W, of semidefinite ones too, in whatever order their coordinates are and of any size.
    #[test]
    fn the_square_of_the_root_is_the_weight_matrix() {
        let directions = [[1.0, 2.0, -1.0, 0.5], [1e-9, 1.0, 3.0, -2.0], [1e-6, 0.0, 1.0, 1.0]];
        for rank in 0..=3 {
            for sizes in [[1.0; 4], [1e-10, 1.0, 1e5, 1e-5], [1.0, 1e-8, 0.0, 1e8]] {
                let mut weights = vec![0.0; 16];
                for direction in &directions[..rank] {
                    for (k, entry) in weights.iter_mut().enumerate() {
                        let (i, j) = (k % 4, k / 4);
                        *entry += direction[i] * direction[j] * sizes[i] * sizes[j];
                    }
                }
                let rows = Root::new(&weights, 4).rows;
                for (k, entry) in weights.iter().enumerate() {
                    let (i, j) = (k % 4, k / 4);
                    let square: f64 = rows.chunks_exact(4).map(|row| row[i] * row[j]).sum();
                    let size = (weights[5 * i] * weights[5 * j]).sqrt();
                    assert!((square - entry).abs() <= 1e-13 * size, "{rank} {sizes:?} {i} {j}");
                }
            }
        }
    }
}
