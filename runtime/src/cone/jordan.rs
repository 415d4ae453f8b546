//! Small systems by the method of Gauss and Jordan, without exchanges.
//!
//! > A x = b,  A (m, m) column by column, m ≤ [`LARGEST`]
//!
//! Columns lie in whole registers, and b is one more of them. A pivot's column is subtracted from all that follow,
//! above the pivot as well as below, so that x needs no second pass: at this size the time is that of one pivot
//! after the other, not of the operations.
//!
//! Class: positive semidefinite matrices, symmetric or not, as far as their pivots are trusted.
//!
//! # Source
//!
//! Golub, Van Loan: Matrix Computations (4th edition), section 3.2; Higham: Accuracy and Stability of Numerical
//! Algorithms (2nd edition), section 14.4.

use super::elimination::TRUSTED;
use crate::arithmetic::Lanes;
use crate::kernel::Real;

/// The most unknowns.
pub(super) const LARGEST: usize = 16;
/// Numbers of a register.
const WIDTH: usize = 4;
/// What a register is multiplied by to leave out one of its numbers.
pub(super) const OTHERS: [[f64; WIDTH]; WIDTH] =
    [[0.0, 1.0, 1.0, 1.0], [1.0, 0.0, 1.0, 1.0], [1.0, 1.0, 0.0, 1.0], [1.0, 1.0, 1.0, 0.0]];

/// Solves A x = b in the place of b. Whether every pivot is more than [`TRUSTED`] of the diagonal entry that it came
/// from; b is worth nothing otherwise.
#[inline(always)]
pub(super) fn solve<A: Real>(m: usize, matrix: &[f64], b: &mut [f64]) -> bool {
    match m.div_ceil(WIDTH) {
        0 => true,
        1 => eliminate::<A, 1>(m, matrix, b),
        2 => eliminate::<A, 2>(m, matrix, b),
        3 => eliminate::<A, 3>(m, matrix, b),
        _ => eliminate::<A, 4>(m, matrix, b),
    }
}

#[inline(always)]
fn eliminate<A: Real, const R: usize>(m: usize, matrix: &[f64], b: &mut [f64]) -> bool {
    let mut columns = [[[0.0; WIDTH]; R]; LARGEST + 1];
    let sources = matrix.chunks_exact(m).chain([&b[..m]]);
    for (column, source) in columns.iter_mut().zip(sources) {
        let (whole, rest) = source.as_chunks::<WIDTH>();
        for (to, from) in column.iter_mut().zip(whole) {
            *to = *from;
        }
        if let Some(last) = column.get_mut(whole.len()) {
            last.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
        }
    }
    let mut inverses = [[0.0; WIDTH]; R];
    let mut trusted = true;
    for register in 0..R {
        for lane in 0..WIDTH {
            let k = WIDTH * register + lane;
            if k >= m {
                break;
            }
            let (done, rest) = columns.split_at_mut(k + 1);
            let column = &done[k];
            let pivot = column[register][lane];
            trusted &= pivot > TRUSTED * matrix[k * (m + 1)];
            inverses[register][lane] = 1.0 / pivot;
            let inverse = A::Quad::splat(-inverses[register][lane]);
            let mut factors: [A::Quad; R] =
                core::array::from_fn(|r| A::Quad::pack(column[r]) * inverse);
            factors[register] = factors[register] * A::Quad::pack(OTHERS[lane]);
            for other in &mut rest[..m - k] {
                let by = A::Quad::splat(other[register][lane]);
                for r in 0..R {
                    other[r] = by.mul_add(factors[r], A::Quad::pack(other[r])).unpack();
                }
            }
        }
    }
    let all = columns[m].as_flattened().iter().zip(inverses.as_flattened());
    b.iter_mut().zip(all).for_each(|(x, (b, inverse))| *x = b * inverse);
    trusted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::Baseline;
    use alloc::vec::Vec;

    #[test]
    fn solutions_solve() {
        for m in 1..=LARGEST {
            // Diagonally dominant, not symmetric.
            let entry = |i: usize, j: usize| {
                if i == j { m as f64 + 1.0 } else { ((3 * i + 5 * j) % 7) as f64 / 7.0 }
            };
            let matrix: Vec<f64> = (0..m * m).map(|k| entry(k % m, k / m)).collect();
            let exact: Vec<f64> = (0..m).map(|i| 1.0 - 0.3 * i as f64).collect();
            let row = |i: usize| (0..m).map(|j| entry(i, j) * exact[j]).sum::<f64>();
            let mut b: Vec<f64> = (0..m).map(row).collect();
            assert!(solve::<Baseline>(m, &matrix, &mut b));
            assert!(b.iter().zip(&exact).all(|(x, exact)| (x - exact).abs() < 1e-13), "{m}: {b:?}");
        }
    }

    #[test]
    fn dependent_rows_are_not_trusted() {
        assert!(!solve::<Baseline>(2, &[1.0, 1.0, 1.0, 1.0], &mut [1.0, 1.0]));
        assert!(!solve::<Baseline>(1, &[0.0], &mut [1.0]));
        assert!(!solve::<Baseline>(1, &[f64::NAN], &mut [1.0]));
        assert!(solve::<Baseline>(0, &[], &mut []));
    }
}
