//! Runs: steps between events.

use alloc::vec::Vec;

use super::events::{Ending, Events};
use super::moving::Core;
use super::system::Sprung;
use super::{CompliantSimulation, Error};
use crate::constrained;
use crate::contact::{Impulse, Residual};
use crate::control::{Controller, DynController, Erased};
use crate::failure::SimulationError;
use crate::integrate::{self, Adaptive, Dense, Phase, Rodas5P};
use crate::model::contact_axes::ContactAxes;
use crate::model::{Model, Robot};
use crate::record::Recording;
use crate::simulate::sample;
use crate::space::Storage;
use crate::state::State;

/// What sees each step as far as it counts.
type Observe<'a> = dyn FnMut(&mut Sprung<'_>, &Dense, f64) + 'a;

impl<M: Model> CompliantSimulation<M> {
    /// Moves on by `duration` seconds.
    ///
    /// The controller is asked wherever a rate is wanted, also at times and states that the motion does not come to: u must
    /// follow from the state and its time alone, and smoothly.
    ///
    /// # Errors
    ///
    /// [`Error::Motion`] unless `duration` is finite and greater than zero, [`Error::Simulation`] if a declared constraint does
    /// not hold at the start, and where a closure is in a singular position and the velocity does not say which way the motion goes on. At the first step that fails, [`Error::Model`] if the controller's u is NaN or infinite there,
    /// and [`Error::Motion`] and [`Error::Constrained`], which state the time, for other reasons, such as more steps than
    /// [`most_steps`](Self::most_steps); the steps before it are done.
    pub fn run(&mut self, duration: f64, controller: impl Controller<M>) -> Result<(), Error> {
        let mut control = Erased::new(controller);
        let robot = self.model.as_data();
        let outcome = self.core.run(robot, duration, &mut control, &mut |_, _, _| {});
        self.show();
        outcome
    }

    /// As [`run`](Self::run), with samples added to `recording` at its rate from the beginning on, whatever the steps are.
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run); what was recorded before the failure stays.
    pub fn run_recorded(
        &mut self,
        duration: f64,
        controller: impl Controller<M>,
        recording: &mut Recording<M>,
    ) -> Result<(), Error> {
        let Self { model, core, .. } = self;
        let (robot, mut control) = (model.as_data(), Erased::new(controller));
        let (mut axes, mut impulse) = (ContactAxes::new(robot), Impulse::zeros::<M>());
        let mut observe = |system: &mut Sprung<'_>, dense: &Dense, until: f64| {
            while let Some(time) = recording.due_within(dense.start(), until) {
                let phase = dense.at(time);
                system.measure(&phase, &mut impulse);
                let mut u = M::U::zeros();
                u.as_mut_slice().copy_from_slice(system.input());
                axes.turn(robot, &phase.q);
                let (state, acting) = (State::of(&phase), (&axes[..], &impulse));
                recording.push(sample(model, (state, u), acting, 1.0, Residual::default()));
            }
        };
        let outcome = core.run(robot, duration, &mut control, &mut observe);
        self.show();
        outcome
    }

    /// Takes the state of the core.
    fn show(&mut self) {
        self.state = State::of(self.core.motion.phase());
    }
}

impl Core {
    /// Steps for `duration` seconds, each shown to `observe` as far as it counts.
    fn run(
        &mut self,
        robot: Robot<'_>,
        duration: f64,
        control: &mut dyn DynController,
        observe: &mut Observe<'_>,
    ) -> Result<(), Error> {
        let end = self.motion.phase().time + integrate::positive("duration", duration)?;
        self.check_constraints(robot)?;
        let most = self.most_steps;
        let allowed = self.accuracy.of(&self.contacts)?.allowed(0.0);
        let Self { held, straight, contacts, motion, inputs, .. } = self;
        let held = (held, straight.as_deref_mut());
        let mut system = Sprung::new(robot, held, (contacts, inputs), control);
        system.enter(motion.phase(), allowed)?;
        let mut events = Events::new(motion.phase().clone());
        let (mut steps, mut outcome) = (0, Ok(()));
        while outcome.is_ok() && motion.phase().time < end {
            let time = motion.phase().time;
            outcome = if steps == most {
                Err(integrate::Error::Steps { time, steps, end }.into())
            } else {
                steps += 1;
                let step = advance(&mut system, motion, (&mut events, end), observe);
                step.map(|is_event| self.events += u64::from(is_event))
            };
        }
        let outcome = outcome.map_err(|error| system.named(error));
        system.measure(motion.phase(), &mut self.impulse);
        outcome
    }

    /// # Errors
    ///
    /// [`SimulationError::Violated`] names a declared constraint that does not hold.
    fn check_constraints(&self, robot: Robot<'_>) -> Result<(), SimulationError> {
        let Phase { time, q, v, .. } = self.motion.phase();
        match constrained::violated(robot, (q, v), *time) {
            Some((constraint, error)) => {
                Err(SimulationError::Violated { time: *time, constraint, error })
            }
            None => Ok(()),
        }
    }
}

/// One step, at most to `end` and to the first event; whether there was one. Where it fails, none was made.
fn advance(
    system: &mut Sprung<'_>,
    motion: &mut Adaptive<Rodas5P>,
    (events, end): (&mut Events, f64),
    observe: &mut Observe<'_>,
) -> Result<bool, Error> {
    let start = motion.phase().clone();
    let made = attempt(system, motion, (events, end), &start).and_then(|made| {
        if !system.has_come_through(&start, &made.0) {
            return Ok(made);
        }
        // What comes through a singular position is made again as what is beside it.
        system.go_straight(&made.0)?;
        motion.restart(&start, motion.proposed_step())?;
        attempt(system, motion, (events, end), &start)
    });
    let made = made.and_then(|made| system.follow(&made.0).map(|()| made));
    let (mut phase, is_event) = match made {
        Ok(made) => made,
        Err(error) => {
            motion.restart(&start, None)?;
            let is_lost = matches!(error, Error::Motion(integrate::Error::StepSize { .. }));
            let lost = if is_lost { system.lost_branch(&start) } else { None };
            return Err(lost.unwrap_or(error));
        }
    };
    if let Some(dense) = motion.dense() {
        observe(system, dense, phase.time);
    }
    if is_event {
        system.leave(&events.leaving);
        system.contacts.release(&mut phase.z);
    }
    if is_event || system.robot.nc > 0 {
        motion.restart(&phase, motion.proposed_step())?;
    }
    Ok(is_event)
}

/// Where a step leads as far as it counts, and whether an event ends it.
fn attempt(
    system: &mut Sprung<'_>,
    motion: &mut Adaptive<Rodas5P>,
    (events, end): (&mut Events, f64),
    start: &Phase,
) -> Result<(Phase, bool), Error> {
    for may_be_mistaken in [true, false] {
        motion.step(system, end).map_err(|error| system.failure(start.time, error))?;
        let Some(dense) = motion.dense() else { break };
        events.elements.clone_from(&system.contacts.elements);
        let ending = events.find(dense, |phase, to| system.guards(phase, to))?;
        if ending == Ending::Mistaken && may_be_mistaken {
            system.leave(&events.leaving);
            let mut left = start.clone();
            system.contacts.release(&mut left.z);
            motion.restart(&left, motion.proposed_step())?;
            continue;
        }
        let mut phase = match ending {
            Ending::Event(after) => dense.at(after),
            Ending::Whole | Ending::Mistaken => motion.phase().clone(),
        };
        system.project(&mut phase)?;
        return Ok((phase, matches!(ending, Ending::Event(_))));
    }
    Ok((motion.phase().clone(), false))
}

impl Sprung<'_> {
    /// The guards of all elements at a phase.
    fn guards(&mut self, phase: &Phase, to: &mut Vec<[f64; super::element::GUARDS]>) {
        self.set(phase.at());
        let Self { robot, contacts, q, v, .. } = self;
        contacts.guards(*robot, (q, v), to);
    }

    /// Lets elements leave their modes.
    fn leave(&mut self, leaving: &[(usize, usize)]) {
        leaving.iter().for_each(|&(k, guard)| self.contacts.elements[k].pass(guard));
    }

    /// The forces at a phase, as impulses in a second.
    fn measure(&mut self, phase: &Phase, to: &mut Impulse) {
        self.accelerate_at(phase);
        self.contacts.record((&self.q, &self.v), to);
        let straight = self.straight.as_ref().filter(|_| self.is_beside);
        let found = straight.map_or(self.held.multipliers(), |straight| straight.multipliers());
        let multipliers = to.constraints.iter_mut().zip(found);
        multipliers.for_each(|(to, multiplier)| *to = *multiplier);
    }

    /// Back onto the constraints, if there are any.
    fn project(&mut self, phase: &mut Phase) -> Result<(), Error> {
        if self.robot.nc == 0 {
            return Ok(());
        }
        self.set(phase.at());
        let Self { robot, held, straight, is_beside, time, q, v, .. } = self;
        let projected = (!*is_beside).then(|| held.project(*robot, (q, v), *time));
        match (projected, straight) {
            (Some(Ok(())), _) => {}
            // Redundant rows may end beside such a place too.
            (_, Some(straight)) => {
                if let Some((constraint, error)) = straight.put_right(*robot, (q, v), *time) {
                    let time = *time;
                    return Err(SimulationError::Violated { time, constraint, error }.into());
                }
            }
            (Some(Err(error)), None) => return Err(Error::Constrained { time: *time, error }),
            (None, None) => {}
        }
        phase.q.copy_from_slice(q);
        phase.v.copy_from_slice(v);
        Ok(())
    }

    /// Why there were no rates, if that is why a step failed.
    fn failure(&mut self, time: f64, error: integrate::Error) -> Error {
        match (self.trouble.take(), error) {
            (Some(error), integrate::Error::NotFinite { .. }) => Error::Constrained { time, error },
            (_, error) => error.into(),
        }
    }
}
