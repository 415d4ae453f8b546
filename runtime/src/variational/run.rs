//! Steps and runs.

use super::Variational;
use super::branch;
use super::motion::Start;
use super::residual::residual;
use super::rounding::hidden;
use crate::check;
use crate::contact::{self, Residual};
use crate::control::{Controller, Servos, check_input_at};
use crate::failure::SimulationError;
use crate::model::{Model, Prepared, Table};
use crate::record::Recording;
use crate::simulate::{
    Acting, Apart, Stepping, Watched, apart, check_end, drowned, failure, without_chains,
};
use crate::slices::multiply;
use crate::space::Storage;
use crate::state::State;

/// What a step took and how good it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepReport {
    /// The residual of each kind of equation.
    pub residual: Residual,
    /// Iterations of Newton's method.
    pub iterations: usize,
}

/// What a run took and how good it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RunReport {
    /// Number of steps.
    pub steps: u64,
    /// The largest residual of each kind of equation.
    pub residual: Residual,
    /// Iterations of Newton's method in all steps.
    pub iterations: usize,
}

impl<M: Model> Variational<M> {
    /// Moves on by one step with the input `u`, (nu).
    ///
    /// # Errors
    ///
    /// [`SimulationError::Model`] if an entry of `u` or of the force that follows from it is not finite, or a gap is NaN;
    /// [`SimulationError::Violated`] if a declared constraint does not hold; [`SimulationError::Overlap`] and
    /// [`SimulationError::BeyondLimit`] in the first step from a state in which contacts penetrate or limits are passed,
    /// by more than a micrometre or a microradian; [`SimulationError::SingularPosition`] where a closure rests in such a
    /// position, or a step leads too near; [`SimulationError::Drowned`] if what acts, or how fast the robot is, is so large
    /// that rounding hides where it is held; [`SimulationError::Contact`] if one of Newton's steps has no solution,
    /// [`SimulationError::Diverged`] if they led to no state, and [`SimulationError::Residual`] if the step's equations are not
    /// satisfied where it ended, as with steps that are too long for it. The state is then unchanged.
    pub fn step(&mut self, u: &M::U) -> Result<StepReport, SimulationError> {
        self.servos.clear();
        self.step_under(u)
    }

    /// Moves on by one step as a run does: with the [servos](Servos) of the controller, or else with its input.
    ///
    /// # Errors
    ///
    /// Those of [`step`](Self::step) and of [`run`](Self::run).
    pub fn step_with(
        &mut self,
        controller: &mut impl Controller<M>,
    ) -> Result<StepReport, SimulationError> {
        self.drive(controller).map(|(_, report)| report)
    }

    /// As [`step`](Self::step), with the servos that there are.
    fn step_under(&mut self, u: &M::U) -> Result<StepReport, SimulationError> {
        self.make_step(u).map_err(|error| without_chains(Table::of::<M>(), error))
    }

    fn make_step(&mut self, u: &M::U) -> Result<StepReport, SimulationError> {
        check::finite("u", u.as_slice())?;
        let input = self.input(u);
        check::finite("force", input.as_slice())?;
        self.check_overlap()?;
        let displaced = self.separate()?;
        let momentum = displaced.as_ref().map(|q| self.momentum_at(q));
        let Self { model, motion, arrival, one_sided, linear, servos, .. } = self;
        let State { time, q, v } = &self.state;
        let (time, h) = (*time, self.step_size);
        one_sided.serve::<M>(servos, displaced.as_ref().unwrap_or(q), h);
        let (q, p) = (displaced.as_ref().unwrap_or(q), momentum.as_ref().unwrap_or(&self.momentum));
        // What a displacement has left of overlaps is not for the motion.
        let recovery = if displaced.is_some() { 0.0 } else { self.recovery };
        let start = Start { q, v, p, time, h, input: &input, recovery };
        let begun = motion.begin(model, &start);
        begun.map_err(|error| failure(model.as_data(), self.state.at(), error))?;
        if motion.phase.is_dependent() {
            branch::choose(model, &start, motion)?;
        }
        let solved = motion.solve(model, &start, (linear, one_sided)).and_then(|iterations| {
            arrival.solve(model, &start, motion, (linear, one_sided)).map(|()| iterations)
        });
        let residual = residual(&start, motion, arrival);
        let accepted = residual.max() <= self.tolerance;
        if !(accepted && branch::goes_on(model, &start, motion, arrival))
            && let Some(lost) = branch::lost(model, &start)
        {
            return Err(lost);
        }
        let good = accepted.then_some(&residual);
        if let Some(hidden) = hidden(&start, (motion, one_sided), good, self.tolerance) {
            return Err(drowned(Table::of::<M>(), time, h, hidden));
        }
        let iterations = match solved {
            // With the inertias that were checked, it is Newton's matrix that has no inverse.
            Err(contact::Error::MassMatrix) if model.check_mass_matrix(q).is_ok() => 0,
            solved => {
                solved.map_err(|error| failure(self.model.as_data(), self.state.at(), error))?
            }
        };
        if !accepted {
            let tolerance = self.tolerance;
            return Err(SimulationError::Residual { time, residual, tolerance });
        }
        let end = (self.motion.chord.end.as_slice(), self.arrival.velocity.as_slice());
        check_end(Table::of::<M>(), time, end)?;
        self.contacts.turn(self.model.as_data(), self.state.q.as_slice());
        self.accept();
        Ok(StepReport { residual, iterations })
    }

    /// Moves on by `duration` seconds, rounded to whole steps.
    ///
    /// # Errors
    ///
    /// Those of [`step`](Self::step), at the first that fails; the steps before it are done. An input that is not finite is
    /// [`ModelError::Control`](crate::ModelError::Control), with the time that the controller was asked at, and one that
    /// makes velocities alternate and grow from step to step [`SimulationError::Unstable`], with the step that would not.
    /// Servos are refused with [`SimulationError::Motor`] if a gain, a target or an effort is not possible.
    /// [`SimulationError::Setting`] unless `duration` is finite and greater than zero, and
    /// [`SimulationError::Duration`] if it is less than half a step, or more steps than can be counted.
    pub fn run(
        &mut self,
        duration: f64,
        controller: impl Controller<M>,
    ) -> Result<RunReport, SimulationError> {
        self.run_on(duration, controller, None)
    }

    /// As [`run`](Self::run), with samples added to `recording` at its rate.
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run); what was recorded before the failure stays.
    pub fn run_recorded(
        &mut self,
        duration: f64,
        controller: impl Controller<M>,
        recording: &mut Recording<M>,
    ) -> Result<RunReport, SimulationError> {
        self.run_on(duration, controller, Some(recording))
    }

    /// # Errors
    ///
    /// [`SimulationError::Overlap`] and [`SimulationError::BeyondLimit`] in the first step from a state that was given,
    /// with what is deepest.
    fn check_overlap(&mut self) -> Result<(), SimulationError> {
        let Self { model, one_sided, apart, state: State { time, q, .. }, .. } = self;
        if !apart.is_due() {
            return Ok(());
        }
        one_sided.measure(model, q);
        apart::check(
            *time,
            one_sided.penetrating::<M>(q.as_slice()),
            one_sided.beyond_limits::<M>(q.as_slice()),
        )
    }

    /// The state's configuration with what overlaps put right as it is said to be; `None` where nothing overlaps, or nothing
    /// is said.
    ///
    /// # Errors
    ///
    /// [`SimulationError::Contact`].
    fn separate(&mut self) -> Result<Option<M::Q>, SimulationError> {
        if self.apart != Apart::Never {
            return Ok(None);
        }
        let Self { model, one_sided, recovery, state, .. } = self;
        one_sided.measure(model, &state.q);
        if !one_sided.overlaps::<M>(state.q.as_slice()) {
            return Ok(None);
        }
        let during = (state.time, *recovery);
        let apart = contact::separate(model.as_data(), state.q.as_slice(), during)
            .map_err(|error| failure(model.as_data(), state.at(), error))?;
        Ok(apart.map(|apart| {
            let mut q = state.q.clone();
            q.as_mut_slice().copy_from_slice(&apart);
            q
        }))
    }

    /// The momentum of the state's velocity at another configuration.
    fn momentum_at(&self, q: &M::Q) -> M::V {
        let mut p = M::V::zeros();
        let mass = self.model.mass_matrix(q);
        multiply(p.as_mut_slice(), mass.as_slice(), self.state.v.as_slice());
        p
    }

    /// B u.
    fn input(&self, u: &M::U) -> M::V {
        let mut force = M::V::zeros();
        self.inputs.add_force(u.as_slice(), force.as_mut_slice());
        force
    }

    /// Moves on by one step with servos; returns the input beside them.
    ///
    /// # Errors
    ///
    /// [`SimulationError::Motor`] of gains, a target or an effort that a motor cannot have, and those of
    /// [`step`](Self::step).
    fn step_with_servos(
        &mut self,
        servos: &Servos<M>,
    ) -> Result<(M::U, StepReport), SimulationError> {
        let (time, beside) = (self.state.time, servos.others());
        self.servos.clear();
        for (joint, v, motor) in servos.motors(&self.state.q) {
            motor.check().map_err(|error| SimulationError::Motor { joint: joint.name, error })?;
            self.servos.push((v, motor));
        }
        match self.step_under(&beside) {
            Ok(report) => Ok((beside, report)),
            Err(error) => {
                check_input_at(time, &beside)?;
                Err(error)
            }
        }
    }

    /// The end of the step becomes the state.
    fn accept(&mut self) {
        let Self { state, motion, arrival, momentum, impulse, last, .. } = self;
        core::mem::swap(state, &mut last.0);
        core::mem::swap(momentum, &mut last.1);
        self.clock = self.clock.after(last.0.time, self.step_size);
        self.led_by = self.step_size;
        state.time = self.clock.time();
        state.q.clone_from(&motion.chord.end);
        state.v.clone_from(&arrival.velocity);
        momentum.clone_from(&arrival.momentum);
        impulse.clear();
        self.apart.leave_start();
        motion.phase.record(impulse);
        arrival.phase.record(impulse);
    }
}

impl<M: Model> Stepping<M> for Variational<M> {
    type Step = StepReport;
    type Run = RunReport;

    fn advance(&mut self, u: &M::U) -> Result<StepReport, SimulationError> {
        self.step(u)
    }

    fn drive_by_servos(
        &mut self,
        servos: &Servos<M>,
    ) -> Result<(M::U, StepReport), SimulationError> {
        self.step_with_servos(servos)
    }

    #[cold]
    fn undo(&mut self) {
        core::mem::swap(&mut self.state, &mut self.last.0);
        core::mem::swap(&mut self.momentum, &mut self.last.1);
        self.impulse.clear();
    }

    fn shown(&self) -> (&Prepared<M>, &State<M>, Acting<'_>, f64) {
        (&self.model, &self.state, (self.contacts(), &self.impulse), self.step_size)
    }

    fn watched(&mut self) -> Watched<'_> {
        let velocities = [self.last.0.v.as_slice(), self.state.v.as_slice()];
        (&mut self.alternation, velocities, self.step_size)
    }

    fn residual(step: &StepReport) -> Residual {
        step.residual
    }

    fn add(run: &mut RunReport, step: &StepReport) {
        run.steps += 1;
        run.residual = run.residual.worse(&step.residual);
        run.iterations += step.iterations;
    }
}
