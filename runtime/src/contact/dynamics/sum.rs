//! Sums of vectors of coordinates.

use crate::slices::{self, BLOCK};

/// Writes x + a y. Blocks end where the vectors end: there, kernels write those of alike limbs a block at a time, and what is
/// read as it was written is had before it is in memory.
#[inline(always)]
pub(in crate::contact) fn sum_of(to: &mut [f64], x: &[f64], a: f64, y: &[f64]) {
    let ((first, blocks), (x_first, x), (y_first, y)) =
        (to.as_rchunks_mut::<BLOCK>(), x.as_rchunks(), y.as_rchunks());
    for (to, (x, y)) in first.iter_mut().zip(x_first.iter().zip(y_first)) {
        *to = x + a * y;
    }
    for (to, (x, y)) in blocks.iter_mut().zip(x.iter().zip(y)) {
        *to = slices::sum(*x, a, *y);
    }
}
