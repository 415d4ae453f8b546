//! What inputs do to coordinates, τ += B u, by the entries of B that are not zero.

use alloc::vec::Vec;

use crate::control::entries;
use crate::model::Robot;
use crate::slices::add_products;

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
    pub(crate) fn new(robot: Robot<'_>) -> Self {
        Self::of(&robot.input_matrix(), robot.nv, robot.nu)
    }

    /// Of B, (nv, nu).
    fn of(matrix: &[f64], nv: usize, nu: usize) -> Self {
        let mut inputs = Self { runs: Vec::new(), values: Vec::new(), all_drive: true };
        for (i, j, value) in entries(matrix, nv) {
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
        inputs.all_drive = (0..nu).all(is_driving);
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

#[cfg(test)]
mod tests {
    use nalgebra::{SMatrix, SVector};

    use super::*;

    fn check(b: SMatrix<f64, 7, 7>, all_drive: bool) {
        let inputs = Inputs::of(b.as_slice(), 7, 7);
        let u = SVector::<f64, 7>::from_fn(|i, _| (i as f64 + 0.5).sin());
        let mut force = SVector::<f64, 7>::repeat(0.25);
        inputs.add_force(u.as_slice(), force.as_mut_slice());
        let error = (force - SVector::repeat(0.25) - b * u).amax();
        assert!(error < 1e-15, "{b}: {error:e}");
        assert_eq!(inputs.all_drive(), all_drive, "{b}");
    }

    #[test]
    fn forces_are_products_with_the_matrix() {
        let gear = |i: usize, j: usize| 1.0 + 0.1 * i as f64 - 0.2 * j as f64;
        check(SMatrix::zeros(), false);
        check(SMatrix::from_fn(gear), true);
        for shift in -6_i32..=6 {
            let along = |i: usize, j: usize| i as i32 - j as i32 == shift;
            let one = SMatrix::from_fn(|i, j| if along(i, j) { gear(i, j) } else { 0.0 });
            check(one, shift == 0);
            // Two entries in each column, and runs that are broken.
            check(one + SMatrix::from_fn(|i, j| if i + j == 6 { 0.5 } else { 0.0 }), true);
            let broken = |i: usize, j: usize| if j == 3 { 0.0 } else { one[(i, j)] };
            check(SMatrix::from_fn(broken), false);
        }
    }
}
