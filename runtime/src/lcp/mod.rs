//! Linear complementarity problems, and those of variables between bounds.
//!
//! > find z with  w = M z + q,  w ≥ 0,  z ≥ 0,  wᵀ z = 0
//!
//! Matrices are dense, (n, n), stored column by column. [`boxed`] is the problem with bounds of any kind.
//! A solver is believed only as far as the [`residual`] of what it returns, and a proof that there is no
//! solution as far as [`farkas`] says. Each solver has a workspace of its own, from which it starts again
//! where the last problem ended, and allocates nothing in it once it has seen the largest problem. What is accepted has a
//! residual of 2.5e-10 by the largest number of q and of the bounds, in units in which diagonal entries of M are about one,
//! or of what rounding leaves of larger z: what has numbers 10⁹ times smaller than others is to be solved by itself.
//!
//! # Source
//!
//! Cottle, Pang, Stone: The Linear Complementarity Problem (1992).

mod balanced;
pub mod boxed;
pub mod dantzig;
mod error;
pub mod gauss_seidel;
mod infeasible;
mod inverse;
pub mod lemke;
pub mod newton;
pub mod policy;
mod scale;
mod solution;

pub use error::Error;
pub use policy::{
    Attempt, Workspace, resume, resume_boxed, resume_boxed_watched, resume_watched, solve,
    solve_boxed,
};
pub(crate) use solution::{Accepted, accept};
pub use solution::{Method, Solution, Status};

/// The natural residual ‖min(z, M z + q)‖∞, zero exactly at the solutions; NaN if a number is NaN
/// or the shapes do not agree: `m` holds n² numbers, `q` and `z` hold n.
pub fn residual(m: &[f64], q: &[f64], z: &[f64]) -> f64 {
    boxed::residual_between(m, q, |_| (0.0, f64::INFINITY), z)
}

/// How large the entries of a solution must at least be, as `y`, (n), shows: infinite if it proves that
/// there is none, by y ≥ 0, Mᵀ y ≤ 0 and qᵀ y < 0; zero if it shows nothing; NaN if the shapes do not
/// agree. In floating point positive entries of Mᵀ y remain, and then it is |qᵀ y| by their sum.
///
/// # Source
///
/// [`boxed::farkas`].
pub fn farkas(m: &[f64], q: &[f64], y: &[f64]) -> f64 {
    boxed::farkas_between(m, q, |_| (0.0, f64::INFINITY), y)
}

/// |min(z, w)|; NaN if one of them is.
pub(crate) fn natural(z: f64, w: f64) -> f64 {
    boxed::natural(z, w, 0.0, f64::INFINITY).abs()
}
