//! How a run is set up: settings and the state to start from.

use alloc::vec::Vec;

use super::arrival::Arrival;
use super::linear::Linear;
use super::motion::Motion;
use super::one_sided::OneSided;
use super::{Rule, Variational};
use crate::clock::Clock;
use crate::contact::{self, Impulse};
use crate::failure::SimulationError;
use crate::model::Model;
use crate::model::one_sided::ContactAxes;
use crate::simulate::{Alternation, Apart, Inputs, check_offered, positive, somewhere};
use crate::space::Storage;
use crate::state::State;

const DEFAULT_STEP_SIZE: f64 = 1e-3;
const DEFAULT_TOLERANCE: f64 = 1e-9;

impl<M: Model> Variational<M> {
    /// At rest in the neutral configuration, with the midpoint rule, steps of 1 ms and a tolerance of 1e-9.
    ///
    /// # Errors
    ///
    /// [`SimulationError::Model`] if a field has an impossible value, or a joint moves no inertia in general.
    /// [`SimulationError::Setup`] of a robot with what discrete mechanics has not here: pairs of solids other than
    /// spheres, and torsional friction.
    pub fn new(model: M) -> Result<Self, SimulationError> {
        model.check_fields()?;
        let model = model.prepare();
        let state = State::<M> { time: 0.0, q: model.neutral(), v: M::V::zeros() };
        model.check_mass_matrix(&somewhere(&model))?;
        let mut contacts = ContactAxes::new(model.as_data());
        check_offered::<M>("discrete mechanics", &contacts).map_err(SimulationError::Setup)?;
        contacts.turn(model.as_data(), state.q.as_slice());
        Ok(Self {
            momentum: M::V::zeros(),
            step_size: DEFAULT_STEP_SIZE,
            led_by: DEFAULT_STEP_SIZE,
            clock: Clock::default(),
            tolerance: DEFAULT_TOLERANCE,
            inputs: Inputs::new(model.as_data()),
            motion: Motion::new(&model, Rule::default()),
            arrival: Arrival::new(&model),
            one_sided: OneSided::new(&model),
            linear: Linear::default(),
            impulse: Impulse::zeros::<M>(),
            contacts,
            apart: Apart::AtStart,
            recovery: 1.0,
            last: (state.clone(), M::V::zeros()),
            servos: Vec::new(),
            alternation: Alternation::new(model.as_data()),
            state,
            model,
        })
    }

    /// With another discrete Lagrangian.
    #[must_use]
    pub fn rule(mut self, rule: Rule) -> Self {
        self.motion = Motion::new(&self.model, rule);
        self
    }

    /// With steps of `h` seconds.
    ///
    /// # Errors
    ///
    /// [`SimulationError::Setting`] unless `h` is finite and greater than zero.
    pub fn step_size(mut self, h: f64) -> Result<Self, SimulationError> {
        self.step_size = positive("step_size", h)?;
        Ok(self)
    }

    /// With another largest [`Residual::max`](crate::contact::Residual::max) of a step. What is solved for is found to
    /// rounding, whatever the tolerance.
    ///
    /// # Errors
    ///
    /// [`SimulationError::Setting`] unless it is finite and greater than zero.
    pub fn tolerance(mut self, tolerance: f64) -> Result<Self, SimulationError> {
        self.tolerance = positive("tolerance", tolerance)?;
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
        self.recovery = share.map_err(SimulationError::Setup)?;
        self.apart = Apart::Never;
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
        self.momentum.as_mut_slice().fill(0.0);
        let mass = self.model.mass_matrix(&q);
        crate::slices::multiply(self.momentum.as_mut_slice(), mass.as_slice(), v.as_slice());
        self.contacts.turn(self.model.as_data(), q.as_slice());
        self.impulse.clear();
        (self.state.q, self.state.v) = (q, v);
        self.apart.enter();
        Ok(())
    }
}
