//! Steps that a controller drives, with its servos where it has some.

use super::{Simulation, SimulationError, StepReport, Stepping};
use crate::control::{Controller, Servos, check_input_at};
use crate::model::Model;
use crate::space::Storage;

impl<M: Model> Simulation<M> {
    /// Moves on by one step as a run does: with the [servos](Servos) of the controller, or else with its input.
    ///
    /// A servo takes the place of the [motor](Self::set_motor) at its joint for this step.
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

    /// The mean generalised force of motors and servos in the last step, (nv), in N or N m; zero before the first one,
    /// and after one that failed. What a controller such as [`Pd`](crate::control::Pd) returns is an input, and no part of it.
    pub fn motor_force(&self) -> M::V {
        let mut force = M::V::zeros();
        if let Some(h) = self.core.led_by {
            let motors = force.as_mut_slice().iter_mut().zip(&self.impulse().motors);
            motors.for_each(|(force, impulse)| *force = impulse / h);
        }
        force
    }

    /// Moves on by one step with servos; returns the input beside them.
    ///
    /// # Errors
    ///
    /// [`SimulationError::Motor`] of gains, a target or an effort that a motor cannot have, and those of
    /// [`step`](Self::step).
    pub(super) fn step_with_servos(
        &mut self,
        servos: &Servos<M>,
    ) -> Result<(M::U, StepReport), SimulationError> {
        let beside = servos.others();
        servos.write_motors(&self.state.q, &mut self.core.served)?;
        self.core.serve();
        match self.step_under(&beside) {
            Ok(report) => Ok((beside, report)),
            Err(error) => {
                check_input_at(self.state.time, &beside)?;
                Err(error)
            }
        }
    }
}
