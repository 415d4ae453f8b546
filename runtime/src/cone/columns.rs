//! Impulses along edges of polyhedral cones.
//!
//! > Λ = W x + λ₀,  W a column for each edge
//!
//! An edge of a contact's polygon is d = x t₁ + y t₂, one of its pyramid n + μ d; a bounded row is its own edge. A ball of
//! radius r is the zonotope of all Σ xₖ dₖ with |xₖ| ≤ r wₖ, the [zones](ZONES), whose edges are along dₖ.

use alloc::vec::Vec;

use super::problem::BLOCK_ROWS;
use crate::slices;

const AXES: f64 = 0.154_700_538_379_251_53;
const SIDES: f64 = 0.183_503_419_072_273_97;
const CORNERS: f64 = 0.141_280_532_392_849_57;
const SIDE: f64 = core::f64::consts::FRAC_1_SQRT_2;
const CORNER: f64 = 0.577_350_269_189_625_8;

/// wₖ and dₖ of a ball's zonotope: the axes of a cube, its face diagonals and its space diagonals. Its support
/// Σ wₖ |dₖᵀ u| is 1 along each dₖ, and up to 1.094 between them.
pub(crate) const ZONES: [(f64, [f64; 3]); 13] = [
    (AXES, [1.0, 0.0, 0.0]),
    (AXES, [0.0, 1.0, 0.0]),
    (AXES, [0.0, 0.0, 1.0]),
    (SIDES, [SIDE, SIDE, 0.0]),
    (SIDES, [SIDE, -SIDE, 0.0]),
    (SIDES, [SIDE, 0.0, SIDE]),
    (SIDES, [SIDE, 0.0, -SIDE]),
    (SIDES, [0.0, SIDE, SIDE]),
    (SIDES, [0.0, SIDE, -SIDE]),
    (CORNERS, [CORNER, CORNER, CORNER]),
    (CORNERS, [CORNER, CORNER, -CORNER]),
    (CORNERS, [CORNER, -CORNER, CORNER]),
    (CORNERS, [CORNER, -CORNER, -CORNER]),
];

/// A column of W: weights of the rows of a block from `first` on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Column {
    first: usize,
    weights: [f64; BLOCK_ROWS],
    rows: usize,
}

impl Column {
    fn new<const N: usize>(first: usize, of: [f64; N]) -> Self {
        let mut weights = [0.0; BLOCK_ROWS];
        weights.iter_mut().zip(of).for_each(|(to, weight)| *to = weight);
        Self { first, weights, rows: N }
    }

    /// Along one row, with a weight.
    pub(crate) fn row(first: usize, weight: f64) -> Self {
        Self::new(first, [weight])
    }

    /// n weights the normal of a contact, `tangent` its tangents.
    pub(crate) fn edge(first: usize, normal: f64, [x, y]: [f64; 2]) -> Self {
        Self::new(first, [normal, x, y])
    }

    /// The same with the moment about the normal in a fourth row.
    pub(crate) fn spinning_edge(first: usize, normal: f64, [x, y]: [f64; 2], spin: f64) -> Self {
        Self::new(first, [normal, x, y, spin])
    }

    /// The same with moments about the tangents, by `turning`, in two more rows.
    pub(crate) fn rolling_edge(
        first: usize,
        normal: f64,
        ([x, y], spin, turning): ([f64; 2], f64, [f64; 2]),
    ) -> Self {
        Self::new(first, [normal, x, y, spin, turning[0], turning[1]])
    }

    /// Along a direction of the three rows of a ball.
    pub(crate) fn along(first: usize, direction: [f64; 3]) -> Self {
        Self::new(first, direction)
    }

    /// Along a direction of two rows, as the normal of a contact in a plane and its tangent are.
    pub(crate) fn planar(first: usize, x: f64, y: f64) -> Self {
        Self::new(first, [x, y])
    }

    /// This column times a vector along the rows.
    pub(crate) fn times(&self, x: &[f64]) -> f64 {
        let rows = &x[self.first..self.first + self.rows];
        rows.iter().zip(self.weights).map(|(x, w)| x * w).sum()
    }

    /// Λ += x times this column.
    pub(crate) fn add(&self, x: f64, impulses: &mut [f64]) {
        let rows = &mut impulses[self.first..self.first + self.rows];
        rows.iter_mut().zip(self.weights).for_each(|(to, w)| *to += w * x);
    }

    /// Column j of A times that of another, self Aᵀ other.
    fn between(&self, a: &[f64], n: usize, other: &Self) -> f64 {
        let columns = a[other.first * n..].chunks_exact(n).take(other.rows);
        columns.zip(other.weights).map(|(column, w)| w * self.times(column)).sum()
    }
}

/// Writes Wᵀ A W into the upper left of `m`, which has `size` rows, for A of n rows.
pub(crate) fn matrix((a, n): (&[f64], usize), columns: &[Column], size: usize, m: &mut Vec<f64>) {
    slices::zeros(m, size * size);
    for (j, right) in columns.iter().enumerate() {
        for (i, left) in columns.iter().enumerate().take(j + 1) {
            let entry = left.between(a, n, right);
            (m[j * size + i], m[i * size + j]) = (entry, entry);
        }
    }
}
