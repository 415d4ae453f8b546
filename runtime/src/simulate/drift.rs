//! Energy that no force gives, in steps in which joints turn far.
//!
//! Where Coriolis forces are those at the beginning of a step, all forces and impulses do the work, with v̄ = ½ (ṽ + v⁺),
//!
//! > W = ½ v⁺ᵀ M v⁺ − ½ ṽᵀ M ṽ + h v̄ᵀ C v,
//!
//! and what kinetic energy gains beside is an error of the step,
//!
//! > G = T(q₁, v₁) − T(q, v) − W,
//!
//! about (h v)² of it, and the same way in each. S is the sum over a row of such steps, of which forces take the share that they take
//! of kinetic energy,
//!
//! > S ← max(0, (S + G) min(1, T(q₁, v₁)/(T(q, v) + G))).
//!
//! Motion of which S is more than a half is none of the robot's.
//!
//! In a step of the leapfrog, ½ h w̄ᵀ Γ is what Coriolis forces do in its first half, with w̄ = ½ (ṽ + w), and T(q₁, v₁) − T(q, w)
//! in its second. Its equations have other solutions, far away, in which these are more than all kinetic energy there is.

use alloc::vec;

use super::failure::diverged;
use super::{Simulation, SimulationError};
use crate::contact::{self, LITTLE};
use crate::model::Model;
use crate::slices::{add, dot, larger, largest};
use crate::space::Storage;

/// The kinetic energy of a change of velocity, by that of the velocity, up to which G is more than what a mean leaves.
const SMOOTH: f64 = 0.1;

/// Steps in a row in which joints turn far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Drift {
    /// S, J.
    unforced: f64,
    /// When the last one ended, s.
    until: f64,
    /// T where the first one began, J.
    began: f64,
}

impl Drift {
    pub(super) fn new() -> Self {
        Self { unforced: 0.0, until: f64::NAN, began: 0.0 }
    }
}

impl<M: Model> Simulation<M> {
    /// Takes a step to the next state into account, if joints of chains turn far in it.
    ///
    /// # Errors
    ///
    /// [`SimulationError::Diverged`], and of the leapfrog [`contact::Error::TooLong`].
    #[cold]
    pub(super) fn check_turn(&mut self) -> Result<(), SimulationError> {
        let [before, after] = [&self.state.v, &self.next.v].map(|v| self.stepper.of_joints(v));
        let fastest = larger(largest(before.as_slice()), largest(after.as_slice()));
        if self.step_size * fastest <= LITTLE {
            Ok(())
        } else if self.stepper.moves_chains() {
            self.check_leap()
        } else if self.counts_drift() {
            Ok(())
        } else {
            Err(diverged::<M>(self.state.time, (&self.next.q, &after)))
        }
    }

    /// Counts what no force gives; whether it is at most a half.
    fn counts_drift(&mut self) -> bool {
        let Self { model, state, next, stepper, step_size: h, drift, .. } = self;
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
        let mut change = end.clone();
        add(change.as_mut_slice(), -1.0, carried.as_slice());
        let is_smooth = kinetic(&state.q, &change) <= SMOOTH * larger(begun, ended);
        let gain = (after - ended) + (begun - before) - 0.5 * *h * (first + last);
        let gain = if is_smooth { gain } else { 0.0 };
        let is_next = drift.until == state.time;
        let (known, began) = if is_next { (drift.unforced, drift.began) } else { (0.0, before) };
        let kept = if after < before + gain { after / (before + gain) } else { 1.0 };
        let unforced = larger((known + gain) * kept, 0.0);
        // What only loses energy does not diverge.
        let is_little = unforced <= 0.5 * after || after <= 2.0 * began;
        if is_little {
            *drift = Drift { unforced, until: next.time, began };
        }
        is_little
    }

    /// Whether the solution of the leapfrog is near where the step began.
    fn check_leap(&self) -> Result<(), SimulationError> {
        let Self { model, state, next, stepper, step_size: h, .. } = self;
        let [v, carried, w, next_v] = [&state.v, stepper.carried(), stepper.velocity(), &next.v]
            .map(|v| stepper.of_chains(v));
        let mut momenta = vec![0.0; 2 * M::NV];
        model.generalized_momentum_into(&state.q, &w, &mut momenta);
        let rate = &momenta[M::NV..];
        let first = 0.25 * h * (dot(rate, carried.as_slice()) + dot(rate, w.as_slice()));
        let [before, begun] = [&v, &w].map(|v| model.kinetic_energy(&state.q, v));
        let second = model.kinetic_energy(&next.q, &next_v) - begun;
        if first.abs() <= larger(before, begun) && second <= begun {
            return Ok(());
        }
        let error = contact::Error::TooLong { step_size: *h, most: 0.5 * h };
        Err(SimulationError::Contact { time: state.time, error })
    }
}
