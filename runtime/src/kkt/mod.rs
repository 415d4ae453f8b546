//! Constrained motion: accelerations, velocities after impacts and multipliers.
//!
//! > M x − Jᵀ λ = f,  J x = g
//!
//! For dynamics, x = v̇ and f = τ − bias, g being the acceleration that the rows prescribe, less J̇ v; λ are
//! forces. For impacts, x = v⁺ and f = M v⁻, g being what the rows' velocity becomes; λ are impulses.
//!
//! The solution is that of Moore and Penrose,
//!
//! > λ = A⁺ (g − J M⁻¹ f),  A = J M⁻¹ Jᵀ
//!
//! so that, where rows depend on one another, λ is the smallest of those that exert the same force Jᵀ λ;
//! and where they contradict one another, J x is as near to g as it can be, in the sum of squares of the
//! rows in the units that they have. x minimises ½ (x − M⁻¹ f)ᵀ M (x − M⁻¹ f) among all that do as well
//! (Gauss' principle). Where M is singular, but positive definite on the null space of J, the last two
//! sentences, with ½ xᵀ M x − fᵀ x, still say what x and λ are.
//!
//! [`Solver`] solves such a [`Problem`] with the [`Method`] chosen. It knows no robot: matrices are slices,
//! stored column by column.
//!
//! ```
//! use jourdain::kkt::{Method, Problem, Solver};
//!
//! // Two masses of 1 and 3 kg on one line, tied together, the second pulled with 8 N.
//! let (mass, jacobian) = ([1.0, 0.0, 0.0, 3.0], [1.0, -1.0]);
//! let problem = Problem::new(&mass, &jacobian, &[0.0, 8.0], &[0.0]);
//! let (mut acceleration, mut tension) = ([0.0; 2], [0.0]);
//! let mut solver = Solver::new(Method::Adaptive);
//! let report = solver.solve(&problem, &mut acceleration, &mut tension)?;
//! assert!(report.rank == 1 && (acceleration[0] - 2.0).abs() < 1e-15);
//! assert!((tension[0] - 2.0).abs() < 1e-15);
//! # Ok::<(), jourdain::kkt::Error>(())
//! ```
//!
//! # Source
//!
//! Udwadia, Kalaba: A New Perspective on Constrained Motion (1992), for the meaning; each method's file
//! for the method.

mod articulated;
mod delassus;
mod dense;
mod direct;
mod error;
mod factorisation;
mod held;
mod least_squares;
mod method;
mod null_space;
mod problem;
mod projection;
mod proximal;
mod range_space;
mod refinement;
mod report;
mod residual;
mod rows;
mod solver;
mod tree;

pub(crate) use dense::{Cholesky, Orthogonal};
pub(crate) use held::{Held, Paradox};
pub(crate) use least_squares::LeastSquares;

pub use dense::Dense;
pub use error::Error;
pub use method::Method;
pub use problem::{Accelerate, Problem};
pub use projection::{constraint_force, impact_loss, projected_force};
pub use report::Report;
pub use solver::Solver;
