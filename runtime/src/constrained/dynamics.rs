//! Accelerations and impacts.

use crate::check;
use crate::description::Level;
use crate::kkt::{self, Problem};
use crate::model::Model;
use crate::space::Storage;

use super::{Constrained, Error, rank_threshold};

impl<M: Model> Constrained<M> {
    /// The acceleration v̇ under the generalised force `tau` at time `t`, which constraints that depend
    /// on time read; [`multipliers`](Self::multipliers) then are λ.
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
        self.evaluate(q, v, t);
        let force = self.force.as_mut_slice().iter_mut().zip(tau.as_slice());
        force.for_each(|(force, tau)| *force = tau - *force);
        self.solve(q)
    }

    /// The velocity v⁺ after an impact in which all rows take part, from the velocity v⁻ before it;
    /// [`multipliers`](Self::multipliers) then are the impulses Λ in N s or N m s.
    ///
    /// # Errors
    ///
    /// As [`forward_dynamics`](Self::forward_dynamics).
    pub fn impact(&mut self, q: &M::Q, v: &M::V, t: f64) -> Result<M::V, Error> {
        self.check(q, v, t)?;
        self.rows.evaluate(&self.model, q, v, t);
        self.model.mass_matrix_into(q, &mut self.mass);
        momentum(self.mass.as_slice(), v.as_slice(), self.force.as_mut_slice());
        self.aim_at_rebound(v);
        self.solve(q)
    }

    pub(super) fn check(&self, q: &M::Q, v: &M::V, t: f64) -> Result<(), Error> {
        self.model.check(q, v)?;
        check::finite("t", &[t])?;
        Ok(())
    }

    /// The rows, M, the bias force in the place of the force, and g of accelerations.
    pub(super) fn evaluate(&mut self, q: &M::Q, v: &M::V, t: f64) {
        self.rows.evaluate(&self.model, q, v, t);
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

    /// Solves for x with the mass, force and target that are set.
    fn solve(&mut self, q: &M::Q) -> Result<M::V, Error> {
        let (model, mut x) = (&self.model, M::V::zeros());
        let accelerate = |force: &[f64], acceleration: &mut [f64]| {
            respond(model, q, force, acceleration);
        };
        let held = &self.rows.held;
        let force = self.force.as_slice();
        let problem = Problem::new(self.mass.as_slice(), &held.jacobian, force, &self.target)
            .parents(M::PARENTS)
            .accelerate(&accelerate);
        self.multipliers.resize(self.target.len(), 0.0);
        self.solver.set_rank_threshold(rank_threshold(&held.jacobian, &held.error));
        let report = self.solver.solve(&problem, x.as_mut_slice(), &mut self.multipliers);
        self.report = Some(report.map_err(named::<M>)?);
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

/// p = M v.
fn momentum(mass: &[f64], v: &[f64], p: &mut [f64]) {
    p.fill(0.0);
    for (column, v) in mass.chunks_exact(v.len().max(1)).zip(v) {
        p.iter_mut().zip(column).for_each(|(p, m)| *p += m * v);
    }
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
