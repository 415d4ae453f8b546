//! Why a quadratic program has no solution to return.

use alloc::vec::Vec;

use super::Quality;
use crate::digits::given;
use crate::slices::largest;

/// Why there is no solution to return. Only a failure allocates: what it carries.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No x satisfies the constraints.
    #[error("no point satisfies the constraints (seen after {pivots} pivots)")]
    Infeasible {
        /// y ≥ 0, (m); with z a vector of Farkas: Cᵀ y + Eᵀ z = 0 and dᵀ y + eᵀ z > 0, as far as
        /// [`farkas`](super::farkas) says.
        y: Vec<f64>,
        /// z, (p).
        z: Vec<f64>,
        /// Number of pivots before it was seen.
        pivots: usize,
    },
    /// The method came to no end, or what stands there is no solution: the problem is too badly conditioned.
    #[error("unsolved after {pivots} pivots, with {quality:?}")]
    Unsolved {
        /// The last point, (n).
        x: Vec<f64>,
        /// How well it satisfies the conditions of optimality.
        quality: Quality,
        /// Number of pivots.
        pivots: usize,
    },
    /// The search was told to stop, by who [watches](crate::watch) it.
    #[error("stopped after {pivots} pivots, with {quality:?}")]
    Stopped {
        /// The point then, (n): that nearest to the minimum without constraints of those on the active ones, so that it
        /// violates others.
        x: Vec<f64>,
        /// How well it satisfies the conditions of optimality.
        quality: Quality,
        /// Number of pivots.
        pivots: usize,
    },
    /// H, or the product of the factor that was given, is not positive definite.
    #[error("the Hessian is not positive definite: pivot {column} is {pivot:.2e}")]
    NotPositiveDefinite {
        /// The column of its factorisation.
        column: usize,
        /// The pivot there.
        pivot: f64,
    },
    /// An entry of a matrix or a vector is NaN or infinite.
    #[error("{what}[{index}] is {}, expected a finite number", given(*value))]
    NotFinite {
        /// The field of [`Problem`](super::Problem).
        what: &'static str,
        /// Which entry.
        index: usize,
        /// What it is.
        value: f64,
    },
    /// A slice has not the length that n, m or p asks for.
    #[error("{what} has {length} entries, expected {expected}")]
    Length {
        /// The field of [`Problem`](super::Problem).
        what: &'static str,
        /// Its length.
        length: usize,
        /// What it must be.
        expected: usize,
    },
}

/// # Errors
///
/// [`Error::Length`] unless there are so many `values`, and [`Error::NotFinite`] of the first that is NaN or
/// infinite.
pub(super) fn check(what: &'static str, values: &[f64], expected: usize) -> Result<(), Error> {
    if values.len() != expected {
        return Err(Error::Length { what, length: values.len(), expected });
    }
    if largest(values).is_finite() {
        return Ok(());
    }
    match values.iter().position(|x| !x.is_finite()) {
        Some(index) => Err(Error::NotFinite { what, index, value: values[index] }),
        None => Ok(()),
    }
}
