//! Impulses along edges of polyhedral cones.
//!
//! > Λ = W x + λ₀,  W a column for each edge
//!
//! An edge of a contact's polygon is d = x t₁ + y t₂, one of its pyramid n + μ d; a bounded row is its own edge.

use alloc::vec::Vec;

use crate::slices;

/// A column of W: weights of up to four rows from `first` on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Column {
    first: usize,
    weights: [f64; 4],
    rows: usize,
}

impl Column {
    /// Along one row, with a weight.
    pub(crate) fn row(first: usize, weight: f64) -> Self {
        Self { first, weights: [weight, 0.0, 0.0, 0.0], rows: 1 }
    }

    /// n weights the normal of a contact, `tangent` its tangents.
    pub(crate) fn edge(first: usize, normal: f64, [x, y]: [f64; 2]) -> Self {
        Self { first, weights: [normal, x, y, 0.0], rows: 3 }
    }

    /// The same with the moment about the normal in a fourth row.
    pub(crate) fn spinning_edge(first: usize, normal: f64, [x, y]: [f64; 2], spin: f64) -> Self {
        Self { first, weights: [normal, x, y, spin], rows: 4 }
    }

    /// n weights the normal of a contact in a plane, `tangent` its tangent.
    pub(crate) fn planar(first: usize, normal: f64, tangent: f64) -> Self {
        Self { first, weights: [normal, tangent, 0.0, 0.0], rows: 2 }
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
