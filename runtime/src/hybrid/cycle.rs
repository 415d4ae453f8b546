//! Periodic motions: fixed points of the return map, by Newton's method.
//!
//! > (DP − 1) Δx = x − P(x),  x ← x ⊕ s Δx
//!
//! s is halved from one until ‖P(x) ⊖ x‖ is less.
//!
//! # Source
//!
//! Parker, Chua: Practical Numerical Algorithms for Chaotic Systems (1989), section 5.2.

use core::iter;

use nalgebra::{DMatrix, DVector};

use super::return_error::{ReturnError, ReturnFailure};
use super::return_map::{LinearReturn, Return, ReturnMap};
use super::{Automaton, Error, tangent};
use crate::integrate::{self, Phase, Space};
use crate::lu::Lu;

const MOST_ITERATIONS: usize = 50;
const HALVINGS: usize = 20;
/// By how many times the precision a second return may differ from the first one, by rounding of the time.
const REPEATED: f64 = 1e2;

/// Pivots that differ more in size are those of a singular matrix: it is known to some twelve digits.
const SINGULAR: f64 = 1e-11;

/// A periodic motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Cycle {
    /// Where it begins.
    pub start: Phase,
    /// The return of this phase, with its duration and derivatives.
    pub period: LinearReturn,
    /// ‖P(x) ⊖ x‖, the largest difference of a coordinate by 1 + |x|.
    pub residual: f64,
    /// How many iterations it took.
    pub iterations: usize,
}

impl<A: Automaton> ReturnMap<A> {
    /// The periodic motion near a phase, to where P(x) differs from x by no more than `precision`, each coordinate by
    /// 1 + |x|. The tolerance of the motion should be less. The map is linearised where Newton's method takes a step from,
    /// and where it ends.
    ///
    /// # Errors
    ///
    /// Those of [`linearise`](Self::linearise) at the first phase, [`ReturnError::Run`] of a precision that is not possible,
    /// [`ReturnError::Singular`], [`ReturnError::NotConverged`], and [`ReturnError::Timed`] where motion depends on the
    /// time and is not periodic for that.
    pub fn cycle(&mut self, guess: &Phase, precision: f64) -> Result<Cycle, ReturnFailure<A>> {
        integrate::positive("precision", precision).map_err(Error::Motion)?;
        self.check(guess)?;
        let (mut start, mut period) = (guess.clone(), self.tangent(guess)?);
        let mut iterations = 0;
        loop {
            let (error, residual) = self.error(&start, &period.phase);
            if residual <= precision {
                if period.is_timed {
                    self.check_repeated(&start, &period, REPEATED * precision)?;
                }
                return Ok(Cycle { start, period, residual, iterations });
            }
            let better = match iterations < MOST_ITERATIONS {
                true => self.damped((&start, residual), &self.newton(&start, &period, &error)?),
                false => None,
            };
            let Some(better) = better else {
                return Err(ReturnError::NotConverged { phase: start, residual, iterations });
            };
            (start, period) = better;
            iterations += 1;
        }
    }

    /// P(x) ⊖ x, but for what is free, and its size.
    fn error(&self, x: &Phase, image: &Phase) -> (DVector<f64>, f64) {
        difference((&self.space, &self.free), x, image)
    }

    /// Whether what depends on the time is the same again after a return.
    fn check_repeated(
        &mut self,
        start: &Phase,
        first: &LinearReturn,
        allowed: f64,
    ) -> Result<(), ReturnFailure<A>> {
        let later = Phase { time: first.phase.time, ..start.clone() };
        let second = self.image(&later)?;
        let change = change(&self.space, start, (first, &second));
        if change <= allowed {
            return Ok(());
        }
        Err(ReturnError::Timed { duration: first.duration, change })
    }

    /// Δx of P(x) ⊖ x.
    fn newton(
        &self,
        x: &Phase,
        period: &LinearReturn,
        error: &DVector<f64>,
    ) -> Result<DVector<f64>, ReturnFailure<A>> {
        let step = newton(&period.derivative, &self.free, error);
        step.ok_or_else(|| ReturnError::Singular { phase: x.clone() })
    }

    /// The end of the first of ever shorter steps that makes the difference smaller, and its return.
    fn damped(
        &mut self,
        (from, residual): (&Phase, f64),
        step: &DVector<f64>,
    ) -> Option<(Phase, LinearReturn)> {
        let lengths = iter::successors(Some(1.0), |length| Some(0.5 * length)).take(HALVINGS);
        lengths.map(|length| step * length).find_map(|change| {
            let x = tangent::changed(&self.space, from, change.as_slice());
            let image = self.image(&x).ok()?;
            let is_better = self.error(&x, &image.phase).1 < residual;
            let period = is_better.then(|| self.tangent(&x).ok())??;
            Some((x, period))
        })
    }
}

/// P(x) ⊖ x in a space, but for what is free, and its size.
fn difference((space, free): (&Space, &[usize]), x: &Phase, image: &Phase) -> (DVector<f64>, f64) {
    let mut error = DVector::zeros(tangent::dimension(space));
    tangent::difference(space, x, image, error.as_mut_slice());
    free.iter().for_each(|&coordinate| error[coordinate] = 0.0);
    let residual = relative(error.as_slice(), x);
    (error, residual)
}

/// How much two returns of the phase `x` differ, with their durations.
fn change(space: &Space, x: &Phase, (first, second): (&LinearReturn, &Return)) -> f64 {
    let mut change = DVector::zeros(tangent::dimension(space));
    tangent::difference(space, &first.phase, &second.phase, change.as_mut_slice());
    let longer = (second.duration - first.duration).abs() / (1.0 + first.duration);
    f64::max(relative(change.as_slice(), x), longer)
}

/// Δx of a difference, by DP; none if DP − 1 is singular.
fn newton(derivative: &DMatrix<f64>, free: &[usize], error: &DVector<f64>) -> Option<DVector<f64>> {
    let mut matrix = derivative.clone();
    let n = matrix.nrows();
    (0..n).for_each(|i| matrix[(i, i)] -= 1.0);
    for &coordinate in free {
        matrix.row_mut(coordinate).fill(0.0);
        matrix[(coordinate, coordinate)] = 1.0;
    }
    let mut lu = Lu::with_capacity(n);
    if lu.factor(n, matrix.iter().copied()) < SINGULAR {
        return None;
    }
    let mut step = -error;
    lu.solve(step.as_mut_slice());
    Some(step)
}

/// The largest of differences (δ, v, z), each by 1 + |x|.
fn relative(change: &[f64], x: &Phase) -> f64 {
    let sizes = x.v.iter().map(|_| &0.0).chain(&x.v).chain(&x.z);
    let relative = change.iter().zip(sizes).map(|(change, x)| change.abs() / (1.0 + x.abs()));
    relative.fold(0.0, crate::slices::worse)
}
