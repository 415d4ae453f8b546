//! Quadratic programs with a positive definite objective.
//!
//! > minimise ½ xᵀ H x − fᵀ x  subject to  C x ≥ d,  E x = e
//!
//! x is the solution exactly if there are multipliers λ ≥ 0 and ν with
//!
//! > H x = f + Cᵀ λ + Eᵀ ν,  λᵀ (C x − d) = 0.
//!
//! [`solve`] is that of [`dual_active_set`]:
//!
//! ```
//! use jourdain::qp::{self, Hessian, Problem};
//!
//! // The point of x + y ≥ 2 nearest to the origin.
//! let problem = Problem {
//!     hessian: Hessian::Matrix(&[1.0, 0.0, 0.0, 1.0]),
//!     force: &[0.0, 0.0],
//!     inequalities: &[1.0, 1.0],
//!     bounds: &[2.0],
//!     equations: &[],
//!     values: &[],
//! };
//! let mut workspace = qp::Workspace::default();
//! let solution = qp::solve(&problem, &mut workspace)?;
//! assert!((solution.x[0] - 1.0).abs() < 1e-15 && (solution.x[1] - 1.0).abs() < 1e-15);
//! # Ok::<(), qp::Error>(())
//! ```
//!
//! Of a robot, H is the mass matrix, H⁻¹ f the acceleration without the constraints, and λ and ν are their
//! forces (Gauss' principle). Matrices are dense and stored column by column.
//!
//! # Source
//!
//! Boyd, Vandenberghe: Convex Optimization (2004), section 5.5.

#[cfg(feature = "clarabel")]
pub mod clarabel;
pub mod dual_active_set;
mod error;
mod problem;

pub(crate) use dual_active_set::search;
pub use dual_active_set::{Workspace, resume, resume_watched, solve};
pub use error::Error;
pub use problem::{Hessian, Problem, Quality, farkas, quality};

/// A solution, in the storage of the workspace that it was found with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solution<'a> {
    /// x, (n).
    pub x: &'a [f64],
    /// λ, (m).
    pub inequality_multipliers: &'a [f64],
    /// ν, (p).
    pub equation_multipliers: &'a [f64],
    /// How well the conditions of optimality hold, recomputed from the problem's own numbers.
    pub quality: Quality,
    /// Number of constraints that came and went.
    pub pivots: usize,
}
