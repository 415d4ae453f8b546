//! Steps and runs.

use super::Variational;
use super::moving::Core;
use crate::contact::Residual;
use crate::control::{Controller, Servos, check_input_at};
use crate::failure::SimulationError;
use crate::model::{Model, Prepared};
use crate::record::Recording;
use crate::simulate::{Acting, Stepping, Watched};
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
        self.core.servos.clear();
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
        let report = self.core.step(self.model.as_data(), u.as_slice())?;
        self.show();
        Ok(report)
    }

    /// Takes state and momentum of the core.
    #[inline]
    fn show(&mut self) {
        let Self { core, state, momentum, .. } = self;
        state.time = core.state.time;
        state.q.as_mut_slice().copy_from_slice(&core.state.q);
        state.v.as_mut_slice().copy_from_slice(&core.state.v);
        momentum.as_mut_slice().copy_from_slice(&core.state.p);
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
        servos.write_motors(&self.state.q, &mut self.core.servos)?;
        match self.step_under(&beside) {
            Ok(report) => Ok((beside, report)),
            Err(error) => {
                check_input_at(time, &beside)?;
                Err(error)
            }
        }
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
        self.core.undo();
        self.show();
    }

    fn shown(&self) -> (&Prepared<M>, &State<M>, Acting<'_>, f64) {
        (&self.model, &self.state, (self.contacts(), self.impulse()), self.core.step_size)
    }

    fn watched(&mut self) -> Watched<'_> {
        let Core { alternation, state, last, step_size, .. } = &mut self.core;
        (alternation, [&last.v, &state.v], *step_size)
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
