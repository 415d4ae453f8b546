//! Runs by steps of one size, whatever their mechanics.

use super::alternation::{Watched, blame, watch};
use super::duration::steps_of;
use crate::contact::Residual;
use crate::control::{Controller, Servos, check_input_at};
use crate::error::ModelError;
use crate::failure::SimulationError;
use crate::model::{Model, Prepared, Table};
use crate::record::Recording;
use crate::space::Storage;
use crate::state::State;

use super::sample::{Acting, sample};

/// A robot that moves on by steps of one size.
pub(crate) trait Stepping<M: Model> {
    /// What a step took and how good it is.
    type Step;
    /// The same of a run.
    type Run: Default;

    /// Moves on by one step with the input `u`, (nu), from `state`.
    fn advance(&mut self, u: &M::U) -> Result<Self::Step, SimulationError>;

    /// Moves on by one step with servos; the input beside them.
    fn drive_by_servos(
        &mut self,
        servos: &Servos<M>,
    ) -> Result<(M::U, Self::Step), SimulationError>;

    /// Moves on by one step with what a controller says; the input that acted.
    fn drive(
        &mut self,
        controller: &mut impl Controller<M>,
    ) -> Result<(M::U, Self::Step), SimulationError> {
        if let Some(servos) = controller.servos(self.shown().1) {
            return self.drive_by_servos(servos);
        }
        let u = controller.input(self.shown().1);
        self.drive_by(u).map_err(|error| match (&error, controller.check()) {
            (SimulationError::Model(ModelError::Control { .. }), Err(reason)) => reason.into(),
            _ => error,
        })
    }

    /// Moves on by one step with the input of a controller.
    fn drive_by(&mut self, u: M::U) -> Result<(M::U, Self::Step), SimulationError> {
        let time = self.shown().1.time;
        match self.advance(&u) {
            Ok(step) => match watch(Table::of::<M>(), self.watched(), u.as_slice(), time) {
                Ok(()) => Ok((u, step)),
                Err(error) => {
                    self.undo();
                    Err(error)
                }
            },
            Err(error) => {
                check_input_at(time, &u)?;
                Err(blame(Table::of::<M>(), self.watched(), error, time))
            }
        }
    }

    /// Goes back to the state before the last step, of which nothing is known then.
    fn undo(&mut self);

    /// What is watched of the last step.
    fn watched(&mut self) -> Watched<'_>;

    /// The robot, its state, and what acted in the last step of h seconds.
    fn shown(&self) -> (&Prepared<M>, &State<M>, Acting<'_>, f64);

    /// The residual of a step.
    fn residual(step: &Self::Step) -> Residual;

    /// Takes one more step into account.
    fn add(run: &mut Self::Run, step: &Self::Step);

    /// Moves on by `duration` seconds, rounded to whole steps, with samples added to a recording at its rate.
    fn run_on(
        &mut self,
        duration: f64,
        mut controller: impl Controller<M>,
        mut recording: Option<&mut Recording<M>>,
    ) -> Result<Self::Run, SimulationError> {
        let steps = steps_of(duration, self.shown().3)?;
        let mut run = Self::Run::default();
        for _ in 0..steps {
            let (u, step) = self.drive(&mut controller)?;
            let (model, state, acting, h) = self.shown();
            if let Some(recording) = recording.as_mut().filter(|to| to.is_due(state.time)) {
                recording.push(sample(model, (state.clone(), u), acting, h, Self::residual(&step)));
            }
            Self::add(&mut run, &step);
        }
        Ok(run)
    }
}
