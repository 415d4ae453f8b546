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

use super::small;
use crate::slices::{BLOCK, dot, filled, scale, sqrt, subtract};

/// A factorised matrix and the room for it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cholesky {
    n: usize,
    /// From one column to the next: n, filled up.
    stride: usize,
    positive: usize,
    lower: Vec<f64>,
    /// 1 / Lₖₖ.
    inverse: Vec<f64>,
    diagonal: Vec<f64>,
}

impl Cholesky {
    /// Room for the lower triangle of an (n, n) matrix, to be filled before [`factor`](Self::factor);
    /// zero at first. Columns begin at multiples of the length that is returned with it.
    #[inline]
    pub(crate) fn reset(&mut self, n: usize) -> (&mut [f64], usize) {
        self.n = n;
        self.stride = filled(n);
        self.positive = n;
        self.lower.clear();
        self.lower.resize(n * self.stride, 0.0);
        (&mut self.lower, self.stride)
    }

    /// What was filled in, before the factorisation.
    pub(in crate::kkt) fn matrix(&self) -> (&[f64], usize) {
        (&self.lower, self.stride)
    }

    /// Factors the matrix. Returns its smallest pivot, relative to what its diagonal entry was before
    /// other columns were eliminated (to what they made of it, where Σ is −1).
    ///
    /// # Errors
    ///
    /// The place of the first pivot whose ratio is not above `least`, divided by the smallest before it,
    /// which rounding has grown by.
    #[inline]
    pub(crate) fn factor(&mut self, least: f64) -> Result<f64, usize> {
        self.inverse.clear();
        match self.stride / BLOCK {
            1 => small::factor::<1>(&mut self.lower, &mut self.inverse, least),
            2 => small::factor::<2>(&mut self.lower, &mut self.inverse, least),
            3 => small::factor::<3>(&mut self.lower, &mut self.inverse, least),
            4 => small::factor::<4>(&mut self.lower, &mut self.inverse, least),
            _ => self.factor_signed(self.n, least),
        }
    }

    /// The same with Σ of `positive` ones.
    #[inline]
    pub(in crate::kkt) fn factor_signed(
        &mut self,
        positive: usize,
        least: f64,
    ) -> Result<f64, usize> {
        let (n, step) = (self.n, self.stride + 1);
        self.positive = positive;
        self.inverse.clear();
        self.diagonal.clear();
        self.diagonal.extend(self.lower.iter().step_by(step));
        let mut smallest = 1.0;
        for k in 0..n {
            if k == positive {
                self.diagonal.clear();
                self.diagonal.extend(self.lower.iter().step_by(step));
            }
            let ratio = self.lower[k * step] / self.diagonal[k];
            let sign = if k < positive { 1.0 } else { -1.0 };
            if !(ratio * smallest > least && self.diagonal[k] * sign > 0.0) {
                return Err(k);
            }
            smallest = f64::min(smallest, ratio);
            self.eliminate(k, sign);
        }
        Ok(smallest)
    }

    /// One step of the elimination. Blocks that the diagonal cuts are computed whole; what is above it is
    /// never read.
    #[inline]
    fn eliminate(&mut self, k: usize, sign: f64) {
        let stride = self.stride;
        let (done, rest) = self.lower.split_at_mut((k + 1) * stride);
        let column = &mut done[k * stride..];
        let inverse = 1.0 / sqrt(sign * column[k]);
        self.inverse.push(inverse);
        scale(&mut column[k / BLOCK * BLOCK..], sign * inverse);
        for (j, other) in (k + 1..).zip(rest.chunks_exact_mut(stride)) {
            let first = j / BLOCK * BLOCK;
            subtract(&mut other[first..], sign * column[j], &column[first..]);
        }
    }

    /// Solves A x = b in place.
    #[inline]
    pub(crate) fn solve(&self, b: &mut [f64]) {
        if self.positive == self.n {
            match self.stride / BLOCK {
                1 => return small::solve::<1>(&self.lower, &self.inverse, b),
                2 => return small::solve::<2>(&self.lower, &self.inverse, b),
                3 => return small::solve::<3>(&self.lower, &self.inverse, b),
                4 => return small::solve::<4>(&self.lower, &self.inverse, b),
                _ => {}
            }
        }
        let n = self.n;
        for (k, column) in self.lower.chunks_exact(self.stride.max(1)).enumerate() {
            let x = b[k] * self.inverse[k];
            b[k] = x;
            subtract(&mut b[k + 1..], x, &column[k + 1..n]);
        }
        b[self.positive..].iter_mut().for_each(|x| *x = -*x);
        self.solve_transposed(n, b);
    }

    /// Solves Lᵀ x = b in place, for the leading block of so many columns.
    #[inline]
    fn solve_transposed(&self, columns: usize, b: &mut [f64]) {
        for k in (0..columns).rev() {
            let column = &self.lower[k * self.stride..][..columns];
            b[k] = (b[k] - dot(&column[k + 1..], &b[k + 1..columns])) * self.inverse[k];
        }
    }

    /// After a factorisation that broke down at the pivot `k`: the vector x with xₖ = 1, zero behind
    /// it, and nearly A x = 0 if A is positive semidefinite.
    pub(in crate::kkt) fn null_vector(&self, k: usize, x: &mut [f64]) {
        x.fill(0.0);
        for (j, x) in x[..k].iter_mut().enumerate() {
            *x = -self.lower[j * self.stride + k];
        }
        self.solve_transposed(k, x);
        x[k] = 1.0;
    }
}
