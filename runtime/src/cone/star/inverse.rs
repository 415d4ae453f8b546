//! The inverse of the matrix of what is shared.
//!
//! By the method of Gauss and Jordan in place, without exchanges: the size is known, so that the matrix stays in
//! registers, and the time is that of six pivots one after the other. With the inverse a further right side takes no
//! more than a product.
//!
//! Source: Golub, Van Loan: Matrix Computations (4th edition), section 3.2; Higham: Accuracy and Stability of
//! Numerical Algorithms (2nd edition), section 14.4.

use super::super::elimination::TRUSTED;
use super::{Shared, WIDEST};
use crate::arithmetic::Lanes;
use crate::kernel::Real;

/// A matrix column by column, each filled up to two registers.
pub(super) type Columns = [[[f64; 4]; 2]; WIDEST];

/// What leaves out one of the numbers of a register.
const OTHERS: [[f64; 4]; 4] =
    [[0.0, 1.0, 1.0, 1.0], [1.0, 0.0, 1.0, 1.0], [1.0, 1.0, 0.0, 1.0], [1.0, 1.0, 1.0, 0.0]];

/// Inverts a matrix in place. Whether every pivot is more than [`TRUSTED`] of the diagonal entry that it came from;
/// the matrix is worth nothing otherwise.
#[inline(always)]
pub(super) fn invert<A: Real>(matrix: &mut Columns) -> bool {
    let mut columns = [[A::Quad::splat(0.0); 2]; WIDEST];
    let mut least = [0.0; WIDEST];
    for k in 0..WIDEST {
        columns[k] = [A::Quad::pack(matrix[k][0]), A::Quad::pack(matrix[k][1])];
        least[k] = TRUSTED * matrix[k][k / 4][k % 4];
    }
    let trusted = eliminate::<A, 0>(&mut columns, least[0])
        & eliminate::<A, 1>(&mut columns, least[1])
        & eliminate::<A, 2>(&mut columns, least[2])
        & eliminate::<A, 3>(&mut columns, least[3])
        & eliminate::<A, 4>(&mut columns, least[4])
        & eliminate::<A, 5>(&mut columns, least[5]);
    for k in 0..WIDEST {
        matrix[k] = [columns[k][0].unpack(), columns[k][1].unpack()];
    }
    trusted
}

/// Exchanges unknown K and right side K. Whether the pivot is more than that.
#[inline(always)]
fn eliminate<A: Real, const K: usize>(columns: &mut [[A::Quad; 2]; WIDEST], least: f64) -> bool {
    let (register, lane) = (K / 4, K % 4);
    let pivot = columns[K][register].unpack()[lane];
    let inverse = 1.0 / pivot;
    let negative = A::Quad::splat(-inverse);
    // The pivot's column with the inverse in its own row, and the others without anything there.
    let others = A::Quad::pack(OTHERS[lane]);
    let own = (A::Quad::splat(1.0) - others) * A::Quad::splat(inverse);
    let mut factors = [columns[K][0] * negative, columns[K][1] * negative];
    factors[register] = factors[register].mul_add(others, own);
    for column in columns.iter_mut() {
        let by = A::Quad::splat(column[register].unpack()[lane]);
        column[register] = column[register] * others;
        column[0] = by.mul_add(factors[0], column[0]);
        column[1] = by.mul_add(factors[1], column[1]);
    }
    columns[K] = factors;
    pivot > least
}

/// M x.
#[inline(always)]
pub(super) fn multiply<A: Real>(matrix: &Columns, x: &Shared) -> Shared {
    let mut sum = [A::Quad::splat(0.0); 2];
    for (column, &x) in matrix.iter().zip(x) {
        let x = A::Quad::splat(x);
        sum = [
            x.mul_add(A::Quad::pack(column[0]), sum[0]),
            x.mul_add(A::Quad::pack(column[1]), sum[1]),
        ];
    }
    let ([a, b, c, d], [e, f, ..]) = (sum[0].unpack(), sum[1].unpack());
    [a, b, c, d, e, f]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::Baseline;

    fn columns(entry: impl Fn(usize, usize) -> f64) -> Columns {
        let mut columns = Columns::default();
        for (j, column) in columns.iter_mut().enumerate() {
            (0..WIDEST).for_each(|i| column[i / 4][i % 4] = entry(i, j));
        }
        columns
    }

    #[test]
    fn an_inverse_undoes() {
        let entry =
            |i: usize, j: usize| if i == j { 7.0 } else { ((3 * i + 5 * j) % 7) as f64 / 7.0 };
        let (matrix, x) = (columns(entry), [1.0, -2.0, 3.0, 0.5, -0.25, 4.0]);
        let mut inverse = matrix;
        assert!(invert::<Baseline>(&mut inverse));
        let found = multiply::<Baseline>(&inverse, &multiply::<Baseline>(&matrix, &x));
        assert!(found.iter().zip(&x).all(|(found, x)| (found - x).abs() < 1e-14), "{found:?}");
    }

    #[test]
    fn dependent_rows_are_not_trusted() {
        assert!(!invert::<Baseline>(&mut columns(|_, _| 1.0)));
        assert!(!invert::<Baseline>(&mut columns(|_, _| f64::NAN)));
        assert!(!invert::<Baseline>(&mut columns(|_, _| 0.0)));
    }
}
