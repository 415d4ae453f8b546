//! Errors of declared constraints put right by a motion that leaves no velocity.

use alloc::vec;
use alloc::vec::Vec;

use super::moving::Core;
use super::{Simulation, SimulationError, failure};
use crate::contact::Conditions;
use crate::model::{Model, Robot};
use crate::space::Storage;
use crate::{check, manifold};

impl<M: Model> Simulation<M> {
    /// Moves the robot, at the current time and velocity, to where its declared constraints have no error.
    ///
    /// A step puts all errors that it begins with right by its velocity, which is fast where they are large, and
    /// which stays. This is that step from rest and without forces, of which the place is kept and the velocity is
    /// not: to first order the nearest place in the metric of M, that contacts and limits admit. It adds no kinetic
    /// energy, so that what is at rest ends aligned and at rest.
    ///
    /// # Errors
    ///
    /// As of [`step`](Self::step); [`SimulationError::Violated`] where errors are larger than 1 cm or 0.01 rad, for
    /// which there is [`Constrained::project`](crate::constrained::Constrained::project).
    pub fn align(&mut self) -> Result<(), SimulationError> {
        let robot = self.model.as_data();
        let q = self.core.aligned(robot)?;
        let v = self.state.v.clone();
        self.core.enter(robot, (&q, v.as_slice()));
        self.show();
        Ok(())
    }
}

impl Core {
    /// Where a step from rest leads without forces.
    fn aligned(&mut self, robot: Robot<'_>) -> Result<Vec<f64>, SimulationError> {
        let conditions = Conditions {
            motors: Vec::new(),
            soft_constraints: Vec::new(),
            ..self.conditions.clone()
        };
        let (time, h) = (self.state.time, self.step_size);
        let (mut q, rest) = (self.state.q.clone(), vec![0.0; robot.nv]);
        // What keeps it still.
        let mut force = vec![0.0; robot.nv];
        robot.bias_force_into(&q, &rest, &mut force);
        let solved = self.stepper.step(robot, (&q, &rest), &force, (time, h), &conditions);
        solved.map_err(|error| failure(robot, self.state.at(), error))?;
        let residual = self.stepper.residual(h, &conditions);
        let accepted = residual.max() <= self.tolerance;
        if !accepted {
            return Err(SimulationError::Residual { time, residual, tolerance: self.tolerance });
        }
        let mut v = self.stepper.velocity().to_vec();
        manifold::move_on(robot.joints, h, &mut q, &mut v);
        check::finite("q", &q)?;
        Ok(q)
    }
}
