//! A robot that touches nothing, as a right-hand side.

use super::{At, Error, System};
use crate::control::{Controller, check_input};
use crate::model::{Model, Prepared};
use crate::slices::multiply;
use crate::space::Storage;
use crate::state::State;

/// A robot under the forces of a controller, its springs and its dampers:
///
/// > v̇ = M⁻¹ (B u(t, q, v) + τ_p − C v + τ_g)
///
/// The controller is asked wherever a rate is wanted, also at times and states that the motion does not come to: u must
/// follow from the state and its time alone, and smoothly.
#[derive(Debug)]
pub struct Driven<'a, M: Model, C> {
    model: &'a Prepared<M>,
    controller: C,
    inputs: M::Input,
    state: State<M>,
    tau: M::V,
    v_dot: M::V,
}

impl<'a, M: Model, C: Controller<M>> Driven<'a, M, C> {
    /// A robot and its controller.
    pub fn new(model: &'a Prepared<M>, controller: C) -> Self {
        let state = State { time: 0.0, q: M::Q::zeros(), v: M::V::zeros() };
        let (tau, v_dot) = (M::V::zeros(), M::V::zeros());
        Self { model, controller, inputs: model.input_matrix(), state, tau, v_dot }
    }

    /// The input at a state.
    pub fn input(&mut self, state: &State<M>) -> M::U {
        self.controller.input(state)
    }

    /// A failure, in the words of the controller if its input is the reason.
    pub(super) fn named(&mut self, error: Error) -> Error {
        let Error::NotFinite { phase, .. } = &error else { return error };
        check_input(&mut self.controller, phase).map_or_else(Error::Model, |()| error)
    }
}

impl<M: Model, C: Controller<M>> System for Driven<'_, M, C> {
    fn rates(&mut self, at: At<'_>, v_dot: &mut [f64], _: &mut [f64]) {
        let State { time, q, v } = &mut self.state;
        *time = at.time;
        q.as_mut_slice().copy_from_slice(at.q);
        v.as_mut_slice().copy_from_slice(at.v);
        let u = self.controller.input(&self.state);
        let State { q, v, .. } = &self.state;
        self.model.passive_force_into(q, v, &mut self.tau);
        multiply(self.tau.as_mut_slice(), self.inputs.as_slice(), u.as_slice());
        self.model.forward_dynamics_into(q, v, &self.tau, &mut self.v_dot);
        v_dot.copy_from_slice(self.v_dot.as_slice());
    }
}
