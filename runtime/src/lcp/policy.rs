//! One solver after the other, in an order that is stated.
//!
//! > find z with  w = M z + q,  w ≥ 0,  z ≥ 0,  wᵀ z = 0,  or λ between bounds, as in [`boxed`](super::boxed)
//!
//! Each solver gets so many pivots, and the first that finds a solution is reported with it; a proof that
//! there is none ends the search too. What a solver is bounded in protects from families that cost it a
//! time exponential in n, such as Murty's triangle of twos for Lemke's method.
//!
//! Class: what any solver of the policy is guaranteed for. On failure: [`Error::Infeasible`] by whichever solver
//! proves it; else the best point of all, [`Error::Unsolved`], or [`Error::Ray`] if Lemke's path ended in one and
//! it was asked.
//!
//! # Source
//!
//! Murty: Linear Complementarity, Linear and Nonlinear Programming (1988), chapter 6, for the family.

use alloc::vec::Vec;

use super::boxed::{Problem, residual};
use super::error::{check_finite, check_length};
use super::newton::Equation;
use super::{Error, Method, Solution, dantzig, gauss_seidel, lemke, newton};
use crate::slices::copy;
use crate::watch::{Watch, Watcher};

/// A solver and how long it may try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The solver. [`Method::Lemke`] is passed over where bounds are not 0 and ∞.
    pub method: Method,
    /// Pivots, steps or sweeps for each variable of the problem.
    pub pivots_per_pair: usize,
}

/// Lemke for problems with friction, Dantzig for what is positive semidefinite, Newton's method for the rest.
pub const DEFAULT: [Attempt; 4] = [
    Attempt { method: Method::Lemke, pivots_per_pair: 20 },
    Attempt { method: Method::Dantzig, pivots_per_pair: 20 },
    Attempt { method: Method::NewtonMin, pivots_per_pair: 10 },
    Attempt { method: Method::FischerBurmeister, pivots_per_pair: 10 },
];

/// What is allowed beyond [`Attempt::pivots_per_pair`], for the smallest problems.
const LEAST_PIVOTS: usize = 20;

/// Room for problems and all solvers, allocated once and grown to the largest. An attempt that fails allocates
/// the vector that its failure carries.
#[derive(Clone, Debug)]
pub struct Workspace {
    policy: Vec<Attempt>,
    lemke: lemke::Workspace,
    dantzig: dantzig::Workspace,
    newton: newton::Workspace,
    gauss_seidel: gauss_seidel::Workspace,
    lo: Vec<f64>,
    hi: Vec<f64>,
    /// The last solution; empty if there is none.
    z: Vec<f64>,
}

impl Default for Workspace {
    fn default() -> Self {
        Self::with_capacity(0)
    }
}

impl Workspace {
    /// Room for problems of up to `n` pairs, without a further allocation; [`DEFAULT`] is the policy.
    pub fn with_capacity(n: usize) -> Self {
        let row = || Vec::with_capacity(n);
        Self {
            policy: DEFAULT.to_vec(),
            lemke: lemke::Workspace::with_capacity(n),
            dantzig: dantzig::Workspace::with_capacity(n),
            newton: newton::Workspace::with_capacity(n),
            gauss_seidel: gauss_seidel::Workspace::with_capacity(n),
            lo: row(),
            hi: row(),
            z: row(),
        }
    }

    /// Which solvers to try, in this order.
    #[must_use]
    pub fn policy(mut self, attempts: &[Attempt]) -> Self {
        self.policy.clear();
        self.policy.extend_from_slice(attempts);
        self
    }

    /// Forgets the last solution, so that [`resume`] does what [`solve`] does.
    pub fn forget(&mut self) {
        self.z.clear();
        self.lemke.forget();
    }
}

/// Solves the linear complementarity problem of `m`, (n, n) column by column, and `q`, (n).
///
/// # Errors
///
/// [`Error::Length`] and [`Error::NotFinite`] of `m` and `q`; else as of the solvers, and [`Error::Unsolved`] with z = 0 of a
/// policy without attempts.
///
/// # Example
///
/// ```
/// use jourdain::lcp;
///
/// let mut workspace = lcp::Workspace::with_capacity(2);
/// let solution = lcp::solve(&[2.0, 1.0, 1.0, 2.0], &[-5.0, -6.0], &mut workspace)?;
/// assert!((solution.z[0] - 4.0 / 3.0).abs() < 1e-15);
/// assert_eq!(solution.status, lcp::Status::Solved(lcp::Method::Lemke));
/// # Ok::<(), lcp::Error>(())
/// ```
pub fn solve<'a>(
    m: &[f64],
    q: &[f64],
    workspace: &'a mut Workspace,
) -> Result<Solution<'a>, Error> {
    workspace.forget();
    resume(m, q, workspace)
}

/// As [`solve`], but each solver starts from the workspace's last solution.
///
/// # Errors
///
/// As [`solve`].
pub fn resume<'a>(
    m: &[f64],
    q: &[f64],
    workspace: &'a mut Workspace,
) -> Result<Solution<'a>, Error> {
    workspace.linear(m, q, None)
}

/// As [`resume`], watched.
///
/// # Errors
///
/// As [`resume`], and [`Error::Stopped`].
pub fn resume_watched<'a>(
    m: &[f64],
    q: &[f64],
    workspace: &'a mut Workspace,
    watch: &mut Watch<'_>,
) -> Result<Solution<'a>, Error> {
    workspace.linear(m, q, Some(watch))
}

/// Solves a boxed problem.
///
/// # Errors
///
/// As [`solve`], and of problems that are none [`Error::EmptyBox`].
pub fn solve_boxed<'a>(
    problem: &Problem<'_>,
    workspace: &'a mut Workspace,
) -> Result<Solution<'a>, Error> {
    workspace.forget();
    resume_boxed(problem, workspace)
}

/// As [`solve_boxed`], but each solver starts from the workspace's last solution.
///
/// # Errors
///
/// As [`solve_boxed`].
pub fn resume_boxed<'a>(
    problem: &Problem<'_>,
    workspace: &'a mut Workspace,
) -> Result<Solution<'a>, Error> {
    let found = workspace.search(problem, None);
    workspace.present(found)
}

/// As [`resume_boxed`], watched.
///
/// # Errors
///
/// As [`resume_boxed`], and [`Error::Stopped`].
pub fn resume_boxed_watched<'a>(
    problem: &Problem<'_>,
    workspace: &'a mut Workspace,
    watch: &mut Watch<'_>,
) -> Result<Solution<'a>, Error> {
    let found = workspace.search(problem, Some(watch));
    workspace.present(found)
}

/// A solution that is in the workspace.
type Found = Solution<'static>;

impl Workspace {
    fn linear(
        &mut self,
        m: &[f64],
        q: &[f64],
        watch: Option<&mut Watch<'_>>,
    ) -> Result<Solution<'_>, Error> {
        let n = q.len();
        check_length("m", m, n.saturating_mul(n))?;
        check_finite("m", m)?;
        check_finite("q", q)?;
        let (mut lo, mut hi) = (core::mem::take(&mut self.lo), core::mem::take(&mut self.hi));
        lo.clear();
        lo.resize(n, 0.0);
        hi.clear();
        hi.resize(n, f64::INFINITY);
        let found = self.search(&Problem { a: m, b: q, lo: &lo, hi: &hi }, watch);
        (self.lo, self.hi) = (lo, hi);
        self.present(found)
    }

    fn present(&mut self, found: Result<Found, Error>) -> Result<Solution<'_>, Error> {
        match found {
            Ok(found) => Ok(Solution { z: &self.z, ..found }),
            Err(error) => {
                self.forget();
                Err(error)
            }
        }
    }

    /// Lets one solver after the other try.
    fn search(
        &mut self,
        problem: &Problem<'_>,
        watch: Option<&mut Watch<'_>>,
    ) -> Result<Found, Error> {
        problem.check()?;
        let n = problem.b.len();
        let is_lcp = problem.lo.iter().all(|lo| *lo == 0.0)
            && problem.hi.iter().all(|hi| *hi == f64::INFINITY);
        let mut failure = None;
        let mut watcher = Watcher::of(usize::MAX, watch);
        for place in 0..self.policy.len() {
            let Attempt { method, pivots_per_pair } = self.policy[place];
            if method == Method::Lemke && !is_lcp {
                continue;
            }
            let limit = pivots_per_pair.saturating_mul(n).saturating_add(LEAST_PIVOTS);
            watcher.allow(limit);
            match self.attempt(problem, method, (limit, &mut watcher)) {
                Ok(found) => return Ok(found),
                Err(error @ Error::Infeasible { .. }) => return Err(error),
                Err(error @ Error::Stopped { .. }) => return Err(stopped(failure, error)),
                Err(error) => failure = Some(better(failure, error)),
            }
        }
        Err(failure.unwrap_or_else(|| {
            let z: Vec<f64> = (0..n).map(|i| problem.rest(i)).collect();
            Error::Unsolved { residual: residual(problem, &z), z, pivots: 0 }
        }))
    }

    /// Lets one solver try. Its solution is then in `z`.
    fn attempt(
        &mut self,
        problem: &Problem<'_>,
        method: Method,
        (limit, watcher): (usize, &mut Watcher<'_>),
    ) -> Result<Found, Error> {
        let Self { lemke, dantzig, newton, gauss_seidel, z, .. } = self;
        let found = match method {
            Method::Lemke => {
                lemke.set_max_pivots(limit);
                lemke::search(problem.a, problem.b, lemke, watcher)
            }
            Method::Dantzig => {
                dantzig.start_at(z);
                dantzig::search(problem, dantzig, watcher)
            }
            Method::NewtonMin | Method::FischerBurmeister => {
                newton.set_equation(match method {
                    Method::NewtonMin => Equation::Natural,
                    _ => Equation::FischerBurmeister,
                });
                newton.start_at(z);
                newton::search(problem, newton, watcher)
            }
            Method::GaussSeidel => {
                gauss_seidel.start_at(z);
                gauss_seidel::search(problem, gauss_seidel, watcher)
            }
        };
        found.map(|solution| {
            copy(z, solution.z);
            let Solution { residual, pivots, status, .. } = solution;
            Found { z: &[], residual, pivots, status }
        })
    }
}

/// The failure to report of two: a ray rather than a point, and the point of the smaller residual.
fn better(first: Option<Error>, next: Error) -> Error {
    match (first, next) {
        (None, next) => next,
        (Some(ray @ Error::Ray { .. }), _) => ray,
        (
            Some(Error::Unsolved { z, residual, pivots }),
            Error::Unsolved { residual: other, .. },
        ) if residual <= other => Error::Unsolved { z, residual, pivots },
        (_, next) => next,
    }
}

/// The better of what was found before and where the search was stopped.
fn stopped(before: Option<Error>, stop: Error) -> Error {
    match (before, stop) {
        (
            Some(Error::Unsolved { z, residual, .. }),
            Error::Stopped { residual: last, pivots, .. },
        ) if residual <= last => Error::Stopped { z, residual, pivots },
        (_, stop) => stop,
    }
}
