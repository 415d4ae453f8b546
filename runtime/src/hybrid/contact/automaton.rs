//! A robot in contact as an automaton.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use super::blow::Blow;
use super::decide::Fired;
use super::error::ContactError;
use super::guard::Guard;
use super::machine::Machine;
use super::mode::{Mode, Touch};
use crate::control::{Controller, check_input};
use crate::hybrid::{Automaton, tangent};
use crate::impact::Outcome;
use crate::integrate::{At, Phase, Space};
use crate::model::Model;
use crate::space::Storage;

/// A robot under a controller's forces, with its contacts and limits.
#[derive(Debug)]
pub struct InContact<'a, M: Model, C> {
    pub(super) machine: &'a mut Machine<M>,
    pub(super) controller: C,
    /// When there were impacts, and what they did.
    pub(super) impacts: Vec<(f64, Outcome)>,
    /// Whether what touches has jammed, and the mode thereafter is decided.
    pub(super) has_jammed: bool,
}

impl<'a, M: Model, C: Controller<M>> InContact<'a, M, C> {
    pub(super) fn new(machine: &'a mut Machine<M>, controller: C) -> Self {
        machine.memory.forget();
        Self { machine, controller, impacts: Vec::new(), has_jammed: false }
    }

    /// The identifier of a guard.
    pub fn id(&self, guard: Guard) -> usize {
        guard.id(self.machine.gaps.len())
    }

    /// Where accelerations and forces of a state are known; none if there are none.
    pub(super) fn known(&mut self, mode: &Mode, at: At<'_>) -> Option<usize> {
        let is_of_robot = at.q.len() == M::NQ && at.v.len() == M::NV;
        if !is_of_robot || self.check_mode(mode).is_err() {
            return None;
        }
        let Self { machine, controller, .. } = self;
        if let Some(index) = machine.memory.find(mode, at) {
            return Some(index);
        }
        machine.see(at, controller);
        machine.accelerate(mode).ok()?;
        let solution = (machine.v_dot.as_slice(), &machine.forces[..], machine.freedom());
        Some(machine.memory.insert((mode, at), solution))
    }

    /// Whether a mode is one of this robot's.
    pub(super) fn check_mode(&self, mode: &Mode) -> Result<(), ContactError> {
        let (expected, found) = (self.machine.counts(), mode.parts());
        if expected == found { Ok(()) } else { Err(ContactError::Mode { expected, found }) }
    }

    /// A number of the forces at a state.
    fn force(&mut self, mode: &Mode, at: At<'_>, read: impl Fn(&Machine<M>) -> f64) -> f64 {
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
        phase.check(&Space::of::<M>(0))?;
        let Self { machine, controller, .. } = self;
        check_input(controller, phase)?;
        machine.memory.forget();
        machine.see(phase.at(), controller);
        machine.measure();
        machine.linearise().map_err(|failure| failure.at::<M>(phase))?;
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
            .strike(touching, blow)
            .map_err(|error| ContactError::Impact { error, phase: Box::new(phase.clone()) })?;
        self.impacts.push((phase.time, struck));
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
        let jams = machine.has_slip(&pressed) && !self.has_jammed;
        match self.machine.decide(&pressed, fired, phase) {
            Err(
                ContactError::Inconsistent { .. }
                | ContactError::Unsolved { .. }
                | ContactError::Painleve { .. },
            ) if jams => self.jam((mode, touching), phase),
            decided => decided,
        }
    }
}

impl<M: Model, C: Controller<M>> Automaton for InContact<'_, M, C> {
    type Mode = Mode;
    type Error = ContactError;

    fn rates(&mut self, mode: &Mode, at: At<'_>, v_dot: &mut [f64], _: &mut [f64]) {
        match self.known(mode, at) {
            Some(index) if v_dot.len() == M::NV => {
                v_dot.copy_from_slice(&self.machine.memory.get(index).v_dot);
            }
            _ => v_dot.fill(f64::NAN),
        }
    }

    fn guards(&self, mode: &Mode, guards: &mut Vec<usize>) {
        let parts = self.machine.gaps.len();
        for part in 0..parts {
            if !mode.is_closed(part) {
                guards.push(Guard::of_gap(mode, part).id(parts));
                continue;
            }
            if !mode.is_undetermined(part) {
                guards.push(Guard::Force(part).id(parts));
            }
            let has_friction = self.machine.friction.get(part).is_some_and(|mu| *mu > 0.0);
            match mode.contacts.get(part).filter(|_| has_friction) {
                Some(Touch::Stick) if !mode.is_undetermined(part) => {
                    guards.push(Guard::Cone(part).id(parts));
                }
                Some(Touch::Slide { .. }) => guards.push(Guard::Slip(part).id(parts)),
                _ => {}
            }
        }
        if self.machine.slides(mode) {
            guards.push(Guard::Jam.id(parts));
        }
        if mode.is_redundant() {
            guards.push(Guard::Hold.id(parts));
        }
        guards.extend((0..self.machine.marks.len()).map(|mark| Guard::Mark(mark).id(parts)));
    }

    fn is_bound(&self, _: &Mode, guard: usize) -> bool {
        !matches!(Guard::of(guard, self.machine.gaps.len()), Guard::Mark(_))
    }

    fn guard(&mut self, mode: &Mode, guard: usize, at: At<'_>) -> f64 {
        let parts = self.machine.gaps.len();
        match Guard::of(guard, parts) {
            Guard::Gap(part) => self.machine.gap(part, at),
            Guard::Rise(part) => -self.machine.gap(part, at),
            Guard::Force(part) => self.force(mode, at, |machine| machine.normal(part)),
            Guard::Cone(part) => self.force(mode, at, |machine| machine.margin(part)),
            Guard::Slip(contact) => self.machine.speed(mode, contact, at),
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
        // Friction turns with a slip that is hardly told from rest.
        if self.machine.slides(mode) { self.machine.still() } else { f64::INFINITY }
    }

    fn transit(
        &mut self,
        mode: &Mode,
        fired: &[usize],
        phase: &mut Phase,
    ) -> Result<Mode, ContactError> {
        self.check_mode(mode)?;
        phase.check(&Space::of::<M>(0))?;
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
        let is_left = M::NC == 0 || self.machine.parts.closure.departs();
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
        let (phase, n) = (tangent::phase(at), 2 * M::NV);
        let fits = derivatives.len() == n * (n + 1) && phase.check(&Space::of::<M>(0)).is_ok();
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
