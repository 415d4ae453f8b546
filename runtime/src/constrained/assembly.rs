//! States that satisfy the constraints, nearest to a guess.
//!
//! > minimise ½ dᵀ W d,  d = q ⊖ q₀,  subject to h(q, t) = 0,
//!
//! by Newton's method on the linearised constraint, each step the solution of
//!
//! > (W + ε 1) δ − Hᵀ λ = −W d,  H δ = −h,
//!
//! where ε draws to the last iterate what W leaves free and vanishes in the limit. A step that does not
//! bring the rows nearer to zero is shortened; where none does, the search starts again from guesses
//! that are shaken more and more. Velocities likewise, with ḣ and h_v in the place of h.
//!
//! Where W is the mass matrix, this is the projection onto the constraints that does no more work than
//! it must.
//!
//! # Source
//!
//! Felis, RBDL (2017), section on assembly; Hairer, Lubich, Wanner, Geometric Numerical Integration
//! (2006), section IV.4, for the projection.

use alloc::vec;
use alloc::vec::Vec;

use crate::check;
use crate::description::Level;
use crate::kkt::{Method, Problem, Report, Solver};
use crate::manifold;
use crate::model::Model;
use crate::space::Storage;

use super::dynamics::named;
use super::{Constrained, Error};

/// ε, by the largest weight.
const DRAW: f64 = 1e-6;

/// Newton steps from one guess.
const STEPS: usize = 100;

/// Guesses beyond the first.
const GUESSES: usize = 24;

/// The largest entry of a step, rad or m.
const STRIDE: f64 = 0.5;

/// The error of a solution by 1 + the largest coordinate.
const ACCEPTED: f64 = 1e-12;

/// A state that satisfies the constraints.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Assembled<T> {
    /// The configuration or the velocity.
    pub value: T,
    /// The largest |h| or |ḣ| that is left.
    pub residual: f64,
    /// How many rows are independent there; with fewer than there are, some are redundant, or the
    /// configuration is singular.
    pub rank: usize,
    /// How many steps it took.
    pub steps: usize,
}

/// What the distance from the guess is measured by.
#[derive(Clone, Copy, Debug)]
pub enum Assembly<'a> {
    /// Weights of the velocity coordinates, (nv), none negative; one of zero moves freely.
    Weights(&'a [f64]),
    /// The mass matrix at the guess.
    Mass,
}

/// The rows that an assembly satisfies.
struct Rows {
    values: Vec<f64>,
    jacobian: Vec<f64>,
}

impl<M: Model> Constrained<M> {
    /// The configuration nearest to `guess` that satisfies all rows of positions at time `t`.
    ///
    /// # Errors
    ///
    /// [`Error::NotAssemblable`] names the constraints that fight where the search ended; a guess or
    /// weights that are not finite, or not as many as they must be.
    pub fn assemble(
        &mut self,
        guess: &M::Q,
        by: Assembly<'_>,
        t: f64,
    ) -> Result<Assembled<M::Q>, Error> {
        self.check(guess, &M::V::zeros(), t)?;
        let metric = self.metric(guess, by)?;
        let mut best: Option<(f64, M::Q)> = None;
        let mut shaken = guess.clone();
        for attempt in 0..=GUESSES {
            let (q, residual, report, steps) = self.descend(guess, &shaken, &metric, t)?;
            if let (Some(report), true) = (report, residual <= accepted(q.as_slice())) {
                self.keep(report);
                return Ok(Assembled { value: q, residual, rank: report.rank, steps });
            }
            if best.as_ref().is_none_or(|(least, _)| residual < *least) {
                best = Some((residual, q));
            }
            shaken = shake::<M>(guess, attempt);
        }
        let (residual, q) = best.unwrap_or((f64::NAN, shaken));
        Err(Error::NotAssemblable { residual, constraints: self.fighting(&q, t) })
    }

    /// The velocity nearest to `guess` with which all rows keep: ḣ = 0 and h_v = 0.
    ///
    /// # Errors
    ///
    /// [`Error::Singular`]: the rows have lost rank at `q` and ask for what contradicts itself.
    pub fn assemble_velocity(
        &mut self,
        q: &M::Q,
        guess: &M::V,
        by: Assembly<'_>,
        t: f64,
    ) -> Result<Assembled<M::V>, Error> {
        self.check(q, guess, t)?;
        let metric = self.metric(q, by)?;
        let mut solver = Solver::new(Method::NullSpace);
        let mut v = guess.clone();
        let mut found = (f64::INFINITY, None, 0);
        for step in 0..STEPS {
            self.rows.evaluate(&self.model, q, &v, t);
            let values = &self.rows.held;
            let residual = largest(&values.rate);
            let target: Vec<f64> = values.rate.iter().map(|rate| -rate).collect();
            let away: Vec<f64> =
                v.as_slice().iter().zip(guess.as_slice()).map(|(v, g)| v - g).collect();
            let (change, report) = newton(&mut solver, &metric, &away, &values.jacobian, &target)
                .map_err(named::<M>)?;
            let done = largest(&change) <= ACCEPTED * (1.0 + largest(v.as_slice()));
            found = (residual, Some(report), step);
            if done {
                break;
            }
            v.as_mut_slice().iter_mut().zip(&change).for_each(|(v, change)| *v += change);
        }
        let (residual, report, steps) = found;
        let rank = report.map_or(0, |report| report.rank);
        if residual > accepted(v.as_slice()) * (1.0 + largest(&self.rows.held.jacobian)) {
            return Err(Error::Singular { rows: self.rows.count(), rank, violation: residual });
        }
        Ok(Assembled { value: v, residual, rank, steps })
    }

    /// The state nearest to (`q`, `v`) on the constraints, in the metric of the mass matrix.
    ///
    /// # Errors
    ///
    /// As [`assemble`](Self::assemble) and [`assemble_velocity`](Self::assemble_velocity).
    pub fn project(&mut self, q: &M::Q, v: &M::V, t: f64) -> Result<(M::Q, M::V), Error> {
        let q = self.assemble(q, Assembly::Mass, t)?.value;
        let v = self.assemble_velocity(&q, v, Assembly::Mass, t)?.value;
        Ok((q, v))
    }

    /// [`project`](Self::project), and the velocity scaled such that kinetic and potential energy
    /// together are `energy`, as far as there is a velocity to scale; where constraints depend on time,
    /// scaling would violate them, and the projection is returned as it is.
    ///
    /// # Errors
    ///
    /// As [`project`](Self::project).
    pub fn project_with_energy(
        &mut self,
        q: &M::Q,
        v: &M::V,
        energy: f64,
        t: f64,
    ) -> Result<(M::Q, M::V), Error> {
        let (q, v) = self.project(q, v, t)?;
        let kinetic = self.model.kinetic_energy(&q, &v);
        let wanted = energy - self.model.potential_energy(&q);
        let factor = if kinetic > 0.0 && wanted > 0.0 {
            nalgebra::ComplexField::sqrt(wanted / kinetic)
        } else {
            1.0
        };
        let mut scaled = v.clone();
        scaled.as_mut_slice().iter_mut().for_each(|v| *v *= factor);
        self.rows.evaluate(&self.model, &q, &scaled, t);
        let keeps = largest(&self.rows.held.rate) <= 1e-9 * (1.0 + largest(scaled.as_slice()));
        Ok((q, if keeps { scaled } else { v }))
    }

    /// W + ε 1, column by column, and W.
    fn metric(&mut self, q: &M::Q, by: Assembly<'_>) -> Result<Metric, Error> {
        let n = M::NV;
        let mut weights = vec![0.0; n * n];
        match by {
            Assembly::Mass => {
                self.model.mass_matrix_into(q, &mut self.mass);
                weights.copy_from_slice(self.mass.as_slice());
            }
            Assembly::Weights(given) => {
                if given.len() != n {
                    return Err(Error::Length {
                        what: "weights",
                        length: given.len(),
                        expected: n,
                    });
                }
                check::finite("weights", given)?;
                given.iter().enumerate().for_each(|(k, w)| weights[k * n + k] = w.max(0.0));
            }
        }
        let scale = largest(&weights);
        let draw = DRAW * if scale > 0.0 { scale } else { 1.0 };
        let mut drawn = weights.clone();
        (0..n).for_each(|k| drawn[k * n + k] += draw);
        Ok(Metric { weights, drawn })
    }

    /// Newton's method from `start`: where it ends, the largest error there, and the last solution.
    fn descend(
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
            let (change, report) =
                newton(&mut solver, metric, &away, &rows.jacobian, &target).map_err(named::<M>)?;
            last = Some(report);
            let (error, stride) = (largest(&rows.values), largest(&change));
            if stride <= ACCEPTED && error <= accepted(q.as_slice()) {
                return Ok((q, error, last, step));
            }
            let Some((moved, there)) = self.shortened(&q, &change, error, t) else {
                return Ok((q, error, last, step));
            };
            (q, rows) = (moved, there);
        }
        let error = largest(&rows.values);
        Ok((q, error, last, STEPS))
    }

    /// The step, shortened until the error is less than before, unless that is nothing already.
    fn shortened(&mut self, q: &M::Q, change: &[f64], error: f64, t: f64) -> Option<(M::Q, Rows)> {
        let stride = largest(change);
        if !stride.is_finite() {
            return None;
        }
        let mut length = if stride > STRIDE { STRIDE / stride } else { 1.0 };
        for _ in 0..40 {
            let mut moved = q.clone();
            manifold::integrate(M::JOINTS, change, length, moved.as_mut_slice());
            let rows = self.position_rows(&moved, t);
            let now = largest(&rows.values);
            if now <= accepted(moved.as_slice()) || now < (1.0 - 1e-4 * length) * error {
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

    /// The constraints whose rows are not satisfied at `q`, the worst first.
    fn fighting(&mut self, q: &M::Q, t: f64) -> Vec<&'static str> {
        let mut errors = vec![0.0; M::NC];
        self.model.constraint_into(q, t, &mut errors);
        let mut worst: Vec<(f64, &'static str)> = M::CONSTRAINTS
            .iter()
            .enumerate()
            .filter(|(k, _)| self.rows.is_active(*k))
            .map(|(_, c)| (largest(&errors[c.first..c.first + c.levels.len()]), c.name))
            .filter(|(error, _)| error.is_nan() || *error > 1e-9)
            .collect();
        worst.sort_by(|a, b| b.0.total_cmp(&a.0));
        worst.into_iter().map(|(_, name)| name).collect()
    }
}

/// W, and W + ε 1.
struct Metric {
    weights: Vec<f64>,
    drawn: Vec<f64>,
}

/// One step: the change, and what its solution is worth.
fn newton(
    solver: &mut Solver,
    metric: &Metric,
    away: &[f64],
    jacobian: &[f64],
    target: &[f64],
) -> Result<(Vec<f64>, Report), crate::kkt::Error> {
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

/// The guess, moved by numbers that are the same in every run.
fn shake<M: Model>(guess: &M::Q, attempt: usize) -> M::Q {
    let size = (0..attempt).fold(0.02, |size, _| 1.25 * size);
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(attempt as u64 + 1);
    let mut number = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    let change: Vec<f64> = (0..M::NV).map(|_| size * number()).collect();
    let mut shaken = guess.clone();
    manifold::integrate(M::JOINTS, &change, 1.0, shaken.as_mut_slice());
    shaken
}

fn accepted(coordinates: &[f64]) -> f64 {
    ACCEPTED * (1.0 + largest(coordinates))
}

/// The largest |xᵢ|; NaN if one is.
fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |most: f64, x| if x.is_nan() { f64::NAN } else { most.max(x.abs()) })
}
