//! What moves a robot by discrete mechanics, without the robot's types.

use alloc::vec;
use alloc::vec::Vec;

use super::Rule;
use super::arrival::Arrival;
use super::linear::Linear;
use super::motion::Motion;
use super::one_sided::OneSided;
use crate::clock::Clock;
use crate::contact::{Impulse, Motor};
use crate::manifold;
use crate::model::contact_axes::ContactAxes;
use crate::model::{Discrete, Robot};
use crate::simulate::{Alternation, Apart, Inputs};
use crate::slices::multiply;

const DEFAULT_STEP_SIZE: f64 = 1e-3;
const DEFAULT_TOLERANCE: f64 = 1e-9;

/// Where a robot is, and how it moves.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// In seconds.
    pub(super) time: f64,
    /// (nq).
    pub(super) q: Vec<f64>,
    /// (nv).
    pub(super) v: Vec<f64>,
    /// p, (nv), in the axes of q.
    pub(super) p: Vec<f64>,
}

impl Place {
    /// As errors are told with.
    pub(super) fn at(&self) -> (f64, &[f64], &[f64]) {
        (self.time, &self.q, &self.v)
    }
}

/// All of discrete mechanics but the robot.
#[derive(Clone, Debug)]
pub(super) struct Core {
    pub(super) state: Place,
    /// That before the last step.
    pub(super) last: Place,
    pub(super) step_size: f64,
    pub(super) clock: Clock,
    pub(super) tolerance: f64,
    pub(super) inputs: Inputs,
    /// B u, (nv).
    pub(super) input: Vec<f64>,
    pub(super) motion: Motion,
    pub(super) arrival: Arrival,
    pub(super) one_sided: OneSided,
    pub(super) linear: Linear,
    pub(super) impulse: Impulse,
    /// With the axes of the last step.
    pub(super) contacts: ContactAxes,
    /// Whether nothing must penetrate in the next step.
    pub(super) apart: Apart,
    /// The share of what penetrates that a step puts right.
    pub(super) recovery: f64,
    /// h of the step that led here.
    pub(super) led_by: f64,
    /// Servos of the next step, and the velocity coordinates that they drive.
    pub(super) servos: Vec<(usize, Motor)>,
    pub(super) alternation: Alternation,
}

impl Core {
    /// At rest in the neutral configuration.
    pub(super) fn new(robot: Robot<'_>, discrete: &'static Discrete) -> Self {
        let (mut q, v) = (vec![0.0; robot.nq], vec![0.0; robot.nv]);
        manifold::neutral(robot.joints, &mut q);
        let mut contacts = ContactAxes::new(robot);
        contacts.turn(robot, &q);
        let state = Place { time: 0.0, q, p: v.clone(), v };
        Self {
            last: state.clone(),
            state,
            step_size: DEFAULT_STEP_SIZE,
            led_by: DEFAULT_STEP_SIZE,
            clock: Clock::default(),
            tolerance: DEFAULT_TOLERANCE,
            inputs: Inputs::new(robot),
            input: vec![0.0; robot.nv],
            motion: Motion::new(robot, discrete, Rule::default()),
            arrival: Arrival::new(robot),
            one_sided: OneSided::new(robot),
            linear: Linear::default(),
            impulse: Impulse::zeros_of(&robot),
            contacts,
            apart: Apart::AtStart,
            recovery: 1.0,
            servos: Vec::new(),
            alternation: Alternation::new(robot),
        }
    }

    /// Goes to a state that was checked, at the current time.
    pub(super) fn enter(&mut self, robot: Robot<'_>, (q, v): (&[f64], &[f64])) {
        self.state.p = momentum(robot, (q, v));
        self.contacts.turn(robot, q);
        self.impulse.clear();
        self.state.q.copy_from_slice(q);
        self.state.v.copy_from_slice(v);
        self.apart.enter();
    }

    /// Goes back to the state before the last step, of which nothing is known then.
    #[cold]
    pub(super) fn undo(&mut self) {
        core::mem::swap(&mut self.state, &mut self.last);
        self.impulse.clear();
    }
}

/// M v, (nv).
pub(super) fn momentum(robot: Robot<'_>, (q, v): (&[f64], &[f64])) -> Vec<f64> {
    let (mut mass, mut p) = (vec![0.0; robot.nv * robot.nv], vec![0.0; robot.nv]);
    robot.mass_matrix_into(q, &mut mass);
    multiply(&mut p, &mass, v);
    p
}
