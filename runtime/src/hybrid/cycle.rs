//! Periodic motions: fixed points of the return map, by Newton's method.
//!
//! > (DP − 1) Δx = x − P(x),  x ← x ⊕ s Δx
//!
//! s is halved from one until ‖P(x) ⊖ x‖ is less.
//!
//! # Source
//!
//! Parker, Chua: Practical Numerical Algorithms for Chaotic Systems (1989), section 5.2.

use nalgebra::DVector;

use super::return_map::{Return, ReturnError, ReturnFailure, ReturnMap};
use super::{Automaton, Error, tangent};
use crate::integrate::{self, Phase};
use crate::lu::Lu;

const MOST_ITERATIONS: usize = 50;
const HALVINGS: u32 = 20;
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
    pub period: Return,
    /// ‖P(x) ⊖ x‖, the largest difference of a coordinate by 1 + |x|.
    pub residual: f64,
    /// How many iterations it took.
    pub iterations: usize,
}

impl<A: Automaton> ReturnMap<A> {
    /// The periodic motion near a phase, to where P(x) differs from x by no more than `precision`, each coordinate by
    /// 1 + |x|. The tolerance of the motion should be less.
    ///
    /// # Errors
    ///
    /// Those of [`apply`](Self::apply) at the first phase, [`ReturnError::Run`] of a precision that is not possible,
    /// [`ReturnError::Singular`], [`ReturnError::NotConverged`], and [`ReturnError::Timed`] where motion depends on the
    /// time and is not periodic for that.
    pub fn cycle(&mut self, guess: &Phase, precision: f64) -> Result<Cycle, ReturnFailure<A>> {
        integrate::positive("precision", precision).map_err(Error::Motion)?;
        let mut best = self.candidate(guess.clone())?;
        for iterations in 0..MOST_ITERATIONS {
            let Candidate { start, period, residual, .. } = &best;
            if *residual <= precision {
                if period.is_timed {
                    self.check_repeated(start, period, REPEATED * precision)?;
                }
                let (start, period) = (start.clone(), period.clone());
                return Ok(Cycle { start, period, residual: *residual, iterations });
            }
            let step = self.newton(&best)?;
            match self.damped(&best, &step) {
                Some(better) => best = better,
                None => {
                    let Candidate { start: phase, residual, .. } = best;
                    return Err(ReturnError::NotConverged { phase, residual, iterations });
                }
            }
        }
        let Candidate { start: phase, residual, .. } = best;
        Err(ReturnError::NotConverged { phase, residual, iterations: MOST_ITERATIONS })
    }

    fn candidate(&mut self, start: Phase) -> Result<Candidate, ReturnFailure<A>> {
        let period = self.apply(&start)?;
        let mut error = DVector::zeros(tangent::dimension(&self.space));
        tangent::difference(&self.space, &start, &period.phase, error.as_mut_slice());
        self.free.iter().for_each(|&coordinate| error[coordinate] = 0.0);
        let residual = relative(error.as_slice(), &start);
        Ok(Candidate { start, period, error, residual })
    }

    /// Whether what depends on the time is the same again after a return.
    fn check_repeated(
        &mut self,
        start: &Phase,
        first: &Return,
        allowed: f64,
    ) -> Result<(), ReturnFailure<A>> {
        let later = Phase { time: first.phase.time, ..start.clone() };
        let second = self.apply(&later)?;
        let mut change = DVector::zeros(tangent::dimension(&self.space));
        tangent::difference(&self.space, &first.phase, &second.phase, change.as_mut_slice());
        let longer = (second.duration - first.duration).abs() / (1.0 + first.duration);
        let change = f64::max(relative(change.as_slice(), start), longer);
        if change <= allowed {
            return Ok(());
        }
        Err(ReturnError::Timed { duration: first.duration, change })
    }

    /// Δx.
    fn newton(&self, at: &Candidate) -> Result<DVector<f64>, ReturnFailure<A>> {
        let mut matrix = at.period.derivative.clone();
        let n = matrix.nrows();
        (0..n).for_each(|i| matrix[(i, i)] -= 1.0);
        for &coordinate in &self.free {
            matrix.row_mut(coordinate).fill(0.0);
            matrix[(coordinate, coordinate)] = 1.0;
        }
        let mut lu = Lu::with_capacity(n);
        if lu.factor(n, matrix.iter().copied()) < SINGULAR {
            return Err(ReturnError::Singular { phase: at.start.clone() });
        }
        let mut step = -&at.error;
        lu.solve(step.as_mut_slice());
        Ok(step)
    }

    /// The first of ever shorter steps that leads to a smaller difference.
    fn damped(&mut self, from: &Candidate, step: &DVector<f64>) -> Option<Candidate> {
        let mut length = 1.0;
        for _ in 0..HALVINGS {
            let change = step * length;
            let start = tangent::changed(&self.space, &from.start, change.as_slice());
            match self.candidate(start) {
                Ok(found) if found.residual < from.residual => return Some(found),
                _ => length *= 0.5,
            }
        }
        None
    }
}

/// The largest of differences (δ, v, z), each by 1 + |x|.
fn relative(change: &[f64], x: &Phase) -> f64 {
    let sizes = x.v.iter().map(|_| &0.0).chain(&x.v).chain(&x.z);
    let relative = change.iter().zip(sizes).map(|(change, x)| change.abs() / (1.0 + x.abs()));
    relative.fold(0.0, crate::slices::worse)
}

/// A phase and its return.
struct Candidate {
    start: Phase,
    period: Return,
    /// P(x) ⊖ x.
    error: DVector<f64>,
    residual: f64,
}
