//! What moves a robot by steps, without the robot's types.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use super::SimulationError;
use super::alternation::Alternation;
use super::apart::Apart;
use super::inputs::Inputs;
use super::wrench::Wrenches;
use crate::clock::Clock;
use crate::contact::{self, Conditions, Impulse, Motor, TOLERANCE};
use crate::manifold;
use crate::model::contact_axes::ContactAxes;
use crate::model::{Robot, Table};

const DEFAULT_STEP_SIZE: f64 = 1e-3;

/// Where a robot is, and how it moves.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// In seconds.
    pub(super) time: f64,
    /// (nq).
    pub(super) q: Vec<f64>,
    /// (nv).
    pub(super) v: Vec<f64>,
}

impl Place {
    /// (t, q, v).
    pub(super) fn at(&self) -> (f64, &[f64], &[f64]) {
        (self.time, &self.q, &self.v)
    }
}

/// All of a simulation but the robot.
#[derive(Clone, Debug)]
pub(crate) struct Core {
    pub(super) table: &'static Table,
    pub(super) state: Place,
    /// The state before, and room for the next one.
    pub(super) next: Place,
    pub(super) step_size: f64,
    pub(super) clock: Clock,
    pub(super) tolerance: f64,
    pub(super) conditions: Conditions,
    /// The motors that were set, while those of the conditions have servos of a controller among them.
    pub(super) own_motors: Vec<(usize, Motor)>,
    pub(super) is_served: bool,
    /// The motors of servos in a step.
    pub(super) served: Vec<(usize, Motor)>,
    pub(super) wrenches: Wrenches,
    pub(super) inputs: Inputs,
    pub(super) stepper: contact::Core,
    /// Whether nothing must penetrate in the next step.
    pub(super) apart: Apart,
    /// h of the step that led here, if the stepper knows it.
    pub(super) led_by: Option<f64>,
    /// What held in that step, if it was changed since.
    pub(super) led_under: Option<Box<Conditions>>,
    pub(super) alternation: Alternation,
    /// With the axes of the last step.
    pub(super) contacts: ContactAxes,
    /// Room for the gaps of contacts, (contacts), and for a generalised force, (nv).
    pub(super) gaps: Vec<f64>,
    pub(super) force: Vec<f64>,
}

impl Core {
    /// At rest in the neutral configuration.
    ///
    /// # Errors
    ///
    /// [`SimulationError::Setup`] names a shape that is no solid, or a pair that cannot touch.
    pub(super) fn new(robot: Robot<'_>) -> Result<Self, SimulationError> {
        let table = robot.table();
        let (mut q, v) = (vec![0.0; table.nq], vec![0.0; table.nv]);
        manifold::neutral(table.joints, &mut q);
        let state = Place { time: 0.0, q, v };
        let stepper = contact::Core::new(robot).map_err(SimulationError::Setup)?;
        let touches =
            !(table.contacts.is_empty() && table.pairs.is_empty() && table.shapes.is_empty());
        let mut contacts = ContactAxes::new(robot);
        contacts.turn(robot, &state.q);
        Ok(Self {
            table,
            contacts,
            gaps: vec![f64::NAN; table.contacts.len()],
            force: vec![0.0; table.nv],
            next: state.clone(),
            state,
            step_size: DEFAULT_STEP_SIZE,
            clock: Clock::default(),
            tolerance: TOLERANCE,
            conditions: Conditions { symplectic: !touches, ..Conditions::default() },
            wrenches: Wrenches::new(table),
            inputs: Inputs::new(robot),
            alternation: Alternation::new(robot),
            own_motors: Vec::new(),
            is_served: false,
            served: Vec::with_capacity(table.nv),
            stepper,
            apart: Apart::AtStart,
            led_by: None,
            led_under: None,
        })
    }

    /// Λ of the last step that was tried.
    pub(super) fn impulse(&self) -> &Impulse {
        self.stepper.impulse()
    }

    /// The conditions, to be changed: the impulses of the last step go on to be under those that it had.
    pub(super) fn alter(&mut self) -> &mut Conditions {
        if self.led_by.is_some() && self.led_under.is_none() {
            self.led_under = Some(Box::new(self.conditions.clone()));
        }
        &mut self.conditions
    }

    /// Changes the conditions.
    ///
    /// # Errors
    ///
    /// [`SimulationError::Setup`] of what cannot be.
    pub(super) fn set(&mut self, set: impl FnOnce(&mut Conditions)) -> Result<(), SimulationError> {
        set(self.alter());
        self.conditions.check().map_err(SimulationError::Setup)
    }

    /// Goes to a state that was checked, at the current time.
    pub(super) fn enter(&mut self, robot: Robot<'_>, (q, v): (&[f64], &[f64])) {
        self.contacts.turn(robot, q);
        self.state.q.copy_from_slice(q);
        self.state.v.copy_from_slice(v);
        self.stepper.forget();
        self.led_by = None;
        self.apart.enter();
    }

    /// Goes back to the state before the last step, of which nothing is known then.
    #[cold]
    pub(super) fn undo(&mut self) {
        core::mem::swap(&mut self.state, &mut self.next);
        self.led_by = None;
    }

    /// Has the motors alone that were set, after a step with servos.
    #[inline]
    pub(super) fn withdraw(&mut self) {
        if self.is_served {
            self.is_served = false;
            self.conditions.motors.clone_from(&self.own_motors);
        }
    }

    /// Has the motors that are [`served`](Self::served) in the place of others of their coordinates.
    pub(super) fn serve(&mut self) {
        let Self { served, own_motors, conditions, is_served, .. } = self;
        if !core::mem::replace(is_served, true) {
            own_motors.clone_from(&conditions.motors);
        }
        for of in own_motors {
            if served.iter().all(|(v, _)| *v != of.0) {
                served.push(*of);
            }
        }
        core::mem::swap(&mut conditions.motors, served);
    }
}
