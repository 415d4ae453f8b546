//! What inputs do to coordinates, τ += B u, by the entries of B that are not zero.

use alloc::vec::Vec;

use crate::model::Model;
use crate::slices::add_products;
use crate::space::Storage;

/// The entries of B, in runs along its diagonals: actuators mostly stand in the order of the joints that they drive.
#[derive(Clone, Debug)]
pub(crate) struct Inputs {
    /// The first row and column of each run, and its length.
    runs: Vec<(usize, usize, usize)>,
    /// One run after the other.
    values: Vec<f64>,
}

impl Inputs {
    /// Of B, (nv, nu).
    pub(crate) fn new<M: Model>(matrix: &M::Input) -> Self {
        let columns = matrix.as_slice().chunks_exact(M::NV.max(1)).enumerate();
        let all = columns.flat_map(|(j, column)| {
            column.iter().enumerate().map(move |(i, &value)| (i, j, value))
        });
        let mut inputs = Self { runs: Vec::new(), values: Vec::new() };
        for (i, j, value) in all.filter(|(_, _, value)| *value != 0.0) {
            inputs.values.push(value);
            match inputs.runs.last_mut() {
                Some((row, column, count)) if (*row + *count, *column + *count) == (i, j) => {
                    *count += 1;
                }
                _ => inputs.runs.push((i, j, 1)),
            }
        }
        inputs
    }

    /// force += B u.
    #[inline(always)]
    pub(crate) fn add_force(&self, u: &[f64], force: &mut [f64]) {
        let mut values = &self.values[..];
        for &(row, column, count) in &self.runs {
            let (of_run, rest) = values.split_at(count);
            add_products(&mut force[row..][..count], of_run, &u[column..][..count]);
            values = rest;
        }
    }
}
