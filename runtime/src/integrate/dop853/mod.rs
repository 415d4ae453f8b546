//! DOP853, the explicit Runge–Kutta method of order 8 of Dormand and Prince.
//!
//! Twelve evaluations a step; the error is estimated by embedded methods of orders 5 and 3, and dense output of order 7
//! takes three evaluations more where it is asked for.
//!
//! # Source
//!
//! Hairer, Nørsett, Wanner: Solving Ordinary Differential Equations I (second edition, 1993), sections II.5, II.6 and
//! II.10.

mod coefficients;

use alloc::vec;
use alloc::vec::Vec;

use self::coefficients::{ALL_STAGES, DENSE, ERROR_3, ERROR_5, STAGES, SUMS, Sum, TIMES};
use super::local::Local;
use super::method::{Method, Step};
use super::tolerance::ratio;
use super::{Adaptive, Error, Space, System};
use crate::slices;

/// h |λ| up to which steps are stable.
const STABLE: f64 = 6.1;

/// The explicit method of order 8, for everything that is not stiff.
#[derive(Clone, Debug)]
pub struct Dop853 {
    /// The rates of all stages, n numbers each.
    rates: Vec<f64>,
    /// y of a stage, (n).
    y: Vec<f64>,
    /// Estimates of the error's rate, (n).
    error: Vec<f64>,
    n: usize,
}

impl Method for Dop853 {
    const ERROR_ORDER: f64 = 7.0;
    const TERMS: usize = 7;

    fn new(space: &Space) -> Self {
        let n = space.local();
        Self { rates: vec![0.0; n * ALL_STAGES], y: vec![0.0; n], error: vec![0.0; n], n }
    }

    fn prepare<S: System + ?Sized>(&mut self, _: &mut Local<'_, S>, start: &Step<'_>) {
        self.rates[..self.n].copy_from_slice(start.rate);
    }

    fn attempt<S: System + ?Sized>(
        &mut self,
        local: &mut Local<'_, S>,
        step: &Step<'_>,
        change: &mut [f64],
    ) {
        for stage in 1..STAGES {
            self.evaluate(local, step, stage);
        }
        change.fill(0.0);
        weigh(change, step.h, SUMS[STAGES], &self.rates);
    }

    fn error(&mut self, h: f64, scale: &[f64]) -> f64 {
        let mut size = |estimate: Sum| {
            self.error.fill(0.0);
            weigh(&mut self.error, h, estimate, &self.rates);
            ratio(&self.error, scale)
        };
        let (fifth, third) = (size(ERROR_5), size(ERROR_3));
        if fifth == 0.0 {
            return 0.0;
        }
        fifth * fifth / slices::sqrt(fifth * fifth + 0.01 * third * third)
    }

    fn unstable(&self, h: f64, y: &[f64], rate: &[f64]) -> Option<f64> {
        // The last stage is at the end as well.
        let last = &self.rates[(STAGES - 1) * self.n..][..self.n];
        let distance = |a: &[f64], b: &[f64]| {
            let squares = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b));
            slices::sqrt(squares.sum::<f64>())
        };
        let fastest = distance(rate, last) / distance(y, &self.y);
        (h * fastest > STABLE).then_some(fastest)
    }

    fn interpolate<S: System + ?Sized>(
        &mut self,
        local: &mut Local<'_, S>,
        step: &Step<'_>,
        end_rate: &[f64],
        terms: &mut [f64],
    ) {
        let n = self.n;
        self.rates[STAGES * n..(STAGES + 1) * n].copy_from_slice(end_rate);
        for stage in STAGES + 1..ALL_STAGES {
            self.evaluate(local, step, stage);
        }
        let (change, rest) = terms.split_at_mut(n);
        let (first, rest) = rest.split_at_mut(n);
        let (second, rest) = rest.split_at_mut(n);
        for i in 0..n {
            first[i] = step.h * step.rate[i] - change[i];
            second[i] = 2.0 * change[i] - step.h * (step.rate[i] + end_rate[i]);
        }
        for (term, weights) in rest.chunks_exact_mut(n.max(1)).zip(DENSE) {
            term.fill(0.0);
            weigh(term, step.h, weights, &self.rates);
        }
    }

    fn advance(
        motion: &mut Adaptive<Self>,
        system: &mut dyn System,
        end: f64,
    ) -> Result<(), Error> {
        motion.step(system, end)
    }
}

impl Dop853 {
    fn evaluate<S: System + ?Sized>(
        &mut self,
        local: &mut Local<'_, S>,
        step: &Step<'_>,
        stage: usize,
    ) {
        let (known, rest) = self.rates.split_at_mut(stage * self.n);
        self.y.copy_from_slice(step.y);
        weigh(&mut self.y, step.h, SUMS[stage], known);
        local.evaluate(step.time + TIMES[stage] * step.h, &self.y, &mut rest[..self.n]);
    }
}

/// y += h Σ weight · rate.
fn weigh(y: &mut [f64], h: f64, weights: Sum, rates: &[f64]) {
    let n = y.len();
    let rate = |&(stage, weight): &(usize, f64)| (h * weight, &rates[stage * n..(stage + 1) * n]);
    slices::combine(y, weights.iter().map(rate));
}
