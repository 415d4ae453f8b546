//! What the methods have in common.

use super::dense::Orthogonal;
use super::{Error, Problem};

/// The least pivots of a mass matrix and of A = J M⁻¹ Jᵀ that are not taken for rounding, relative to
/// diagonal entries. A is squared, and what M is inverted by adds to its rounding.
pub(super) const SINGULAR: (f64, f64) = (1e-14, 1e-12);

/// What a factorisation tells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pivots {
    /// Rank of J.
    pub(super) rank: usize,
    /// As in [`Report::condition`](super::Report::condition).
    pub(super) condition: f64,
}

/// One method of solving M x − Jᵀ λ = f, J x = g.
pub(super) trait Factorisation {
    /// Factors M and J. `rows` are those of J, see [`super::rows`]; a method for rows that are
    /// independent does not look at them.
    fn factor(&mut self, problem: &Problem<'_>, rows: &Orthogonal) -> Result<Pivots, Error>;

    /// Solves for f and g, which need not be those of the problem. Where rows are dependent, g is in the
    /// range of J, and λ may be any of the solutions.
    fn solve(
        &mut self,
        problem: &Problem<'_>,
        rows: &mut Orthogonal,
        side: (&[f64], &[f64]),
        solution: (&mut [f64], &mut [f64]),
    ) -> Result<(), Error>;
}
