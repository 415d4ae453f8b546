//! The steps.

use super::merit::Row;
use super::{Equation, Iterate};
use crate::lcp::boxed::Problem;
use crate::slices::{columns, combine, copy, dot, largest, multiply_transposed, norm, worse};
use crate::watch::Watcher;

/// A natural residual below this times the largest number is that of a solution.
const SOLVED: f64 = 1e-13;
/// Newton–min steps in a row that need not lessen the merit.
const PATIENCE: usize = 10;
/// ε by the residual, and what it is not above.
const PROXIMAL: [f64; 2] = [1e-4, 1e-4];
/// ε is not below this, so that what is regular but for rounding can be solved with.
const ROUNDING: f64 = 1e-14;
/// Armijo's rule: the part of the slope that the merit must fall by, and how often a step is halved.
const SLOPE: f64 = 1e-4;
const HALVINGS: usize = 30;
/// A direction leads down if the merit falls along it by this times its squared length at least.
const DESCENT: f64 = 1e-10;

impl Iterate {
    /// Steps until the natural residual is zero but for rounding, or nothing is gained any more. Returns the
    /// number of steps; the best point is kept.
    pub(super) fn iterate(
        &mut self,
        problem: &Problem<'_>,
        equation: Equation,
        watcher: &mut Watcher<'_>,
    ) -> usize {
        let mut patience = if equation == Equation::Natural { PATIENCE } else { 0 };
        let mut steps = 0;
        while watcher.goes_on(self.least) {
            let merit = self.evaluate(problem);
            if self.least <= SOLVED * largest(&self.best).max(1.0) {
                return steps;
            }
            if merit < 0.5 * self.merit {
                patience = if equation == Equation::Natural { PATIENCE } else { 0 };
            }
            if merit < self.merit {
                self.merit = merit;
                copy(&mut self.lowest, &self.lambda);
            }
            if patience > 0 {
                patience -= 1;
                if self.natural_step(problem) {
                    self.go(1.0);
                    steps += 1;
                    continue;
                }
            }
            if merit > self.merit {
                self.lambda.copy_from_slice(&self.lowest);
                self.evaluate(problem);
            }
            if !self.descend(problem) {
                return self.finish(problem, steps + 1);
            }
            if equation == Equation::Natural {
                patience = 1;
            }
            steps += 1;
        }
        self.finish(problem, steps)
    }

    /// A last Newton–min step from the best point.
    fn finish(&mut self, problem: &Problem<'_>, steps: usize) -> usize {
        self.lambda.copy_from_slice(&self.best);
        self.evaluate(problem);
        if self.natural_step(problem) {
            self.go(1.0);
            self.evaluate(problem);
        }
        steps
    }

    fn go(&mut self, length: f64) {
        self.lambda.iter_mut().zip(&self.step).for_each(|(x, step)| *x += length * step);
    }

    /// Computes w and the rows, and keeps the point, brought into the box, if it is the best. Returns the merit.
    fn evaluate(&mut self, problem: &Problem<'_>) -> f64 {
        let n = problem.b.len();
        let w = copy(&mut self.w, problem.b);
        combine(w, self.lambda.iter().copied().zip(columns(problem.a, n)));
        let mut residual = 0.0;
        for (i, (x, w)) in self.lambda.iter().zip(w).enumerate() {
            residual = worse(residual, problem.natural(i, *x, *w).abs());
        }
        if residual < self.least {
            self.least = residual;
            copy(&mut self.best, &self.lambda);
            for (i, x) in self.best.iter_mut().enumerate() {
                *x = x.max(problem.lo[i]).min(problem.hi[i]);
            }
        }
        self.rows.clear();
        let pairs = self.lambda.iter().zip(&self.w).zip(problem.lo.iter().zip(problem.hi));
        self.rows.extend(pairs.map(|((x, w), (lo, hi))| Row::of(*x, *w, *lo, *hi)));
        0.5 * self.rows.iter().map(|row| row.value * row.value).sum::<f64>()
    }

    /// ε at this point.
    fn proximal(&self, problem: &Problem<'_>) -> f64 {
        let residual = |i: usize| problem.natural(i, self.lambda[i], self.w[i]).abs();
        let worst = (0..self.lambda.len()).map(residual).fold(0.0, f64::max);
        (PROXIMAL[0] * worst).clamp(ROUNDING, PROXIMAL[1])
    }

    /// The step of Newton–min; false if there is none.
    fn natural_step(&mut self, problem: &Problem<'_>) -> bool {
        let (n, proximal) = (problem.b.len(), self.proximal(problem));
        let Self { lambda, w, step, change, free, room, lu, .. } = self;
        free.clear();
        for i in 0..n {
            let aim = lambda[i] - w[i];
            if aim > problem.lo[i] && aim < problem.hi[i] {
                free.push(i);
                step[i] = 0.0;
            } else {
                step[i] = aim.max(problem.lo[i]).min(problem.hi[i]) - lambda[i];
            }
        }
        copy(change, w);
        combine(change, step.iter().copied().zip(columns(problem.a, n)));
        let entry = |i: usize, j: usize| problem.a[j * n + i] + if i == j { proximal } else { 0.0 };
        let block = free.iter().flat_map(|&j| free.iter().map(move |&i| entry(i, j)));
        if lu.factor(free.len(), block) == 0.0 {
            return false;
        }
        room.clear();
        room.extend(free.iter().map(|&i| -change[i]));
        lu.solve(room);
        free.iter().zip(&*room).for_each(|(&i, x)| step[i] = *x);
        largest(step).is_finite()
    }

    /// A step along Newton's direction of Φ, or down the gradient of the merit; false if neither leads down.
    fn descend(&mut self, problem: &Problem<'_>) -> bool {
        self.compute_gradient(problem);
        let direction = self.fischer_burmeister_step(problem);
        let slope = dot(&self.gradient, &self.step);
        let length = norm(&self.step);
        if direction && slope < -DESCENT * length * length && self.search_line(problem, slope) {
            return true;
        }
        self.step.iter_mut().zip(&self.gradient).for_each(|(step, x)| *step = -x);
        let slope = -dot(&self.gradient, &self.gradient);
        slope < 0.0 && self.search_line(problem, slope)
    }

    /// ∇Ψ = −(P Φ + Aᵀ Q Φ).
    fn compute_gradient(&mut self, problem: &Problem<'_>) {
        let Self { rows, gradient, room, .. } = self;
        room.clear();
        room.extend(rows.iter().map(|row| -row.by_w * row.value));
        gradient.iter_mut().zip(&*rows).for_each(|(x, row)| *x = -row.by_lambda * row.value);
        multiply_transposed(gradient, problem.a, room);
    }

    /// (P + Q (A + ε 1)) step = Φ; false if there is none.
    fn fischer_burmeister_step(&mut self, problem: &Problem<'_>) -> bool {
        let (n, proximal) = (problem.b.len(), self.proximal(problem));
        let Self { rows, step, lu, .. } = self;
        let rows = &*rows;
        let entries = columns(problem.a, n).enumerate().flat_map(|(j, column)| {
            column.iter().zip(rows).enumerate().map(move |(i, (a, row))| {
                let own = if i == j { row.by_lambda + row.by_w * proximal } else { 0.0 };
                own + row.by_w * a
            })
        });
        if lu.factor(n, entries) == 0.0 {
            return false;
        }
        step.iter_mut().zip(rows).for_each(|(step, row)| *step = row.value);
        lu.solve(step);
        largest(step).is_finite()
    }

    /// Goes along the step as far as the merit falls enough.
    fn search_line(&mut self, problem: &Problem<'_>, slope: f64) -> bool {
        let n = problem.b.len();
        self.change.fill(0.0);
        combine(&mut self.change, self.step.iter().copied().zip(columns(problem.a, n)));
        let merit = |length: f64| {
            let value = |i: usize| {
                let (x, w) =
                    (self.lambda[i] + length * self.step[i], self.w[i] + length * self.change[i]);
                Row::of(x, w, problem.lo[i], problem.hi[i]).value
            };
            0.5 * (0..n).map(|i| value(i) * value(i)).sum::<f64>()
        };
        let start = merit(0.0);
        let mut length = 1.0;
        for _ in 0..HALVINGS {
            if merit(length) <= start + SLOPE * length * slope {
                self.go(length);
                return true;
            }
            length *= 0.5;
        }
        false
    }
}
