//! LU factorisation with partial pivoting.
//!
//! > P A = L U
//!
//! Class: regular matrices.
//!
//! # Source
//!
//! Golub, Van Loan: Matrix Computations (4th edition), algorithm 3.4.1.

use alloc::vec::Vec;

use crate::kkt::slices::{copy, subtract};

/// A factorised matrix and the room for it.
#[derive(Clone, Debug, Default)]
pub(super) struct Lu {
    n: usize,
    factors: Vec<f64>,
    exchanged: Vec<usize>,
}

impl Lu {
    /// Factors an (n, n) matrix. Returns its smallest pivot by its largest; zero for a matrix that is
    /// singular, with whose factors nothing can be solved.
    pub(super) fn factor(&mut self, n: usize, matrix: &[f64]) -> f64 {
        self.n = n;
        self.exchanged.clear();
        copy(&mut self.factors, matrix);
        let (mut smallest, mut largest) = (f64::INFINITY, f64::MIN_POSITIVE);
        for k in 0..n {
            let pivot = self.eliminate(k);
            smallest = f64::min(smallest, pivot);
            largest = f64::max(largest, pivot);
        }
        if n == 0 { 1.0 } else { smallest / largest }
    }

    /// One step of the elimination. Returns the size of the pivot, and does nothing if that is zero.
    fn eliminate(&mut self, k: usize) -> f64 {
        let n = self.n;
        let (done, rest) = self.factors.split_at_mut((k + 1) * n);
        let column = &mut done[k * n..];
        let row = (k..n).fold(k, |r, i| if column[i].abs() > column[r].abs() { i } else { r });
        self.exchanged.push(row);
        column.swap(k, row);
        let pivot = column[k];
        if pivot == 0.0 {
            return 0.0;
        }
        column[k + 1..].iter_mut().for_each(|x| *x /= pivot);
        for other in rest.chunks_exact_mut(n) {
            other.swap(k, row);
            let factor = other[k];
            subtract(&mut other[k + 1..], factor, &column[k + 1..]);
        }
        for column in done.chunks_exact_mut(n).take(k) {
            column.swap(k, row);
        }
        pivot.abs()
    }

    /// Solves A x = b in place.
    pub(super) fn solve(&self, b: &mut [f64]) {
        for (k, &row) in self.exchanged.iter().enumerate() {
            b.swap(k, row);
        }
        let columns = || self.factors.chunks_exact(self.n.max(1)).enumerate();
        for (k, column) in columns() {
            let x = b[k];
            subtract(&mut b[k + 1..], x, &column[k + 1..]);
        }
        for (k, column) in columns().rev() {
            b[k] /= column[k];
            let x = b[k];
            subtract(&mut b[..k], x, &column[..k]);
        }
    }
}
