//! Projected Gauss–Seidel, and its over-relaxed form, for boxed problems.
//!
//! > λᵢ ← mid(loᵢ, λᵢ − ω wᵢ / Aᵢᵢ, hiᵢ),  w = A λ + b,  for i = 1 … n in turn
//!
//! with the relaxation ω, 0 < ω < 2; ω = 1 is Gauss–Seidel. A sweep costs n² operations and needs no
//! factorisation. Convergence is linear, at a rate that conditioning and mass ratios bring near one: this is
//! a solver for much less than full accuracy, or for the last step from a good start.
//!
//! Class: symmetric positive semidefinite A; every accumulation point is a solution, and there is one if the
//! problem has a solution. A pair whose Aᵢᵢ is zero goes to the bound that wᵢ asks for.
//!
//! On failure: [`Error::Unsolved`] with the best point, after `max_sweeps` sweeps; contradictions are not proved.
//!
//! # Source
//!
//! Cryer: The Solution of a Quadratic Programming Problem Using Systematic Overrelaxation (1971).
//! Cottle, Pang, Stone: The Linear Complementarity Problem (1992), section 5.4. Luo, Tseng: On the
//! Convergence of a Matrix Splitting Algorithm for the Symmetric Monotone Linear Complementarity Problem
//! (1991).

use alloc::vec::Vec;

use super::balanced::Balanced;
use super::boxed::{Problem, residual};
use super::error::check_start;
use super::solution::conclude;
use super::{Error, Method, Solution};
use crate::slices::{add, columns, combine, copy, worse, zeros};
use crate::watch::{Watch, Watcher};

/// A residual that is below the tolerance is looked for once in so many sweeps.
const CHECKED: usize = 4;
const DEFAULT_MAX_SWEEPS: usize = 10_000;
const DEFAULT_TOLERANCE: f64 = 1e-10;

/// Room for problems, allocated once and grown to the largest.
#[derive(Clone, Debug)]
pub struct Workspace {
    max_sweeps: usize,
    tolerance: f64,
    relaxation: f64,
    balanced: Balanced,
    lambda: Vec<f64>,
    w: Vec<f64>,
    /// The best λ, and its residual.
    best: Vec<f64>,
    least: f64,
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
        let row = || Vec::with_capacity(n);
        Self {
            max_sweeps: DEFAULT_MAX_SWEEPS,
            tolerance: DEFAULT_TOLERANCE,
            relaxation: 1.0,
            balanced: Balanced::with_capacity(n),
            lambda: row(),
            w: row(),
            best: row(),
            least: f64::INFINITY,
            z: row(),
        }
    }

    /// ω, between 0 and 2; 1 unless stated.
    #[must_use]
    pub fn relaxation(mut self, relaxation: f64) -> Self {
        self.relaxation = relaxation;
        self
    }

    /// The natural residual to stop at, in units in which the diagonal of A and the largest entry of b are
    /// near one; 1e-10 unless stated.
    #[must_use]
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.tolerance = tolerance;
        self
    }

    /// After how many sweeps to give up; 10 000 unless stated.
    #[must_use]
    pub fn max_sweeps(mut self, sweeps: usize) -> Self {
        self.max_sweeps = sweeps;
        self
    }

    /// Lets [`resume`] start from `lambda`, (n).
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
/// [`Error::Unsolved`] of problems without a solution and of those that would take more sweeps;
/// [`Error::Length`], [`Error::NotFinite`] and [`Error::EmptyBox`] of those that are none;
/// [`Error::Parameter`] of a relaxation that does not converge.
///
/// # Source
///
/// Cottle, Pang, Stone (1992), section 5.4.
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
    let limit = workspace.max_sweeps;
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
    let limit = workspace.max_sweeps;
    search(problem, workspace, &mut Watcher::new(limit, watch))
}

pub(super) fn search<'a>(
    problem: &Problem<'_>,
    workspace: &'a mut Workspace,
    watcher: &mut Watcher<'_>,
) -> Result<Solution<'a>, Error> {
    problem.check()?;
    let value = workspace.relaxation;
    if value.is_nan() || value <= 0.0 || value >= 2.0 {
        return Err(Error::Parameter { parameter: "relaxation", value });
    }
    let known = check_start(&workspace.z, problem.b.len())?;
    workspace.balanced.load(problem);
    workspace.begin(known);
    let (is_solved, sweeps) = workspace.sweep_until(watcher);
    let Workspace { balanced, best, z, .. } = workspace;
    balanced.restore(copy(z, best));
    let residual = residual(problem, z);
    conclude(z, (Method::GaussSeidel, known), (is_solved, residual, sweeps))
        .map_err(|error| error.halted(watcher.halt()))
}

impl Workspace {
    fn begin(&mut self, known: bool) {
        let problem = self.balanced.problem();
        zeros(&mut self.lambda, problem.b.len());
        if known {
            self.lambda.copy_from_slice(&self.z);
            self.balanced.balance(&mut self.lambda);
        }
        for (i, x) in self.lambda.iter_mut().enumerate() {
            let start = if known { *x } else { problem.rest(i) };
            *x = start.max(problem.lo[i]).min(problem.hi[i]);
        }
        copy(&mut self.best, &self.lambda);
        self.least = f64::INFINITY;
    }

    /// Sweeps until the residual is below the tolerance or there is no more to be hoped for. Returns whether it
    /// is, and how many sweeps it took.
    fn sweep_until(&mut self, watcher: &mut Watcher<'_>) -> (bool, usize) {
        let mut sweeps = 0_usize;
        loop {
            let is_over = !watcher.goes_on(self.least);
            if sweeps.is_multiple_of(CHECKED) || is_over {
                let residual = self.refresh();
                if residual < self.least {
                    self.least = residual;
                    copy(&mut self.best, &self.lambda);
                }
                if residual <= self.tolerance || !residual.is_finite() {
                    return (residual <= self.tolerance, sweeps);
                }
            }
            if is_over {
                return (false, sweeps);
            }
            self.sweep();
            sweeps += 1;
        }
    }

    /// Computes w from the problem's own numbers. Returns the residual.
    fn refresh(&mut self) -> f64 {
        let problem = self.balanced.problem();
        let w = copy(&mut self.w, problem.b);
        combine(w, self.lambda.iter().copied().zip(columns(problem.a, problem.b.len())));
        let pairs = self.lambda.iter().zip(w).enumerate();
        pairs.fold(0.0, |most, (i, (x, w))| worse(most, problem.natural(i, *x, *w).abs()))
    }

    fn sweep(&mut self) {
        let Self { balanced, lambda, w, relaxation, .. } = self;
        let (problem, n) = (balanced.problem(), lambda.len());
        for (i, column) in columns(problem.a, n).enumerate() {
            let (lo, hi, diagonal) = (problem.lo[i], problem.hi[i], column[i]);
            let aim = if diagonal > 0.0 {
                (lambda[i] - *relaxation * w[i] / diagonal).max(lo).min(hi)
            } else if w[i] > 0.0 && lo.is_finite() {
                lo
            } else if w[i] < 0.0 && hi.is_finite() {
                hi
            } else {
                lambda[i]
            };
            let step = aim - lambda[i];
            if step != 0.0 {
                lambda[i] = aim;
                add(w, step, column);
            }
        }
    }
}
