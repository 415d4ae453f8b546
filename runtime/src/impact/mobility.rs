//! What impulses change of the velocity, declared constraints holding.
//!
//! > v⁺ = v_free + N M⁻¹ Gᵀ Λ,  v_free = v⁻ + M⁻¹ Hᵀ Λ_c (g − H v⁻)
//!
//! with the inertia Λ_c of the constraints, what they leave of a velocity, N = 1 − M⁻¹ Hᵀ Λ_c H, and the velocity g of
//! their rows after the impact: what is prescribed, less e times what it was.

use alloc::vec;
use alloc::vec::Vec;

use nalgebra::{Cholesky, DMatrix, DMatrixViewMut, Dyn};

use super::Error;
use crate::constrained::{Rows, rank_threshold};
use crate::contact;
use crate::kkt::{Problem, Solver};
use crate::model::{Robot, Table};
use crate::slices::{columns, dot, multiply, zeros};

/// M⁻¹, and the constraints.
#[derive(Clone, Debug)]
pub(super) struct Mobility {
    table: &'static Table,
    /// M, (nv, nv).
    mass: Vec<f64>,
    factor: Option<Cholesky<f64, Dyn>>,
    held: Option<Held>,
    room: Vec<f64>,
}

/// Declared constraints.
#[derive(Clone, Debug)]
struct Held {
    rows: Rows,
    solver: Solver,
    /// g.
    target: Vec<f64>,
    /// Λ_c, (nc, nc), and N, (nv, nv).
    inertia: Vec<f64>,
    projector: Vec<f64>,
    missing: Vec<f64>,
    impulses: Vec<f64>,
}

impl Mobility {
    pub(super) fn new(robot: Robot<'_>) -> Self {
        let Table { nv, nc, .. } = *robot.table();
        let held = || Held {
            rows: Rows::new(robot),
            solver: Solver::default(),
            target: vec![0.0; nc],
            inertia: vec![0.0; nc * nc],
            projector: vec![0.0; nv * nv],
            missing: vec![0.0; nc],
            impulses: vec![0.0; nc],
        };
        Self {
            table: robot.table(),
            mass: vec![0.0; nv * nv],
            factor: None,
            held: (nc > 0).then(held),
            room: vec![0.0; nv],
        }
    }

    /// Evaluates everything at a state.
    ///
    /// # Errors
    ///
    /// [`contact::Error::MassMatrix`] and [`Error::Bilateral`].
    pub(super) fn evaluate(
        &mut self,
        robot: Robot<'_>,
        (q, v): (&[f64], &[f64]),
        time: f64,
    ) -> Result<(), Error> {
        robot.mass_matrix_into(q, &mut self.mass);
        let (last, nv) = (self.factor.take(), robot.nv);
        let mut matrix = last.map_or_else(|| DMatrix::zeros(nv, nv), Cholesky::unpack_dirty);
        matrix.copy_from_slice(&self.mass);
        self.factor = Cholesky::new(matrix);
        if self.factor.is_none() {
            return Err(contact::Error::MassMatrix.into());
        }
        let Self { mass, held: Some(held), room, .. } = self else { return Ok(()) };
        held.evaluate(robot, (q, v), time, (mass, zeros(room, nv)))
    }

    /// M⁻¹ p in the place of p.
    fn divide(&self, p: &mut [f64]) {
        if let Some(factor) = &self.factor {
            factor.solve_mut(&mut DMatrixViewMut::from_slice(p, self.table.nv, 1));
        }
    }

    /// N M⁻¹ p in the place of p.
    pub(super) fn respond(&mut self, p: &mut [f64]) {
        self.divide(p);
        let Self { table, held: Some(held), room, .. } = self else { return };
        let room = zeros(room, table.nv);
        multiply(room, &held.projector, p);
        p.copy_from_slice(room);
    }

    /// v_free in the place of v⁻.
    pub(super) fn free(&mut self, v: &mut [f64]) {
        let mut change = core::mem::take(&mut self.room);
        zeros(&mut change, self.table.nv);
        if let Some(held) = &mut self.held {
            held.solve(v);
            held.rows.add_transposed(&held.impulses, &mut change);
            self.divide(&mut change);
            v.iter_mut().zip(&change).for_each(|(v, change)| *v += change);
        }
        self.room = change;
    }

    /// Λ of the constraints, (nc), where the generalised impulse `p` of all else acts on `v`.
    pub(super) fn constraint_impulses(&mut self, v: &[f64], p: &mut [f64]) -> &[f64] {
        self.divide(p);
        p.iter_mut().zip(v).for_each(|(p, v)| *p += v);
        self.held.as_mut().map_or(&[], |held| {
            held.solve(p);
            &held.impulses
        })
    }

    /// Hᵀ Λ of these.
    pub(super) fn add_constraint_force(&self, p: &mut [f64]) {
        if let Some(held) = &self.held {
            held.rows.add_transposed(&held.impulses, p);
        }
    }

    /// ½ vᵀ M v, J.
    pub(super) fn energy(&self, v: &[f64]) -> f64 {
        let columns = columns(&self.mass, self.table.nv).zip(v);
        0.5 * columns.map(|(column, x)| x * dot(column, v)).sum::<f64>()
    }

    /// M.
    pub(super) fn mass(&self) -> &[f64] {
        &self.mass
    }

    /// H v, summed up with Λ of the constraints: their power, W.
    pub(super) fn constraint_power(&self, v: &[f64]) -> f64 {
        let Some(held) = &self.held else { return 0.0 };
        let columns = columns(&held.rows.held.jacobian, self.table.nc).zip(v);
        columns.map(|(column, v)| v * dot(column, &held.impulses)).sum()
    }

    /// The largest change that contacts make of the velocity along a row of the constraints, by its largest term.
    pub(super) fn constraint_error(&mut self, free: &[f64], v: &[f64]) -> f64 {
        let Some(held) = &mut self.held else { return 0.0 };
        let nc = self.table.nc;
        let rows = 0..nc;
        rows.map(|row| {
            let entries = held.rows.held.jacobian.iter().skip(row).step_by(nc);
            let (mut sum, mut size) = (0.0, f64::MIN_POSITIVE);
            for ((h, free), v) in entries.zip(free).zip(v) {
                sum += h * (v - free);
                size = f64::max(size, (h * v).abs().max((h * free).abs()));
            }
            sum.abs() / size
        })
        .fold(0.0, crate::slices::worse)
    }
}

impl Held {
    fn evaluate(
        &mut self,
        robot: Robot<'_>,
        (q, v): (&[f64], &[f64]),
        time: f64,
        (mass, force): (&[f64], &[f64]),
    ) -> Result<(), Error> {
        self.rows.evaluate(robot, q, v, time);
        let held = &self.rows.held;
        zeros(&mut self.target, robot.nc);
        multiply(&mut self.target, &held.jacobian, v);
        let asks = self.rows.levels().zip(&held.rate);
        for (target, ((_, row), rate)) in self.target.iter_mut().zip(asks) {
            *target += row.velocity_after - (1.0 + row.restitution) * rate;
        }
        self.solver.set_rank_threshold(rank_threshold(&held.jacobian, &held.error));
        let problem = Problem::new(mass, &held.jacobian, force, &self.target);
        let problem = problem.parents(robot.parents);
        let projected = self.solver.project(&problem, &mut self.inertia, &mut self.projector);
        projected.map(|_| ()).map_err(Error::Bilateral)
    }

    /// Λ_c (g − H u).
    fn solve(&mut self, u: &[f64]) {
        self.missing.clone_from(&self.target);
        for (column, u) in columns(&self.rows.held.jacobian, self.target.len()).zip(u) {
            crate::slices::subtract(&mut self.missing, *u, column);
        }
        multiply(zeros(&mut self.impulses, self.target.len()), &self.inertia, &self.missing);
    }
}
