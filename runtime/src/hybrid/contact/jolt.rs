//! Exact derivatives of what linear equations make of velocities at an impact, in dual numbers.
//!
//! > M (v⁺ − v) − Gᵀ Λ − Fᵀ Λ_s = 0,  G v⁺ − g(v) = 0
//!
//! are differentiated as those of [accelerations](super::derivatives) are: at fixed v⁺ and Λ, and solved by the same factors.

use alloc::vec;
use alloc::vec::Vec;
use core::mem;

use super::duals::{along, moving};
use super::equations::Equations;
use super::machine::Machine;
use crate::arithmetic::{DIRECTIONS, Dual};
use crate::model::{Robot, Table};
use crate::slices::{all_finite, dot};

/// A row among those that an impact holds.
#[derive(Clone, Copy, Debug)]
pub(super) enum Row {
    /// One of the constraints.
    Constraint(usize),
    /// One of a part, whose velocity becomes −e times what it was.
    Part {
        part: usize,
        row: usize,
        /// e.
        restitution: f64,
    },
}

impl Machine {
    /// Begins with the rows of constraints, whose rate becomes none.
    pub(super) fn begin_rows(&mut self) {
        let Self { held, parts, state, jolted, dragged, .. } = self;
        held.clear(self.table.nv);
        jolted.clear();
        dragged.clear();
        for row in 0..self.table.nc {
            let start = held.rows.len();
            parts.closure.push_row(row, &mut held.rows);
            let own = dot(&held.rows[start..], &state.v);
            held.target.push(own - parts.closure.error(row).1);
            jolted.push(Row::Constraint(row));
        }
    }

    /// Adds a row of a part, whose velocity becomes −e times what it is, unless nothing moves along it.
    pub(super) fn push(&mut self, part: usize, row: usize, restitution: f64, v: &[f64]) {
        let entries = self.row(part, row);
        if entries.iter().any(|entry| *entry != 0.0) {
            self.held.target.push(-restitution * dot(&entries, v));
            self.held.rows.extend(entries);
            self.jolted.push(Row::Part { part, row, restitution });
        }
    }

    /// Turns derivatives of v, (nv, 2 nv + 1) column by column, into those of the v⁺ that was solved for last; whether they
    /// are finite.
    pub(super) fn vary_jump(
        &mut self,
        robot: Robot<'_>,
        (v, v_plus): (&[f64], &[f64]),
        slopes: &mut [f64],
    ) -> bool {
        let Table { nv, nc, .. } = *self.table;
        let mut equations = mem::take(&mut self.equations);
        for first in (0..2 * nv + usize::from(nc > 0)).step_by(DIRECTIONS) {
            equations.duals.evaluate_rows((robot, self.duals), &self.state, first);
            let columns = slopes.chunks_exact_mut(nv).skip(first).take(DIRECTIONS);
            let mut columns: Vec<&mut [f64]> = columns.collect();
            let dual = |i: usize| {
                let mut dual = Dual::constant(v[i]);
                dual.slopes.iter_mut().zip(&columns).for_each(|(slope, column)| *slope = column[i]);
                dual
            };
            let v: Vec<Dual> = (0..nv).map(dual).collect();
            self.balance_jump(&v, v_plus, &mut equations);
            for (direction, column) in columns.iter_mut().enumerate() {
                let mut lambda = vec![0.0; self.held.count()];
                equations.write_slopes(direction, column, &mut lambda);
                self.held.vary(&self.mass, column, &mut lambda);
            }
        }
        self.equations = equations;
        all_finite(slopes)
    }

    /// What v⁺ and Λ leave of the equations for which they were solved last.
    fn balance_jump(&self, v: &[Dual], v_plus: &[f64], equations: &mut Equations) {
        equations.clear();
        let Equations { duals, rows, friction, force, left, .. } = equations;
        left.clear();
        for row in &self.jolted {
            let start = rows.len();
            let after = match *row {
                Row::Constraint(row) => {
                    duals.push_constraint(row, self.table.nv, rows);
                    let [_, rate, _] = duals.constraint(row);
                    rate - moving(&rows[start..], duals.velocity())
                }
                Row::Part { part, row, restitution } => {
                    let Some(part) = self.parts.get(part) else { continue };
                    duals.push_row(part, unit(row), self.table.nv, rows);
                    moving(&rows[start..], v).times(restitution)
                }
            };
            left.push(along(&rows[start..], v_plus) + after);
        }
        for (part, [first, second]) in &self.dragged {
            let Some(part) = self.parts.get(*part) else { continue };
            duals.push_row(part, [0.0, *first, *second], self.table.nv, friction);
        }
        let change: Vec<Dual> =
            v.iter().zip(v_plus).map(|(v, plus)| Dual::constant(*plus) - *v).collect();
        duals.write_momentum(&change, force);
        let sliding: Vec<f64> = self.held.slides.iter().map(|row| self.held.lambda[*row]).collect();
        equations.press(&self.held.lambda, &sliding);
    }
}

fn unit(row: usize) -> [f64; 3] {
    [0, 1, 2].map(|k| if k == row { 1.0 } else { 0.0 })
}
