//! A robot on its springs, as a right-hand side.
//!
//! > M v̇ + C v − τ_g = B u(t, q, v) + τ_p + Jᵀ f(q, v, z) + Hᵀ λ,  H v̇ = g,  ż = g_z(q, v, z)

use alloc::vec;
use alloc::vec::Vec;

use super::Error;
use super::contacts::Contacts;
use crate::constrained::{self, Straight};
use crate::control::{DynController, check_controller};
use crate::integrate::{self, At, System};
use crate::model::Robot;
use crate::simulate::Inputs;

/// The system that a run integrates, and why it has no rates where it has none.
pub(super) struct Sprung<'a> {
    pub(super) robot: Robot<'a>,
    pub(super) held: &'a mut constrained::Core,
    /// What takes its place, if it is to.
    pub(super) straight: Option<&'a mut Straight>,
    pub(super) is_beside: bool,
    /// How near to a singular position the motion may come if nothing takes its place.
    pub(super) least: f64,
    pub(super) contacts: &'a mut Contacts,
    inputs: &'a Inputs,
    control: &'a mut dyn DynController,
    /// The state that is looked at, and the input there.
    pub(super) time: f64,
    pub(super) q: Vec<f64>,
    pub(super) v: Vec<f64>,
    u: Vec<f64>,
    tau: Vec<f64>,
    v_dot: Vec<f64>,
    pub(super) trouble: Option<constrained::Error>,
}

impl<'a> Sprung<'a> {
    /// That of a simulation, beside its motion.
    pub(super) fn new(
        robot: Robot<'a>,
        (held, straight): (&'a mut constrained::Core, Option<&'a mut Straight>),
        (contacts, inputs): (&'a mut Contacts, &'a Inputs),
        control: &'a mut dyn DynController,
    ) -> Self {
        Self {
            held,
            straight,
            is_beside: false,
            least: 0.0,
            contacts,
            inputs,
            control,
            time: 0.0,
            q: vec![0.0; robot.nq],
            v: vec![0.0; robot.nv],
            u: vec![0.0; robot.nu],
            tau: vec![0.0; robot.nv],
            v_dot: vec![0.0; robot.nv],
            trouble: None,
            robot,
        }
    }

    /// The input at the state.
    pub(super) fn input(&mut self) -> &[f64] {
        let Self { control, time, q, v, u, .. } = self;
        control.write_input(*time, (q, v), u);
        u
    }

    /// A failure, in the words of the controller if its input is the reason.
    pub(super) fn named(&mut self, error: Error) -> Error {
        let Error::Motion(integrate::Error::NotFinite { phase, .. }) = &error else {
            return error;
        };
        check_controller(self.control, phase, &mut self.u).map_or_else(Error::Model, |()| error)
    }

    pub(super) fn set(&mut self, at: At<'_>) {
        self.time = at.time;
        self.q.copy_from_slice(at.q);
        self.v.copy_from_slice(at.v);
    }

    /// v̇ of the state under τ.
    fn accelerate(&mut self) {
        let Self { robot, held, straight, is_beside, time, q, v, tau, v_dot, .. } = self;
        let at = (&q[..], &v[..], *time);
        if let Some(straight) = straight.as_mut().filter(|_| *is_beside) {
            v_dot.copy_from_slice(straight.accelerate(*robot, at, tau));
            return;
        }
        if robot.nc == 0 {
            robot.forward_dynamics_into(q, v, tau, v_dot);
            return;
        }
        if let Err(error) = held.forward_dynamics(*robot, at, tau, v_dot) {
            v_dot.fill(f64::NAN);
            self.trouble = Some(error);
        }
    }
}

impl System for Sprung<'_> {
    fn rates(&mut self, at: At<'_>, v_dot: &mut [f64], z_dot: &mut [f64]) {
        self.set(at);
        self.input();
        let Self { robot, contacts, inputs, q, v, u, tau, .. } = self;
        robot.passive_force_into(q, v, tau);
        inputs.add_force(u, tau);
        contacts.act(*robot, (q, v, at.z), tau, z_dot);
        self.accelerate();
        v_dot.copy_from_slice(&self.v_dot);
    }
}
