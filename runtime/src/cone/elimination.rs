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

use super::vector::{add, add_all};
use crate::kernel::Real;

/// Pivots by the diagonal entries that they came from, above which they are trusted.
pub(super) const TRUSTED: f64 = 1e-10;
/// Pivots by the diagonal entries, below which nothing is left of them.
const ROUNDING: f64 = 1e-15;

/// Factors the matrix in place. Returns its least pivot by the diagonal entry that it came from; zero where
/// one is not positive, and then nothing can be solved with the factors. `diagonal` is room.
#[inline(always)]
pub(super) fn factor<A: Real>(n: usize, matrix: &mut [f64], diagonal: &mut Vec<f64>) -> f64 {
    let mut least = f64::INFINITY;
    panels::<A>(n, matrix, diagonal, |pivot, diagonal| {
        let ratio = if diagonal > 0.0 { pivot / diagonal } else { 0.0 };
        least = f64::min(least, if ratio > 0.0 { ratio } else { 0.0 });
        pivot
    });
    least
}

/// Factors a symmetric positive definite matrix that rounding may have made singular: where nothing is left of
/// a pivot, its unknown is taken as zero.
#[inline(always)]
pub(super) fn factor_regular<A: Real>(n: usize, matrix: &mut [f64], diagonal: &mut Vec<f64>) {
    panels::<A>(n, matrix, diagonal, |pivot, diagonal| {
        if pivot <= ROUNDING * diagonal { diagonal / ROUNDING / ROUNDING } else { pivot }
    });
}

/// Eliminates with four columns at once, and with those that are left one by one. `chosen` says which pivot to
/// take in the place of one that came from a diagonal entry.
#[inline(always)]
fn panels<A: Real>(
    n: usize,
    matrix: &mut [f64],
    diagonal: &mut Vec<f64>,
    mut chosen: impl FnMut(f64, f64) -> f64,
) {
    diagonal.clear();
    diagonal.extend(matrix.iter().step_by(n + 1));
    let mut k = 0;
    while k < n {
        let end = if k + 4 <= n { k + 4 } else { k + 1 };
        let (done, rest) = matrix.split_at_mut(end * n);
        let panel = &mut done[k * n..];
        for i in k..end {
            let (column, others) = panel[(i - k) * n..].split_at_mut(n);
            column[i] = chosen(column[i], diagonal[i]);
            let inverse = 1.0 / column[i];
            column[i + 1..].iter_mut().for_each(|x| *x *= inverse);
            for other in others.chunks_exact_mut(n) {
                let factor = -other[i];
                add::<A>(&mut other[i + 1..], factor, &column[i + 1..]);
            }
        }
        if end - k < 4 {
            let below = &panel[end..];
            for other in rest.chunks_exact_mut(n) {
                let factor = -other[k];
                add::<A>(&mut other[end..], factor, below);
            }
        } else {
            let columns: [&[f64]; 4] = core::array::from_fn(|i| &panel[i * n..][..n]);
            for other in rest.chunks_exact_mut(n) {
                apply::<A>(other, k, columns);
            }
        }
        k = end;
    }
}

/// Subtracts from a column what a panel of four columns from `k` on eliminates.
#[inline(always)]
fn apply<A: Real>(other: &mut [f64], k: usize, columns: [&[f64]; 4]) {
    let [x, y, z, w] = columns;
    let a = -other[k];
    let b = -A::mul_add(a, x[k + 1], other[k + 1]);
    let c = -A::mul_add(b, y[k + 2], A::mul_add(a, x[k + 2], other[k + 2]));
    let third = A::mul_add(b, y[k + 3], A::mul_add(a, x[k + 3], other[k + 3]));
    let d = -A::mul_add(c, z[k + 3], third);
    (other[k + 1], other[k + 2], other[k + 3]) = (-b, -c, -d);
    let below = k + 4;
    add_all::<A, 4>(
        &mut other[below..],
        [a, b, c, d],
        [&x[below..], &y[below..], &z[below..], &w[below..]],
    );
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
