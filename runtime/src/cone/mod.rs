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
mod outcome;
pub(crate) mod polygon;
mod problem;
mod residual;
mod scale;
mod settings;
mod sharp;
mod small;
mod star;
mod vector;
mod view;

use alloc::vec::Vec;

use self::cascade::Cascade;
use self::dense::Dense;
use self::factored::Factored;
use self::matrix::Form;
use self::outcome::Outcome;
use self::scale::Scale;
use self::vector::largest;
use self::view::{NEAR, View};
use crate::kernel::{Computation, Real, compute, compute_with};
use crate::slices::larger;
use crate::watch::{Halt, Watch, Watcher};

pub use self::error::Error;
pub(crate) use self::matrix::MANY;
pub use self::matrix::Matrix;
pub use self::outcome::Stage;
pub(crate) use self::problem::{BLOCK_ROWS, Coefficients};
pub use self::problem::{Block, Law, Problem};
pub use self::residual::{gap, residual};
pub use self::settings::Settings;
pub(crate) use self::sharp::Sums;
pub use self::star::{Arms, Star};
pub(crate) use self::star::{
    Contacts, Each, Friction, Hubs, HubsRoom, LANES, NO_MOTION, OnHubs, Room, Rows, SideBySide,
    Sides, Stays, StaysOnHubs, WIDEST,
};

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solution<'a> {
    /// λ, (n).
    pub z: &'a [f64],
    /// Its [`residual`](fn@residual), or what is no smaller.
    pub residual: f64,
    /// Iterations of Newton's method altogether.
    pub iterations: usize,
    /// Sweeps of Gauss–Seidel altogether.
    pub sweeps: usize,
    /// What found it.
    pub status: Stage,
}

/// Room for problems, allocated once and grown to the largest.
///
/// It is for all stages, of which few are needed as a rule: memory that none of them uses is reserved, but not
/// touched.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    size: Size,
    start: Vec<f64>,
    mobility: Vec<f64>,
    /// Y Yᵀ + diag(σ), where the matrix is given by these.
    product: Vec<f64>,
    dense: dense::Room,
    factored: factored::Room,
    star: star::Room,
    search: cascade::Room,
}

/// How large problems may be.
#[derive(Clone, Copy, Debug, Default)]
struct Size {
    rows: usize,
    /// Rows of those whose matrices are [computed with](matrix::Form) by their entries.
    dense: usize,
    /// Of the factors of the others.
    width: usize,
}

impl Workspace {
    /// Room for problems of up to `n` rows with dense matrices, without a further allocation.
    pub fn with_capacity(n: usize) -> Self {
        Self::with_size(Size { rows: n, dense: n, width: 0 })
    }

    /// Room for problems of up to `n` rows given by [factors](Matrix::Factor) of the width `width`, without a
    /// further allocation.
    pub fn with_factors(n: usize, width: usize) -> Self {
        Self::with_size(Size { rows: n, dense: n.min(width), width })
    }

    fn with_size(size: Size) -> Self {
        let Size { rows, dense, width } = size;
        let factored = if width > 0 { rows } else { 0 };
        // A star is multiplied out if it has few rows, and else may be factors with damping.
        let product = (dense * dense).max(factored * (width + 1));
        Self {
            size,
            start: Vec::with_capacity(rows),
            mobility: Vec::with_capacity(rows),
            product: Vec::with_capacity(product),
            dense: dense::Room::with_capacity(dense),
            factored: factored::Room::with_capacity(factored, width),
            star: star::Room::with_capacity(rows),
            search: cascade::Room::with_capacity(rows),
        }
    }

    /// Makes room for a problem that is larger than all before. That a star of many rows has no factors is not
    /// foreseen.
    #[inline]
    fn reserve(&mut self, matrix: &Matrix<'_>, rows: usize) {
        let has_many = matrix.has_many(rows);
        let (dense, width) = if has_many { (0, matrix.width(rows)) } else { (rows, 0) };
        let known = self.size;
        if rows > known.rows || dense > known.dense || width > known.width {
            self.grow(Size {
                rows: rows.max(known.rows),
                dense: dense.max(known.dense),
                width: width.max(known.width),
            });
        }
    }

    #[cold]
    fn grow(&mut self, size: Size) {
        let grown = Self::with_size(size);
        let small = core::mem::replace(self, grown);
        self.start(&small.start);
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
/// opens all contacts, in practice also others. A is symmetric; a [`Matrix::Delassus`] that is not, as friction of slip
/// that is put into its columns makes it, is in no class: what is returned then has the stated residual by A as it is, and
/// that nothing is found says nothing.
///
/// # Errors
///
/// [`Error::Shape`], [`Error::Parameter`], [`Error::Damping`], [`Error::Star`] and [`Error::NotFinite`] name the input that
/// is none, [`Error::Setting`] what can't be asked; [`Error::Unsolved`] and [`Error::Limit`] carry the best point.
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
    search(problem, settings, workspace, &mut Watcher::limited(settings.max_iterations))
}

/// As [`solve`], watched: a limit of time is one that [`watch::within`](crate::watch::within) keeps.
///
/// # Errors
///
/// As [`solve`], and [`Error::Stopped`] with the best point.
///
/// # Example
///
/// ```
/// use std::time::Duration;
/// use jourdain::cone::{self, Block, Error, Law, Matrix, Problem, Settings, Workspace};
/// use jourdain::watch;
///
/// // A row that nothing moves, pressed upon.
/// let problem = Problem {
///     matrix: Matrix::Delassus(&[0.0]),
///     b: &[-1.0],
///     blocks: &[Block::Row { lower: 0.0, upper: f64::INFINITY }],
///     law: Law::Coulomb,
/// };
/// let (settings, mut workspace) = (Settings::default(), Workspace::default());
/// let mut in_no_time = watch::within(Duration::ZERO);
/// match cone::solve_watched(&problem, &settings, &mut workspace, &mut in_no_time) {
///     Err(Error::Stopped { residual, iterations: 0, .. }) => assert_eq!(residual, 1.0),
///     other => panic!("{other:?}"),
/// }
/// ```
pub fn solve_watched<'a>(
    problem: &Problem<'_>,
    settings: &Settings,
    workspace: &'a mut Workspace,
    watch: &mut Watch<'_>,
) -> Result<Solution<'a>, Error> {
    search(problem, settings, workspace, &mut Watcher::new(settings.max_iterations, watch))
}

fn search<'a>(
    problem: &Problem<'_>,
    settings: &Settings,
    workspace: &'a mut Workspace,
    watcher: &mut Watcher<'_>,
) -> Result<Solution<'a>, Error> {
    let outcome = workspace.run(problem, settings, watcher)?;
    let best = &workspace.search.best;
    let failure = || {
        let (z, residual) = (best.lambda.clone(), best.error.largest);
        let iterations = watcher.iterations();
        match watcher.halt() {
            None => Error::Unsolved { z, residual },
            Some(Halt::Limit) => Error::Limit { z, residual, iterations },
            Some(Halt::Stopped) => Error::Stopped { z, residual, iterations },
        }
    };
    workspace.solution(outcome).ok_or_else(failure)
}

/// As [`solve`], for a caller that tries something else where there is no solution: no error is made, which would
/// allocate.
pub(crate) fn attempt<'a>(
    problem: &Problem<'_>,
    settings: &Settings,
    workspace: &'a mut Workspace,
) -> Result<Option<Solution<'a>>, Error> {
    let watcher = &mut Watcher::limited(settings.max_iterations);
    let outcome = workspace.run(problem, settings, watcher)?;
    Ok(workspace.solution(outcome))
}

impl Workspace {
    /// w = A λ + b of what was found last.
    pub(crate) fn velocity(&self) -> &[f64] {
        self.found().1
    }

    /// λ that was found last, and w = A λ + b.
    pub(crate) fn found(&self) -> (&[f64], &[f64]) {
        let best = &self.search.best;
        (&best.lambda, &best.w)
    }

    /// Lets the next call start from the best point of the last one, if that has a residual.
    pub(crate) fn start_at_best(&mut self) {
        let best = &self.search.best;
        self.start.clear();
        if best.error.largest.is_finite() {
            self.start.extend_from_slice(&best.lambda);
        }
    }

    /// Looks for a solution; what is best is left in `search`.
    #[inline]
    fn run(
        &mut self,
        problem: &Problem<'_>,
        settings: &Settings,
        watcher: &mut Watcher<'_>,
    ) -> Result<Outcome, Error> {
        settings.check()?;
        problem.check()?;
        let (n, start) = (problem.b.len(), self.start.len());
        if start != 0 && start != n {
            self.start.clear();
            return Err(Error::Shape { what: "start", length: start, expected: n });
        }
        self.reserve(&problem.matrix, n);
        let outcome = match Scale::of(problem) {
            None => compute(Solve { problem, settings, workspace: &mut *self, watcher }),
            Some(scale) => self.run_scaled(scale, problem, settings, watcher)?,
        };
        self.start.clear();
        let failure = if outcome.stage.is_none() { problem.not_finite() } else { None };
        failure.map_or(Ok(outcome), Err)
    }

    /// Looks for a solution in other units.
    #[cold]
    fn run_scaled(
        &mut self,
        scale: Scale,
        problem: &Problem<'_>,
        settings: &Settings,
        watcher: &mut Watcher<'_>,
    ) -> Result<Outcome, Error> {
        let scaled = scale.problem(problem);
        let (within, settings_within) = (scaled.of(problem), scale.settings(settings));
        self.start.iter_mut().for_each(|x| *x = scale.impulse(*x));
        let solve =
            Solve { problem: &within, settings: &settings_within, workspace: &mut *self, watcher };
        let mut outcome = compute(solve);
        let best = &mut self.search.best;
        best.lambda.iter_mut().for_each(|x| *x = scale.impulse_back(*x));
        best.w.iter_mut().for_each(|x| *x = scale.velocity_back(*x));
        let found = scale.velocity_back(best.error.largest);
        best.error.largest = residual(problem, &best.lambda);
        if let Some(index) = best.lambda.iter().position(|x| !x.is_finite()) {
            let none = Error::NotFinite { what: "lambda", index, value: best.lambda[index] };
            return Err(problem.not_finite().unwrap_or(none));
        }
        // Impulses may be too small for their numbers.
        let accepted = larger(found, settings.accepted(largest(problem.b)));
        if larger(best.error.largest, accepted) > accepted {
            outcome.stage = None;
        }
        Ok(outcome)
    }

    fn solution(&self, outcome: Outcome) -> Option<Solution<'_>> {
        let Outcome { stage, iterations, sweeps } = outcome;
        let best = &self.search.best;
        let (z, residual) = (&best.lambda[..], best.error.largest);
        stage.map(|status| Solution { z, residual, iterations, sweeps, status })
    }
}

struct Solve<'a, 'w> {
    problem: &'a Problem<'a>,
    settings: &'a Settings,
    workspace: &'a mut Workspace,
    watcher: &'a mut Watcher<'w>,
}

impl Computation for Solve<'_, '_> {
    type Output = Outcome;

    #[inline(always)]
    fn run<A: Real>(self) -> Outcome {
        let Self { problem, settings, workspace, watcher } = self;
        let Problem { matrix, b, blocks, law } = *problem;
        let (n, width) = (b.len(), matrix.width(b.len()));
        let Workspace { start, mobility, product, dense, factored, star, search, .. } = workspace;
        if let Matrix::Star(arms) = matrix {
            let accepted = settings.accepted(largest(b));
            star.read(b, blocks, start);
            let end = star.solve::<A>(&arms, Friction::round(law), accepted);
            watcher.count(end.iterations);
            if end.error.largest <= NEAR * accepted && end.error.is_precise(accepted) {
                start.resize(n, 0.0);
                star.write(start);
            }
            if end.solved {
                search.best.error = end.error;
                core::mem::swap(&mut search.best.lambda, start);
                search.best.w.resize(n, 0.0);
                star.write_velocity(&mut search.best.w);
                return end.outcome();
            }
        }
        mobility.clear();
        mobility.resize(n, 0.0);
        residual::mobilities::<A>(&matrix, blocks, width, mobility);
        let view = View { b, blocks, law, mobility };
        let goal = settings.goal(view.speed());
        match matrix.form::<A>(n, product) {
            Form::Factor { rows, damping } => {
                let operator = &mut Factored { rows, damping, width, room: factored };
                compute_with::<A, _>(Cascade { view, operator, room: search, start, goal, watcher })
            }
            Form::Delassus(entries) => {
                let operator = &mut Dense { entries, room: dense, n };
                Cascade { view, operator, room: search, start, goal, watcher }.run::<A>()
            }
        }
    }
}
