//! Why a complementarity problem has no solution to return.

use alloc::vec::Vec;

use crate::digits::given;
use crate::slices::largest;
use crate::watch::Halt;

/// Why there is no solution to return. Only a failure allocates: what it carries, and room for the search of a vector of
/// Farkas.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no solution, because no z has the signs that are asked for.
    #[error(
        "the problem has no solution, or none within 1e8 times its numbers (seen after {pivots} pivots)"
    )]
    Infeasible {
        /// A vector of Farkas, (n): for a linear complementarity problem y ≥ 0, Mᵀ y ≤ 0 and qᵀ y < 0,
        /// for a boxed one as in [`boxed::farkas`](super::boxed::farkas), which says, as
        /// [`farkas`](super::farkas) does, how far rounding leaves it a proof.
        y: Vec<f64>,
        /// Number of pivots before it was seen.
        pivots: usize,
    },
    /// Lemke's path ends in a ray z + t · direction, t ≥ 0, and no vector of Farkas was found. For a copositive-plus
    /// matrix, and a positive semidefinite one is, this proves that the problem has no solution; for others it
    /// says only that this method finds none. Entries of a column below 1e-11 of its largest are
    /// taken as zero here.
    #[error(
        "Lemke's path ends in a ray after {pivots} pivots, a proof that there is no solution only for copositive-plus matrices"
    )]
    Ray {
        /// Where the ray starts, (n).
        z: Vec<f64>,
        /// Where it leads, (n).
        direction: Vec<f64>,
        /// Number of pivots before it.
        pivots: usize,
    },
    /// The method came to no end, or what stands there is no solution. There may be one.
    #[error("unsolved after {pivots} pivots, with residual {residual:.2e}")]
    Unsolved {
        /// The best point, (n).
        z: Vec<f64>,
        /// Its natural residual.
        residual: f64,
        /// Number of pivots.
        pivots: usize,
    },
    /// The search was told to stop, by who [watches](crate::watch) it.
    #[error("stopped after {pivots} pivots, with residual {residual:.2e}")]
    Stopped {
        /// The best point, (n).
        z: Vec<f64>,
        /// Its natural residual.
        residual: f64,
        /// Number of pivots, steps or sweeps.
        pivots: usize,
    },
    /// An entry of a matrix or a vector is NaN or infinite.
    #[error("{what}[{index}] is {}, expected a finite number", given(*value))]
    NotFinite {
        /// As the argument or field is called: `m`, `q`, `a`, `b`, `lo`, `hi`, `start`, …
        what: &'static str,
        /// Which entry.
        index: usize,
        /// What it is.
        value: f64,
    },
    /// A slice has not the length that the length n of q or b asks for.
    #[error("{what} has {length} entries, expected {expected}")]
    Length {
        /// The slice.
        what: &'static str,
        /// Its length.
        length: usize,
        /// What it must be.
        expected: usize,
    },
    /// A parameter of the solver lies outside its range.
    #[error("{parameter} is {}, expected a number between 0 and 2", given(*value))]
    Parameter {
        /// `relaxation`.
        parameter: &'static str,
        /// What was given.
        value: f64,
    },
    /// No number lies between the bounds of an entry.
    #[error("entry {index} must lie between {lo} and {hi}, which no number does")]
    EmptyBox {
        /// Which entry.
        index: usize,
        /// Its lower bound.
        lo: f64,
        /// Its upper bound.
        hi: f64,
    },
}

impl Error {
    /// What a search returns that was told to stop where it would have returned this.
    pub(super) fn halted(self, halt: Option<Halt>) -> Self {
        match self {
            Error::Unsolved { z, residual, pivots } if halt == Some(Halt::Stopped) => {
                Error::Stopped { z, residual, pivots }
            }
            other => other,
        }
    }
}

/// # Errors
///
/// [`Error::Length`] unless there are so many `values`.
pub(super) fn check_length(
    what: &'static str,
    values: &[f64],
    expected: usize,
) -> Result<(), Error> {
    if values.len() == expected {
        Ok(())
    } else {
        Err(Error::Length { what, length: values.len(), expected })
    }
}

/// The largest of `values`, in size.
///
/// # Errors
///
/// [`Error::NotFinite`] names the first that is NaN or infinite.
pub(super) fn check_finite(what: &'static str, values: &[f64]) -> Result<f64, Error> {
    let largest = largest(values);
    if largest.is_finite() {
        return Ok(largest);
    }
    match values.iter().position(|x| !x.is_finite()) {
        Some(index) => Err(Error::NotFinite { what, index, value: values[index] }),
        None => Ok(largest),
    }
}

/// Whether there is a start for `n` variables.
///
/// # Errors
///
/// [`Error::NotFinite`] if an entry of it is NaN or infinite.
pub(super) fn check_start(start: &[f64], n: usize) -> Result<bool, Error> {
    check_finite("start", start)?;
    Ok(start.len() == n && n > 0)
}
