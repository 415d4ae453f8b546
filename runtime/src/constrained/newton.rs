//! The search for a configuration that satisfies the rows: Newton steps that are shortened until the rows come
//! nearer to zero. Errors are divided by ρ, as in [`distance`](super::distance), so that units of rows do not matter.

use alloc::vec;
use alloc::vec::Vec;

use crate::description::{Joint, Level};
use crate::kkt::{self, Method, Problem, Report, Solver};
use crate::manifold;
use crate::model::Robot;
use crate::slices::{dot, largest, multiply};

use super::dynamics::named;
use super::{Core, Error};

/// Newton steps from one guess.
pub(super) const STEPS: usize = 100;

/// Errors from which steps are no longer drawn to the guess: where rows curve much on the way from there, that
/// would lead to and fro.
const NEAR: f64 = 1e-2;

/// The largest entry of a step, rad or m.
pub(super) const STRIDE: f64 = 0.5;

/// The error of a solution by 1 + the largest coordinate.
const ACCEPTED: f64 = 1e-12;

/// The error that is not made less, likewise.
const POLISHED: f64 = 1e-14;

/// W, and W + ε 1.
pub(super) struct Metric {
    pub(super) weights: Vec<f64>,
    pub(super) drawn: Vec<f64>,
    /// The largest entry of W, or 1 if all are zero.
    pub(super) scale: f64,
}

impl Metric {
    /// W + max W 1 for `n` coordinates, by which none moves much more easily than others.
    fn even(&self, n: usize) -> Vec<f64> {
        let mut even = self.weights.clone();
        even.iter_mut().step_by(n + 1).for_each(|x| *x += self.scale);
        even
    }

    /// W d.
    pub(super) fn weigh(&self, d: &[f64]) -> Vec<f64> {
        let mut weighed = vec![0.0; d.len()];
        multiply(&mut weighed, &self.weights, d);
        weighed
    }
}

/// The rows that an assembly satisfies, to first order.
pub(super) struct Linearised {
    /// h.
    pub(super) values: Vec<f64>,
    /// H.
    pub(super) jacobian: Vec<f64>,
    /// ρ.
    reaches: Vec<f64>,
}

impl Linearised {
    /// The largest |h| / ρ: how far coordinates have to move at least, m or rad.
    pub(super) fn residual(&self) -> f64 {
        largest(&self.by_reach(&self.values))
    }

    /// Numbers of rows, divided by ρ.
    fn by_reach(&self, of: &[f64]) -> Vec<f64> {
        of.iter().zip(&self.reaches).map(|(x, reach)| x / reach).collect()
    }

    /// The step of steepest descent of ½ ‖h / ρ‖², as long as it would have to be if h were linear.
    fn descent(&self) -> Vec<f64> {
        let columns = || self.jacobian.chunks_exact(self.values.len().max(1));
        let pull = self.by_reach(&self.by_reach(&self.values));
        let slope: Vec<f64> = columns().map(|column| dot(column, &pull)).collect();
        let mut along = vec![0.0; self.values.len()];
        for (column, slope) in columns().zip(&slope) {
            along.iter_mut().zip(column).for_each(|(x, h)| *x += h * slope);
        }
        let length = square(&slope) / square(&self.by_reach(&along));
        slope.iter().map(|slope| -length * slope).collect()
    }

    /// −h.
    pub(super) fn target(&self) -> Vec<f64> {
        self.values.iter().map(|h| -h).collect()
    }
}

/// Where a search ended.
pub(super) struct Found {
    pub(super) q: Vec<f64>,
    pub(super) rows: Linearised,
    pub(super) steps: usize,
}

impl Found {
    /// The largest |h| / ρ.
    pub(super) fn residual(&self) -> f64 {
        self.rows.residual()
    }

    /// Whether the error is not to be made less.
    pub(super) fn is_polished(&self) -> bool {
        self.residual() <= polished(&self.q)
    }

    pub(super) fn is_satisfied(&self) -> bool {
        self.residual() <= accepted(&self.q)
    }
}

impl Core {
    /// Newton's method from `start`, drawn to the guess at first, with weights of coordinates that are
    /// alike if `even`, until the rows are satisfied or no step brings them nearer to that.
    pub(super) fn descend(
        &mut self,
        robot: Robot<'_>,
        (guess, start): (&[f64], &[f64]),
        (metric, even): (&Metric, bool),
        t: f64,
    ) -> Result<Found, Error> {
        let mut solver = Solver::new(Method::NullSpace);
        let rows = self.position_rows(robot, start, t);
        let mut found = Found { q: start.to_vec(), rows, steps: 0 };
        let weights = if even { metric.even(robot.nv) } else { metric.drawn.clone() };
        while found.steps < STEPS && !found.is_polished() {
            let Found { q, rows, .. } = &found;
            let force = match found.residual() {
                ..NEAR => vec![0.0; robot.nv],
                _ => slope(robot.joints, (guess, q), metric).iter().map(|slope| -slope).collect(),
            };
            let change = match newton(&mut solver, &weights, &force, &rows.jacobian, &rows.target())
            {
                Ok((change, ..)) => change,
                // Close to a singular position rows are neither independent nor dependent.
                Err(kkt::Error::NotConverged { .. }) => rows.descent(),
                Err(other) => return Err(named(&robot, other)),
            };
            let newton = self.shortened(robot, (q, &change), rows, t);
            let next = newton.or_else(|| self.shortened(robot, (q, &rows.descent()), rows, t));
            let Some((q, rows)) = next else { break };
            let rounded = found.is_satisfied() && rows.residual() >= found.residual();
            if rounded {
                break;
            }
            found = Found { q, rows, steps: found.steps + 1 };
        }
        Ok(found)
    }

    /// The step, shortened until the error is less than before, unless that is nothing already.
    fn shortened(
        &mut self,
        robot: Robot<'_>,
        (q, change): (&[f64], &[f64]),
        here: &Linearised,
        t: f64,
    ) -> Option<(Vec<f64>, Linearised)> {
        let stride = largest(change);
        if !stride.is_finite() {
            return None;
        }
        let mut length = if stride > STRIDE { STRIDE / stride } else { 1.0 };
        let error = |values: &[f64]| square(&here.by_reach(values));
        for _ in 0..40 {
            let mut moved = q.to_vec();
            manifold::integrate(robot.joints, change, length, &mut moved);
            let rows = self.position_rows(robot, &moved, t);
            let closer = error(&rows.values) < (1.0 - 1e-4 * length) * error(&here.values);
            if closer || rows.residual() <= accepted(&moved) {
                return Some((moved, rows));
            }
            length *= 0.5;
        }
        None
    }

    /// Errors and Jacobian of the rows of positions.
    pub(super) fn position_rows(&mut self, robot: Robot<'_>, q: &[f64], t: f64) -> Linearised {
        self.rows.evaluate(robot, q, &vec![0.0; robot.nv], t);
        let values = &self.rows.held;
        let kept: Vec<usize> = self.position_indices();
        let of = |numbers: &[f64]| kept.iter().map(|&k| numbers[k]).collect::<Vec<_>>();
        let columns = values.jacobian.chunks_exact(values.error.len().max(1));
        Linearised {
            values: of(&values.error),
            jacobian: columns.flat_map(of).collect(),
            reaches: of(&self.rows.reaches()),
        }
    }

    fn position_indices(&self) -> Vec<usize> {
        let levels = self.rows.levels().enumerate();
        levels.filter(|(_, (level, _))| *level == Level::Position).map(|(k, _)| k).collect()
    }
}

/// The slope of ½ dᵀ W d, d = q ⊖ q₀, by the motion of q.
pub(super) fn slope(joints: &[Joint], (guess, q): (&[f64], &[f64]), metric: &Metric) -> Vec<f64> {
    let mut away = vec![0.0; metric.weights.len().isqrt()];
    manifold::difference(joints, guess, q, &mut away);
    let mut slope = metric.weigh(&away);
    manifold::pull_back(joints, guess, q, &mut slope);
    slope
}

/// Solves W δ − Hᵀ λ = f, H δ = g: δ, λ, and what they are worth.
pub(super) fn newton(
    solver: &mut Solver,
    weights: &[f64],
    force: &[f64],
    jacobian: &[f64],
    target: &[f64],
) -> Result<(Vec<f64>, Vec<f64>, Report), kkt::Error> {
    let (mut change, mut multipliers) = (vec![0.0; force.len()], vec![0.0; target.len()]);
    let problem = Problem::new(weights, jacobian, force, target);
    let report = solver.solve(&problem, &mut change, &mut multipliers)?;
    Ok((change, multipliers, report))
}

pub(super) fn accepted(coordinates: &[f64]) -> f64 {
    ACCEPTED * (1.0 + largest(coordinates))
}

pub(super) fn polished(coordinates: &[f64]) -> f64 {
    POLISHED * (1.0 + largest(coordinates))
}

/// ‖x‖².
fn square(x: &[f64]) -> f64 {
    dot(x, x)
}
