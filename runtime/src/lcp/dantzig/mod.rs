//! Principal pivoting for boxed problems, after Dantzig, Cottle and Keller.
//!
//! > find λ with  w = A λ + b,  lo ≤ λ ≤ hi,  w ≥ 0 at lo,  w ≤ 0 at hi,  w = 0 between
//!
//! A pair (λᵢ, wᵢ) is held, λᵢ at a bound, or free, wᵢ at zero; A_FF λ_F = −b_F − A_FH λ_H gives the free
//! λ, with an inverse of A_FF that is updated from pivot to pivot. Of the pairs that are not
//! complementary, the worst is driven: its held variable moves, its other one follows in the same sense,
//! as A is positive semidefinite, until they meet the falling graph of the complementarity relation.
//! A pair that would lose its complementarity on the way blocks, and is exchanged: a free λ that comes to
//! a bound is held, a w that comes to zero is let free, and where that pivot is zero the pair and the
//! driven one change sides together. If nothing blocks and nothing is met, the direction of λ is a
//! vector of Farkas.
//!
//! Class: positive semidefinite A, symmetric or not, singular or not: in exact arithmetic, and without
//! cycling, it ends in a solution or in a proof that there is none. It ends on P-matrices too. Of equal
//! ratios the one with the largest rate is taken, and the least index (Cottle and Chang) once many steps in
//! a row had no length, which no problem is known to get around; the limit of pivots holds anyway. The
//! number of pivots is of the order of n in practice and 2ⁿ at worst, as in Murty's triangle of twos.
//!
//! In floating point, a pair is let free only if A is not nearly singular on the direction that it adds.
//! What it ends in is judged by the residual, and if that is too large tried again with other thresholds.
//!
//! On failure: [`Error::Infeasible`] with a vector of Farkas, for whatever matrix, if signs and bounds alone leave no
//! solution; else [`Error::Unsolved`] with the best point, for a matrix that is not of the class, and for problems so near
//! to contradiction that rounding decides.
//!
//! # Source
//!
//! Cottle, Pang, Stone: The Linear Complementarity Problem (1992), sections 4.2 and 4.3. Keller: The General
//! Quadratic Optimization Problem (1973). Cottle, Chang: Least-Index Resolution of Degeneracy in Linear
//! Complementarity Problems with Sufficient Matrices (1992). Baraff: Fast Contact Force Computation for
//! Nonpenetrating Rigid Bodies (1994), for the boxes.

mod candidate;
mod drive;
mod state;

use alloc::vec::Vec;

use self::candidate::End;
use self::state::State;
use super::balanced::Balanced;
use super::boxed::{Problem, residual};
use super::error::check_start;
use super::solution::conclude;
use super::{Error, Method, Solution, infeasible};
use crate::slices::copy;
use crate::watch::{Watch, Watcher};

const DEFAULT_MAX_PIVOTS: usize = 10_000;

/// Room for problems, allocated once and grown to the largest.
#[derive(Clone, Debug)]
pub struct Workspace {
    max_pivots: usize,
    balanced: Balanced,
    state: State,
    /// The last solution, or a start that was given; empty if there is none.
    z: Vec<f64>,
}

impl Default for Workspace {
    fn default() -> Self {
        Self::with_capacity(0)
    }
}

impl Workspace {
    /// Room for problems of up to `n` pairs, without a further allocation.
    pub fn with_capacity(n: usize) -> Self {
        Self {
            max_pivots: DEFAULT_MAX_PIVOTS,
            balanced: Balanced::with_capacity(n),
            state: State::with_capacity(n),
            z: Vec::with_capacity(n),
        }
    }

    /// After how many pivots to give up; 10 000 unless stated.
    #[must_use]
    pub fn max_pivots(mut self, pivots: usize) -> Self {
        self.max_pivots = pivots;
        self
    }

    /// Lets [`resume`] start from `lambda`, (n): what is at a bound there is held.
    pub fn start_at(&mut self, lambda: &[f64]) {
        copy(&mut self.z, lambda);
    }

    /// Forgets the last solution, so that [`resume`] does what [`solve`] does.
    pub fn forget(&mut self) {
        self.z.clear();
    }
}

/// Solves the problem, from the λ in the box that is nearest to zero.
///
/// # Errors
///
/// [`Error::Infeasible`] and [`Error::Unsolved`] of problems without a solution and of those that are
/// too hard; [`Error::Length`], [`Error::NotFinite`] and [`Error::EmptyBox`] of those that are none.
///
/// # Source
///
/// Cottle, Pang, Stone (1992), sections 4.2 and 4.3.
///
/// # Example
///
/// ```
/// use jourdain::lcp::{boxed::Problem, dantzig};
///
/// // A motor of at most 2 N m against a limit that carries the rest.
/// let (lo, hi) = ([-2.0, 0.0], [2.0, f64::INFINITY]);
/// let problem = Problem { a: &[1.0, 1.0, 1.0, 1.0], b: &[-5.0, -5.0], lo: &lo, hi: &hi };
/// let mut workspace = dantzig::Workspace::with_capacity(2);
/// let solution = dantzig::solve(&problem, &mut workspace)?;
/// assert!(solution.residual == 0.0 && solution.z[0] + solution.z[1] == 5.0);
/// # Ok::<(), jourdain::lcp::Error>(())
/// ```
pub fn solve<'a>(
    problem: &Problem<'_>,
    workspace: &'a mut Workspace,
) -> Result<Solution<'a>, Error> {
    workspace.forget();
    resume(problem, workspace)
}

/// As [`solve`], but from the workspace's last solution, if it has one of as many variables, or from what
/// [`Workspace::start_at`] was given.
///
/// # Errors
///
/// As [`solve`], and [`Error::NotFinite`] of the start.
pub fn resume<'a>(
    problem: &Problem<'_>,
    workspace: &'a mut Workspace,
) -> Result<Solution<'a>, Error> {
    let limit = workspace.max_pivots;
    search(problem, workspace, &mut Watcher::limited(limit))
}

/// As [`resume`], watched.
///
/// # Errors
///
/// As [`resume`], and [`Error::Stopped`].
pub fn resume_watched<'a>(
    problem: &Problem<'_>,
    workspace: &'a mut Workspace,
    watch: &mut Watch<'_>,
) -> Result<Solution<'a>, Error> {
    let limit = workspace.max_pivots;
    search(problem, workspace, &mut Watcher::new(limit, watch))
}

pub(super) fn search<'a>(
    problem: &Problem<'_>,
    workspace: &'a mut Workspace,
    watcher: &mut Watcher<'_>,
) -> Result<Solution<'a>, Error> {
    problem.check()?;
    let n = problem.b.len();
    let known = check_start(&workspace.z, n)?;
    let Workspace { balanced, state, z, .. } = workspace;
    balanced.load(problem);
    balanced.balance(z);
    let end = state.solve(balanced, known.then_some(&**z), watcher);
    let pivots = state.pivots();
    copy(z, state.best());
    balanced.restore(z);
    let residual = residual(problem, z);
    let proof = match end {
        End::Solution => None,
        End::Infeasible => {
            let mut y = state.direction().to_vec();
            balanced.restore(&mut y);
            Some(y)
        }
        End::Unsolved if watcher.halt().is_some() => None,
        End::Unsolved => infeasible::proof(problem, watcher),
    };
    if let Some(y) = proof {
        z.clear();
        return Err(Error::Infeasible { y, pivots });
    }
    conclude(z, (Method::Dantzig, known), (end == End::Solution, residual, pivots))
        .map_err(|error| error.halted(watcher.halt()))
}
