//! States that satisfy the constraints, nearest to a guess.
//!
//! > minimise ½ dᵀ W d,  d = q ⊖ q₀,  subject to h(q, t) = 0,
//!
//! in two parts. Newton's method on the linearised constraint, each step the solution of
//!
//! > (W + ε 1) δ − Hᵀ λ = −Dᵀ W d,  H δ = −h,
//!
//! leads to the rows, where ε draws to the last iterate what W leaves free, and D is the change of d by the
//! motion of q, 1 but for rotations. A step that does not bring the rows nearer to zero is shortened, or gives
//! way to one of steepest descent; where none does, the search starts again, with weights that are alike, from
//! guesses that are shaken more and more. From there it goes along the rows to where the distance is
//! stationary, Dᵀ W d = Hᵀ λ, and on from where it is so but not least. Velocities are found without ε, by Newton's method for ḣ and h_v, each step a
//! problem of least squares.
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

use crate::kkt::{self, LeastSquares};
use crate::manifold;
use crate::model::{Model, Robot};
use crate::numbers::Numbers;
use crate::slices::largest;
use crate::slices::worse;
use crate::space::Storage;

use super::dynamics::{check_state, named};
use super::newton::{Metric, STEPS, accepted};
use super::root::Root;
use super::{Constrained, Core, Error, rank_threshold};

/// ε, by the largest weight.
const DRAW: f64 = 1e-6;

/// The largest optimality of what is called nearest.
const NEAREST: f64 = 1e-9;

/// A constraint fights if its rows are so far from zero, m or rad.
const FIGHTING: f64 = 1e-9;

/// Guesses beyond the first.
const GUESSES: usize = 24;

/// A state that satisfies the constraints.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Assembled<T> {
    /// The configuration or the velocity.
    pub value: T,
    /// The largest |h| or |ḣ| that is left, by the length of the constraint's longest row: how far, in m or
    /// rad, or by how much per second coordinates have to move at least.
    pub residual: f64,
    /// How many rows are independent there; with fewer than there are, some are redundant, or the
    /// configuration is singular.
    pub rank: usize,
    /// How many steps it took.
    pub steps: usize,
    /// How far from the nearest: the largest entry of the motion that leads there, as far as distance and
    /// rows are told by their slopes, and by curvatures where these decide; in m or rad, or per second. Infinite
    /// where that is not found, and where the distance is stationary, but curvatures say that places beside
    /// are nearer.
    pub optimality: f64,
}

impl<T> Assembled<T> {
    /// Whether no motion that the rows leave free would bring it nearer to the guess, to 1e-9 and to second
    /// order, curvatures being told to 1e-8 of the largest: if not, it satisfies the rows, but is not the
    /// nearest that does. There may be none, where what has no weight can
    /// go to infinity; and half a turn away from the guess, the difference of rotations jumps.
    pub fn is_nearest(&self) -> bool {
        self.optimality <= NEAREST
    }
}

impl Assembled<Vec<f64>> {
    /// With the robot's type.
    fn typed<Q: Storage>(self) -> Assembled<Q> {
        let Self { value: numbers, residual, rank, steps, optimality } = self;
        let mut value = Q::zeros();
        value.as_mut_slice().copy_from_slice(&numbers);
        Assembled { value, residual, rank, steps, optimality }
    }
}

/// What the distance from the guess is measured by.
#[derive(Clone, Copy, Debug)]
pub enum Assembly<'a> {
    /// Weights of the velocity coordinates, (nv), none negative; one of zero moves freely. They may differ by
    /// 1e20; from 1e22 on, the least counts as zero beside the largest that the rows leave free.
    Weights(&'a [f64]),
    /// The mass matrix at the guess.
    Mass,
}

impl<M: Model> Constrained<M> {
    /// The configuration nearest to `guess` that satisfies all rows of positions at time `t`. Of several
    /// places that are nearer than all around them it is the one that the search leads to; whether it has led
    /// to one says [`is_nearest`](Assembled::is_nearest).
    ///
    /// # Errors
    ///
    /// [`Error::NotAssemblable`] names the constraints that fight where the search ended;
    /// [`Error::Weight`], [`Error::Length`] and [`Error::Model`] what is wrong with weights and guess;
    /// [`Error::Unsolved`] what is not finite wherever the search began.
    pub fn assemble(
        &mut self,
        guess: &M::Q,
        by: Assembly<'_>,
        t: f64,
    ) -> Result<Assembled<M::Q>, Error> {
        self.model.check_fields()?;
        let found = self.core.assemble(self.model.as_data(), guess.as_slice(), by, t)?;
        Ok(found.typed())
    }

    /// The velocity nearest to `guess` with which all rows keep: ḣ = 0 and h_v = 0.
    ///
    /// That is of the first order. In a singular position, where [`rank`](Assembled::rank) is less than elsewhere, rows let more
    /// velocities be than those of the motions that branch off there; no acceleration keeps the others, and simulations
    /// refuse such a start as a singular position.
    ///
    /// # Errors
    ///
    /// [`Error::Singular`]: the rows have lost rank at `q` and ask for what contradicts itself.
    /// [`Error::Unsolved`]: rows are not finite, or those that are not linear in v led nowhere in so many steps.
    /// [`Error::Weight`], [`Error::Length`] and [`Error::Model`] as in [`assemble`](Self::assemble).
    pub fn assemble_velocity(
        &mut self,
        q: &M::Q,
        guess: &M::V,
        by: Assembly<'_>,
        t: f64,
    ) -> Result<Assembled<M::V>, Error> {
        self.model.check_fields()?;
        let from = (q.as_slice(), guess.as_slice());
        let found = self.core.assemble_velocity(self.model.as_data(), from, by, t)?;
        Ok(found.typed())
    }
}

impl Core {
    /// As [`Constrained::assemble`].
    ///
    /// # Errors
    ///
    /// As [`Constrained::assemble`].
    pub(super) fn assemble(
        &mut self,
        robot: Robot<'_>,
        guess: &[f64],
        by: Assembly<'_>,
        t: f64,
    ) -> Result<Assembled<Vec<f64>>, Error> {
        check_state(&robot, (guess, &[], t))?;
        let metric = self.metric(robot, guess, by)?;
        self.aside(|core| core.search(robot, guess, &metric, t))
    }

    /// As [`Constrained::assemble_velocity`].
    ///
    /// # Errors
    ///
    /// As [`Constrained::assemble_velocity`].
    pub(super) fn assemble_velocity(
        &mut self,
        robot: Robot<'_>,
        (q, guess): (&[f64], &[f64]),
        by: Assembly<'_>,
        t: f64,
    ) -> Result<Assembled<Vec<f64>>, Error> {
        check_state(&robot, (q, guess, t))?;
        let metric = self.metric(robot, q, by)?;
        self.aside(|core| core.search_velocity(robot, (q, guess), &metric, t))
    }

    /// Leaves the rows of the last solution as they are.
    pub(super) fn aside<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let held = core::mem::take(&mut self.rows.held);
        let found = work(self);
        self.rows.held = held;
        found
    }

    fn search(
        &mut self,
        robot: Robot<'_>,
        guess: &[f64],
        metric: &Metric,
        t: f64,
    ) -> Result<Assembled<Vec<f64>>, Error> {
        let (mut best, mut failure): (Option<(f64, Vec<f64>)>, _) = (None, None);
        let mut shaken = guess.to_vec();
        for attempt in 0..=GUESSES {
            match self.descend(robot, (guess, &shaken), (metric, attempt > 0), t) {
                Ok(found) if found.is_satisfied() => {
                    let place = self.approach(robot, (guess, found), metric, t);
                    let (residual, steps) = (place.found.residual(), place.found.steps);
                    let (value, rank, optimality) = (place.found.q, place.rank, place.optimality);
                    return Ok(Assembled { value, residual, rank, steps, optimality });
                }
                Ok(found) => {
                    let residual = found.residual();
                    if best.as_ref().is_none_or(|(least, _)| residual < *least) {
                        best = Some((residual, found.q));
                    }
                }
                // Rows may be no numbers there, and numbers elsewhere.
                Err(error) => failure = failure.or(Some(error)),
            }
            if attempt > 0 {
                shaken = shake(robot, guess, attempt);
            }
        }
        match (best, failure) {
            (None, Some(failure)) => Err(failure),
            (best, _) => {
                let (residual, q) = best.unwrap_or((f64::NAN, shaken));
                Err(Error::NotAssemblable { residual, constraints: self.fighting(robot, &q, t) })
            }
        }
    }

    fn search_velocity(
        &mut self,
        robot: Robot<'_>,
        (q, guess): (&[f64], &[f64]),
        metric: &Metric,
        t: f64,
    ) -> Result<Assembled<Vec<f64>>, Error> {
        let nv = robot.nv;
        let (mut solver, root) = (LeastSquares::default(), Root::new(&metric.weights, nv));
        let (matrix, mut change) = (root.matrix(nv), vec![0.0; nv]);
        let (mut v, mut steps) = (guess.to_vec(), 0);
        loop {
            self.rows.evaluate(robot, q, &v, t);
            let values = &self.rows.held;
            let threshold = rank_threshold(&values.jacobian, &values.error);
            let target: Vec<f64> = values.rate.iter().map(|rate| -rate).collect();
            let away: Vec<f64> = v.iter().zip(guess).map(|(v, g)| v - g).collect();
            let (distance, rows) = ((&*matrix, &*root.weigh(&away)), (&*values.jacobian, &*target));
            let solved = solver.solve(distance, rows, threshold, &mut change);
            let rank = solved.map_err(|error| named(&robot, error))?;
            let optimality = largest(&change);
            let converged = optimality <= accepted(&v);
            if converged || steps == STEPS {
                let residual = self.drift();
                if residual <= accepted(&v) {
                    return Ok(Assembled { value: v, residual, rank, steps, optimality });
                }
                if !converged {
                    let iterations = steps;
                    return Err(Error::Unsolved(kkt::Error::NotConverged { residual, iterations }));
                }
                return Err(Error::Singular { rows: self.rows.count(), rank, violation: residual });
            }
            v.iter_mut().zip(&change).for_each(|(v, change)| *v += change);
            steps += 1;
        }
    }

    /// The largest |ḣ| or |h_v|, by ρ.
    fn drift(&self) -> f64 {
        let rates = self.rows.held.rate.iter().zip(self.rows.reaches());
        rates.map(|(rate, reach)| rate.abs() / reach).fold(0.0, worse)
    }

    /// W + ε 1, column by column, and W.
    fn metric(&self, robot: Robot<'_>, q: &[f64], by: Assembly<'_>) -> Result<Metric, Error> {
        let n = robot.nv;
        let mut weights = vec![0.0; n * n];
        match by {
            Assembly::Mass => robot.mass_matrix_into(q, &mut weights),
            Assembly::Weights(given) => {
                if given.len() != n {
                    return Err(Error::Length {
                        what: "weights",
                        length: given.len(),
                        expected: n,
                    });
                }
                check_weights(given)?;
                given.iter().enumerate().for_each(|(k, w)| weights[k * n + k] = *w);
            }
        }
        let largest = largest(&weights);
        let scale = if largest > 0.0 { largest } else { 1.0 };
        let mut drawn = weights.clone();
        (0..n).for_each(|k| drawn[k * n + k] += DRAW * scale);
        Ok(Metric { weights, drawn, scale })
    }

    /// The constraints whose rows are not satisfied at `q`, the worst first.
    fn fighting(&mut self, robot: Robot<'_>, q: &[f64], t: f64) -> Vec<&'static str> {
        self.rows.evaluate(robot, q, &vec![0.0; robot.nv], t);
        let errors = self.rows.held.error.iter().zip(self.rows.reaches());
        let errors: Vec<f64> = errors.map(|(h, reach)| h.abs() / reach).collect();
        let mut rest = &errors[..];
        let mut worst: Vec<(f64, &'static str)> = Vec::new();
        for constraint in self.rows.active_constraints() {
            let (own, others) = rest.split_at(constraint.levels.len());
            worst.push((largest(own), constraint.name));
            rest = others;
        }
        worst.extend(self.rows.anchored().map(|(errors, name)| (largest(errors), name)));
        worst.sort_by(|a, b| b.0.total_cmp(&a.0));
        let counts =
            |(k, (error, _)): &(usize, (f64, _))| *k == 0 || error.is_nan() || *error > FIGHTING;
        worst.into_iter().enumerate().filter(counts).map(|(_, (_, name))| name).collect()
    }
}

/// # Errors
///
/// [`Error::Weight`] names the first that is negative or not finite.
pub(super) fn check_weights(weights: &[f64]) -> Result<(), Error> {
    match weights.iter().position(|w| !(*w >= 0.0 && w.is_finite())) {
        Some(index) => Err(Error::Weight { index, value: weights[index] }),
        None => Ok(()),
    }
}

/// The guess, moved by numbers that are the same in every run.
fn shake(robot: Robot<'_>, guess: &[f64], attempt: usize) -> Vec<f64> {
    let size = (0..attempt).fold(0.02, |size, _| 1.25 * size);
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(attempt as u64 + 1));
    let change: Vec<f64> = (0..robot.nv).map(|_| size * numbers.next()).collect();
    let mut shaken = guess.to_vec();
    manifold::integrate(robot.joints, &change, 1.0, &mut shaken);
    shaken
}
