//! Errors of declared constraints put right by a motion that leaves no velocity.

use alloc::vec::Vec;

use super::{Simulation, SimulationError, failure};
use crate::contact::Conditions;
use crate::manifold;
use crate::model::Model;
use crate::space::Storage;

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
        let conditions = Conditions {
            motors: Vec::new(),
            soft_constraints: Vec::new(),
            ..self.conditions.clone()
        };
        let (time, h, rest) = (self.state.time, self.step_size, M::V::zeros());
        // What keeps it still.
        let force = self.model.bias_force(&self.state.q, &rest);
        let state = (&self.state.q, &rest);
        let solved = self.stepper.step(&self.model, state, &force, (time, h), &conditions);
        solved.map_err(|error| failure(&self.model, &self.state, error))?;
        let residual = self.stepper.residual(h, &conditions);
        let accepted = residual.max() <= self.tolerance;
        if !accepted {
            return Err(SimulationError::Residual { time, residual, tolerance: self.tolerance });
        }
        let (mut q, mut v) = (self.state.q.clone(), self.stepper.velocity().clone());
        manifold::move_on(M::JOINTS, h, q.as_mut_slice(), v.as_mut_slice());
        let v = self.state.v.clone();
        self.reset(q, v)
    }
}
