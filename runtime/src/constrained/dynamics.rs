//! Accelerations and impacts.

use core::cell::Cell;

use crate::check;
use crate::description::Level;
use crate::kernel::Input;
use crate::kkt::{self, Method, Report};
use crate::manifold;
use crate::model::{Model, Robot, Table};
use crate::space::Storage;

use super::generated::{Motion, Which};
use super::solving::{Last, Solved};
use super::values::multiply;
use super::{Constrained, Core, Error, rank_threshold};

/// A state that is solved at: q, v and the time.
pub(crate) type At<'a> = (&'a [f64], &'a [f64], f64);

impl<M: Model> Constrained<M> {
    /// The acceleration v̇ under the generalised force `tau` at time `t`, which constraints that depend
    /// on time read; [`multipliers`](Self::multipliers) then are λ. Springs and dampers are part of it only as
    /// `tau` has them ([`passive_force`](Model::passive_force)). Rows that contradict one another are no error:
    /// what is left of them is the [`report`](Self::report)'s violation.
    ///
    /// # Errors
    ///
    /// The state or the force is not finite, the method does not admit the problem
    /// ([`Error::SingularMass`], [`Error::Unsolved`]).
    pub fn forward_dynamics(
        &mut self,
        q: &M::Q,
        v: &M::V,
        tau: &M::V,
        t: f64,
    ) -> Result<M::V, Error> {
        self.model.check_fields()?;
        let (mut v_dot, at) = (M::V::zeros(), (q.as_slice(), v.as_slice(), t));
        let to = v_dot.as_mut_slice();
        self.core.forward_dynamics(self.model.as_data(), at, tau.as_slice(), to)?;
        Ok(v_dot)
    }

    /// The velocity v⁺ after an impact in which all rows take part, from the velocity v⁻ before it;
    /// [`multipliers`](Self::multipliers) then are the impulses Λ in N s or N m s.
    ///
    /// # Errors
    ///
    /// As [`forward_dynamics`](Self::forward_dynamics).
    pub fn impact(&mut self, q: &M::Q, v: &M::V, t: f64) -> Result<M::V, Error> {
        self.model.check_fields()?;
        let (mut after, at) = (M::V::zeros(), (q.as_slice(), v.as_slice(), t));
        self.core.impact(self.model.as_data(), at, after.as_mut_slice())?;
        Ok(after)
    }
}

impl Core {
    /// Writes v̇, as [`Constrained::forward_dynamics`].
    ///
    /// # Errors
    ///
    /// As [`Constrained::forward_dynamics`].
    pub(crate) fn forward_dynamics(
        &mut self,
        robot: Robot<'_>,
        at: At<'_>,
        tau: &[f64],
        v_dot: &mut [f64],
    ) -> Result<(), Error> {
        check_state(&robot, at)?;
        check::finite("tau", tau)?;
        if self.is_generated(robot, Motion::Acceleration, at, tau) {
            self.last.tau.copy_from_slice(tau);
            self.solved = Some(Solved::Acceleration);
            v_dot.copy_from_slice(&self.last.x);
            return Ok(());
        }
        self.solve(robot, at.0, v_dot, |core| core.set_acceleration(robot, at, tau))
    }

    /// Writes v⁺, as [`Constrained::impact`].
    ///
    /// # Errors
    ///
    /// As [`Constrained::impact`].
    pub(super) fn impact(
        &mut self,
        robot: Robot<'_>,
        at: At<'_>,
        after: &mut [f64],
    ) -> Result<(), Error> {
        check_state(&robot, at)?;
        if self.is_generated(robot, Motion::Impact, at, &[]) {
            self.solved = Some(Solved::Impact);
            after.copy_from_slice(&self.last.x);
            return Ok(());
        }
        self.solve(robot, at.0, after, |core| core.set_impact(robot, at))
    }

    /// Whether generated code can be trusted with the problem; then `last` is solved.
    fn is_generated(
        &mut self,
        robot: Robot<'_>,
        motion: Motion,
        (q, v, t): At<'_>,
        a: &[f64],
    ) -> bool {
        if self.solver.method() != Method::Adaptive || !self.generated.has(&self.rows) {
            return false;
        }
        let input = Input { q, v, a, t: &[t], ..Input::default() };
        let (which, solution) =
            ((motion, Which::All), (&mut self.last.x[..], &mut self.multipliers));
        let found = self.generated.solve(robot, which, (input, &[]), solution);
        if found {
            self.last.q.copy_from_slice(q);
            self.last.v.copy_from_slice(v);
            self.last.t = t;
        }
        found
    }

    /// What the last solution is worth, where generated code has found it.
    pub(super) fn judge(&mut self, robot: Robot<'_>, is_impact: bool) -> Option<Report> {
        let last = core::mem::take(&mut self.last);
        let Last { q, v, tau, t, x } = &last;
        if is_impact {
            self.set_impact(robot, (q, v, *t));
        } else {
            self.set_acceleration(robot, (q, v, *t), tau);
        }
        let held = &self.rows.held;
        self.solver.set_rank_threshold(rank_threshold(&held.jacobian, &held.error));
        let problem = self.rows.problem((&self.mass, &self.force), &self.target);
        let report = self.solver.judge(&problem, x, &self.multipliers).ok();
        self.last = last;
        report
    }

    /// The problem of accelerations.
    fn set_acceleration(&mut self, robot: Robot<'_>, at: At<'_>, tau: &[f64]) {
        self.evaluate(robot, at);
        self.force.iter_mut().zip(tau).for_each(|(force, tau)| *force = tau - *force);
    }

    /// The problem of an impact.
    fn set_impact(&mut self, robot: Robot<'_>, (q, v, t): At<'_>) {
        self.rows.evaluate(robot, q, v, t);
        robot.mass_matrix_into(q, &mut self.mass);
        // p = M v.
        multiply(&self.mass, v, &mut self.force);
        self.aim_at_rebound(v);
    }

    /// The rows, M, the bias force in the place of the force, and g of accelerations.
    pub(super) fn evaluate(&mut self, robot: Robot<'_>, (q, v, t): At<'_>) {
        self.rows.evaluate(robot, q, v, t);
        robot.mass_matrix_into(q, &mut self.mass);
        robot.bias_force_into(q, v, &mut self.force);
        self.aim_at_acceleration();
    }

    /// g of accelerations.
    fn aim_at_acceleration(&mut self) {
        let values = &self.rows.held;
        let states = values.error.iter().zip(&values.rate).zip(&values.bias);
        let rows = self.rows.levels().zip(states);
        self.target.clear();
        self.target.extend(rows.map(|((level, row), ((h, rate), bias))| {
            let alpha = row.stabilization;
            let pull = match level {
                Level::Position => 2.0 * alpha * rate + alpha * alpha * h,
                Level::Velocity => alpha * rate,
            };
            row.acceleration - bias - pull
        }));
    }

    /// g of an impact: rate⁺ = prescribed − e rate⁻, and the rate changes by H (v⁺ − v⁻).
    fn aim_at_rebound(&mut self, v: &[f64]) {
        let values = &self.rows.held;
        let count = values.rate.len();
        let rows = self.rows.levels().zip(&values.rate).enumerate();
        self.target.clear();
        self.target.extend(rows.map(|(i, ((_, row), rate))| {
            let column = |j: usize| values.jacobian[j * count + i];
            let along: f64 = v.iter().enumerate().map(|(j, v)| column(j) * v).sum();
            row.velocity_after - row.restitution * rate - rate + along
        }));
    }

    /// Solves the problem that is to be set; the last solution stays if there is none.
    fn solve(
        &mut self,
        robot: Robot<'_>,
        q: &[f64],
        x: &mut [f64],
        set: impl FnOnce(&mut Self),
    ) -> Result<(), Error> {
        core::mem::swap(&mut self.rows.held, &mut self.spare.0);
        set(self);
        let found = self.solve_set(robot, q, x);
        if found.is_err() {
            core::mem::swap(&mut self.rows.held, &mut self.spare.0);
        }
        found
    }

    /// Solves for x with the rows, mass, force and target that are set.
    fn solve_set(&mut self, robot: Robot<'_>, q: &[f64], x: &mut [f64]) -> Result<(), Error> {
        let response = Cell::new(core::mem::take(&mut self.response));
        let accelerate = |force: &[f64], acceleration: &mut [f64]| {
            let mut room = response.take();
            room.respond(robot, q, force, acceleration);
            response.set(room);
        };
        let held = &self.rows.held;
        self.solver.set_rank_threshold(rank_threshold(&held.jacobian, &held.error));
        let problem = self.rows.problem((&self.mass, &self.force), &self.target);
        let problem = problem.accelerate(&accelerate);
        let multipliers = &mut self.spare.1;
        multipliers.resize(self.target.len(), 0.0);
        x.fill(0.0);
        let report = self.solver.solve(&problem, x, multipliers);
        self.response = response.into_inner();
        self.solved = Some(Solved::Problem(report.map_err(|error| named(&robot, error))?));
        core::mem::swap(&mut self.multipliers, &mut self.spare.1);
        Ok(())
    }
}

/// Whether a state is one, and a time.
pub(super) fn check_state(table: &Table, (q, v, t): At<'_>) -> Result<(), Error> {
    check::finite("q", q)?;
    check::finite("v", v)?;
    manifold::check_quaternions(table.joints, q)?;
    check::finite("t", &[t])?;
    Ok(())
}

/// The solver's error in the robot's words.
pub(super) fn named(table: &Table, error: kkt::Error) -> Error {
    match error {
        // Forward dynamics divides by the inertia that a joint does not move.
        kkt::Error::SingularMass { coordinate }
        | kkt::Error::NotFinite { what: "acceleration", index: coordinate, .. } => {
            Error::SingularMass { joint: table.joint_of(coordinate) }
        }
        other => Error::Unsolved(other),
    }
}
