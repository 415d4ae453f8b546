//! Cholesky's factorisation of matrices of up to sixteen rows, whose columns stay in registers.
//!
//! > A = L Lᵀ,  Lⱼ = (Aⱼ − Σₖ Lₖ Lⱼₖ) / √…,  k < j
//!
//! Columns are arrays of blocks of a number known to the compiler; what is above the diagonal is computed
//! along and never read.
//!
//! # Source
//!
//! Golub, Van Loan: Matrix Computations (4th edition), algorithm 4.2.1.

use alloc::vec::Vec;

use crate::slices::{BLOCK, Block, sqrt};

/// Factors the matrix and writes 1 / Lₖₖ. Returns its smallest pivot, relative to its diagonal entry.
///
/// # Errors
///
/// The place of the first pivot whose ratio is not above `least`, divided by the smallest before it.
#[inline]
pub(super) fn factor<const B: usize>(
    lower: &mut [f64],
    inverse: &mut Vec<f64>,
    least: f64,
) -> Result<f64, usize> {
    let columns = columns_mut::<B>(lower);
    let mut smallest = 1.0;
    for j in 0..columns.len() {
        let (done, rest) = columns.split_at_mut(j);
        let diagonal = rest[0].as_flattened()[j];
        let mut column = rest[0];
        for other in &*done {
            let factor = other.as_flattened()[j];
            subtract(&mut column, factor, other);
        }
        rest[0] = column;
        let pivot = rest[0].as_flattened()[j];
        let ratio = pivot / diagonal;
        if !(ratio * smallest > least && pivot > 0.0) {
            return Err(j);
        }
        smallest = f64::min(smallest, ratio);
        let scale = 1.0 / sqrt(pivot);
        rest[0].as_flattened_mut().iter_mut().for_each(|x| *x *= scale);
        inverse.push(scale);
    }
    Ok(smallest)
}

/// Solves A x = b in place.
#[inline]
pub(super) fn solve<const B: usize>(lower: &[f64], inverse: &[f64], b: &mut [f64]) {
    let columns = columns::<B>(lower);
    let mut left = [[0.0; BLOCK]; B];
    left.as_flattened_mut()[..b.len()].copy_from_slice(b);
    for ((k, column), y) in columns.iter().enumerate().zip(&mut *b) {
        let value = left.as_flattened()[k] * inverse[k];
        *y = value;
        subtract(&mut left, value, column);
    }
    let mut found = [[0.0; BLOCK]; B];
    for ((k, column), x) in columns.iter().enumerate().zip(&mut *b).rev() {
        *x = (*x - dot(column, &found)) * inverse[k];
        found.as_flattened_mut()[k] = *x;
    }
}

/// x −= a y. With loops that are unrolled, x stays in registers.
#[inline(always)]
fn subtract<const B: usize>(x: &mut [Block; B], a: f64, y: &[Block; B]) {
    for b in 0..B {
        for k in 0..BLOCK {
            x[b][k] -= a * y[b][k];
        }
    }
}

#[inline(always)]
fn dot<const B: usize>(x: &[Block; B], y: &[Block; B]) -> f64 {
    let mut sums = [0.0; BLOCK];
    for b in 0..B {
        for k in 0..BLOCK {
            sums[k] += x[b][k] * y[b][k];
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3])
}

fn columns<const B: usize>(lower: &[f64]) -> &[[Block; B]] {
    lower.as_chunks().0.as_chunks().0
}

fn columns_mut<const B: usize>(lower: &mut [f64]) -> &mut [[Block; B]] {
    lower.as_chunks_mut().0.as_chunks_mut().0
}
