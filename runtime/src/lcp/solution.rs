//! What a solver of complementarity problems returns.

use alloc::vec::Vec;

use super::Error;

/// A solution, in the storage of the workspace that it was found with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solution<'a> {
    /// z of a linear complementarity problem, λ of a boxed one, (n).
    pub z: &'a [f64],
    /// The natural residual of z, as [`residual`](super::residual) and
    /// [`boxed::residual`](super::boxed::residual) compute it from the problem's own numbers.
    pub residual: f64,
    /// Number of pivots, Newton steps or sweeps.
    pub pivots: usize,
    /// How it was found.
    pub status: Status,
}

/// What a solver returns where it stopped: the solution, which stays in its workspace, or the failure with the point.
/// `known` says whether it had one to start from.
pub(super) fn conclude(
    z: &mut Vec<f64>,
    (method, known): (Method, bool),
    (is_solved, residual, pivots): (bool, f64, usize),
) -> Result<Solution<'_>, Error> {
    if is_solved && residual.is_finite() {
        let status = if known { Status::Resumed } else { Status::Solved }(method);
        return Ok(Solution { z, residual, pivots, status });
    }
    let point = z.clone();
    z.clear();
    Err(Error::Unsolved { z: point, residual, pivots })
}

/// How a solution was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// By the method, from where it starts without foreknowledge.
    Solved(Method),
    /// By the method, from the solution before or the start that was given.
    Resumed(Method),
}

impl Status {
    /// The method that found it.
    pub fn method(self) -> Method {
        match self {
            Status::Solved(method) | Status::Resumed(method) => method,
        }
    }
}

/// The solvers of complementarity problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// [`lemke`](super::lemke).
    Lemke,
    /// [`dantzig`](super::dantzig).
    Dantzig,
    /// [`newton`](super::newton), with the natural residual.
    NewtonMin,
    /// [`newton`](super::newton), with Fischer and Burmeister's function.
    FischerBurmeister,
    /// [`gauss_seidel`](super::gauss_seidel).
    GaussSeidel,
}

/// What a caller took.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Accepted {
    pub(crate) pivots: usize,
    /// None of a point that is no solution to the method itself.
    pub(crate) method: Option<Method>,
}

/// Has z of a solution written, or of a point whose residual is negligible for the caller.
pub(crate) fn accept(
    found: Result<Solution<'_>, Error>,
    negligible: f64,
    write: impl FnOnce(&[f64]),
) -> Result<Accepted, Error> {
    match found {
        Ok(Solution { z, pivots, status, .. }) => {
            write(z);
            Ok(Accepted { pivots, method: Some(status.method()) })
        }
        Err(Error::Unsolved { z, residual, pivots }) if residual <= negligible => {
            write(&z);
            Ok(Accepted { pivots, method: None })
        }
        Err(error) => Err(error),
    }
}
