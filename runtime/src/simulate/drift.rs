//! Energy that no force gives: that of Coriolis forces at the beginning of a step.
//!
//! With the mean v̄ = ½ (ṽ + v⁺), all forces and impulses of a step do the work
//!
//! > W = ½ v⁺ᵀ M v⁺ − ½ ṽᵀ M ṽ + h v̄ᵀ C v,
//!
//! and what kinetic energy gains beside is an error of the step,
//!
//! > G = T(q₁, v₁) − T(q, v) − W,
//!
//! about (h v)² of it, and the same way in each. S is the sum, of which forces take the share that they take of kinetic energy.
//! Motion of which it is more than a half is none of the robot's.

use super::failure::fastest;
use super::{Simulation, SimulationError};
use crate::model::Model;
use crate::slices::{add, dot, larger};
use crate::space::Storage;

/// Steps in a row in which joints turn far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Drift {
    /// S, J.
    unforced: f64,
    /// When the last one ended, s.
    until: f64,
}

impl Drift {
    pub(super) fn new() -> Self {
        Self { unforced: 0.0, until: f64::NAN }
    }
}

impl<M: Model> Simulation<M> {
    /// Takes a step to the next state into account in which joints turn far.
    ///
    /// # Errors
    ///
    /// [`SimulationError::EnergyDrift`].
    #[cold]
    pub(super) fn check_drift(&mut self) -> Result<(), SimulationError> {
        let Self { model, state, next, stepper, step_size: h, drift, .. } = self;
        if drift.until != state.time {
            drift.unforced = 0.0;
        }
        let [v, carried, end, next_v] = [&state.v, stepper.carried(), stepper.velocity(), &next.v]
            .map(|v| stepper.of_chains(v));
        let kinetic = |q, v| model.kinetic_energy(q, v);
        let [before, after] = [kinetic(&state.q, &v), kinetic(&next.q, &next_v)];
        let [begun, ended] = [&carried, &end].map(|v| kinetic(&state.q, v));
        let (mut coriolis, mut weight) = (M::V::zeros(), M::V::zeros());
        model.bias_force_into(&state.q, &v, &mut coriolis);
        model.gravity_force_into(&state.q, &mut weight);
        add(coriolis.as_mut_slice(), 1.0, weight.as_slice());
        let [first, last] = [&carried, &end].map(|v| dot(coriolis.as_slice(), v.as_slice()));
        let gain = (after - ended) + (begun - before) - 0.5 * *h * (first + last);
        // Of what begins at rest, forces take nothing.
        let kept = if after - gain < before { larger((after - gain) / before, 0.0) } else { 1.0 };
        *drift = Drift { unforced: larger(kept * drift.unforced + gain, 0.0), until: next.time };
        if drift.unforced <= 0.5 * after {
            return Ok(());
        }
        let (joint, velocity) = fastest::<M>(&next.v);
        let (time, step_size) = (state.time, *h);
        Err(SimulationError::EnergyDrift { time, joint, velocity, step_size })
    }
}
