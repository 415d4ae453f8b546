//! How a step is solved.
//!
//! Constraints that the free motion does not violate are left out of the problem at first. Those
//! that its solution violates are added and the problem is solved again, so that in the end nothing
//! that was left out would have acted. What declared constraints leave of errors is `correction`'s.

use super::candidate::{self, Sources};
use super::dynamics::Start;
use super::phase::Phase;
use super::restitution::Restitution;
use super::slip::is_at_rest;
use super::solver::Outcome;
use super::solver::Solved;
use super::stepper::Core;
use super::{Conditions, Error, Formulation, Residual};
use crate::arithmetic::Baseline;
use crate::kernel::{Computation, Real, compute, compute_with};
use crate::manifold;
use crate::model::Robot;

/// A step, to be run with the registers of the processor: the compiler uses them in all that it inlines.
pub(super) struct Step<'a> {
    pub(super) stepper: &'a mut Core,
    pub(super) robot: Robot<'a>,
    pub(super) state: (&'a [f64], &'a [f64]),
    pub(super) force: &'a [f64],
    pub(super) during: (f64, f64),
    pub(super) conditions: &'a Conditions,
    pub(super) outcome: &'a mut Outcome,
    pub(super) error: &'a mut Option<Error>,
}

impl Computation for Step<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Real>(self) {
        let Self { stepper, robot, state, force, during, conditions, outcome, error } = self;
        match stepper.advance::<A>(robot, state, force, during, conditions) {
            Ok(found) => *outcome = found,
            Err(found) => *error = Some(found),
        }
    }
}

impl Core {
    /// Finds v⁺ and Λ of a step, as [`Stepper::step`](super::Stepper::step) says.
    pub(crate) fn step(
        &mut self,
        robot: Robot<'_>,
        state: (&[f64], &[f64]),
        force: &[f64],
        (time, step_size): (f64, f64),
        conditions: &Conditions,
    ) -> Result<Outcome, Error> {
        let during = (time, step_size);
        let (mut found, mut failed) = (Outcome::default(), None);
        let (stepper, outcome, error) = (self, &mut found, &mut failed);
        compute(Step { stepper, robot, state, force, during, conditions, outcome, error });
        failed.map_or(Ok(found), Err)
    }

    /// As [`step`](Self::step), with the [`residual`](Self::residual) of the step, within a computation.
    #[inline(always)]
    pub(crate) fn advance_and_judge<A: Real>(
        &mut self,
        robot: Robot<'_>,
        state: (&[f64], &[f64]),
        force: &[f64],
        during: (f64, f64),
        conditions: &Conditions,
    ) -> Result<(Outcome, Residual), Error> {
        let (mut found, mut failed) = (Outcome::default(), None);
        let (stepper, outcome, error) = (&mut *self, &mut found, &mut failed);
        let step = Step { stepper, robot, state, force, during, conditions, outcome, error };
        compute_with::<A, _>(step);
        match failed {
            None => Ok((found, self.judge::<A>(during.1, conditions))),
            Some(error) => Err(error),
        }
    }

    /// Solves a step again without a warm start, where solvers `found` nothing with one, or nothing within the tolerance. Returns what
    /// both searches took, and the new residual, if this is within the tolerance.
    #[cold]
    pub(crate) fn advance_anew(
        &mut self,
        robot: Robot<'_>,
        state: (&[f64], &[f64]),
        force: &[f64],
        during: (f64, f64),
        (conditions, found): (&Conditions, &Result<(Outcome, Residual), Error>),
    ) -> Option<(Outcome, Residual)> {
        let before = match found {
            Ok((outcome, _)) => *outcome,
            Err(error) if error.is_of_solvers() => Outcome::default(),
            Err(_) => return None,
        };
        if !core::mem::take(&mut self.is_warm) {
            return None;
        }
        let found = self.step(robot, state, force, during, conditions);
        self.is_warm = true;
        let outcome = found.ok()?.after(&before);
        let residual = self.residual(during.1, conditions);
        (residual.max() <= self.tolerance).then_some((outcome, residual))
    }

    /// As [`step`](Self::step), where it is inlined.
    #[inline(always)]
    fn advance<A: Real>(
        &mut self,
        robot: Robot<'_>,
        state: (&[f64], &[f64]),
        force: &[f64],
        during: (f64, f64),
        conditions: &Conditions,
    ) -> Result<Outcome, Error> {
        self.begin_points();
        loop {
            let outcome = self.advance_with_points::<A>(robot, state, force, during, conditions)?;
            if !self.has_missed(robot, (during.1, conditions)) {
                return Ok(outcome);
            }
        }
    }

    /// Whether the last step leads a shape into what was too far away to be listed, so that it is to be solved again, with that.
    #[inline(always)]
    pub(crate) fn has_missed(&mut self, robot: Robot<'_>, laws: (f64, &Conditions)) -> bool {
        !robot.shapes.is_empty() && self.explicit.pairs.have_missed(&self.velocity, laws)
    }

    /// A step with the points of shapes that are found.
    #[inline(always)]
    fn advance_with_points<A: Real>(
        &mut self,
        robot: Robot<'_>,
        state: (&[f64], &[f64]),
        force: &[f64],
        (time, step_size): (f64, f64),
        conditions: &Conditions,
    ) -> Result<Outcome, Error> {
        let (during, laws) = ((time, step_size), (step_size, conditions));
        self.evaluate_given(robot, state, force, during, conditions)?;
        let acts = self.may_coordinates_act::<A>(state, laws);
        let has_coordinates =
            self.begin_coordinates::<A>(robot, state, during, conditions, acts)?;
        self.evaluate_dynamics::<A>(robot, state, during)?;
        if has_coordinates
            && let Some(outcome) = self.solve_coordinates::<A>(robot, state, during, conditions)?
        {
            self.write_implicit();
            return Ok(outcome);
        }
        if !self.explicit.springs.are_none() {
            self.explicit.springs.limit(step_size, &mut self.dynamics);
        }
        self.put_right(state, laws)?;
        let mut outcome = Outcome::default();
        // Chains may be held, and are then solved anew.
        if self.chains.is_used() || acts {
            self.together.is_used = false;
        } else if self.solve_together::<A>(state.0, laws, &mut outcome) {
            self.write_implicit();
            self.overlap.write(&mut self.impulse);
            return Ok(outcome);
        }
        if !self.is_warm {
            self.forget();
        }
        self.start_from_coordinates::<A>();
        let is_plain = conditions.restitution == Restitution::Newton;
        self.list_candidates(state, laws, is_plain && self.may_solve_by_newton());
        self.compress(state, laws, &mut outcome)?;
        if self.chains.is_used() {
            self.offset_candidates();
        }
        self.solve(state, (step_size, conditions), &mut outcome)?;
        self.correct(robot, state, (time, step_size), conditions, &mut outcome)?;
        self.write_implicit();
        self.compression.keep(&mut self.impulse);
        self.overlap.write(&mut self.impulse);
        Ok(outcome)
    }

    /// Checks what is set, and computes what acts beside impulses and where things touch.
    #[inline(always)]
    pub(super) fn evaluate_given(
        &mut self,
        robot: Robot<'_>,
        state: (&[f64], &[f64]),
        force: &[f64],
        (time, step_size): (f64, f64),
        conditions: &Conditions,
    ) -> Result<(), Error> {
        self.check(conditions)?;
        conditions.formulation.normal().check(step_size)?;
        manifold::carry(&self.joints, state.1, step_size, &mut self.carried);
        if !self.explicit.springs.are_none() {
            self.explicit.springs.evaluate(robot, state);
        }
        self.add_implicit(robot, state, force, step_size, conditions)?;
        if robot.nc > 0 {
            self.explicit.yielding.evaluate(robot, state, (time, step_size), conditions);
        }
        self.explicit.declared.evaluate(robot, state.0);
        self.explicit.pairs.evaluate(robot, state, (step_size, conditions))?;
        self.explicit.turning.evaluate(robot, state.0);
        Ok(())
    }

    /// Lists what may act, with the limits that press as in the last step if that is asked for.
    #[inline(always)]
    pub(super) fn list_candidates(
        &mut self,
        state: (&[f64], &[f64]),
        laws: (f64, &Conditions),
        lists_pressing: bool,
    ) {
        let Self { contacts, dry_friction, motors, explicit, dynamics, candidates, .. } = self;
        candidate::list(candidates, &Sources { contacts, explicit }, dynamics, state.1, laws);
        candidate::list_driven(candidates, (motors, dry_friction), laws.0);
        if lists_pressing {
            candidate::list_pressing(candidates, &self.spans, &self.impulse, state, laws);
        }
    }

    /// Computes all that the motion without impulses and the rows depend on.
    #[inline(always)]
    pub(super) fn evaluate_dynamics<A: Real>(
        &mut self,
        robot: Robot<'_>,
        (q, v): (&[f64], &[f64]),
        (time, step_size): (f64, f64),
    ) -> Result<(), Error> {
        let Self { carried, force, added, dynamics, explicit, .. } = self;
        let yielding = &explicit.yielding;
        let start = Start { q, v, carried, force, added, time, step_size, yielding };
        dynamics.evaluate::<A>(robot, &start)
    }

    /// Makes the laws of motors and of dry friction those of the mean velocity of a step of chains.
    #[cold]
    fn offset_candidates(&mut self) {
        let offset = self.chains.offset();
        self.candidates.iter_mut().for_each(|candidate| candidate.offset(offset));
    }

    /// v⁺ and Λ of all that acts, from v_free.
    #[inline(always)]
    pub(super) fn solve(
        &mut self,
        (q, v): (&[f64], &[f64]),
        laws: (f64, &Conditions),
        outcome: &mut Outcome,
    ) -> Result<(), Error> {
        self.begin_solution();
        self.solvers.begin(!self.has_rest(v));
        let state = (q, v);
        let mut unfinished = self.include_violated(state, laws)
            || self.candidates.iter().any(|candidate| candidate.included);
        while unfinished {
            let formulation = &laws.1.formulation;
            let by_newton = self.solve_by_newton(formulation);
            outcome.add(match by_newton {
                Some(solved) => solved,
                None => self.solve_by_rows(formulation)?,
            });
            unfinished = self.include_violated(state, laws);
            if !unfinished
                && by_newton.is_none()
                && let Some(polished) = self.polish(laws)
            {
                outcome.add(polished);
                unfinished = self.include_violated(state, laws);
            }
            if unfinished {
                self.start.copy(&self.impulse);
            }
        }
        Ok(())
    }

    /// No impulses yet; those that there were are what solvers start from.
    #[inline(always)]
    pub(super) fn begin_solution(&mut self) {
        self.velocity.copy_from_slice(self.dynamics.free());
        self.impulses.clear();
        self.pushed.clear();
        self.rows.rewind();
        self.dynamics.rest();
        core::mem::swap(&mut self.impulse, &mut self.start);
        self.impulse.clear();
        self.explicit.pairs.list(&mut self.impulse.pairs);
    }

    /// Finds `impulse` and `velocity` with what is included by a matrix of its rows.
    #[inline(always)]
    fn solve_by_rows(&mut self, formulation: &Formulation) -> Result<Solved, Error> {
        self.arrange(formulation);
        let solved = if self.compression.phase == Phase::Expansion {
            self.expand(formulation)?
        } else {
            self.start();
            self.solvers.solve(formulation, &self.problem, &mut self.impulses)?
        };
        self.move_by_rows();
        Ok(solved)
    }

    /// Finds `impulse` and `velocity` by the impulses along the rows.
    #[inline(always)]
    pub(super) fn move_by_rows(&mut self) {
        self.write();
        let Self { dynamics, rows, contact_rows, impulses, impulse, velocity, .. } = self;
        dynamics.accelerate((rows, *contact_rows), impulses, impulse, velocity);
    }

    /// Whether something that may touch does not slide at the beginning.
    pub(super) fn has_rest(&self, v: &[f64]) -> bool {
        let Self { dynamics, explicit, impulse, .. } = self;
        let contact = |contact| is_at_rest(dynamics.contact_velocity(contact));
        let point = |point| is_at_rest(explicit.pairs.velocity(point, v));
        (0..self.table.contacts.len()).any(contact) || (0..impulse.pairs.len()).any(point)
    }

    /// Includes the contacts and limits that the current velocity violates; whether there are any.
    #[inline(always)]
    pub(super) fn include_violated(
        &mut self,
        (q, v): (&[f64], &[f64]),
        (h, conditions): (f64, &Conditions),
    ) -> bool {
        let Self { candidates, spans, explicit, dynamics, velocity, compression, .. } = self;
        let velocity = &velocity[..];
        let mut found = false;
        for candidate in candidates.iter_mut().filter(|candidate| !candidate.included) {
            candidate.included =
                candidate.is_violated(&conditions.formulation, explicit, dynamics, velocity);
            found |= candidate.included;
        }
        let (states, laws, phase) = ((q, v, velocity), (h, conditions), compression.phase);
        found | candidate::add_limits::<Baseline>(candidates, spans, states, laws, phase)
    }
}

#[cfg(test)]
mod tests;
