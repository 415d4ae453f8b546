//! A robot on its springs, as a right-hand side.
//!
//! > M v̇ + C v − τ_g = B u(t, q, v) + τ_p + Jᵀ f(q, v, z) + Hᵀ λ,  H v̇ = g,  ż = g_z(q, v, z)

use super::Error;
use super::contacts::Contacts;
use crate::constrained::{self, Constrained, Straight};
use crate::control::{Controller, check_input};
use crate::integrate::{self, At, System};
use crate::model::{Model, Prepared};
use crate::simulate::Inputs;
use crate::space::Storage;
use crate::state::State;

/// The system that a run integrates, and why it has no rates where it has none.
pub(super) struct Sprung<'a, M: Model, C> {
    pub(super) robot: &'a mut Constrained<M>,
    /// What takes its place, if it is to.
    pub(super) straight: Option<&'a mut Straight<Prepared<M>>>,
    pub(super) is_beside: bool,
    /// How near to a singular position the motion may come if nothing takes its place.
    pub(super) least: f64,
    pub(super) contacts: &'a mut Contacts,
    inputs: &'a Inputs,
    controller: C,
    pub(super) state: State<M>,
    tau: M::V,
    v_dot: M::V,
    pub(super) trouble: Option<constrained::Error>,
}

impl<'a, M: Model, C: Controller<M>> Sprung<'a, M, C> {
    pub(super) fn new(
        (robot, straight): (&'a mut Constrained<M>, Option<&'a mut Straight<Prepared<M>>>),
        contacts: &'a mut Contacts,
        inputs: &'a Inputs,
        controller: C,
    ) -> Self {
        let state = State { time: 0.0, q: M::Q::zeros(), v: M::V::zeros() };
        let (tau, v_dot) = (M::V::zeros(), M::V::zeros());
        Self {
            robot,
            straight,
            is_beside: false,
            least: 0.0,
            contacts,
            inputs,
            controller,
            state,
            tau,
            v_dot,
            trouble: None,
        }
    }

    /// The input at a state.
    pub(super) fn input(&mut self, state: &State<M>) -> M::U {
        self.controller.input(state)
    }

    /// A failure, in the words of the controller if its input is the reason.
    pub(super) fn named(&mut self, error: Error) -> Error {
        let Error::Motion(integrate::Error::NotFinite { phase, .. }) = &error else {
            return error;
        };
        check_input(&mut self.controller, phase).map_or_else(Error::Model, |()| error)
    }

    pub(super) fn set(&mut self, at: At<'_>) {
        self.state.time = at.time;
        self.state.q.as_mut_slice().copy_from_slice(at.q);
        self.state.v.as_mut_slice().copy_from_slice(at.v);
    }

    /// v̇ of the state under τ.
    fn accelerate(&mut self) {
        let Self { robot, straight, state: State { time, q, v }, tau, v_dot, .. } = self;
        if let Some(straight) = straight.as_mut().filter(|_| self.is_beside) {
            v_dot.clone_from(straight.accelerate(robot.prepared(), (q, v, *time), tau));
            return;
        }
        if M::NC == 0 {
            robot.prepared().forward_dynamics_into(q, v, tau, v_dot);
            return;
        }
        match robot.forward_dynamics(q, v, tau, *time) {
            Ok(found) => *v_dot = found,
            Err(error) => {
                v_dot.as_mut_slice().fill(f64::NAN);
                self.trouble = Some(error);
            }
        }
    }
}

impl<M: Model, C: Controller<M>> System for Sprung<'_, M, C> {
    fn rates(&mut self, at: At<'_>, v_dot: &mut [f64], z_dot: &mut [f64]) {
        self.set(at);
        let u = self.controller.input(&self.state);
        let Self { robot, contacts, state: State { q, v, .. }, tau, .. } = self;
        let model = robot.prepared();
        model.passive_force_into(q, v, tau);
        self.inputs.add_force(u.as_slice(), tau.as_mut_slice());
        contacts.act(model, (q, v, at.z), tau.as_mut_slice(), z_dot);
        self.accelerate();
        v_dot.copy_from_slice(self.v_dot.as_slice());
    }
}
