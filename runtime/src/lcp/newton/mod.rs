//! Newton's method for boxed problems as equations, globalised.
//!
//! > find λ with  w = A λ + b,  lo ≤ λ ≤ hi,  w ≥ 0 at lo,  w ≤ 0 at hi,  w = 0 between
//!
//! Either of two equations is solved. Newton–min takes the natural map λ − mid(lo, λ − w, hi) = 0: each step
//! guesses from λ − w which pairs are free and solves A_FF λ_F = −b_F − A_FH λ_H. Where such steps do not
//! lessen the merit, and always with [`Equation::FischerBurmeister`], a step goes along Newton's direction
//! of Φ(λ) = 0, of which each row is made of φ(x, y) = √(x² + y²) − x − y, and as far as the merit
//! Ψ = ½ ‖Φ‖² falls enough (Armijo), or down its gradient if the direction does not lead down. Where A is
//! singular, directions solve with A + ε 1, ε falling with the residual (a proximal step, without bias).
//!
//! Class: A a P₀-matrix, which every positive semidefinite one is: there all stationary points of Ψ are
//! solutions. Steps converge quadratically to a solution where the free block is regular. It starts
//! anywhere, and a warm start close to the solution takes one or two steps.
//!
//! On failure: [`Error::Unsolved`] with the best point; contradictions are not proved.
//!
//! # Source
//!
//! De Luca, Facchinei, Kanzow: A Theoretical and Numerical Comparison of Some Semismooth Algorithms for
//! Complementarity Problems (2000), sections 2 and 3. Billups: Algorithms for Complementarity
//! Problems and Generalized Equations (1995), for the function of a box.

mod merit;
mod steps;

use alloc::vec::Vec;

use self::merit::Row;
use super::balanced::Balanced;
use super::boxed::{Problem, residual};
use super::error::check_start;
use super::solution::conclude;
use super::{Error, Method, Solution};
use crate::lu::Lu;
use crate::slices::{copy, zeros};
use crate::watch::{Watch, Watcher};

const DEFAULT_MAX_STEPS: usize = 300;

/// Which equation is solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Equation {
    /// The natural map: Newton–min.
    #[default]
    Natural,
    /// Fischer and Burmeister's function.
    FischerBurmeister,
}

/// Room for problems, allocated once and grown to the largest.
#[derive(Clone, Debug)]
pub struct Workspace {
    max_steps: usize,
    equation: Equation,
    balanced: Balanced,
    iterate: Iterate,
    /// The last solution, or a start that was given; empty if there is none.
    z: Vec<f64>,
}

/// A point, what is left over there, and room for the next step.
#[derive(Clone, Debug, Default)]
struct Iterate {
    lambda: Vec<f64>,
    w: Vec<f64>,
    rows: Vec<Row>,
    /// The step and what it does to w.
    step: Vec<f64>,
    change: Vec<f64>,
    gradient: Vec<f64>,
    free: Vec<usize>,
    room: Vec<f64>,
    lu: Lu,
    best: Vec<f64>,
    /// Its natural residual.
    least: f64,
    /// The point of the least merit, and the merit.
    lowest: Vec<f64>,
    merit: f64,
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
        let iterate = Iterate {
            lambda: row(),
            w: row(),
            rows: Vec::with_capacity(n),
            step: row(),
            change: row(),
            gradient: row(),
            free: Vec::with_capacity(n),
            room: row(),
            lu: Lu::with_capacity(n),
            best: row(),
            least: f64::INFINITY,
            lowest: row(),
            merit: f64::INFINITY,
        };
        Self {
            max_steps: DEFAULT_MAX_STEPS,
            equation: Equation::default(),
            balanced: Balanced::with_capacity(n),
            iterate,
            z: row(),
        }
    }

    /// Which equation to solve; the natural map unless stated.
    #[must_use]
    pub fn equation(mut self, equation: Equation) -> Self {
        self.set_equation(equation);
        self
    }

    pub(super) fn set_equation(&mut self, equation: Equation) {
        self.equation = equation;
    }

    /// After how many steps to give up; 300 unless stated.
    #[must_use]
    pub fn max_steps(mut self, steps: usize) -> Self {
        self.max_steps = steps;
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
/// [`Error::Unsolved`] of problems without a solution and of those that are too hard;
/// [`Error::Length`], [`Error::NotFinite`] and [`Error::EmptyBox`] of those that are none.
///
/// # Source
///
/// De Luca, Facchinei, Kanzow (2000).
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
    let limit = workspace.max_steps;
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
    let limit = workspace.max_steps;
    search(problem, workspace, &mut Watcher::new(limit, watch))
}

pub(super) fn search<'a>(
    problem: &Problem<'_>,
    workspace: &'a mut Workspace,
    watcher: &mut Watcher<'_>,
) -> Result<Solution<'a>, Error> {
    problem.check()?;
    let known = check_start(&workspace.z, problem.b.len())?;
    let Workspace { equation, balanced, iterate, z, .. } = workspace;
    balanced.load(problem);
    iterate.begin(balanced, known.then_some(&**z));
    let steps = iterate.iterate(&balanced.problem(), *equation, watcher);
    let is_solved = balanced.badness(&iterate.best) <= 1.0;
    balanced.restore(copy(z, &iterate.best));
    let residual = residual(problem, z);
    let method = match equation {
        Equation::Natural => Method::NewtonMin,
        Equation::FischerBurmeister => Method::FischerBurmeister,
    };
    conclude(z, (method, known), (is_solved, residual, steps))
        .map_err(|error| error.halted(watcher.halt()))
}

impl Iterate {
    fn begin(&mut self, balanced: &Balanced, start: Option<&[f64]>) {
        let problem = balanced.problem();
        let n = problem.b.len();
        for row in [&mut self.w, &mut self.step, &mut self.change, &mut self.gradient] {
            zeros(row, n);
        }
        let lambda = zeros(&mut self.lambda, n);
        if let Some(start) = start {
            lambda.copy_from_slice(start);
            balanced.balance(lambda);
        }
        for (i, x) in lambda.iter_mut().enumerate() {
            let aim = if start.is_some() { *x } else { problem.rest(i) };
            *x = aim.max(problem.lo[i]).min(problem.hi[i]);
        }
        copy(&mut self.best, &self.lambda);
        copy(&mut self.lowest, &self.lambda);
        (self.least, self.merit) = (f64::INFINITY, f64::INFINITY);
    }
}
