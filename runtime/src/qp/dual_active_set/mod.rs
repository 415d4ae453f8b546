//! The dual active-set method of Goldfarb and Idnani.
//!
//! > minimise ½ xᵀ H x − fᵀ x  subject to  C x ≥ d,  E x = e
//!
//! With H = L Lᵀ and y = Lᵀ x the objective is the distance from y₀ = L⁻¹ f, and the constraints are half
//! spaces nᵢᵀ y ≥ bᵢ with unit normals nᵢ ∝ L⁻¹ cᵢ: the solution is the point of a polyhedron nearest to
//! y₀. The method keeps the point nearest to y₀ among those on the active constraints, with multipliers
//! u ≥ 0, and adds the constraint that is violated most. On its way to it along z, the part of its normal
//! that is orthogonal to the active normals N = Q₁ R, active constraints whose multiplier falls to zero
//! are dropped; the objective grows, so that no active set comes twice.
//!
//! Class: H positive definite, any constraints; redundant and degenerate ones are left inactive, as their
//! normals depend on active ones.
//!
//! On failure: [`Error::Infeasible`] with a vector of Farkas, where a violated normal depends on active ones none of
//! which can be dropped; [`Error::Unsolved`] with the last point where rounding makes the conditions of optimality
//! fail.
//!
//! # Source
//!
//! Goldfarb, Idnani: A Numerically Stable Dual Method for Solving Strictly Convex Quadratic Programs
//! (1983), section 3.

mod factors;
mod polyhedron;
mod search;

use alloc::vec::Vec;

use self::polyhedron::Polyhedron;
use self::search::{End, Search};
use super::{Error, Problem, Solution, quality};
use crate::slices::zeros;
use crate::watch::{Halt, Watch, Watcher};

/// What the conditions of optimality may miss, relative to the largest numbers in them.
const ACCEPTED: f64 = 1e-9;
/// How far from the origin a vector of Farkas must show a solution to be at least, relative to the largest
/// number of the problem.
const FAR: f64 = 1e8;
const DEFAULT_MAX_PIVOTS: usize = 10_000;

/// Room for problems, allocated once and grown to the largest.
#[derive(Clone, Debug)]
pub struct Workspace {
    max_pivots: usize,
    polyhedron: Polyhedron,
    search: Search,
    x: Vec<f64>,
    lambda: Vec<f64>,
    nu: Vec<f64>,
}

impl Default for Workspace {
    fn default() -> Self {
        Self::with_capacity(0, 0)
    }
}

impl Workspace {
    /// Room for problems of up to `n` variables and `constraints`, inequalities and equations together,
    /// without a further allocation.
    pub fn with_capacity(n: usize, constraints: usize) -> Self {
        Self {
            max_pivots: DEFAULT_MAX_PIVOTS,
            polyhedron: Polyhedron::with_capacity(n, constraints),
            search: Search::with_capacity(n, constraints),
            x: Vec::with_capacity(n),
            lambda: Vec::with_capacity(constraints),
            nu: Vec::with_capacity(constraints),
        }
    }

    /// After how many pivots to give up; 10 000 unless stated.
    #[must_use]
    pub fn max_pivots(mut self, pivots: usize) -> Self {
        self.max_pivots = pivots;
        self
    }

    /// Forgets the last solution, so that [`resume`] does what [`solve`] does.
    pub fn forget(&mut self) {
        self.search.forget();
    }
}

/// Solves the problem, from its minimum without constraints.
///
/// # Errors
///
/// [`Error::Infeasible`] and [`Error::Unsolved`] of problems without a solution and of those that are too
/// hard; [`Error::Length`], [`Error::NotFinite`] and [`Error::NotPositiveDefinite`] of those that are not
/// of the class.
///
/// # Source
///
/// Goldfarb, Idnani (1983), section 3.
///
/// # Example
///
/// ```
/// use jourdain::qp::{Hessian, Problem, dual_active_set};
///
/// // The point of x + y ≥ 2, x ≥ 0 and y ≥ 0 nearest to (0, −1).
/// let problem = Problem {
///     hessian: Hessian::Matrix(&[1.0, 0.0, 0.0, 1.0]),
///     force: &[0.0, -1.0],
///     inequalities: &[1.0, 1.0, 0.0, 1.0, 0.0, 1.0],
///     bounds: &[2.0, 0.0, 0.0],
///     equations: &[],
///     values: &[],
/// };
/// let mut workspace = dual_active_set::Workspace::with_capacity(2, 3);
/// let solution = dual_active_set::solve(&problem, &mut workspace)?;
/// assert!((solution.x[0] - 1.5).abs() < 1e-15 && (solution.x[1] - 0.5).abs() < 1e-15);
/// # Ok::<(), jourdain::qp::Error>(())
/// ```
pub fn solve<'a>(
    problem: &Problem<'_>,
    workspace: &'a mut Workspace,
) -> Result<Solution<'a>, Error> {
    workspace.forget();
    resume(problem, workspace)
}

/// As [`solve`], but from the constraints that were active in the workspace's last solution, as far as their
/// multipliers have the right sign.
///
/// # Errors
///
/// As [`solve`].
pub fn resume<'a>(
    problem: &Problem<'_>,
    workspace: &'a mut Workspace,
) -> Result<Solution<'a>, Error> {
    let limit = workspace.max_pivots;
    search(problem, workspace, &mut Watcher::limited(limit))
}

/// As [`resume`], watched; the residual of the progress is by how much a constraint is violated at most, in the metric of H.
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

pub(crate) fn search<'a>(
    problem: &Problem<'_>,
    workspace: &'a mut Workspace,
    watcher: &mut Watcher<'_>,
) -> Result<Solution<'a>, Error> {
    problem.check()?;
    let Workspace { polyhedron, search, x, lambda, nu, .. } = workspace;
    polyhedron.load(problem)?;
    let end = search.run(polyhedron, watcher);
    let (m, p, pivots) = (problem.bounds.len(), problem.values.len(), search.pivots());
    if end == End::Infeasible {
        search.contradiction(polyhedron, zeros(lambda, m), zeros(nu, p));
        search.forget();
        return Err(Error::Infeasible { y: lambda.clone(), z: nu.clone(), pivots });
    }
    search.multipliers(polyhedron, zeros(lambda, m), zeros(nu, p));
    polyhedron.restore(search.point(), x);
    let quality = quality(problem, x, lambda, nu);
    if end == End::Solution && quality.gap.is_finite() {
        let (inequality_multipliers, equation_multipliers) = (&lambda[..], &nu[..]);
        Ok(Solution { x, inequality_multipliers, equation_multipliers, quality, pivots })
    } else {
        search.forget();
        let x = x.clone();
        Err(match watcher.halt() {
            Some(Halt::Stopped) => Error::Stopped { x, quality, pivots },
            _ => Error::Unsolved { x, quality, pivots },
        })
    }
}
