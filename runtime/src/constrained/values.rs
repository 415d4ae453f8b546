//! What rows are at a state.

use alloc::vec::Vec;
use core::ops::Range;

use crate::slices;

/// Values of rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Values {
    /// h, zero of rows of velocities.
    pub(crate) error: Vec<f64>,
    /// ḣ or h_v.
    pub(crate) rate: Vec<f64>,
    /// H, (rows, nv).
    pub(crate) jacobian: Vec<f64>,
    /// What of the rate's change does not depend on v̇.
    pub(super) bias: Vec<f64>,
}

impl Values {
    pub(super) fn zeros(rows: usize, nv: usize) -> Self {
        let mut values = Self::default();
        values.resize(rows, nv);
        values
    }

    pub(super) fn resize(&mut self, rows: usize, nv: usize) {
        for vector in [&mut self.error, &mut self.rate, &mut self.bias] {
            vector.resize(rows, 0.0);
        }
        self.jacobian.resize(rows * nv, 0.0);
    }

    pub(super) fn clear(&mut self) {
        for vector in [&mut self.error, &mut self.rate, &mut self.bias, &mut self.jacobian] {
            vector.clear();
        }
    }

    /// Writes rows of other values from row `to` on.
    pub(super) fn copy_rows(&mut self, to: usize, from: &Self, rows: Range<usize>, nv: usize) {
        let (all, others, end) = (self.error.len(), from.error.len(), to + rows.len());
        self.error[to..end].copy_from_slice(&from.error[rows.clone()]);
        self.rate[to..end].copy_from_slice(&from.rate[rows.clone()]);
        self.bias[to..end].copy_from_slice(&from.bias[rows.clone()]);
        for k in 0..nv {
            let entries = &from.jacobian[k * others..(k + 1) * others][rows.clone()];
            self.jacobian[k * all..(k + 1) * all][to..end].copy_from_slice(entries);
        }
    }

    /// Adds `weight` times a row of other values to row `to`.
    pub(super) fn add_row(&mut self, to: usize, weight: f64, from: &Self, row: usize, nv: usize) {
        let (rows, others) = (self.error.len(), from.error.len());
        self.error[to] += weight * from.error[row];
        self.rate[to] += weight * from.rate[row];
        self.bias[to] += weight * from.bias[row];
        for k in 0..nv {
            self.jacobian[k * rows + to] += weight * from.jacobian[k * others + row];
        }
    }
}

/// y = A x for a matrix of as many rows as y has.
pub(super) fn multiply(matrix: &[f64], x: &[f64], y: &mut [f64]) {
    y.fill(0.0);
    slices::multiply(y, matrix, x);
}
