//! Declared constraints that give way, as rows of the step's problem.
//!
//! > w = H v⁺ + c + γ h/Δ + (K/Δ) Λ = 0
//!
//! for a step of Δ seconds: h is the error at its beginning, of rows of positions, and c what the rate at the
//! time of the end is beside H v. What [`Softness`] says of contacts holds for errors of either sign: k = γ/(Δ K),
//! d = (1 − γ)/K, both at the end of the step. Rows of velocities have no h, and slip.
//!
//! With K = 0 a row is as rigid as all others, but puts only the share γ of its error right, where these have none at
//! the end of the step.

use alloc::vec;
use alloc::vec::Vec;

use super::{Conditions, Softness};
use crate::description::Level;
use crate::model::{Robot, Table};
use crate::slices::columns;

/// The rows of a model's [`CONSTRAINTS`](crate::Model::CONSTRAINTS), of which some give way.
#[derive(Clone, Debug)]
pub(super) struct Yielding {
    /// Of each row, how it gives way, if it does.
    softness: Vec<Option<Softness>>,
    /// h, (nc); zero of rows of velocities.
    error: Vec<f64>,
    /// c, (nc).
    drift: Vec<f64>,
    /// H, (nc, nv), column by column.
    jacobian: Vec<f64>,
}

impl Yielding {
    pub(super) fn new(table: &Table) -> Self {
        Self {
            softness: vec![None; table.nc],
            error: vec![f64::NAN; table.nc],
            drift: vec![f64::NAN; table.nc],
            jacobian: vec![f64::NAN; table.nc * table.nv],
        }
    }

    /// Takes the rows from where a step of `h` seconds begins.
    pub(super) fn evaluate(
        &mut self,
        robot: Robot<'_>,
        (q, v): (&[f64], &[f64]),
        (time, h): (f64, f64),
        conditions: &Conditions,
    ) {
        self.softness.fill(None);
        for &(constraint, softness) in &conditions.soft_constraints {
            let Some(constraint) = robot.constraints.get(constraint) else { continue };
            self.softness[constraint.first..][..constraint.levels.len()].fill(Some(softness));
        }
        if self.rows().next().is_none() {
            return;
        }
        robot.constraint_into(q, time, &mut self.error);
        robot.constraint_rate_into(q, v, time + h, &mut self.drift);
        robot.constraint_jacobian_into(q, v, time, &mut self.jacobian);
        let levels = robot.constraints.iter().flat_map(|constraint| constraint.levels);
        for (k, level) in levels.enumerate() {
            if *level == Level::Velocity {
                self.error[k] = 0.0;
            }
            self.drift[k] -= self.velocity(k, v);
        }
    }

    /// The rows that give way.
    pub(super) fn rows(&self) -> impl Iterator<Item = usize> {
        (0..self.softness.len()).filter(|&k| self.gives_way(k))
    }

    pub(super) fn gives_way(&self, row: usize) -> bool {
        self.softness[row].is_some()
    }

    /// H of a row, (nv).
    pub(super) fn row(&self, row: usize) -> impl Iterator<Item = f64> {
        columns(&self.jacobian, self.error.len()).map(move |column| column[row])
    }

    /// H v of a row.
    pub(super) fn velocity(&self, row: usize, v: &[f64]) -> f64 {
        self.row(row).zip(v).map(|(j, v)| j * v).sum()
    }

    /// The velocity H v⁺ that a row asks for, and its σ.
    pub(super) fn demand(&self, row: usize, h: f64) -> (f64, f64) {
        let Some(Softness { reduction, mixing }) = self.softness[row] else { return (0.0, 0.0) };
        (-self.drift[row] - reduction * self.error[row] / h, mixing / h)
    }
}
