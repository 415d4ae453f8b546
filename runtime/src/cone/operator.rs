//! What the solvers ask of the matrix.

use super::modes::Modes;
use super::view::View;
use crate::kernel::Real;

/// The matrix A of a problem, in one of its forms.
pub(super) trait Operator {
    /// w = A λ + b.
    fn apply<A: Real>(&mut self, view: &View<'_>, lambda: &[f64], w: &mut [f64]);

    /// Solves the linear problem of modes for its unknowns. Whether it is regular.
    fn solve<A: Real>(&mut self, view: &View<'_>, modes: &Modes, x: &mut [f64]) -> bool;

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
