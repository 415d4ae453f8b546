//! What the solvers ask of the matrix.

use super::modes::Modes;
use super::problem::BLOCK_ROWS;
use super::small::Small;
use super::view::View;
use crate::kernel::Real;

/// What is added to A in the rows of one block.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Damping {
    pub(super) first: usize,
    pub(super) rows: usize,
    /// Symmetric positive definite.
    pub(super) matrix: Small,
    /// Rows whose impulse stays as it is are not free.
    pub(super) free: [bool; BLOCK_ROWS],
}

/// The matrix A of a problem, in one of its forms.
pub(super) trait Operator {
    /// The least proximal term that linear problems need.
    const PROXIMAL: f64;

    /// w = A λ + b.
    fn apply<A: Real>(&mut self, view: &View<'_>, lambda: &[f64], w: &mut [f64]);

    /// Solves the linear problem of modes for its unknowns. Whether it is regular.
    fn solve<A: Real>(&mut self, view: &View<'_>, modes: &Modes, x: &mut [f64]) -> bool;

    /// Factors A + D for a block diagonal D.
    fn factor_damped<A: Real>(&mut self, damping: &[Damping]);

    /// Solves (A + D) x = r in place, x being zero in rows that are not free.
    fn solve_damped<A: Real>(&mut self, damping: &[Damping], x: &mut [f64]);

    /// Eight units of rounding of the largest sum in A λ.
    fn rounding<A: Real>(&mut self, lambda: &[f64]) -> f64;

    /// The entry in row i and column j.
    fn entry<A: Real>(&self, i: usize, j: usize) -> f64;

    /// Makes λ the impulses that [`rate`](Self::rate) and [`change`](Self::change) go on from.
    fn begin<A: Real>(&mut self, view: &View<'_>, lambda: &[f64]);

    /// w of one row.
    fn rate<A: Real>(&self, view: &View<'_>, row: usize, impulse: f64) -> f64;

    /// Adds to the impulse of one row.
    fn change<A: Real>(&mut self, row: usize, by: f64);
}

/// Zeros in the rows that are not free.
#[inline(always)]
pub(super) fn hold(damping: &[Damping], x: &mut [f64]) {
    for of in damping {
        for k in (0..of.rows).filter(|&k| !of.free[k]) {
            x[of.first + k] = 0.0;
        }
    }
}
