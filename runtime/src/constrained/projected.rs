//! The motion that the rows leave, without their multipliers.
//!
//! > M v̇ = Nᵀ (τ − b) + Hᵀ Λ_c g,  Λ_c = (H M⁻¹ Hᵀ)⁺,  N = 1 − M⁻¹ Hᵀ Λ_c H
//!
//! b being the bias force C v − τ_g. N takes from a velocity what the rows do not allow, H N = 0, and Nᵀ from
//! a force what they bear.
//!
//! # Source
//!
//! Khatib, A Unified Approach for Motion and Force Control of Robot Manipulators (1987); Aghili, A Unified
//! Approach for Inverse and Direct Dynamics of Constrained Multibody Systems (2005).

use alloc::vec;
use alloc::vec::Vec;
use core::mem;

use nalgebra::DMatrix;

use crate::kkt::{Problem, Report, constraint_force, impact_loss, projected_force};
use crate::model::{Model, Robot};
use crate::space::Storage;

use super::dynamics::{At, check_state, named};
use super::{Constrained, Core, Error, rank_threshold};

/// What the rows are to the motion at a state.
#[derive(Clone, Debug, PartialEq)]
pub struct Projection<M: Model> {
    /// Λ_c, (rows, rows): the inertia that the constraint meets, in kg, kg m or kg m² as rows are in metres or
    /// radians.
    pub inertia: DMatrix<f64>,
    /// N, (nv, nv).
    pub projector: M::Mass,
    /// Rank and condition of the rows.
    pub report: Report,
    /// H, (rows, nv).
    pub jacobian: DMatrix<f64>,
    /// g, (rows): H v̇ as the rows ask for it.
    pub target: Vec<f64>,
}

impl<M: Model> Constrained<M> {
    /// Λ_c and N at a state and a time, which constraints that depend on time read. The last solution stays as
    /// it is.
    ///
    /// # Errors
    ///
    /// As [`forward_dynamics`](Self::forward_dynamics).
    pub fn projection(&mut self, q: &M::Q, v: &M::V, t: f64) -> Result<Projection<M>, Error> {
        self.model.check_fields()?;
        let at = (q.as_slice(), v.as_slice(), t);
        let projected = self.core.projection(self.model.as_data(), at)?;
        let Projected { inertia, projector: numbers, report, jacobian, target } = projected;
        let mut projector = M::Mass::zeros();
        projector.as_mut_slice().copy_from_slice(&numbers);
        Ok(Projection { inertia, projector, report, jacobian, target })
    }
}

/// A [`Projection`] without the robot's types.
struct Projected {
    inertia: DMatrix<f64>,
    projector: Vec<f64>,
    report: Report,
    jacobian: DMatrix<f64>,
    target: Vec<f64>,
}

impl Core {
    fn projection(&mut self, robot: Robot<'_>, at: At<'_>) -> Result<Projected, Error> {
        check_state(&robot, at)?;
        self.aside(|core| {
            let last = mem::take(&mut core.target);
            core.evaluate(robot, at);
            let target = mem::replace(&mut core.target, last);
            core.project_rows(robot, target)
        })
    }

    fn project_rows(&mut self, robot: Robot<'_>, target: Vec<f64>) -> Result<Projected, Error> {
        let (held, rows, still) = (&self.rows.held, target.len(), vec![0.0; robot.nv]);
        let mut inertia = DMatrix::zeros(rows, rows);
        let mut projector = vec![0.0; robot.nv * robot.nv];
        let problem = Problem::new(&self.mass, &held.jacobian, &still, &target);
        let problem = problem.parents(robot.parents);
        self.solver.set_rank_threshold(rank_threshold(&held.jacobian, &held.error));
        let report = self
            .solver
            .project(&problem, inertia.as_mut_slice(), &mut projector)
            .map_err(|error| named(&robot, error))?;
        let jacobian = DMatrix::from_column_slice(rows, robot.nv, &held.jacobian);
        Ok(Projected { inertia, projector, report, jacobian, target })
    }
}

impl<M: Model> Projection<M> {
    /// Nᵀ f: what of a generalised force, (nv), the rows do not bear.
    pub fn force(&self, force: &M::V) -> M::V {
        let mut projected = M::V::zeros();
        projected_force(self.projector.as_slice(), force.as_slice(), projected.as_mut_slice());
        projected
    }

    /// Hᵀ Λ_c g: the generalised force that the rows need besides, to have what they ask for.
    pub fn needed_force(&self) -> M::V {
        let mut force = M::V::zeros();
        let (jacobian, inertia) = (self.jacobian.as_slice(), self.inertia.as_slice());
        constraint_force(jacobian, inertia, &self.target, force.as_mut_slice());
        force
    }

    /// ½ (H v⁻)ᵀ Λ_c (H v⁻): the energy in J that an impact takes from the velocity v⁻, (nv), after which the
    /// rows stand still.
    pub fn impact_loss(&self, v: &M::V) -> f64 {
        let columns = self.jacobian.column_iter().zip(v.as_slice());
        let mut velocity = vec![0.0; self.jacobian.nrows()];
        for (column, v) in columns {
            velocity.iter_mut().zip(column.iter()).for_each(|(x, h)| *x += h * v);
        }
        impact_loss(self.inertia.as_slice(), &velocity)
    }
}
