//! Rodas5P, a linearly implicit method of order 5 for stiff problems.
//!
//! > (1/(hγ) − J) uᵢ = f(t + αᵢ h, y₀ + Σ aᵢⱼ uⱼ) + Σ cᵢⱼ uⱼ / h + h dᵢ ∂f/∂t,  J = ∂f/∂y at (t, y₀)
//!
//! Eight stages with one factorisation, L-stable, with an embedded method of order 4 and dense output of order 4, which
//! both are in error where f is not smooth within a step. It keeps its order where stiff forces hold a motion to what
//! changes slowly (Prothero and Robinson). J is exact where the [`System`] has derivatives, and of differences elsewhere.
//!
//! # Source
//!
//! Steinebach: Construction of Rosenbrock–Wanner method Rodas5P and numerical benchmarks within the Julia
//! Differential Equations package, BIT Numerical Mathematics 63 (2023); Hairer, Wanner: Solving Ordinary Differential
//! Equations II (second edition, 1996), section IV.7.

mod coefficients;
mod jacobian;

use alloc::vec;
use alloc::vec::Vec;

use self::coefficients::{CHANGE, COUPLINGS, DENSE, GAMMA, PLACES, STAGES, TIME_WEIGHTS, TIMES};
use self::jacobian::Jacobian;
use super::local::Local;
use super::method::{Method, Step};
use super::tolerance::ratio;
use super::{Adaptive, Error, Space, System};
use crate::lu::Lu;
use crate::slices;

/// The linearly implicit method of order 5, for forces that are stiff.
#[derive(Clone, Debug)]
pub struct Rodas5P {
    jacobian: Jacobian,
    factors: Lu,
    /// uᵢ, n numbers each.
    stages: Vec<f64>,
    y: Vec<f64>,
    n: usize,
}

impl Method for Rodas5P {
    const ERROR_ORDER: f64 = 4.0;
    const TERMS: usize = 4;

    fn new(space: &Space) -> Self {
        let n = space.local();
        Self {
            jacobian: Jacobian::new(space),
            factors: Lu::with_capacity(n),
            stages: vec![0.0; n * STAGES],
            y: vec![0.0; n],
            n,
        }
    }

    fn prepare<S: System + ?Sized>(&mut self, local: &mut Local<'_, S>, start: &Step<'_>) {
        self.jacobian.evaluate(local, start, &mut self.y);
    }

    fn attempt<S: System + ?Sized>(
        &mut self,
        local: &mut Local<'_, S>,
        step: &Step<'_>,
        change: &mut [f64],
    ) {
        let (n, h) = (self.n, step.h);
        let diagonal = 1.0 / (h * GAMMA);
        let entries = self.jacobian.by_state().iter().enumerate();
        let shifted = entries.map(|(e, x)| if e % (n + 1) == 0 { diagonal - x } else { -x });
        let pivot = self.factors.factor(n, shifted);
        if pivot == 0.0 {
            // A shorter step has another matrix.
            change.fill(f64::NAN);
            return;
        }
        for stage in 0..STAGES {
            self.solve(local, step, stage);
        }
        change.fill(0.0);
        weigh(change, 1.0, &CHANGE, &self.stages);
    }

    fn error(&mut self, _: f64, scale: &[f64]) -> f64 {
        ratio(&self.stages[(STAGES - 1) * self.n..], scale)
    }

    fn interpolate<S: System + ?Sized>(
        &mut self,
        _: &mut Local<'_, S>,
        _: &Step<'_>,
        _: &[f64],
        terms: &mut [f64],
    ) {
        let (_, terms) = terms.split_at_mut(self.n);
        terms.fill(0.0);
        let (first, rest) = terms.split_at_mut(self.n);
        let (second, third) = rest.split_at_mut(self.n);
        let [one, two, three] = &DENSE;
        // a₂ + σ a₃ = (a₂ + a₃) − (1−σ) a₃.
        weigh(first, 1.0, one, &self.stages);
        weigh(second, 1.0, two, &self.stages);
        weigh(second, 1.0, three, &self.stages);
        weigh(third, -1.0, three, &self.stages);
    }

    fn advance(
        motion: &mut Adaptive<Self>,
        system: &mut dyn System,
        end: f64,
    ) -> Result<(), Error> {
        motion.step(system, end)
    }
}

impl Rodas5P {
    /// uᵢ.
    fn solve<S: System + ?Sized>(
        &mut self,
        local: &mut Local<'_, S>,
        step: &Step<'_>,
        stage: usize,
    ) {
        let (known, rest) = self.stages.split_at_mut(stage * self.n);
        let u = &mut rest[..self.n];
        if stage == 0 {
            u.copy_from_slice(step.rate);
        } else {
            self.y.copy_from_slice(step.y);
            weigh(&mut self.y, 1.0, PLACES[stage], known);
            local.evaluate(step.time + TIMES[stage] * step.h, &self.y, u);
        }
        weigh(u, 1.0 / step.h, COUPLINGS[stage], known);
        slices::add(u, step.h * TIME_WEIGHTS[stage], self.jacobian.by_time());
        self.factors.solve(u);
    }
}

/// y += scale Σ weight · stage.
fn weigh(y: &mut [f64], scale: f64, weights: &[f64], stages: &[f64]) {
    let terms = weights.iter().zip(stages.chunks_exact(y.len().max(1)));
    slices::combine(y, terms.map(|(weight, stage)| (scale * weight, stage)));
}
