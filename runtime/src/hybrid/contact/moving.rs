//! What moves a robot from event to event, without the robot's types.

use alloc::string::String;
use alloc::vec::Vec;
use core::mem;

use super::driven::Driven;
use super::error::ContactError;
use super::machine::{Further, Machine};
use super::mode::Mode;
use super::sample::Sampler;
use super::start::begin;
use crate::contact::Impulse;
use crate::control::DynController;
use crate::hybrid::{History, Hybrid, Stretch};
use crate::impact::Outcome;
use crate::integrate::{Dop853, Effort, Method, Phase, Rodas5P, Space, Tolerance};
use crate::model::Robot;
use crate::model::contact_axes::ContactAxes;
use crate::simulate::{ContactForce, contact_points, pressing};

/// Looks at each stretch of motion in a mode.
pub(super) type Observe<'a> = dyn FnMut(&mut Driven<'_>, &Mode, Stretch<'_>) + 'a;

/// Where a robot is and what happened to it, whatever the method of integration.
#[derive(Clone, Debug)]
pub(super) struct Core {
    pub(super) machine: Machine,
    space: Space,
    pub(super) tolerance: Tolerance,
    pub(super) longest: Option<f64>,
    pub(super) most_steps: u64,
    /// Whether the method is that for stiff forces.
    pub(super) is_stiff: bool,
    pub(super) phase: Phase,
    /// None before a run has begun from the state.
    pub(super) mode: Option<Mode>,
    pub(super) history: History<Mode>,
    /// The guards that were armed at the end of the last run, and their values.
    armed: Vec<(usize, f64)>,
    pub(super) impacts: Vec<(f64, Outcome)>,
    /// Forces at the end of the last run, as impulses in a second.
    forces: Impulse,
    pub(super) effort: Effort,
}

impl Core {
    /// At rest in the neutral configuration at time zero, of a robot whose fields are possible.
    ///
    /// # Errors
    ///
    /// [`ContactError::Model`] and [`ContactError::NotOffered`].
    pub(super) fn new(robot: Robot<'_>, further: Further) -> Result<Self, ContactError> {
        let space = Space::new(robot.joints, 0);
        let machine = Machine::checked(robot, further)?;
        let phase = Phase::neutral(&space);
        Ok(Self {
            tolerance: Tolerance::default(),
            longest: None,
            most_steps: 1_000_000,
            is_stiff: false,
            mode: None,
            history: History::new(phase.time, machine.open()),
            armed: Vec::new(),
            impacts: Vec::new(),
            forces: Impulse::zeros_of(&robot),
            effort: Effort::default(),
            machine,
            space,
            phase,
        })
    }

    /// Goes to a state that was checked, at the current time.
    pub(super) fn enter(&mut self, q: &[f64], v: &[f64]) {
        self.phase.q.copy_from_slice(q);
        self.phase.v.copy_from_slice(v);
        self.mode = None;
        self.history = History::new(self.phase.time, self.machine.open());
        self.armed.clear();
        self.impacts.clear();
        self.forces.clear();
    }

    /// The modes by name, each with the time in seconds at which it began.
    pub(super) fn modes(&self) -> Vec<(f64, String)> {
        let modes = self.history.modes();
        modes.map(|(time, mode)| (time, self.machine.mode_name(mode))).collect()
    }

    /// The automaton that was seen, as text.
    pub(super) fn export(&self) -> String {
        let Self { machine, history, .. } = self;
        history.dot(&|mode| machine.mode_name(mode), &|guard| machine.guard_name(guard))
    }

    /// The forces at all contacts that pressed at the end of the last run.
    pub(super) fn contact_forces(&self, robot: Robot<'_>) -> Vec<ContactForce> {
        let (mut axes, q) = (ContactAxes::new(robot), &self.phase.q);
        axes.turn(robot, q);
        let points = contact_points(robot, q);
        pressing(&robot, (&axes, &self.forces), &points, 1.0)
    }

    /// Moves on to `end`, through all events on the way.
    ///
    /// # Errors
    ///
    /// As [`HybridSimulation::run`](super::HybridSimulation::run).
    pub(super) fn run(
        &mut self,
        robot: Robot<'_>,
        end: f64,
        control: &mut dyn DynController,
        observe: &mut Observe<'_>,
    ) -> Result<(), ContactError> {
        match self.is_stiff {
            true => self.run_by::<Rodas5P>(robot, end, control, observe),
            false => self.run_by::<Dop853>(robot, end, control, observe),
        }
    }

    fn run_by<I: Method>(
        &mut self,
        robot: Robot<'_>,
        end: f64,
        control: &mut dyn DynController,
        observe: &mut Observe<'_>,
    ) -> Result<(), ContactError> {
        let Self { tolerance, longest, most_steps, .. } = *self;
        let Self { machine, space, mode, phase, history, armed, impacts, forces, effort, .. } =
            self;
        forces.clear();
        machine.begin();
        let (mut driven, mut start) = (Driven { robot, machine, control }, phase.clone());
        let begun = match mode {
            Some(mode) => driven.resume(mode, &mut start)?,
            None => driven.start(&mut start)?,
        };
        let has_hit = !driven.machine.impacts.is_empty();
        let hybrid = Hybrid::<_, I>::sequel((driven, space), (begun, start), tolerance, armed);
        let mut hybrid = hybrid?.most_steps(most_steps);
        if let Some(h) = longest {
            hybrid = hybrid.longest_step(h)?;
        }
        begin(history, (mode.as_ref(), has_hit), (phase, hybrid.phase()), hybrid.mode());
        hybrid.set_history(mem::replace(history, History::new(phase.time, hybrid.mode().clone())));
        let outcome = hybrid.run_observed(end, observe);
        *phase = hybrid.phase().clone();
        let last = mode.insert(hybrid.mode().clone());
        *armed = hybrid.armed();
        effort.add(hybrid.effort());
        let mut driven;
        (driven, *history) = hybrid.into_parts();
        impacts.append(&mut driven.machine.impacts);
        let ended = (&*last, &*phase);
        let outcome = outcome.map_err(|error| driven.named(error, ended));
        if outcome.is_ok() {
            forces.clone_from(Sampler::new(robot).measure(&mut driven, last, phase));
        }
        outcome
    }
}
