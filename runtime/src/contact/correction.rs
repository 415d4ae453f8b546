//! Errors of declared constraints at the end of a step: they are corrected, and the step is solved anew. So is the force of
//! chains that something holds, which is that of the velocity to which the step leads with all impulses.

use super::candidate::Candidate;
use super::chains::Beginning;
use super::dynamics::Given;
use super::solver::Outcome;
use super::stepper::Core;
use super::{Conditions, Error};
use crate::model::Robot;
use crate::slices::worse;

/// The error of a constraint at the end of a step that is not made less, as in
/// [`Residual::constraints`](super::Residual).
pub(super) const CLOSED: f64 = 1e-12;
/// How often what a step asks of the constraints is corrected, and how often in vain.
pub(super) const MAX_CORRECTIONS: usize = 20;
pub(super) const MAX_MISSES: usize = 6;

impl Core {
    /// Solves again, until the bilateral constraints are satisfied at the end of the step, and chains have the force of its velocity.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`] of chains, and those of solvers where chains are begun with again.
    pub(super) fn correct(
        &mut self,
        robot: Robot<'_>,
        state: (&[f64], &[f64]),
        during: (f64, f64),
        conditions: &Conditions,
        outcome: &mut Outcome,
    ) -> Result<(), Error> {
        self.violation = 0.0;
        let holds = self.chains.is_used() && self.candidates.iter().any(Candidate::holds_mean);
        if robot.nc == 0 && !holds && !self.chains.is_held(&self.velocity) {
            return Ok(());
        }
        let laws = (during, conditions);
        let mut least = self.iterate(robot, state, laws, outcome)?;
        // What the steps before lead one to expect may be wrong by any amount, after an impact.
        if least > self.tolerance && self.chains.forget_held() {
            let free = self.chains.free().to_vec();
            self.chains.renew(robot, during.1, (state.0, &free), &mut self.force);
            self.exchange_force(during.1);
            self.solve(state, (during.1, conditions), outcome)?;
            least = self.iterate(robot, state, laws, outcome)?;
        }
        self.violation = least;
        Ok(())
    }

    /// Corrects what was solved until its error is small or grows; returns the least one, whose velocity and impulses are kept.
    fn iterate(
        &mut self,
        robot: Robot<'_>,
        state: (&[f64], &[f64]),
        laws: ((f64, f64), &Conditions),
        outcome: &mut Outcome,
    ) -> Result<f64, Error> {
        let displaced = self.overlap.take_displaced(&robot, state.0);
        let least = self.iterate_from(robot, state, displaced.as_deref(), laws, outcome);
        self.overlap.give_back(displaced);
        least
    }

    /// The same, from where the step displaces what overlaps.
    fn iterate_from(
        &mut self,
        robot: Robot<'_>,
        state: (&[f64], &[f64]),
        from: Option<&[f64]>,
        (during, conditions): ((f64, f64), &Conditions),
        outcome: &mut Outcome,
    ) -> Result<f64, Error> {
        let (mut least, mut misses, mut is_best) = (f64::INFINITY, 0, true);
        for _ in 0..MAX_CORRECTIONS {
            let violation = self.miss(robot, (state.0, from), during, least.is_infinite())?;
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
            self.go_back(robot, (state.0, from), during.1)?;
        }
        Ok(least)
    }

    /// Goes back to the velocity and the impulses with the least error.
    fn go_back(
        &mut self,
        robot: Robot<'_>,
        (q, from): (&[f64], Option<&[f64]>),
        step_size: f64,
    ) -> Result<(), Error> {
        core::mem::swap(&mut self.velocity, &mut self.best.0);
        core::mem::swap(&mut self.impulse, &mut self.best.1);
        // What is along the rows was of the last correction.
        core::mem::swap(&mut self.impulse, &mut self.start);
        self.start();
        core::mem::swap(&mut self.impulse, &mut self.start);
        if self.chains.is_used() {
            self.find_offset(robot, (q, from), step_size)?;
            self.chains.renew(robot, step_size, (q, &self.velocity), &mut self.force);
            self.respond(step_size);
        }
        Ok(())
    }

    /// Finds the mean velocity of a step of chains, which motors and dry friction then act on; returns the change of it, as
    /// [`Chains::find_offset`](super::chains::Chains::find_offset).
    fn find_offset(
        &mut self,
        robot: Robot<'_>,
        (q, from): (&[f64], Option<&[f64]>),
        step_size: f64,
    ) -> Result<f64, Error> {
        let Self { chains, candidates, velocity, .. } = self;
        let change = chains.find_offset(robot, step_size, Beginning { q, from, w: velocity })?;
        candidates.iter_mut().for_each(|candidate| candidate.offset(chains.moved()));
        Ok(change)
    }

    /// Takes the force of chains as it was changed last.
    fn exchange_force(&mut self, step_size: f64) {
        let Self { carried, force, dynamics, chains, coordinates, .. } = self;
        let slopes = coordinates.slopes();
        let given = Given { carried, force, pushed: &[], slopes, step_size };
        dynamics.exchange_force(&given, chains.change());
    }

    /// Where there are no constraints, to what the impulses lead with the force of chains as it was changed last.
    fn respond(&mut self, step_size: f64) {
        if self.table.nc > 0 {
            return;
        }
        self.exchange_force(step_size);
        let Self { dynamics, rows, contact_rows, impulses, impulse, velocity, .. } = self;
        if !self.candidates.iter().any(|candidate| candidate.included) {
            impulses.clear();
            dynamics.rest();
            velocity.copy_from_slice(dynamics.free());
            return;
        }
        dynamics.accelerate((rows, *contact_rows), impulses, impulse, velocity);
    }

    /// The largest error of the constraints where the velocity leads, from where the step displaces `q` to. The force of chains
    /// becomes that with this velocity; what that changes counts too.
    fn miss(
        &mut self,
        robot: Robot<'_>,
        (q, from): (&[f64], Option<&[f64]>),
        during: (f64, f64),
        is_first: bool,
    ) -> Result<f64, Error> {
        if !self.chains.is_used() {
            let of = (from.unwrap_or(q), &self.velocity[..]);
            return Ok(self.dynamics.violation(robot, of, None, during));
        }
        let (h, mut moved) = (during.1, 0.0);
        if robot.nc > 0 || self.candidates.iter().any(Candidate::holds_mean) {
            moved = self.find_offset(robot, (q, from), h)?;
        }
        let Self { chains, dynamics, velocity, force, .. } = self;
        if robot.nc == 0 {
            let changed = chains.renew_by_broyden(robot, h, (q, velocity), (is_first, force));
            return Ok(worse(moved, changed));
        }
        let of = (from.unwrap_or(q), &velocity[..]);
        let violation = dynamics.violation(robot, of, Some(chains.place()), during);
        let changed = chains.renew(robot, h, (q, velocity), force);
        Ok(worse(worse(moved, violation), changed))
    }

    /// Writes the impulses of bilateral constraints beside those of the rows.
    pub(super) fn hold(&mut self) {
        if self.table.nc > 0 {
            let Self { room, rows, impulses, impulse, dynamics, .. } = self;
            room.fill(0.0);
            rows.add_force(0, impulses, room);
            dynamics.bilateral_impulses(room, &mut impulse.constraints);
        }
    }
}
