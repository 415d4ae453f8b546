//! What solves for accelerations, impacts and states under constraints, without the robot's types.

use alloc::vec;
use alloc::vec::Vec;

use super::Rows;
use super::generated::Generated;
use super::values::Values;
use crate::kkt::{Method, Report, Solver};
use crate::model::{HeldTable, Robot};

/// All of [`Constrained`](super::Constrained) but the robot; what it does is said there. Fields of the robot are possible
/// values.
#[derive(Clone, Debug)]
pub(crate) struct Core {
    pub(super) rows: Rows,
    pub(super) generated: Generated,
    pub(super) solver: Solver,
    /// M, (nv, nv).
    pub(super) mass: Vec<f64>,
    /// (nv).
    pub(super) force: Vec<f64>,
    pub(super) target: Vec<f64>,
    pub(super) multipliers: Vec<f64>,
    pub(super) solved: Option<Solved>,
    /// Room for other rows and their multipliers.
    pub(super) spare: (Values, Vec<f64>),
    pub(super) last: Last,
    pub(super) response: Response,
    /// Room for a velocity after an impact, (nv).
    pub(super) after: Vec<f64>,
}

/// What the multipliers are the solution of.
#[derive(Clone, Copy, Debug)]
pub(super) enum Solved {
    /// The problem of the rows as they are.
    Problem(Report),
    /// What is generated for accelerations, in `last`.
    Acceleration,
    /// What is generated for an impact.
    Impact,
}

/// A state and its solution.
#[derive(Clone, Debug, Default)]
pub(super) struct Last {
    pub(super) q: Vec<f64>,
    pub(super) v: Vec<f64>,
    pub(super) tau: Vec<f64>,
    pub(super) t: f64,
    /// v̇ or v⁺.
    pub(super) x: Vec<f64>,
}

/// Room for responses to forces, (nv) each.
#[derive(Clone, Debug, Default)]
pub(super) struct Response {
    /// The bias force, and then all of the force.
    force: Vec<f64>,
    still: Vec<f64>,
}

impl Response {
    /// M⁻¹ f by the robot's forward dynamics at rest, without gravity's part.
    pub(super) fn respond(
        &mut self,
        robot: Robot<'_>,
        q: &[f64],
        force: &[f64],
        acceleration: &mut [f64],
    ) {
        let Self { force: all, still } = self;
        robot.bias_force_into(q, still, all);
        all.iter_mut().zip(force).for_each(|(bias, force)| *bias += force);
        robot.forward_dynamics_into(q, still, all, acceleration);
    }
}

impl Core {
    /// All declared constraints hold; contacts and frames do not.
    pub(crate) fn new(robot: Robot<'_>, held: &'static HeldTable) -> Self {
        let nv = robot.nv;
        let zeros = || vec![0.0; nv];
        Self {
            generated: Generated::new(robot.table(), held),
            rows: Rows::new(robot),
            solver: Solver::default(),
            mass: vec![0.0; nv * nv],
            force: zeros(),
            target: Vec::new(),
            multipliers: Vec::new(),
            solved: None,
            spare: (Values::default(), Vec::new()),
            last: Last { q: vec![0.0; robot.nq], v: zeros(), tau: zeros(), t: 0.0, x: zeros() },
            response: Response { force: zeros(), still: zeros() },
            after: zeros(),
        }
    }

    /// Solves by another method.
    pub(super) fn set_method(&mut self, method: Method) {
        self.solver = Solver::new(method);
    }

    /// The multipliers of the last solution.
    pub(crate) fn multipliers(&self) -> &[f64] {
        &self.multipliers
    }

    pub(super) fn report(&mut self, robot: Robot<'_>) -> Option<Report> {
        match self.solved? {
            Solved::Problem(report) => Some(report),
            Solved::Acceleration => self.judge(robot, false),
            Solved::Impact => self.judge(robot, true),
        }
    }

    /// Adds Hᵀ λ of the last solution to a force.
    pub(super) fn add_constraint_force(&mut self, robot: Robot<'_>, force: &mut [f64]) {
        if self.solved.is_none() {
            return;
        }
        if let Some(Solved::Acceleration | Solved::Impact) = self.solved {
            let Last { q, v, t, .. } = &self.last;
            self.rows.evaluate(robot, q, v, *t);
        }
        self.rows.add_transposed(&self.multipliers, force);
    }
}
