//! Contact problems with friction cones, joint limits and bounded rows together.
//!
//! > w = A λ + b,  A (n, n) symmetric positive semidefinite
//!
//! in consecutive [blocks](Block) of rows: w are relative velocities (m/s, rad/s), λ impulses (N s, N m s), A is
//! the inverse inertia that the rows see. A contact obeys the exact [law](Law) of Coulomb, on the round cone, or
//! its convex relaxation. A row is bounded: w has the sign that its bounds leave it.
//!
//! [`solve`] finds λ by Newton's method, from a guess that may be the last step's λ, and with several fallbacks
//! (`cascade`). A solver is believed only as far as the [`residual`](fn@residual) of what it returns. The results
//! are the same bits for the same input at the same [level](crate::kernel::level).
//!
//! ```
//! use jourdain::cone::{Block, Law, Matrix, Problem, Settings, Workspace, solve};
//!
//! // A ball of 2 kg falls onto the ground at 1 m/s, and along it at 3 m/s: it slides on, slowed down by 0.5.
//! let inverse_mass = [0.5, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.5];
//! let problem = Problem {
//!     matrix: Matrix::Delassus(&inverse_mass),
//!     b: &[-1.0, 3.0, 0.0],
//!     blocks: &[Block::Contact { friction: 0.5, torsion: None }],
//!     law: Law::Coulomb,
//! };
//! let mut workspace = Workspace::with_capacity(3);
//! let solution = solve(&problem, &Settings::default(), &mut workspace)?;
//! assert!((solution.z[0] - 2.0).abs() < 1e-12 && (solution.z[1] + 1.0).abs() < 1e-12);
//! # Ok::<(), jourdain::cone::Error>(())
//! ```

mod cascade;
pub(crate) mod columns;
mod dense;
mod elimination;
mod error;
mod factored;
mod fixed_point;
mod gauss_seidel;
mod interior;
mod jordan;
mod local;
mod matrix;
mod modes;
mod natural;
mod newton;
mod operator;
pub(crate) mod polygon;
mod problem;
mod residual;
mod small;
mod star;
mod vector;
mod view;

use alloc::vec::Vec;

use self::cascade::{Cascade, Outcome};
use self::dense::Dense;
use self::factored::Factored;
use self::matrix::Form;
use self::vector::largest;
use self::view::{NEAR, View};
use crate::kernel::{Computation, Real, compute, compute_with};

pub use self::cascade::Stage;
pub use self::error::Error;
pub(crate) use self::matrix::MANY;
pub use self::matrix::Matrix;
pub use self::problem::{Block, Law, Problem};
pub use self::residual::{gap, residual};
pub(crate) use self::star::{Contacts, Each, LANES, Room, Rows, SideBySide, Star, WIDEST};

/// What a solution must satisfy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The largest [`residual`](fn@residual) of a solution, by the largest number of b; 1e-10 unless stated.
    /// Where rounding of A λ is larger, a residual of eight units of that is accepted, but never one of
    /// more than 1e4 times this.
    pub tolerance: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { tolerance: 1e-10 }
    }
}

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solution<'a> {
    /// λ, (n).
    pub z: &'a [f64],
    /// Its [`residual`](fn@residual).
    pub residual: f64,
    /// Iterations of Newton's method altogether.
    pub iterations: usize,
    /// Sweeps of Gauss–Seidel altogether.
    pub sweeps: usize,
    /// What found it.
    pub status: Stage,
}

/// Room for problems, allocated once and grown to the largest.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    start: Vec<f64>,
    mobility: Vec<f64>,
    /// Y Yᵀ + diag(σ), where the matrix is given by these.
    product: Vec<f64>,
    dense: dense::Room,
    factored: factored::Room,
    star: star::Room,
    search: cascade::Room,
}

impl Workspace {
    /// Room for problems of up to `n` rows with dense matrices, without a further allocation but for
    /// [polygons](Stage::Polygon), which few problems need.
    pub fn with_capacity(n: usize) -> Self {
        Self {
            start: Vec::with_capacity(n),
            mobility: Vec::with_capacity(n),
            product: Vec::with_capacity(n * n),
            dense: dense::Room::with_capacity(n),
            factored: factored::Room::default(),
            star: star::Room::with_capacity(n),
            search: cascade::Room::with_capacity(n),
        }
    }

    /// Room for problems of up to `n` rows given by [factors](Matrix::Factor) of the width `width`, without a
    /// further allocation.
    pub fn with_factors(n: usize, width: usize) -> Self {
        let dense = Self::with_capacity(n.min(width));
        Self {
            start: Vec::with_capacity(n),
            mobility: Vec::with_capacity(n),
            factored: factored::Room::with_capacity(n, width),
            star: star::Room::with_capacity(n),
            search: cascade::Room::with_capacity(n),
            ..dense
        }
    }

    /// The impulses, (n), from which the next call of [`solve`] starts, and only that: those of the last step, if
    /// the contacts are the same.
    pub fn start(&mut self, lambda: &[f64]) {
        self.start.clear();
        self.start.extend_from_slice(lambda);
    }
}

/// Solves a problem.
///
/// Class: under the convex law, any that has a solution; under Coulomb's, any where a motion without slip keeps or
/// opens all contacts, in practice also others.
///
/// # Errors
///
/// [`Error::Shape`], [`Error::Parameter`], [`Error::Damping`] and [`Error::NotFinite`] name the input that is
/// none; [`Error::Unsolved`] carries the best point.
///
/// # Source
///
/// Alart, Curnier: A Mixed Formulation for Frictional Contact Problems Prone to Newton like Solution Methods
/// (1991); the file of each fallback for the fallback.
pub fn solve<'a>(
    problem: &Problem<'_>,
    settings: &Settings,
    workspace: &'a mut Workspace,
) -> Result<Solution<'a>, Error> {
    problem.check()?;
    let start = workspace.start.len();
    if start != 0 && start != problem.b.len() {
        workspace.start.clear();
        return Err(Error::Shape { what: "start", length: start, expected: problem.b.len() });
    }
    let tolerance = settings.tolerance;
    let outcome = compute(Solve { problem, tolerance, workspace: &mut *workspace });
    workspace.start.clear();
    let best = &workspace.search.best;
    match outcome.stage {
        Some(status) => Ok(Solution {
            z: &best.lambda,
            residual: best.error.largest,
            iterations: outcome.iterations,
            sweeps: outcome.sweeps,
            status,
        }),
        None => Err(problem.not_finite().unwrap_or_else(|| Error::Unsolved {
            z: best.lambda.clone(),
            residual: best.error.largest,
        })),
    }
}

struct Solve<'a> {
    problem: &'a Problem<'a>,
    tolerance: f64,
    workspace: &'a mut Workspace,
}

impl Computation for Solve<'_> {
    type Output = Outcome;

    #[inline(always)]
    fn run<A: Real>(self) -> Outcome {
        let Self { problem, tolerance, workspace } = self;
        let Problem { matrix, b, blocks, law } = *problem;
        let (n, width) = (b.len(), matrix.width(b.len()));
        let Workspace { start, mobility, product, dense, factored, star, search } = workspace;
        if let Matrix::Star { shared, weights, own } = matrix {
            let accepted = tolerance * largest(b);
            star.read(b, blocks, start);
            let end = star.solve::<A>(&Star { shared, weights, own }, law, accepted);
            if end.error.largest <= NEAR * accepted && end.error.is_precise(accepted) {
                start.resize(n, 0.0);
                star.write(start);
            }
            if end.solved {
                search.best.error = end.error;
                core::mem::swap(&mut search.best.lambda, start);
                return end.outcome();
            }
        }
        mobility.clear();
        mobility.resize(n, 0.0);
        residual::mobilities::<A>(&matrix, blocks, width, mobility);
        let view = View { b, blocks, law, mobility };
        match matrix.form::<A>(n, product) {
            Form::Factor { rows, damping } => {
                let operator = &mut Factored { rows, damping, width, room: factored };
                compute_with::<A, _>(Cascade { view, operator, room: search, start, tolerance })
            }
            Form::Delassus(entries) => {
                let operator = &mut Dense { entries, room: dense, n };
                Cascade { view, operator, room: search, start, tolerance }.run::<A>()
            }
        }
    }
}
