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
use super::{Automaton, tangent};
use crate::integrate::Phase;
use crate::lu::Lu;

const MOST_ITERATIONS: usize = 50;
const HALVINGS: u32 = 20;

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
    /// Those of [`apply`](Self::apply) at the first phase, [`ReturnError::Singular`] and [`ReturnError::NotConverged`].
    pub fn cycle(&mut self, guess: &Phase, precision: f64) -> Result<Cycle, ReturnFailure<A>> {
        let mut best = self.candidate(guess.clone())?;
        for iterations in 0..MOST_ITERATIONS {
            let Candidate { start, period, residual, .. } = &best;
            if *residual <= precision {
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
        for &coordinate in &self.free {
            if let Some(error) = error.get_mut(coordinate) {
                *error = 0.0;
            }
        }
        let sizes = start.v.iter().map(|_| &0.0).chain(&start.v).chain(&start.z);
        let relative = error.iter().zip(sizes).map(|(error, x)| error.abs() / (1.0 + x.abs()));
        let residual = relative.fold(0.0, crate::slices::worse);
        Ok(Candidate { start, period, error, residual })
    }

    /// Δx.
    fn newton(&self, at: &Candidate) -> Result<DVector<f64>, ReturnFailure<A>> {
        let mut matrix = at.period.derivative.clone();
        let n = matrix.nrows();
        (0..n).for_each(|i| matrix[(i, i)] -= 1.0);
        for &coordinate in self.free.iter().filter(|&&coordinate| coordinate < n) {
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

/// A phase and its return.
struct Candidate {
    start: Phase,
    period: Return,
    /// P(x) ⊖ x.
    error: DVector<f64>,
    residual: f64,
}
