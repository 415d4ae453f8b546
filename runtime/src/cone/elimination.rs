//! Gaussian elimination without exchanges.
//!
//! > A = L U,  A (n, n) column by column, L with ones on its diagonal
//!
//! Class: positive semidefinite matrices, symmetric or not, as far as their pivots are trusted; others as long
//! as no pivot is small by chance.
//!
//! # Source
//!
//! Golub, Van Loan: Matrix Computations (4th edition), algorithm 3.2.1.

use alloc::vec::Vec;

use super::vector::add;
use crate::kernel::Real;

/// Pivots by the diagonal entries that they came from, above which they are trusted.
pub(super) const TRUSTED: f64 = 1e-10;
/// Pivots by the diagonal entries, below which nothing is left of them.
const ROUNDING: f64 = 1e-15;

/// Factors the matrix in place. Returns its least pivot by the diagonal entry that it came from; zero where
/// one is not positive, and then nothing can be solved with the factors. `diagonal` is room.
#[inline(always)]
pub(super) fn factor<A: Real>(n: usize, matrix: &mut [f64], diagonal: &mut Vec<f64>) -> f64 {
    diagonal.clear();
    diagonal.extend(matrix.iter().step_by(n + 1));
    let mut least = f64::INFINITY;
    for k in 0..n {
        let ratio = matrix[k * (n + 1)] / diagonal[k];
        if !(ratio > 0.0 && diagonal[k] > 0.0) {
            return 0.0;
        }
        least = f64::min(least, ratio);
        eliminate::<A>(n, matrix, k);
    }
    least
}

/// Factors a symmetric positive definite matrix that rounding may have made singular: where nothing is left of
/// a pivot, its unknown is taken as zero.
#[inline(always)]
pub(super) fn factor_regular<A: Real>(n: usize, matrix: &mut [f64], diagonal: &mut Vec<f64>) {
    diagonal.clear();
    diagonal.extend(matrix.iter().step_by(n + 1));
    for k in 0..n {
        let pivot = &mut matrix[k * (n + 1)];
        if *pivot <= ROUNDING * diagonal[k] {
            *pivot = diagonal[k] / ROUNDING / ROUNDING;
        }
        eliminate::<A>(n, matrix, k);
    }
}

/// One step of the elimination.
#[inline(always)]
fn eliminate<A: Real>(n: usize, matrix: &mut [f64], k: usize) {
    let (done, rest) = matrix.split_at_mut((k + 1) * n);
    let column = &mut done[k * n..];
    let inverse = 1.0 / column[k];
    column[k + 1..].iter_mut().for_each(|x| *x *= inverse);
    for other in rest.chunks_exact_mut(n) {
        let factor = -other[k];
        add::<A>(&mut other[k + 1..], factor, &column[k + 1..]);
    }
}

/// Solves A x = b in place.
#[inline(always)]
pub(super) fn solve<A: Real>(n: usize, factors: &[f64], b: &mut [f64]) {
    for (k, column) in factors.chunks_exact(n.max(1)).enumerate() {
        let x = -b[k];
        add::<A>(&mut b[k + 1..], x, &column[k + 1..]);
    }
    for (k, column) in factors.chunks_exact(n.max(1)).enumerate().rev() {
        b[k] /= column[k];
        let x = -b[k];
        add::<A>(&mut b[..k], x, &column[..k]);
    }
}
