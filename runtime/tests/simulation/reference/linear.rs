//! Dense linear equations by elimination with pivots.

/// A square matrix, row by row.
#[derive(Clone, Debug)]
pub(super) struct Square {
    pub(super) size: usize,
    pub(super) entries: Vec<f64>,
}

impl Square {
    /// A x.
    pub(super) fn times(&self, x: &[f64]) -> Vec<f64> {
        self.entries.chunks_exact(self.size).map(|row| dot(row, x)).collect()
    }

    /// A⁻¹ x; not finite where A is singular.
    pub(super) fn solve(&self, x: &[f64]) -> Vec<f64> {
        let (n, mut a, mut x) = (self.size, self.entries.clone(), x.to_vec());
        for k in 0..n {
            let largest = |i: &usize, j: &usize| a[n * i + k].abs().total_cmp(&a[n * j + k].abs());
            let pivot = (k..n).max_by(largest).unwrap();
            x.swap(k, pivot);
            (k..n).for_each(|j| a.swap(n * k + j, n * pivot + j));
            let (above, below) = a.split_at_mut(n * (k + 1));
            let row = &above[n * k + k..];
            for (i, other) in below.chunks_exact_mut(n).enumerate() {
                let factor = other[k] / row[0];
                if factor != 0.0 {
                    add(&mut other[k..], -factor, row);
                    x[k + 1 + i] -= factor * x[k];
                }
            }
        }
        for k in (0..n).rev() {
            let rest = dot(&a[n * k + k + 1..n * (k + 1)], &x[k + 1..]);
            x[k] = (x[k] - rest) / a[(n + 1) * k];
        }
        x
    }
}

pub(super) fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

/// x + f y.
pub(super) fn add(x: &mut [f64], f: f64, y: &[f64]) {
    x.iter_mut().zip(y).for_each(|(x, y)| *x += f * y);
}

/// The largest magnitude; NaN if one is.
pub(super) fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |most: f64, x| if x.abs() > most || x.is_nan() { x.abs() } else { most })
}
