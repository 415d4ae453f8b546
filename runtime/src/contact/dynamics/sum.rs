//! Sums of vectors of coordinates.

use crate::slices::{self, BLOCK};

/// Writes x + a y. Blocks end where the vectors end: there, kernels write those of alike limbs a block at a time, and what is
/// read as it was written is had before it is in memory.
#[inline(always)]
pub(in crate::contact) fn sum_of(to: &mut [f64], x: &[f64], a: f64, y: &[f64]) {
    if !to.len().is_multiple_of(BLOCK) {
        // The first block overlaps the next one, where there are so many.
        match (to.first_chunk_mut(), x.first_chunk(), y.first_chunk()) {
            (Some(to), Some(x), Some(y)) => *to = slices::sum(*x, a, *y),
            _ => to.iter_mut().zip(x.iter().zip(y)).for_each(|(to, (x, y))| *to = x + a * y),
        }
    }
    let ((_, blocks), (_, x), (_, y)) = (to.as_rchunks_mut(), x.as_rchunks(), y.as_rchunks());
    for (to, (x, y)) in blocks.iter_mut().zip(x.iter().zip(y)) {
        *to = slices::sum(*x, a, *y);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_all_lengths_are_those_of_the_definition() {
        let x = [1.0, -2.0, 3.0, 0.5, -0.25, 4.0, 7.0, -6.0, 2.5];
        let y = [0.5, 4.0, -1.0, 2.0, 8.0, -3.0, 1.5, 0.75, 6.0];
        for length in 0..=x.len() {
            let mut sum = [f64::NAN; 9];
            sum_of(&mut sum[..length], &x[..length], -2.0, &y[..length]);
            for k in 0..length {
                assert_eq!(sum[k], x[k] - 2.0 * y[k], "{length}, {k}");
            }
            assert!(sum[length..].iter().all(|x| x.is_nan()));
        }
    }
}
