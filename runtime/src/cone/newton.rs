//! The semismooth Newton method.
//!
//! > solve the linear problem of the modes at (λ, w), go there, or part of the way
//!
//! Each step solves for the new point itself, so that it ends exactly once the modes are those of the
//! solution and slip directions have converged. A full step is taken unless ∑ eᵢ² / sᵢ would exceed the largest
//! of the last four points; then half of it, and so on.
//!
//! Where contacts are redundant the linear problem is singular. A proximal term ε s (x − xₖ) makes it regular
//! and vanishes as the points converge: it slows the last steps down and changes no solution.
//!
//! # Source
//!
//! Alart, Curnier (1991). Grippo, Lampariello, Lucidi: A Nonmonotone Line Search Technique for Newton's Method
//! (1986). Carpentier, Budhiraja, Mansard: Proximal and Sparse Resolution of Constrained Dynamic Equations
//! (2021), for the proximal term.

use alloc::vec::Vec;

use super::modes::Modes;
use super::operator::Operator;
use super::settings::Goal;
use super::vector::{self, add};
use super::view::{Draw, Measure, Point, View};
use crate::kernel::{Computation, Real};
use crate::watch::Watcher;

/// Points that are remembered by the line search.
const MEMORY: usize = 4;
/// First steps that are taken whole, whatever they do.
const FREE: usize = 3;
/// So many iterations one after the other that are no better than a solution end the search for a better one.
const PATIENCE: usize = 4;
/// The least decrease of the merit, by its value and the part of the step.
const DECREASE: f64 = 1e-4;
/// The least part of a step.
const SHORTEST: f64 = 2e-3;
/// The term for a linear problem that is singular without.
const REGULAR: f64 = 1e-9;

/// Room for the method.
#[derive(Clone, Debug, Default)]
pub(super) struct Newton {
    modes: Modes,
    x: Vec<f64>,
    next: Point,
    trial: Point,
    /// A solution that misses the aim.
    kept: Point,
}

impl Newton {
    pub(super) fn with_capacity(n: usize) -> Self {
        Self {
            modes: Modes::with_capacity(n),
            x: Vec::with_capacity(n),
            next: Point::with_capacity(n),
            trial: Point::with_capacity(n),
            kept: Point::with_capacity(n),
        }
    }
}

/// A run from a point, whose error was measured. Returns the number of iterations.
pub(super) struct Run<'a, 'w, O> {
    pub(super) view: View<'a>,
    pub(super) operator: &'a mut O,
    pub(super) newton: &'a mut Newton,
    pub(super) point: &'a mut Point,
    /// Iterations at most.
    pub(super) limit: usize,
    /// ε.
    pub(super) proximal: f64,
    pub(super) goal: Goal,
    pub(super) watcher: &'a mut Watcher<'w>,
    /// The residual of the best point of all.
    pub(super) least: f64,
    /// What is added to w.
    pub(super) draw: Option<Draw<'a>>,
}

impl<O: Operator> Computation for Run<'_, '_, O> {
    type Output = usize;

    #[inline(always)]
    fn run<A: Real>(mut self) -> usize {
        if self.draw.is_none() {
            self.proximal = f64::max(self.proximal, O::PROXIMAL);
        }
        let mut merits = [self.point.error.merit; MEMORY];
        let mut patience = PATIENCE;
        self.newton.kept.error.largest = f64::INFINITY;
        for iteration in 0..self.limit {
            let over = self.is_over::<A>(&mut patience) || !self.watcher.goes_on(self.least);
            if over || !self.solve::<A>() {
                return self.end(iteration);
            }
            let largest = vector::largest(&merits);
            let merit = self.newton.next.error.merit;
            let enough = merit <= (1.0 - DECREASE) * largest || iteration < FREE;
            if enough || self.newton.next.error.largest <= self.goal.aim {
                core::mem::swap(self.point, &mut self.newton.next);
            } else {
                self.search::<A>(largest);
            }
            merits[iteration % MEMORY] = self.point.error.merit;
        }
        let limit = self.limit;
        self.end(limit)
    }
}

impl<O: Operator> Run<'_, '_, O> {
    /// Whether nothing better is looked for than the point, or than the solution that is kept.
    #[inline(always)]
    fn is_over<A: Real>(&mut self, patience: &mut usize) -> bool {
        let Self { view, newton, point, goal, draw, .. } = self;
        let (error, kept) = (point.error.largest, &mut newton.kept);
        if error <= goal.aim && (draw.is_some() || view.is_sharp::<A>(point, goal.accepted)) {
            kept.error.largest = f64::INFINITY;
            return true;
        }
        if error <= goal.accepted && error < kept.error.largest {
            kept.copy(point);
            *patience = PATIENCE;
        } else if kept.error.largest.is_finite() {
            *patience -= 1;
        }
        *patience == 0
    }

    /// The point is the best of the solutions, if there are any, after so many iterations.
    #[inline(always)]
    fn end(self, iterations: usize) -> usize {
        if self.newton.kept.error.largest < self.point.error.largest {
            core::mem::swap(self.point, &mut self.newton.kept);
        }
        iterations
    }

    /// The solution of the linear problem at the point, in `next`; whether there is one.
    #[inline(always)]
    fn solve<A: Real>(&mut self) -> bool {
        let Self { view, operator, newton, point, draw, .. } = self;
        let Newton { modes, x, next, .. } = &mut **newton;
        loop {
            modes.classify::<A>(view, &point.lambda, &point.w, self.proximal);
            if let Some(draw) = draw {
                modes.draw(view, draw);
            }
            x.clear();
            x.resize(modes.unknowns.len(), 0.0);
            let regular = operator.solve::<A>(view, modes, x);
            if regular {
                break;
            }
            if self.proximal >= REGULAR {
                return false;
            }
            self.proximal = REGULAR;
        }
        next.reset(view.b.len());
        if !modes.fixed.is_empty() {
            next.lambda.copy_from_slice(&modes.fixed);
        }
        for (unknown, &x) in modes.unknowns.iter().zip(&*x) {
            for (k, lambda) in next.lambda[unknown.first..][..unknown.rows].iter_mut().enumerate() {
                *lambda = A::mul_add(unknown.force[k], x, *lambda);
            }
        }
        operator.apply::<A>(view, &next.lambda, &mut next.w);
        if let Some(draw) = draw {
            draw.add(view, &next.lambda, &mut next.w);
        }
        next.error = view.measure::<A>(&next.lambda, &next.w);
        next.error.merit.is_finite()
    }

    /// Goes part of the way to `next`, as long as that helps.
    #[inline(always)]
    fn search<A: Real>(&mut self, largest: f64) {
        let Self { view, operator, newton, point, draw, .. } = self;
        let Newton { next, trial, .. } = &mut **newton;
        let mut best = Measure { merit: f64::INFINITY, ..Measure::default() };
        let (mut best_part, mut part) = (0.0, 0.5);
        while part >= SHORTEST {
            between::<A>(point, next, part, trial);
            trial.error = view.measure::<A>(&trial.lambda, &trial.w);
            if trial.error.merit < best.merit {
                (best, best_part) = (trial.error, part);
            }
            if trial.error.merit <= (1.0 - DECREASE * part) * largest {
                break;
            }
            part *= 0.5;
        }
        if next.error.merit < best.merit {
            best_part = 1.0;
        }
        between::<A>(point, next, best_part, trial);
        operator.apply::<A>(view, &trial.lambda, &mut trial.w);
        if let Some(draw) = draw {
            draw.add(view, &trial.lambda, &mut trial.w);
        }
        trial.error = view.measure::<A>(&trial.lambda, &trial.w);
        core::mem::swap(*point, trial);
    }
}

/// A point between two; w is affine in λ.
#[inline(always)]
fn between<A: Real>(from: &Point, to: &Point, part: f64, at: &mut Point) {
    at.reset(from.lambda.len());
    at.w.fill(0.0);
    for (at, from, to) in [(&mut at.lambda, &from.lambda, &to.lambda), (&mut at.w, &from.w, &to.w)]
    {
        add::<A>(at, 1.0 - part, from);
        add::<A>(at, part, to);
    }
}
