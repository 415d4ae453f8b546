//! Inverses of matrices of the rows of a block.

use super::problem::BLOCK_ROWS;

/// A matrix, row by row; what is outside its size is zero.
pub(super) type Small = [[f64; BLOCK_ROWS]; BLOCK_ROWS];

/// The inverse of a matrix of `n` rows with positive pivots, by the method of Gauss and Jordan. A row whose
/// diagonal entry is infinite gives zeros.
#[inline(always)]
pub(super) fn invert(n: usize, matrix: &Small) -> Small {
    let (mut a, mut inverse) = (*matrix, Small::default());
    for (k, row) in inverse.iter_mut().enumerate().take(n) {
        row[k] = 1.0;
    }
    for k in 0..n {
        let scale = 1.0 / a[k][k];
        a[k] = a[k].map(|x| if x.is_finite() { x * scale } else { 0.0 });
        inverse[k] = inverse[k].map(|x| x * scale);
        for i in (0..n).filter(|&i| i != k) {
            let factor = a[i][k];
            for j in 0..n {
                a[i][j] -= factor * a[k][j];
                inverse[i][j] -= factor * inverse[k][j];
            }
        }
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inverse_undoes() {
        let mut a = Small::default();
        a[0][..3].copy_from_slice(&[4.0, 1.0, 0.5]);
        a[1][..3].copy_from_slice(&[0.5, 3.0, -1.0]);
        a[2][..3].copy_from_slice(&[0.0, 1.0, 2.0]);
        let inverse = invert(3, &a);
        for (i, row) in a.iter().enumerate().take(3) {
            let product = |j: usize| (0..3).map(|k| row[k] * inverse[k][j]).sum::<f64>();
            let exact = |j: usize| f64::from(u8::from(i == j));
            assert!((0..3).all(|j| (product(j) - exact(j)).abs() < 1e-15));
        }
        let mut held = Small::default();
        (held[0][0], held[1][1]) = (2.0, f64::INFINITY);
        let inverse = invert(2, &held);
        assert_eq!(inverse[0][0], 0.5);
        assert_eq!(inverse[1], [0.0; BLOCK_ROWS]);
    }
}
