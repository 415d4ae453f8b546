//! Which rows of a constraint are independent.
//!
//! > Jᵀ = Q Wᵀ,  P = W W⁺
//!
//! A row depends on others if less than a threshold of its length is at right angles to them, so that the
//! units of rows do not matter: metres and radians, forces and moments. Coordinates are taken in the units
//! that they have. A row of zeros depends on the others; any other counts, whatever its size: whether 6e-17
//! beside 1 is rounding, or a metre measured in light years, a matrix does not tell. Who knows how a row came to
//! be makes it zero, as [`constrained`](crate::constrained) does where a row of a robot vanishes. P projects
//! what the rows are to have onto what they can have, and multipliers onto the smallest of those that exert the same force.
//!
//! # Source
//!
//! Golub, Van Loan: Matrix Computations (4th edition), sections 5.4.2 and 5.4.7.

use alloc::vec::Vec;

use super::Problem;
use super::dense::Orthogonal;
use crate::slices::zeros;

/// Decomposes Jᵀ, in the room given.
pub(super) fn factor(
    rows: &mut Orthogonal,
    transposed: &mut Vec<f64>,
    problem: &Problem<'_>,
    threshold: f64,
) {
    let (n, m) = (problem.coordinates(), problem.rows());
    let entries = zeros(transposed, n * m);
    for (k, &entry) in problem.jacobian.iter().enumerate() {
        entries[k % m * n + k / m] = entry;
    }
    rows.factor((n, m), transposed, threshold);
}

/// As in [`Report::condition`](super::Report::condition).
pub(super) fn condition(rows: &Orthogonal) -> f64 {
    rows.condition() * rows.condition()
}
