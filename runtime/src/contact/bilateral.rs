//! Bilateral constraints within a step.
//!
//! > H v⁺ = g,  g = −h(q, t + Δ) / Δ,  or  g = H v − h_v(q, v, t + Δ)
//!
//! for a step of Δ seconds: rows of positions are to be satisfied at its end, so that what the last step
//! left of their errors is put right by this one. With M⁻¹ known, the velocity that these rows leave of a
//! velocity u, and their impulses, are
//!
//! > N u + M⁻¹ Hᵀ Λ_c g,  Λ = Λ_c (g − H u),  N = 1 − M⁻¹ Hᵀ Λ_c H
//!
//! so that contacts meet N M⁻¹ in the place of M⁻¹. Where H loses rank, Λ is the smallest and H v⁺ the
//! nearest to g, in the sense of least squares.

use alloc::vec;
use alloc::vec::Vec;

use crate::constrained::Rows;
use crate::description::Level;
use crate::kkt::{self, Problem, Solver};
use crate::model::Model;
use crate::space::Storage;

/// The constraints of a step and what they leave of a velocity.
#[derive(Clone, Debug)]
pub(super) struct Bilateral<M: Model> {
    rows: Rows<M>,
    solver: Solver,
    /// g.
    target: Vec<f64>,
    /// Λ_c, (nc, nc).
    inertia: Vec<f64>,
    /// N, (nv, nv).
    projector: Vec<f64>,
    /// g − H u, and Λ, (nc).
    missing: Vec<f64>,
    impulses: Vec<f64>,
    /// (nv).
    room: Vec<f64>,
}

impl<M: Model> Bilateral<M> {
    pub(super) fn new(model: &M) -> Self {
        Self {
            rows: Rows::new(model),
            solver: Solver::default(),
            target: Vec::new(),
            inertia: vec![0.0; M::NC * M::NC],
            projector: vec![0.0; M::NV * M::NV],
            missing: vec![0.0; M::NC],
            impulses: vec![0.0; M::NC],
            room: vec![0.0; M::NV],
        }
    }

    /// Evaluates the rows of a step of `h` seconds from (q, v) at `time`.
    pub(super) fn evaluate(
        &mut self,
        model: &M,
        (q, v): (&M::Q, &M::V),
        (time, h): (f64, f64),
        mass: &[f64],
    ) -> Result<(), kkt::Error> {
        self.rows.evaluate(model, q, v, time + h);
        targets(&self.rows, v.as_slice(), h, &mut self.target);
        self.room.fill(0.0);
        let jacobian = &self.rows.held.jacobian;
        let problem = Problem::new(mass, jacobian, &self.room, &self.target).parents(M::PARENTS);
        self.solver.project(&problem, &mut self.inertia, &mut self.projector).map(|_| ())
    }

    /// N u.
    pub(super) fn project(&mut self, u: &mut [f64]) {
        self.room.fill(0.0);
        for (column, u) in self.projector.chunks_exact(u.len().max(1)).zip(u.iter()) {
            self.room.iter_mut().zip(column).for_each(|(x, n)| *x += n * u);
        }
        u.copy_from_slice(&self.room);
    }

    /// The impulses Λ of the rows, (nc), where all else would make the velocity `u`.
    pub(super) fn impulses(&mut self, u: &[f64]) -> &[f64] {
        let rows = self.target.len();
        self.missing.clone_from(&self.target);
        for (column, u) in self.rows.held.jacobian.chunks_exact(rows.max(1)).zip(u) {
            self.missing.iter_mut().zip(column).for_each(|(x, h)| *x -= h * u);
        }
        self.impulses.fill(0.0);
        for (column, missing) in self.inertia.chunks_exact(rows.max(1)).zip(&self.missing) {
            self.impulses.iter_mut().zip(column).for_each(|(x, c)| *x += c * missing);
        }
        &self.impulses
    }

    /// Hᵀ Λ, (nv), of these impulses.
    pub(super) fn force(&mut self, u: &[f64]) -> &mut [f64] {
        self.impulses(u);
        self.room.fill(0.0);
        self.rows.add_transposed(&self.impulses, &mut self.room);
        &mut self.room
    }
}

/// g of each row for a step of `h` seconds from the velocity `v`, at which the rows are evaluated.
pub(super) fn targets<M: Model>(rows: &Rows<M>, v: &[f64], h: f64, target: &mut Vec<f64>) {
    let values = &rows.held;
    let count = values.error.len();
    target.clear();
    target.extend(rows.levels().enumerate().map(|(i, (level, _))| match level {
        Level::Position => -values.error[i] / h,
        Level::Velocity => {
            let row = (0..v.len()).map(|j| values.jacobian[j * count + i] * v[j]);
            row.sum::<f64>() - values.rate[i]
        }
    }));
}
