//! Accelerations and impacts.

use crate::check;
use crate::description::Level;
use crate::kernel::{Input, Kernel};
use crate::kkt::{self, Method, Report};
use crate::model::Model;
use crate::space::Storage;

use super::generated::Which;
use super::values::multiply;
use super::{Constrained, Error, Last, Solved, rank_threshold};

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
        self.check(q, v, t)?;
        check::finite("tau", tau.as_slice())?;
        if self.is_generated::<M::ConstrainedDynamics>((q, v, t), tau.as_slice()) {
            self.last.tau.clone_from(tau);
            self.solved = Some(Solved::Acceleration);
            return Ok(self.last.x.clone());
        }
        self.solve(q, |robot| robot.set_acceleration((q, v), tau, t))
    }

    /// The velocity v⁺ after an impact in which all rows take part, from the velocity v⁻ before it;
    /// [`multipliers`](Self::multipliers) then are the impulses Λ in N s or N m s.
    ///
    /// # Errors
    ///
    /// As [`forward_dynamics`](Self::forward_dynamics).
    pub fn impact(&mut self, q: &M::Q, v: &M::V, t: f64) -> Result<M::V, Error> {
        self.check(q, v, t)?;
        if self.is_generated::<M::ConstrainedImpact>((q, v, t), &[]) {
            self.solved = Some(Solved::Impact);
            return Ok(self.last.x.clone());
        }
        self.solve(q, |robot| robot.set_impact(q, v, t))
    }

    /// Whether generated code can be trusted with the problem; then `last` is solved.
    fn is_generated<K: Kernel>(&mut self, (q, v, t): (&M::Q, &M::V, f64), a: &[f64]) -> bool {
        if self.solver.method() != Method::Adaptive || !self.generated.has(&self.rows) {
            return false;
        }
        let input = Input { q: q.as_slice(), v: v.as_slice(), a, t: &[t], ..Input::default() };
        let solution = (self.last.x.as_mut_slice(), &mut self.multipliers);
        let found = self.generated.solve::<_, K>(&self.model, Which::All, (input, &[]), solution);
        if found {
            self.last.q.clone_from(q);
            self.last.v.clone_from(v);
            self.last.t = t;
        }
        found
    }

    /// What the last solution is worth, where generated code has found it.
    pub(super) fn judge(&mut self, is_impact: bool) -> Option<Report> {
        let Last { q, v, tau, t, x } = self.last.clone();
        if is_impact {
            self.set_impact(&q, &v, t);
        } else {
            self.set_acceleration((&q, &v), &tau, t);
        }
        let held = &self.rows.held;
        self.solver.set_rank_threshold(rank_threshold(&held.jacobian, &held.error));
        let equations = (self.mass.as_slice(), self.force.as_slice());
        let problem = self.rows.problem(equations, &self.target);
        self.solver.judge(&problem, x.as_slice(), &self.multipliers).ok()
    }

    /// The problem of accelerations.
    fn set_acceleration(&mut self, (q, v): (&M::Q, &M::V), tau: &M::V, t: f64) {
        self.evaluate(q, v, t);
        let force = self.force.as_mut_slice().iter_mut().zip(tau.as_slice());
        force.for_each(|(force, tau)| *force = tau - *force);
    }

    /// The problem of an impact.
    fn set_impact(&mut self, q: &M::Q, v: &M::V, t: f64) {
        self.rows.evaluate(self.model.as_data(), q.as_slice(), v.as_slice(), t);
        self.model.mass_matrix_into(q, &mut self.mass);
        // p = M v.
        multiply(self.mass.as_slice(), v.as_slice(), self.force.as_mut_slice());
        self.aim_at_rebound(v);
    }

    pub(super) fn check(&self, q: &M::Q, v: &M::V, t: f64) -> Result<(), Error> {
        self.model.check(q, v)?;
        check::finite("t", &[t])?;
        Ok(())
    }

    /// The rows, M, the bias force in the place of the force, and g of accelerations.
    pub(super) fn evaluate(&mut self, q: &M::Q, v: &M::V, t: f64) {
        self.rows.evaluate(self.model.as_data(), q.as_slice(), v.as_slice(), t);
        self.model.mass_matrix_into(q, &mut self.mass);
        self.model.bias_force_into(q, v, &mut self.force);
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
    fn aim_at_rebound(&mut self, v: &M::V) {
        let values = &self.rows.held;
        let count = values.rate.len();
        let rows = self.rows.levels().zip(&values.rate).enumerate();
        self.target.clear();
        self.target.extend(rows.map(|(i, ((_, row), rate))| {
            let column = |j: usize| values.jacobian[j * count + i];
            let along: f64 = v.as_slice().iter().enumerate().map(|(j, v)| column(j) * v).sum();
            row.velocity_after - row.restitution * rate - rate + along
        }));
    }

    /// Solves the problem that is to be set; the last solution stays if there is none.
    fn solve(&mut self, q: &M::Q, set: impl FnOnce(&mut Self)) -> Result<M::V, Error> {
        core::mem::swap(&mut self.rows.held, &mut self.spare.0);
        set(self);
        let found = self.solve_set(q);
        if found.is_err() {
            core::mem::swap(&mut self.rows.held, &mut self.spare.0);
        }
        found
    }

    /// Solves for x with the rows, mass, force and target that are set.
    fn solve_set(&mut self, q: &M::Q) -> Result<M::V, Error> {
        let (model, mut x) = (&self.model, M::V::zeros());
        let accelerate = |force: &[f64], acceleration: &mut [f64]| {
            respond(model, q, force, acceleration);
        };
        let held = &self.rows.held;
        self.solver.set_rank_threshold(rank_threshold(&held.jacobian, &held.error));
        let equations = (self.mass.as_slice(), self.force.as_slice());
        let problem = self.rows.problem(equations, &self.target);
        let problem = problem.accelerate(&accelerate);
        let multipliers = &mut self.spare.1;
        multipliers.resize(self.target.len(), 0.0);
        let report = self.solver.solve(&problem, x.as_mut_slice(), multipliers);
        self.solved = Some(Solved::Problem(report.map_err(named::<M>)?));
        core::mem::swap(&mut self.multipliers, &mut self.spare.1);
        Ok(x)
    }
}

/// M⁻¹ f by the robot's forward dynamics at rest, without gravity's part.
fn respond<M: Model>(model: &M, q: &M::Q, force: &[f64], acceleration: &mut [f64]) {
    let (mut tau, still) = (M::V::zeros(), M::V::zeros());
    let bias = model.bias_force(q, &still);
    let parts = tau.as_mut_slice().iter_mut().zip(force).zip(bias.as_slice());
    parts.for_each(|((tau, force), bias)| *tau = force + bias);
    acceleration.copy_from_slice(model.forward_dynamics(q, &still, &tau).as_slice());
}

/// The solver's error in the robot's words.
pub(super) fn named<M: Model>(error: kkt::Error) -> Error {
    match error {
        // Forward dynamics divides by the inertia that a joint does not move.
        kkt::Error::SingularMass { coordinate }
        | kkt::Error::NotFinite { what: "acceleration", index: coordinate, .. } => {
            let moved = |joint: &&crate::description::Joint| {
                (joint.v..joint.v + joint.nv).contains(&coordinate)
            };
            let joint = M::JOINTS.iter().find(moved).map_or("", |joint| joint.name);
            Error::SingularMass { joint }
        }
        other => Error::Unsolved(other),
    }
}
