//! Errors of declared constraints at the end of a step: they are corrected, and the step is solved anew. So is the force of
//! chains that something holds, which is that of the velocity to which the step leads with all impulses.

use super::candidate::Candidate;
use super::chains::Beginning;
use super::dynamics::Given;
use super::stepper::{Outcome, Stepper};
use super::{Conditions, Error};
use crate::model::Model;
use crate::slices::worse;
use crate::space::Storage;

/// The error of a constraint at the end of a step that is not made less, as in
/// [`Residual::constraints`](super::Residual).
const CLOSED: f64 = 1e-12;
/// How often what a step asks of the constraints is corrected, and how often in vain.
const MAX_CORRECTIONS: usize = 20;
const MAX_MISSES: usize = 6;

impl<M: Model> Stepper<M> {
    /// Solves again, until the bilateral constraints are satisfied at the end of the step, and chains have the force of its velocity.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`] of chains.
    pub(super) fn correct(
        &mut self,
        model: &M,
        state: (&M::Q, &M::V),
        during: (f64, f64),
        conditions: &Conditions,
        outcome: &mut Outcome,
    ) -> Result<(), Error> {
        self.violation = 0.0;
        let holds = self.chains.is_used() && self.candidates.iter().any(Candidate::holds_mean);
        if M::NC == 0 && !holds && !self.chains.is_held(&self.velocity) {
            return Ok(());
        }
        let mut least = self.approach(model, state, during, conditions, outcome)?;
        // What the steps before lead one to expect may be wrong by any amount, after an impact.
        if least > self.tolerance && self.chains.forget_held() {
            let free = self.chains.free().clone();
            self.chains.renew(model, during.1, (state.0, &free), &mut self.force);
            self.exchange_force(during.1);
            if self.solve(state, (during.1, conditions), outcome).is_ok() {
                least = self.approach(model, state, during, conditions, outcome)?;
            }
        }
        self.violation = least;
        Ok(())
    }

    /// Goes on from what was solved; returns the least error that was come to, which is that of the velocity then.
    fn approach(
        &mut self,
        model: &M,
        state: (&M::Q, &M::V),
        during: (f64, f64),
        conditions: &Conditions,
        outcome: &mut Outcome,
    ) -> Result<f64, Error> {
        let displaced = self.overlap.displaced::<M>(state.0);
        let from = displaced.as_ref();
        let (mut least, mut misses, mut is_best) = (f64::INFINITY, 0, true);
        for _ in 0..MAX_CORRECTIONS {
            let violation = self.miss(model, (state.0, from), during, least.is_infinite())?;
            is_best = violation < least;
            (least, misses) = if is_best { (violation, 0) } else { (least, misses + 1) };
            if least <= CLOSED {
                break;
            }
            if is_best {
                self.hold();
                self.best.0.clone_from(&self.velocity);
                self.best.1.copy(&self.impulse);
            }
            if self.chains.is_used() {
                self.exchange_force(during.1);
            }
            if misses == MAX_MISSES {
                break;
            }
            self.dynamics.correct(&self.velocity);
            is_best = false;
            // What was found before is good enough to go on with.
            if self.solve(state, (during.1, conditions), outcome).is_err() {
                break;
            }
        }
        if is_best || least.is_infinite() {
            self.hold();
        } else {
            self.go_back(model, (state.0, from), during.1)?;
        }
        Ok(least)
    }

    /// Goes back to the best that was come to.
    fn go_back(
        &mut self,
        model: &M,
        (q, from): (&M::Q, Option<&M::Q>),
        step_size: f64,
    ) -> Result<(), Error> {
        core::mem::swap(&mut self.velocity, &mut self.best.0);
        core::mem::swap(&mut self.impulse, &mut self.best.1);
        // What is along the rows was of the last correction.
        core::mem::swap(&mut self.impulse, &mut self.start);
        self.start();
        core::mem::swap(&mut self.impulse, &mut self.start);
        if self.chains.is_used() {
            let Self { chains, candidates, velocity, force, .. } = self;
            chains.find_offset(model, step_size, Beginning { q, from, w: velocity })?;
            candidates.iter_mut().for_each(|candidate| candidate.offset(chains.moved()));
            chains.renew(model, step_size, (q, velocity), force);
            self.respond(step_size);
        }
        Ok(())
    }

    /// Takes the force of chains as it was changed last.
    fn exchange_force(&mut self, step_size: f64) {
        let Self { carried, force, dynamics, chains, .. } = self;
        dynamics.exchange_force(&Given { carried, force, step_size }, chains.change());
    }

    /// Where there are no constraints, to what the impulses lead with the force of chains as it was changed last.
    fn respond(&mut self, step_size: f64) {
        if M::NC > 0 {
            return;
        }
        self.exchange_force(step_size);
        let Self { dynamics, rows, contact_rows, impulses, impulse, velocity, .. } = self;
        if !self.candidates.iter().any(|candidate| candidate.included) {
            impulses.clear();
            dynamics.rest();
            velocity.as_mut_slice().copy_from_slice(dynamics.free());
            return;
        }
        dynamics.accelerate((rows, *contact_rows), impulses, impulse, velocity.as_mut_slice());
    }

    /// The largest error of the constraints where the velocity leads, from where the step displaces `q` to. The force of chains
    /// becomes that with this velocity; what that changes counts too.
    fn miss(
        &mut self,
        model: &M,
        (q, from): (&M::Q, Option<&M::Q>),
        during: (f64, f64),
        is_first: bool,
    ) -> Result<f64, Error> {
        let Self { chains, candidates, dynamics, velocity, force, .. } = self;
        let of = (from.unwrap_or(q), &*velocity);
        if !chains.is_used() {
            return Ok(dynamics.violation(model, of, None, during));
        }
        let (h, begin) = (during.1, Beginning { q, from, w: &*velocity });
        let mut violation = 0.0;
        if M::NC > 0 || candidates.iter().any(Candidate::holds_mean) {
            violation = chains.find_offset(model, h, begin)?;
            candidates.iter_mut().for_each(|candidate| candidate.offset(chains.moved()));
        }
        if M::NC == 0 {
            let changed = chains.approach(model, h, (q, velocity), (is_first, force));
            return Ok(worse(violation, changed));
        }
        violation = worse(violation, dynamics.violation(model, of, Some(chains.place()), during));
        Ok(worse(violation, chains.renew(model, h, (q, velocity), force)))
    }

    /// Writes the impulses of bilateral constraints beside those of the rows.
    fn hold(&mut self) {
        if M::NC > 0 {
            let mut p = M::V::zeros();
            self.rows.add_force(0, &self.impulses, p.as_mut_slice());
            self.dynamics.bilateral_impulses(p.as_mut_slice(), &mut self.impulse.constraints);
        }
    }
}
