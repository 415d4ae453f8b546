//! Symmetric systems whose rows may depend on one another, as those of loops do.
//!
//! > A x = b,  A (n, n) symmetric positive semidefinite:  Πᵀ A Π = L Lᵀ on the independent rows
//!
//! by Cholesky's factorisation with diagonal pivots, each by its row's scale, such as the entry that it would have if
//! nothing else held: so units do not matter, and rounding is no pivot. Rows whose pivot vanishes depend on those before
//! them: their unknowns are zero, and where b contradicts the others there, it is not heard.
//!
//! # Source
//!
//! Higham: Accuracy and Stability of Numerical Algorithms (2nd edition, 2002), section 10.3.

use alloc::vec::Vec;

use crate::slices::{copy, sqrt};

/// A row with a smaller pivot, by its scale, depends on others.
const DEPENDENT: f64 = 1e-11;

/// A factorised matrix and the room for it.
#[derive(Clone, Debug, Default)]
pub(super) struct Dependent {
    n: usize,
    /// The rows in the order of their pivots, as many as are independent.
    order: Vec<usize>,
    /// A column of L, (n), for each pivot, in the order of the rows of A.
    factors: Vec<f64>,
    left: Vec<f64>,
    room: Vec<f64>,
}

impl Dependent {
    /// Factors the (n, n) matrix, column by column, whose rows have these scales, (n), all positive.
    pub(super) fn factor(&mut self, scale: &[f64], a: &[f64]) {
        let n = scale.len();
        self.n = n;
        self.order.clear();
        self.factors.clear();
        self.left.clear();
        self.left.extend((0..n).map(|k| a[k * n + k]));
        for _ in 0..n {
            let share = |k: usize| self.left[k] / scale[k];
            let free = (0..n).filter(|k| !self.order.contains(k));
            let best = free.max_by(|&i, &j| share(i).total_cmp(&share(j)));
            let Some(pivot) = best.filter(|&k| share(k) > DEPENDENT) else { break };
            self.eliminate(pivot, &a[pivot * n..][..n]);
        }
    }

    fn eliminate(&mut self, pivot: usize, column: &[f64]) {
        let start = self.factors.len();
        self.factors.extend_from_slice(column);
        let (done, new) = self.factors.split_at_mut(start);
        for before in done.chunks_exact(self.n) {
            crate::slices::subtract(new, before[pivot], before);
        }
        let root = sqrt(self.left[pivot]);
        for (k, x) in new.iter_mut().enumerate() {
            *x = if self.order.contains(&k) { 0.0 } else { *x / root };
            self.left[k] -= *x * *x;
        }
        self.order.push(pivot);
    }

    /// Solves in place.
    pub(super) fn solve(&mut self, b: &mut [f64]) {
        let right = copy(&mut self.room, b);
        b.fill(0.0);
        let columns = || self.order.iter().zip(self.factors.chunks_exact(self.n.max(1)));
        for (&row, column) in columns() {
            b[row] = right[row] / column[row];
            crate::slices::subtract(right, b[row], column);
        }
        for (&row, column) in columns().rev() {
            let later: f64 = column.iter().zip(&*b).map(|(l, x)| l * x).sum::<f64>();
            b[row] = (b[row] - (later - column[row] * b[row])) / column[row];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Dependent;

    /// Rows 1 and 3 of four are the same, in other units.
    #[test]
    fn solves_with_rows_that_depend_on_others() {
        let rows = [[1.0, 2.0, 0.0], [0.0, 1.0, 1.0], [3.0, 0.0, -1.0], [0.0, 1e4, 1e4]];
        let dot = |i: usize, j: usize| rows[i].iter().zip(rows[j]).map(|(a, b)| a * b).sum::<f64>();
        let a: Vec<f64> = (0..16).map(|k| dot(k % 4, k / 4)).collect();
        let x = [0.3, -0.2, 0.5, 1e-4];
        let b: Vec<f64> = (0..4).map(|i| (0..4).map(|j| a[4 * j + i] * x[j]).sum()).collect();
        let (mut dependent, mut found) = (Dependent::default(), b.clone());
        dependent.factor(&[1.0, 1.0, 1.0, 1e8], &a);
        dependent.solve(&mut found);
        assert_eq!(dependent.order.len(), 3);
        let again = (0..4).map(|i| (0..4).map(|j| a[4 * j + i] * found[j]).sum::<f64>());
        assert!(again.zip(b).all(|(again, b)| (again - b).abs() < 1e-11 * b.abs().max(1.0)));
    }
}
