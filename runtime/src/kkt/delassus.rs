//! The system of the multipliers, in the inverse inertia that the constraint meets.
//!
//! > A λ = b,  A = J M⁻¹ Jᵀ (m, m), positive semidefinite
//!
//! # Source
//!
//! Delassus: Mémoire sur la théorie des liaisons finies unilatérales (1917).

use alloc::vec::Vec;

use super::dense::{Cholesky, Dense, Linear};
use crate::slices::{sqrt, zeros};

/// Room for a system.
#[derive(Clone, Debug, Default)]
pub(super) struct Delassus {
    dense: Dense,
    m: usize,
    cholesky: Cholesky,
    linear: Linear,
    scaled: Vec<f64>,
    /// 1 / √Aₖₖ; 1 for a row of zeros.
    scales: Vec<f64>,
}

impl Delassus {
    /// Room for the lower triangle of A, to be filled before [`factor`](Self::factor); zero at first. Columns
    /// begin at multiples of the length that is returned with it.
    pub(super) fn reset(&mut self, m: usize) -> (&mut [f64], usize) {
        self.m = m;
        self.cholesky.reset(m)
    }

    /// Factors A of the given rank. Returns its smallest pivot, relative to its diagonal entry or to the
    /// largest of the matrix scaled to a diagonal of ones.
    ///
    /// # Errors
    ///
    /// A pivot is not above `least`: the rows depend on one another more than the dense solver bears.
    pub(super) fn factor(&mut self, dense: Dense, rank: usize, least: f64) -> Result<f64, usize> {
        self.dense = dense;
        if dense == Dense::Cholesky {
            return self.cholesky.factor(least);
        }
        let m = self.m;
        let lower = core::mem::take(&mut self.scaled);
        self.scaled = self.scale(lower);
        self.linear.factor(dense, (m, m, rank), &self.scaled, least)
    }

    /// The whole matrix, with a diagonal of ones.
    fn scale(&mut self, mut scaled: Vec<f64>) -> Vec<f64> {
        let (m, (lower, stride)) = (self.m, self.cholesky.matrix());
        zeros(&mut scaled, m * m);
        self.scales.clear();
        self.scales.extend((0..m).map(|k| match lower[k * stride + k] {
            0.0 => 1.0,
            diagonal => 1.0 / sqrt(diagonal),
        }));
        for j in 0..m {
            for i in j..m {
                let entry = lower[j * stride + i] * self.scales[i] * self.scales[j];
                scaled[j * m + i] = entry;
                scaled[i * m + j] = entry;
            }
        }
        scaled
    }

    /// Solves A λ = b in place, for b in the range of A; where A is singular, λ is one of many.
    pub(super) fn solve(&mut self, b: &mut [f64]) {
        if self.dense == Dense::Cholesky {
            return self.cholesky.solve(b);
        }
        b.iter_mut().zip(&self.scales).for_each(|(b, scale)| *b *= scale);
        self.linear.solve(b);
        b.iter_mut().zip(&self.scales).for_each(|(b, scale)| *b *= scale);
    }
}
