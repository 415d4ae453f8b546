//! Why Lemke's method has no solution to return.

use alloc::vec::Vec;

/// Why there is no solution to return.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The path ends in a ray z + t · direction, t ≥ 0. For a copositive-plus matrix, and a
    /// positive semidefinite one is, this proves that the problem has no solution; for others it
    /// says only that this method finds none. Entries of a column below 1e-11 of its largest are
    /// taken as zero here.
    #[error("Lemke's path ends in a ray after {pivots} pivots")]
    Ray {
        /// Where the ray starts, (n).
        z: Vec<f64>,
        /// Where it leads, (n).
        direction: Vec<f64>,
        /// Number of pivots before it.
        pivots: usize,
    },
    /// The path could not be followed to its end, or what stands there is no solution.
    #[error("unsolved after {pivots} pivots, with residual {residual:e}")]
    Unsolved {
        /// The last point, (n).
        z: Vec<f64>,
        /// Its ‖min(z, M z + q)‖∞.
        residual: f64,
        /// Number of pivots.
        pivots: usize,
    },
    /// An entry of M or q is NaN or infinite.
    #[error("{quantity}[{index}] is {value}, expected a finite number")]
    NotFinite {
        /// `m` or `q`.
        quantity: &'static str,
        /// Which entry.
        index: usize,
        /// What it is.
        value: f64,
    },
    /// M has not n² entries, n being the length of q.
    #[error("the matrix has {entries} entries, expected {n} x {n}")]
    Dimension {
        /// Length of q.
        n: usize,
        /// Length of m.
        entries: usize,
    },
}

impl Error {
    /// The same failure of the problem `m`, `q`, whose z are `scale` times those found.
    pub(super) fn multiplied(mut self, scale: f64, m: &[f64], q: &[f64]) -> Self {
        match &mut self {
            Error::Ray { z, .. } => z.iter_mut().for_each(|z| *z *= scale),
            Error::Unsolved { z, residual, .. } => {
                z.iter_mut().for_each(|z| *z *= scale);
                *residual = super::residual(m, q, z);
            }
            Error::NotFinite { .. } | Error::Dimension { .. } => {}
        }
        self
    }
}

/// # Errors
///
/// [`Error::NotFinite`] names the first entry of `values` that is NaN or infinite.
pub(super) fn check_finite(quantity: &'static str, values: &[f64]) -> Result<(), Error> {
    match values.iter().position(|x| !x.is_finite()) {
        Some(index) => Err(Error::NotFinite { quantity, index, value: values[index] }),
        None => Ok(()),
    }
}
