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
    /// Whether each input drives something.
    all_drive: bool,
}

impl Inputs {
    /// Of B, (nv, nu).
    pub(crate) fn new<M: Model>(matrix: &M::Input) -> Self {
        let columns = matrix.as_slice().chunks_exact(M::NV.max(1)).enumerate();
        let all = columns.flat_map(|(j, column)| {
            column.iter().enumerate().map(move |(i, &value)| (i, j, value))
        });
        let mut inputs = Self { runs: Vec::new(), values: Vec::new(), all_drive: true };
        for (i, j, value) in all.filter(|(_, _, value)| *value != 0.0) {
            inputs.values.push(value);
            match inputs.runs.last_mut() {
                Some((row, column, count)) if (*row + *count, *column + *count) == (i, j) => {
                    *count += 1;
                }
                _ => inputs.runs.push((i, j, 1)),
            }
        }
        let is_driving =
            |j| inputs.runs.iter().any(|&(_, first, n)| (first..first + n).contains(&j));
        inputs.all_drive = (0..M::NU).all(is_driving);
        inputs
    }

    /// Whether each input drives something, so that what is wrong with one is wrong with the force.
    #[inline(always)]
    pub(crate) fn all_drive(&self) -> bool {
        self.all_drive
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
