//! How a run is set up: settings and the state to start from.

use super::motion::Motion;
use super::moving::Core;
use super::{Rule, Variational};
use crate::contact;
use crate::failure::SimulationError;
use crate::model::{Discrete, Model, Table};
use crate::simulate::{Apart, asymmetric_configuration, check_offered, positive};
use crate::space::Storage;
use crate::state::State;

impl<M: Model> Variational<M> {
    /// At rest in the neutral configuration, with the midpoint rule, steps of 1 ms and a tolerance of 1e-9.
    ///
    /// # Errors
    ///
    /// [`SimulationError::Model`] if a field has an impossible value, or a joint moves no inertia in general.
    /// [`SimulationError::Setup`] of a robot with what discrete mechanics has not here: pairs of solids other than
    /// spheres, and what resists turning.
    pub fn new(model: M) -> Result<Self, SimulationError> {
        model.check_fields()?;
        let model = model.prepare();
        model.as_data().check_mass_matrix(&asymmetric_configuration(Table::of::<M>()))?;
        let core = Core::new(model.as_data(), Discrete::of::<M>());
        check_offered(Table::of::<M>(), "discrete mechanics", &core.contacts)
            .map_err(SimulationError::Setup)?;
        let state = State { time: 0.0, q: model.neutral(), v: M::V::zeros() };
        Ok(Self { model, core, state, momentum: M::V::zeros() })
    }

    /// With another discrete Lagrangian.
    #[must_use]
    pub fn rule(mut self, rule: Rule) -> Self {
        self.core.motion = Motion::new(self.model.as_data(), Discrete::of::<M>(), rule);
        self
    }

    /// With steps of `h` seconds.
    ///
    /// # Errors
    ///
    /// [`SimulationError::Setting`] unless `h` is finite and greater than zero.
    pub fn step_size(mut self, h: f64) -> Result<Self, SimulationError> {
        self.core.step_size = positive("step_size", h)?;
        Ok(self)
    }

    /// With another largest [`Residual::max`](crate::contact::Residual::max) of a step. What is solved for is found to
    /// rounding, whatever the tolerance.
    ///
    /// # Errors
    ///
    /// [`SimulationError::Setting`] unless it is finite and greater than zero.
    pub fn tolerance(mut self, tolerance: f64) -> Result<Self, SimulationError> {
        self.core.tolerance = positive("tolerance", tolerance)?;
        Ok(self)
    }

    /// Where each step puts right a `share` from 0 to 1 of what contacts penetrate and limits are passed by, and a start
    /// with such is no error. It is done by a displacement at the beginning of the step, at the velocity of the state.
    ///
    /// # Errors
    ///
    /// [`SimulationError::Setup`] unless the share is from 0 to 1.
    pub fn recovery(mut self, share: f64) -> Result<Self, SimulationError> {
        let share = contact::check_parameter("recovery", share, contact::Range::Share);
        self.core.recovery = share.map_err(SimulationError::Setup)?;
        self.core.apart = Apart::Never;
        Ok(self)
    }

    /// From this state, with the momentum M v.
    ///
    /// # Errors
    ///
    /// [`SimulationError::Model`] if an entry is not finite or a quaternion not of unit length.
    pub fn state(mut self, q: M::Q, v: M::V) -> Result<Self, SimulationError> {
        self.reset(q, v)?;
        Ok(self)
    }

    /// Goes to another state at the current time, where no forces are known.
    ///
    /// # Errors
    ///
    /// [`SimulationError::Model`] as [`state`](Self::state) has it; nothing is then changed.
    pub fn reset(&mut self, q: M::Q, v: M::V) -> Result<(), SimulationError> {
        self.model.check(&q, &v)?;
        self.core.enter(self.model.as_data(), (q.as_slice(), v.as_slice()));
        self.momentum.as_mut_slice().copy_from_slice(&self.core.state.p);
        (self.state.q, self.state.v) = (q, v);
        Ok(())
    }
}
