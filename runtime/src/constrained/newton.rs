//! The search for an assembly: Newton steps that are shortened until the rows come nearer to zero.

use alloc::vec;
use alloc::vec::Vec;

use crate::description::Level;
use crate::kkt::{self, Method, Problem, Report, Solver};
use crate::manifold;
use crate::model::Model;
use crate::space::Storage;

use super::dynamics::named;
use super::{Constrained, Error};

/// Newton steps from one guess.
pub(super) const STEPS: usize = 100;

/// The largest entry of a step, rad or m.
const STRIDE: f64 = 0.5;

/// The error of a solution by 1 + the largest coordinate.
pub(super) const ACCEPTED: f64 = 1e-12;

/// W, and W + ε 1.
pub(super) struct Metric {
    pub(super) weights: Vec<f64>,
    pub(super) drawn: Vec<f64>,
}

/// The rows that an assembly satisfies.
struct Rows {
    values: Vec<f64>,
    jacobian: Vec<f64>,
}

impl Rows {
    /// The step of steepest descent of ½ ‖h‖², as long as it would have to be if h were linear.
    fn descent(&self) -> Vec<f64> {
        let columns = || self.jacobian.chunks_exact(self.values.len().max(1));
        let slope: Vec<f64> = columns().map(|column| dot(column, &self.values)).collect();
        let mut along = vec![0.0; self.values.len()];
        for (column, slope) in columns().zip(&slope) {
            along.iter_mut().zip(column).for_each(|(x, h)| *x += h * slope);
        }
        let length = square(&slope) / square(&along);
        slope.iter().map(|slope| -length * slope).collect()
    }
}

impl<M: Model> Constrained<M> {
    /// Newton's method from `start`: where it ends, the largest error there, and the last solution.
    pub(super) fn descend(
        &mut self,
        guess: &M::Q,
        start: &M::Q,
        metric: &Metric,
        t: f64,
    ) -> Result<(M::Q, f64, Option<Report>, usize), Error> {
        let mut solver = Solver::new(Method::NullSpace);
        let (mut q, mut away) = (start.clone(), vec![0.0; M::NV]);
        let mut rows = self.position_rows(&q, t);
        let mut last = None;
        for step in 0..STEPS {
            manifold::difference(M::JOINTS, guess.as_slice(), q.as_slice(), &mut away);
            let target: Vec<f64> = rows.values.iter().map(|h| -h).collect();
            let error = largest(&rows.values);
            let change = match newton(&mut solver, metric, &away, &rows.jacobian, &target) {
                Ok((change, report)) => {
                    last = Some(report);
                    change
                }
                // Close to a singular position rows are neither independent nor dependent.
                Err(kkt::Error::NotConverged { .. }) => rows.descent(),
                Err(other) => return Err(named::<M>(other)),
            };
            if largest(&change) <= ACCEPTED && error <= accepted(q.as_slice()) {
                return Ok((q, error, last, step));
            }
            let newton = self.shortened(&q, &change, &rows.values, t);
            let next = newton.or_else(|| self.shortened(&q, &rows.descent(), &rows.values, t));
            let Some((moved, there)) = next else { return Ok((q, error, last, step)) };
            (q, rows) = (moved, there);
        }
        let error = largest(&rows.values);
        Ok((q, error, last, STEPS))
    }

    /// The step, shortened until the error is less than before, unless that is nothing already.
    fn shortened(
        &mut self,
        q: &M::Q,
        change: &[f64],
        errors: &[f64],
        t: f64,
    ) -> Option<(M::Q, Rows)> {
        let stride = largest(change);
        if !stride.is_finite() {
            return None;
        }
        let mut length = if stride > STRIDE { STRIDE / stride } else { 1.0 };
        for _ in 0..40 {
            let mut moved = q.clone();
            manifold::integrate(M::JOINTS, change, length, moved.as_mut_slice());
            let rows = self.position_rows(&moved, t);
            let closer = square(&rows.values) < (1.0 - 1e-4 * length) * square(errors);
            if closer || largest(&rows.values) <= accepted(moved.as_slice()) {
                return Some((moved, rows));
            }
            length *= 0.5;
        }
        None
    }

    /// Errors and Jacobian of the rows of positions.
    fn position_rows(&mut self, q: &M::Q, t: f64) -> Rows {
        self.rows.evaluate(&self.model, q, &M::V::zeros(), t);
        let values = &self.rows.held;
        let kept: Vec<usize> = self.position_indices();
        let of = |numbers: &[f64]| kept.iter().map(|&k| numbers[k]).collect::<Vec<_>>();
        let columns = values.jacobian.chunks_exact(values.error.len().max(1));
        Rows { values: of(&values.error), jacobian: columns.flat_map(of).collect() }
    }

    fn position_indices(&self) -> Vec<usize> {
        let levels = self.rows.levels().enumerate();
        levels.filter(|(_, (level, _))| *level == Level::Position).map(|(k, _)| k).collect()
    }
}

/// One step: the change, and what its solution is worth.
pub(super) fn newton(
    solver: &mut Solver,
    metric: &Metric,
    away: &[f64],
    jacobian: &[f64],
    target: &[f64],
) -> Result<(Vec<f64>, Report), kkt::Error> {
    let n = away.len();
    let mut force = vec![0.0; n];
    for (column, d) in metric.weights.chunks_exact(n.max(1)).zip(away) {
        force.iter_mut().zip(column).for_each(|(f, w)| *f -= w * d);
    }
    let (mut change, mut multipliers) = (vec![0.0; n], vec![0.0; target.len()]);
    let problem = Problem::new(&metric.drawn, jacobian, &force, target);
    let report = solver.solve(&problem, &mut change, &mut multipliers)?;
    Ok((change, report))
}

pub(super) fn accepted(coordinates: &[f64]) -> f64 {
    ACCEPTED * (1.0 + largest(coordinates))
}

/// ‖x‖².
fn square(x: &[f64]) -> f64 {
    dot(x, x)
}

fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

/// The largest |xᵢ|; NaN if one is.
pub(super) fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |most: f64, x| if x.is_nan() { f64::NAN } else { most.max(x.abs()) })
}
