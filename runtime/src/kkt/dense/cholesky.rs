//! Cholesky's factorisation, and its signed form.
//!
//! > A = L Σ Lᵀ,  Σ = diag(1, …, 1, −1, …, −1)
//!
//! without pivoting, in the lower triangle. With Σ = 1 it exists for positive definite matrices; with
//! p ones, for the quasi-definite [E Fᵀ; F −G], E (p, p) and G + F E⁻¹ Fᵀ positive definite. It is
//! backward stable for the former, and for the latter as far as E is well conditioned.
//!
//! # Source
//!
//! Golub, Van Loan: Matrix Computations (4th edition), section 4.2. Vanderbei: Symmetric Quasidefinite
//! Matrices (1995).

use alloc::vec::Vec;

use crate::kkt::slices::{dot, scale, sqrt, subtract};

/// A factorised matrix and the room for it.
#[derive(Clone, Debug, Default)]
pub(in crate::kkt) struct Cholesky {
    n: usize,
    positive: usize,
    lower: Vec<f64>,
    /// 1 / Lₖₖ.
    inverse: Vec<f64>,
    diagonal: Vec<f64>,
}

impl Cholesky {
    /// Room for the lower triangle of an (n, n) matrix, to be filled before [`factor`](Self::factor);
    /// zero at first.
    #[inline]
    pub(in crate::kkt) fn reset(&mut self, n: usize) -> &mut [f64] {
        self.n = n;
        self.positive = n;
        self.lower.clear();
        self.lower.resize(n * n, 0.0);
        &mut self.lower
    }

    /// What was filled in, before the factorisation.
    pub(in crate::kkt) fn matrix(&self) -> &[f64] {
        &self.lower
    }

    /// Factors the matrix. Returns its smallest pivot, relative to what its diagonal entry was before
    /// other columns were eliminated (to what they made of it, where Σ is −1).
    ///
    /// # Errors
    ///
    /// The place of the first pivot whose ratio is not above `least`, divided by the smallest before it,
    /// which rounding has grown by.
    #[inline]
    pub(in crate::kkt) fn factor(&mut self, least: f64) -> Result<f64, usize> {
        self.factor_signed(self.n, least)
    }

    /// The same with Σ of `positive` ones.
    #[inline]
    pub(in crate::kkt) fn factor_signed(
        &mut self,
        positive: usize,
        least: f64,
    ) -> Result<f64, usize> {
        let n = self.n;
        self.positive = positive;
        self.inverse.clear();
        self.diagonal.clear();
        self.diagonal.extend((0..n).map(|k| self.lower[k * n + k]));
        let mut smallest = 1.0;
        for k in 0..n {
            if k == positive {
                self.diagonal.clear();
                self.diagonal.extend((0..n).map(|k| self.lower[k * n + k]));
            }
            let ratio = self.lower[k * n + k] / self.diagonal[k];
            let sign = if k < positive { 1.0 } else { -1.0 };
            if !(ratio * smallest > least && self.diagonal[k] * sign > 0.0) {
                return Err(k);
            }
            smallest = f64::min(smallest, ratio);
            self.eliminate(k, sign);
        }
        Ok(smallest)
    }

    /// One step of the elimination.
    #[inline]
    fn eliminate(&mut self, k: usize, sign: f64) {
        let n = self.n;
        let (done, rest) = self.lower.split_at_mut((k + 1) * n);
        let column = &mut done[k * n + k..];
        let inverse = 1.0 / sqrt(sign * column[0]);
        self.inverse.push(inverse);
        scale(column, sign * inverse);
        let below = &column[1..];
        for (j, other) in rest.chunks_exact_mut(n).enumerate() {
            subtract(&mut other[k + 1 + j..], sign * below[j], &below[j..]);
        }
    }

    /// Solves A x = b in place.
    #[inline]
    pub(in crate::kkt) fn solve(&self, b: &mut [f64]) {
        let n = self.n;
        for (k, column) in self.lower.chunks_exact(n.max(1)).enumerate() {
            let x = b[k] * self.inverse[k];
            b[k] = x;
            subtract(&mut b[k + 1..], x, &column[k + 1..]);
        }
        b[self.positive..].iter_mut().for_each(|x| *x = -*x);
        self.solve_transposed(n, b);
    }

    /// Solves Lᵀ x = b in place, for the leading block of so many columns.
    #[inline]
    fn solve_transposed(&self, columns: usize, b: &mut [f64]) {
        for k in (0..columns).rev() {
            let column = &self.lower[k * self.n..][..columns];
            b[k] = (b[k] - dot(&column[k + 1..], &b[k + 1..columns])) * self.inverse[k];
        }
    }

    /// After a factorisation that broke down at the pivot `k`: the vector x with xₖ = 1, zero behind
    /// it, and nearly A x = 0 if A is positive semidefinite.
    pub(in crate::kkt) fn null_vector(&self, k: usize, x: &mut [f64]) {
        x.fill(0.0);
        for (j, x) in x[..k].iter_mut().enumerate() {
            *x = -self.lower[j * self.n + k];
        }
        self.solve_transposed(k, x);
        x[k] = 1.0;
    }
}
