//! A robot in contact under what drives it, as data, as an automaton.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use super::blow::Blow;
use super::decide::Fired;
use super::error::ContactError;
use super::guard::Guard;
use super::machine::Machine;
use super::mode::Mode;
use crate::control::{DynController, check_controller};
use crate::hybrid::{Automaton, tangent};
use crate::integrate::{At, Phase};
use crate::model::Robot;

/// A robot under a controller's forces, with its contacts and limits.
pub(super) struct Driven<'a> {
    pub(super) robot: Robot<'a>,
    pub(super) machine: &'a mut Machine,
    pub(super) control: &'a mut dyn DynController,
}

impl Driven<'_> {
    /// Where accelerations and forces of a state are known; none if there are none.
    pub(super) fn known(&mut self, mode: &Mode, at: At<'_>) -> Option<usize> {
        let is_of_robot = at.q.len() == self.robot.nq && at.v.len() == self.robot.nv;
        if !is_of_robot || self.check_mode(mode).is_err() {
            return None;
        }
        let Self { robot, machine, control } = self;
        if let Some(index) = machine.memory.find(mode, at) {
            return Some(index);
        }
        machine.see(*robot, at, &mut **control);
        machine.accelerate(*robot, mode).ok()?;
        let solution = (&machine.v_dot[..], &machine.forces[..], machine.freedom());
        Some(machine.memory.insert((mode, at), solution))
    }

    /// Whether a mode is one of this robot's.
    pub(super) fn check_mode(&self, mode: &Mode) -> Result<(), ContactError> {
        let (expected, found) = (self.machine.counts(), mode.parts());
        if expected == found { Ok(()) } else { Err(ContactError::Mode { expected, found }) }
    }

    /// A number of the forces at a state.
    fn force(&mut self, mode: &Mode, at: At<'_>, read: impl Fn(&Machine) -> f64) -> f64 {
        let Some(index) = self.known(mode, at) else { return f64::NAN };
        let Machine { memory, forces, .. } = &mut *self.machine;
        forces.copy_from_slice(&memory.get(index).forces);
        read(self.machine)
    }

    /// The mode that begins at a phase, after an impact if something approaches.
    pub(super) fn begin(
        &mut self,
        mode: &Mode,
        fired: &Fired,
        phase: &mut Phase,
    ) -> Result<Mode, ContactError> {
        self.restore(mode, phase)?;
        let touching = self.machine.touching(mode);
        if fired.is_jammed {
            return match self.let_go((mode, &touching), phase) {
                Some(next) => Ok(next),
                None => self.jam((mode, &touching), phase),
            };
        }
        let is_struck = self.machine.approaches(mode, &touching);
        if is_struck {
            self.strike(&touching, Blow::Approach, phase)?;
        }
        self.go_on((mode, fired), (&touching, is_struck), phase)
    }

    /// Looks at a phase anew, with all rows and gaps.
    pub(super) fn see(&mut self, phase: &Phase) -> Result<(), ContactError> {
        let Self { robot, machine, control } = self;
        phase.check(&machine.resolution.space)?;
        check_controller(&mut **control, phase, &mut machine.u)?;
        machine.memory.forget();
        machine.see(*robot, phase.at(), &mut **control);
        machine.measure(*robot);
        machine.linearise(*robot).map_err(|failure| failure.at(robot, phase))?;
        machine.resolve_gaps(phase);
        Ok(())
    }

    /// Moves a phase to where what a mode has closed is closed, and looks at it.
    pub(super) fn restore(&mut self, mode: &Mode, phase: &mut Phase) -> Result<(), ContactError> {
        self.see(phase)?;
        self.machine.put_right(mode, &mut phase.q);
        self.see(phase)
    }

    /// An impact of what touches.
    pub(super) fn strike(
        &mut self,
        touching: &[bool],
        blow: Blow,
        phase: &Phase,
    ) -> Result<(), ContactError> {
        let struck = self
            .machine
            .strike(self.robot, touching, blow)
            .map_err(|error| ContactError::Impact { error, phase: Box::new(phase.clone()) })?;
        self.machine.impacts.push((phase.time, struck));
        Ok(())
    }

    /// The mode that goes on with the velocity that the machine has.
    pub(super) fn go_on(
        &mut self,
        (mode, fired): (&Mode, &Fired),
        (touching, is_struck): (&[bool], bool),
        phase: &mut Phase,
    ) -> Result<Mode, ContactError> {
        let pressed = self.machine.pressed(mode, touching, is_struck);
        self.stop(&pressed, phase);
        let machine = &mut self.machine;
        let jams = machine.has_slip(&pressed) && !machine.has_jammed;
        match machine.decide(self.robot, (&pressed, fired), phase) {
            Err(
                ContactError::Inconsistent { .. }
                | ContactError::Unsolved { .. }
                | ContactError::Painleve { .. },
            ) if jams => self.jam((mode, touching), phase),
            decided => decided,
        }
    }
}

impl Automaton for Driven<'_> {
    type Mode = Mode;
    type Error = ContactError;

    fn rates(&mut self, mode: &Mode, at: At<'_>, v_dot: &mut [f64], _: &mut [f64]) {
        match self.known(mode, at) {
            Some(index) if v_dot.len() == self.robot.nv => {
                v_dot.copy_from_slice(&self.machine.memory.get(index).v_dot);
            }
            _ => v_dot.fill(f64::NAN),
        }
    }

    fn guards(&self, mode: &Mode, guards: &mut Vec<usize>) {
        self.machine.list_guards(mode, guards);
    }

    fn is_bound(&self, _: &Mode, guard: usize) -> bool {
        self.machine.is_bound(guard)
    }

    fn guard(&mut self, mode: &Mode, guard: usize, at: At<'_>) -> f64 {
        let parts = self.machine.gaps.len();
        match Guard::of(guard, parts) {
            Guard::Gap(part) => self.machine.gap(self.robot, part, at),
            Guard::Rise(part) => -self.machine.gap(self.robot, part, at),
            Guard::Force(part) => self.force(mode, at, |machine| machine.normal(part)),
            Guard::Cone(part) => self.force(mode, at, |machine| machine.margin(part)),
            Guard::Slip(contact) => self.machine.speed(self.robot, (mode, contact), at),
            Guard::Hold => self.reserve(mode, at),
            Guard::Jam => match self.known(mode, at) {
                Some(index) => self.machine.memory.get(index).freedom,
                None => f64::NAN,
            },
            Guard::Mark(mark) => {
                self.machine.look(at);
                let Machine { marks, state, .. } = &*self.machine;
                marks.get(mark).map_or(f64::NAN, |mark| mark.value(state))
            }
        }
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
        self.check_mode(mode)?;
        phase.check(&self.machine.resolution.space)?;
        let is_reset = self.machine.reset(fired, phase);
        let parts = self.machine.gaps.len();
        let is_mark = |id: &usize| matches!(Guard::of(*id, parts), Guard::Mark(_));
        match (is_reset, fired.iter().all(is_mark)) {
            // What touched may be elsewhere now.
            (true, _) => self.start(phase),
            (false, true) => Ok(mode.clone()),
            (false, false) => {
                let fired = self.fired((mode, fired), phase);
                self.begin(mode, &fired, phase)
            }
        }
    }

    fn complete(
        &mut self,
        mode: &Mode,
        guards: &[usize],
        lost: &mut Phase,
    ) -> Result<Option<Mode>, ContactError> {
        self.check_mode(mode)?;
        let parts = self.machine.gaps.len();
        let is_gap = |guard: &usize| matches!(Guard::of(*guard, parts), Guard::Gap(_));
        let (is_bouncing, fired) = (guards.iter().any(is_gap), self.fired((mode, guards), lost));
        let next = match is_bouncing {
            true => self.settle(mode, &fired, lost),
            false => self.begin(mode, &fired, lost),
        };
        next.map(Some)
    }

    fn hold(&mut self, mode: &Mode, phase: &Phase) -> Result<Option<Phase>, ContactError> {
        let is_left = self.robot.nc == 0 || self.machine.parts.closure.departs();
        if is_left { Ok(None) } else { self.keep_closed(mode, phase).map(Some) }
    }

    fn derivatives(&mut self, mode: &Mode, at: At<'_>, derivatives: &mut [f64]) -> Option<f64> {
        self.rate_slopes(mode, at, derivatives)
    }

    fn guard_derivatives(
        &mut self,
        mode: &Mode,
        guard: usize,
        at: At<'_>,
        derivatives: &mut [f64],
    ) -> Option<f64> {
        let guard = Guard::of(guard, self.machine.gaps.len());
        self.guard_slopes((mode, guard), at, derivatives)
    }

    fn reset_derivatives(
        &mut self,
        mode: &Mode,
        fired: &[usize],
        at: At<'_>,
        derivatives: &mut [f64],
    ) -> Option<f64> {
        let (phase, n) = (tangent::phase(at), 2 * self.robot.nv);
        let space = &self.machine.resolution.space;
        let fits = derivatives.len() == n * (n + 1) && phase.check(space).is_ok();
        self.check_mode(mode).ok().filter(|()| fits)?;
        self.jump_derivatives((mode, fired), &phase, derivatives)
    }

    fn check(&mut self, mode: &Mode, at: At<'_>) -> Result<(), ContactError> {
        self.check_phase(mode, &tangent::phase(at))
    }

    fn mode_name(&self, mode: &Mode) -> String {
        self.machine.mode_name(mode)
    }

    fn guard_name(&self, guard: usize) -> String {
        self.machine.guard_name(guard)
    }
}
