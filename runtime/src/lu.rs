//! LU factorisation with partial pivoting, in storage that is allocated once.
//!
//! > P A = L U,  A (n, n) column by column
//!
//! # Source
//!
//! Golub, Van Loan: Matrix Computations (4th edition), algorithm 3.4.1.

use alloc::vec::Vec;

/// A factorised matrix and the room for it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lu {
    n: usize,
    factors: Vec<f64>,
    exchanged: Vec<usize>,
}

impl Lu {
    pub(crate) fn with_capacity(n: usize) -> Self {
        Self { n: 0, factors: Vec::with_capacity(n * n), exchanged: Vec::with_capacity(n) }
    }

    /// Factors the (n, n) matrix whose entries, column by column, are given. Returns its smallest pivot
    /// by its largest, in size; zero for one that is singular or not finite, with whose factors nothing
    /// can be solved.
    #[must_use]
    pub(crate) fn factor(&mut self, n: usize, entries: impl Iterator<Item = f64>) -> f64 {
        self.n = n;
        self.exchanged.clear();
        self.factors.clear();
        self.factors.extend(entries);
        let (mut smallest, mut largest) = (f64::INFINITY, f64::MIN_POSITIVE);
        for k in 0..n {
            let Some(pivot) = self.eliminate(k) else { return 0.0 };
            smallest = f64::min(smallest, pivot);
            largest = f64::max(largest, pivot);
        }
        if n == 0 { 1.0 } else { smallest / largest }
    }

    /// One step of the elimination, and the size of its pivot; none at one that is zero or not finite.
    fn eliminate(&mut self, k: usize) -> Option<f64> {
        let n = self.n;
        let (done, rest) = self.factors.split_at_mut((k + 1) * n);
        let column = &mut done[k * n..];
        let row = (k..n).fold(k, |r, i| if column[i].abs() > column[r].abs() { i } else { r });
        self.exchanged.push(row);
        column.swap(k, row);
        let pivot = column[k];
        if pivot == 0.0 || !pivot.is_finite() {
            return None;
        }
        column[k + 1..].iter_mut().for_each(|x| *x /= pivot);
        for other in rest.chunks_exact_mut(n) {
            other.swap(k, row);
            let factor = other[k];
            if factor != 0.0 {
                subtract(&mut other[k + 1..], factor, &column[k + 1..]);
            }
        }
        for column in done.chunks_exact_mut(n).take(k) {
            column.swap(k, row);
        }
        Some(pivot.abs())
    }

    /// The determinant, after a factorisation that did not break down.
    pub(crate) fn determinant(&self) -> f64 {
        let exchanges = self.exchanged.iter().enumerate().filter(|(k, row)| k != *row).count();
        let sign = if exchanges % 2 == 0 { 1.0 } else { -1.0 };
        (0..self.n).fold(sign, |product, k| product * self.factors[k * self.n + k])
    }

    /// Solves A x = b in place; `b` holds n numbers.
    pub(crate) fn solve(&self, b: &mut [f64]) {
        for (k, &row) in self.exchanged.iter().enumerate() {
            b.swap(k, row);
        }
        let columns = || self.factors.chunks_exact(self.n.max(1)).enumerate();
        for (k, column) in columns() {
            let (x, below) = (b[k], k + 1);
            subtract(&mut b[below..], x, &column[below..]);
        }
        for (k, column) in columns().rev() {
            b[k] /= column[k];
            let x = b[k];
            subtract(&mut b[..k], x, &column[..k]);
        }
    }
}

/// y −= factor · x.
fn subtract(y: &mut [f64], factor: f64, x: &[f64]) {
    y.iter_mut().zip(x).for_each(|(y, x)| *y -= factor * x);
}

#[cfg(test)]
mod tests {
    use super::Lu;

    #[test]
    fn exchanges_rows() {
        let (a, x) = ([0.0, 2.0, 4.0, 1.0, 3.0, -1.0, 5.0, 1.0, 0.5], [1.0, -2.0, 3.0]);
        let mut b: Vec<f64> = (0..3).map(|i| (0..3).map(|j| a[3 * j + i] * x[j]).sum()).collect();
        let mut lu = Lu::default();
        assert!(lu.factor(3, a.into_iter()) > 0.0);
        assert!((lu.determinant() + 67.0).abs() < 1e-13);
        lu.solve(&mut b);
        assert!(b.iter().zip(x).all(|(b, x)| (b - x).abs() < 1e-14), "{b:?}");
    }

    #[test]
    fn tells_singular_and_not_finite() {
        let mut lu = Lu::default();
        assert_eq!(lu.factor(2, [1.0, 2.0, 2.0, 4.0].into_iter()), 0.0);
        assert_eq!(lu.factor(2, [f64::NAN, 2.0, 2.0, 4.0].into_iter()), 0.0);
        assert_eq!(lu.factor(0, [].into_iter()), 1.0);
        lu.solve(&mut []);
    }
}
