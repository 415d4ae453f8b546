//! A robot in contact as an automaton, with its types.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::driven::Driven;
use super::error::ContactError;
use super::guard::Guard;
use super::machine::Machine;
use super::mode::Mode;
use crate::control::{Controller, Erased};
use crate::hybrid::Automaton;
use crate::integrate::{At, Phase};
use crate::model::{Model, Robot};

/// A robot under a controller's forces, with its contacts and limits.
pub struct InContact<'a, M: Model, C> {
    robot: Robot<'a>,
    machine: &'a mut Machine,
    control: Erased<M, C>,
}

impl<'a, M: Model, C: Controller<M>> InContact<'a, M, C> {
    pub(super) fn new(robot: Robot<'a>, machine: &'a mut Machine, controller: C) -> Self {
        machine.begin();
        Self { robot, machine, control: Erased::new(controller) }
    }

    /// The identifier of a guard.
    pub fn id(&self, guard: Guard) -> usize {
        guard.id(self.machine.gaps.len())
    }

    /// The mode to begin with at a phase, in which nothing was before: what touches is found, and what approaches there
    /// makes an impact.
    ///
    /// # Errors
    ///
    /// [`ContactError::Overlap`] and [`ContactError::Violated`] of the phase, [`ContactError::Inconsistent`],
    /// [`ContactError::Unsolved`], [`ContactError::Painleve`], [`ContactError::Impact`] and [`ContactError::MassMatrix`] of
    /// what touches.
    pub fn start(&mut self, phase: &mut Phase) -> Result<Mode, ContactError> {
        self.driven().start(phase)
    }

    /// It without the types.
    fn driven(&mut self) -> Driven<'_> {
        Driven { robot: self.robot, machine: self.machine, control: &mut self.control }
    }
}

impl<M: Model, C> fmt::Debug for InContact<'_, M, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InContact").field("machine", &self.machine).finish_non_exhaustive()
    }
}

impl<M: Model, C: Controller<M>> Automaton for InContact<'_, M, C> {
    type Mode = Mode;
    type Error = ContactError;

    fn rates(&mut self, mode: &Mode, at: At<'_>, v_dot: &mut [f64], z_dot: &mut [f64]) {
        self.driven().rates(mode, at, v_dot, z_dot);
    }

    fn guards(&self, mode: &Mode, guards: &mut Vec<usize>) {
        self.machine.list_guards(mode, guards);
    }

    fn is_bound(&self, _: &Mode, guard: usize) -> bool {
        self.machine.is_bound(guard)
    }

    fn guard(&mut self, mode: &Mode, guard: usize, at: At<'_>) -> f64 {
        self.driven().guard(mode, guard, at)
    }

    fn scale(&self, mode: &Mode) -> f64 {
        self.machine.scale(mode)
    }

    fn transit(
        &mut self,
        mode: &Mode,
        fired: &[usize],
        phase: &mut Phase,
    ) -> Result<Mode, ContactError> {
        self.driven().transit(mode, fired, phase)
    }

    fn complete(
        &mut self,
        mode: &Mode,
        guards: &[usize],
        lost: &mut Phase,
    ) -> Result<Option<Mode>, ContactError> {
        self.driven().complete(mode, guards, lost)
    }

    fn hold(&mut self, mode: &Mode, phase: &Phase) -> Result<Option<Phase>, ContactError> {
        self.driven().hold(mode, phase)
    }

    fn derivatives(&mut self, mode: &Mode, at: At<'_>, derivatives: &mut [f64]) -> Option<f64> {
        self.driven().derivatives(mode, at, derivatives)
    }

    fn guard_derivatives(
        &mut self,
        mode: &Mode,
        guard: usize,
        at: At<'_>,
        derivatives: &mut [f64],
    ) -> Option<f64> {
        self.driven().guard_derivatives(mode, guard, at, derivatives)
    }

    fn reset_derivatives(
        &mut self,
        mode: &Mode,
        fired: &[usize],
        at: At<'_>,
        derivatives: &mut [f64],
    ) -> Option<f64> {
        self.driven().reset_derivatives(mode, fired, at, derivatives)
    }

    fn check(&mut self, mode: &Mode, at: At<'_>) -> Result<(), ContactError> {
        self.driven().check(mode, at)
    }

    fn mode_name(&self, mode: &Mode) -> String {
        self.machine.mode_name(mode)
    }

    fn guard_name(&self, guard: usize) -> String {
        self.machine.guard_name(guard)
    }
}
