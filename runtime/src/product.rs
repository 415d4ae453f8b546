//! Products of small dense matrices within a kernel.
//!
//! Straight-line code for n³ products is as long as it is slow; this loop is a few instructions, and
//! the compiler runs it over the lanes of a register.

use crate::arithmetic::Arithmetic;

/// Replaces every column x of `blocks`, but those of the last `N`, by −X x, where X is the matrix of
/// the last `N` columns. `support` has for each x the places of its entries that can differ from zero.
#[doc(hidden)]
#[inline(always)]
pub fn negated_products<A: Arithmetic, const N: usize>(
    blocks: &mut [A::Scalar],
    support: &[&[usize]],
) {
    let (columns, _) = blocks.as_chunks_mut::<N>();
    let Some(count) = columns.len().checked_sub(N) else { return };
    let (columns, matrix) = columns.split_at_mut(count);
    for (column, places) in columns.iter_mut().zip(support) {
        let mut sum = [A::literal(0.0); N];
        for &place in *places {
            if let (Some(factors), Some(&x)) = (matrix.get(place), column.get(place)) {
                let x = -x;
                for (sum, &factor) in sum.iter_mut().zip(factors) {
                    *sum = A::mul_add(factor, x, *sum);
                }
            }
        }
        *column = sum;
    }
}
