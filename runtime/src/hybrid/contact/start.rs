//! What a robot must be, and where it must be, to begin.

use alloc::boxed::Box;

use super::decide::Fired;
use super::driven::Driven;
use super::error::ContactError;
use super::machine::{Further, Machine};
use super::mode::{Mode, Touch};
use crate::check::ROUNDING;
use crate::description::{Joint, resistance};
use crate::hybrid::{Cause, Event, History};
use crate::integrate::{Phase, Tolerance};
use crate::model::Robot;
use crate::simulate::asymmetric_configuration;

impl Machine {
    /// Of a robot whose fields are possible.
    ///
    /// # Errors
    ///
    /// [`ContactError::Model`], [`ContactError::Law`] and [`ContactError::NotOffered`].
    pub(super) fn checked(robot: Robot<'_>, further: Further) -> Result<Self, ContactError> {
        robot.check_mass_matrix(&asymmetric_configuration(&robot))?;
        let not = |what, name| Err(ContactError::NotOffered { what, name });
        if let Some(pair) = robot.pairs.first() {
            return not("contact of solids that are no spheres", pair.name);
        }
        for (contact, parameters) in robot.contacts.iter().zip(robot.contact_parameters()) {
            if let Some(what) = resistance([parameters.torsion, parameters.rolling]) {
                return not(what, contact.name);
            }
        }
        let dry = robot.coordinate_parameters().iter().position(|of| of.friction > 0.0);
        let joint = |v| {
            let own = |joint: &&Joint| (joint.v..joint.v + joint.nv).contains(&v);
            robot.joints.iter().find(own)
        };
        match dry.and_then(joint) {
            Some(joint) => not("dry friction of joints", joint.name),
            None => Ok(Self::new(robot, further, Tolerance::default())?),
        }
    }

    /// What is missing by rounding is put right where a mode begins.
    ///
    /// # Errors
    ///
    /// [`ContactError::Overlap`] and [`ContactError::Violated`] at the state that was measured and evaluated last.
    fn check_start(&self, phase: &Phase) -> Result<(), ContactError> {
        let deepest = |(of, least): (usize, f64), (part, gap): (usize, &f64)| {
            if *gap < least { (part, *gap) } else { (of, least) }
        };
        let open = self.open();
        let touchable = self.gaps.iter().enumerate();
        let touchable = touchable.filter(|(part, _)| !self.lets_through(&open, *part));
        let (part, gap) = touchable.fold((0, 0.0), deepest);
        if gap < -ROUNDING && self.is_below(part) {
            let (part, phase) = (self.parts.name(part), Box::new(phase.clone()));
            return Err(ContactError::Overlap { part, depth: -gap, phase });
        }
        self.check_constraints(phase)
    }

    /// # Errors
    ///
    /// [`ContactError::Violated`] at the state that was evaluated last.
    pub(super) fn check_constraints(&self, phase: &Phase) -> Result<(), ContactError> {
        match self.parts.closure.violated(self.table, f64::max(ROUNDING, self.still())) {
            Some((constraint, error)) => {
                let phase = Box::new(phase.clone());
                Err(ContactError::Violated { constraint, error, phase })
            }
            None => Ok(()),
        }
    }

    /// # Errors
    ///
    /// [`ContactError::NotClosed`] and [`ContactError::Violated`] of what a mode holds at the state that was measured and
    /// evaluated last.
    fn check_held(&self, mode: &Mode, phase: &Phase) -> Result<(), ContactError> {
        let rate = |part: usize, row: usize| self.parts.velocity(part, row, &phase.v);
        let error = |part: usize| {
            let rows = if matches!(mode.contacts.get(part), Some(Touch::Stick)) { 3 } else { 1 };
            (0..rows)
                .map(|row| rate(part, row))
                .fold(self.gaps[part].abs(), |most, rate| most.max(rate.abs()))
        };
        let closed = (0..self.parts.count()).filter(|part| mode.is_closed(*part));
        let errors = closed.map(|part| (part, error(part)));
        let (part, error) =
            errors.fold((0, 0.0), |worst, of| if of.1 > worst.1 { of } else { worst });
        if error > f64::max(ROUNDING, self.still()) {
            let (part, phase) = (self.parts.name(part), Box::new(phase.clone()));
            return Err(ContactError::NotClosed { part, error, phase });
        }
        self.check_constraints(phase)
    }
}

impl Driven<'_> {
    /// Whether a motion can begin in a mode at a phase.
    ///
    /// # Errors
    ///
    /// [`ContactError::Mode`], [`ContactError::Motion`] of a phase that is none of the robot, [`ContactError::MassMatrix`],
    /// [`ContactError::NotClosed`] and [`ContactError::Violated`].
    pub(super) fn check_phase(&mut self, mode: &Mode, phase: &Phase) -> Result<(), ContactError> {
        self.check_mode(mode)?;
        self.see(phase)?;
        self.machine.check_held(mode, phase)
    }

    /// The mode to begin with at a phase, in which nothing was before: what touches is found, and what approaches there
    /// makes an impact.
    ///
    /// # Errors
    ///
    /// [`ContactError::Overlap`] and [`ContactError::Violated`] of the phase, [`ContactError::Inconsistent`],
    /// [`ContactError::Unsolved`], [`ContactError::Painleve`], [`ContactError::Impact`] and [`ContactError::MassMatrix`] of
    /// what touches.
    pub(super) fn start(&mut self, phase: &mut Phase) -> Result<Mode, ContactError> {
        self.see(phase)?;
        self.machine.check_start(phase)?;
        self.machine.check_branch(self.robot, phase)?;
        let open = self.machine.open();
        self.begin(&open, &Fired::default(), phase)
    }

    /// The mode that goes on at a phase to which `mode` led, whatever forces act now: what touches by now and approaches
    /// makes an impact. Where nothing changes the phase stays as it is, to the bit.
    ///
    /// # Errors
    ///
    /// As [`start`](Self::start), but for those of the phase.
    pub(super) fn resume(&mut self, mode: &Mode, phase: &mut Phase) -> Result<Mode, ContactError> {
        let mut begun = phase.clone();
        let next = self.begin(mode, &Fired::default(), &mut begun)?;
        if next != *mode || !self.machine.impacts.is_empty() {
            *phase = begun;
        }
        Ok(next)
    }
}

/// The first mode of a history, and the impact with which a run began, or the other mode that other forces led to.
pub(super) fn begin(
    history: &mut History<Mode>,
    (before, has_hit): (Option<&Mode>, bool),
    (given, phase): (&Phase, &Phase),
    mode: &Mode,
) {
    let mode_before = match before {
        Some(before) if before == mode && !has_hit => return,
        Some(before) => before.clone(),
        None if !has_hit => {
            *history = History::new(phase.time, mode.clone());
            return;
        }
        None => {
            let open = Mode::open(mode.contacts.len(), mode.limits.len());
            *history = History::new(phase.time, open.clone());
            open
        }
    };
    history.push(Event {
        cause: Cause::Start,
        mode_before,
        phase_before: given.clone(),
        mode_after: mode.clone(),
        phase_after: phase.clone(),
    });
}
