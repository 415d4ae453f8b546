//! The equations of a mode in dual numbers, and what follows from them for accelerations and forces.

use alloc::vec;
use alloc::vec::Vec;
use core::mem;

use super::derivatives::Slopes;
use super::duals::{Duals, along, moving};
use super::machine::Machine;
use super::mode::{Mode, Touch};
use super::rows::{Bearing, STABILIZATION};
use crate::arithmetic::{Arithmetic, DIRECTIONS, Differentiate, Dual};
use crate::model::{Robot, Table};
use crate::slices::{all_finite, multiply};

/// Rows that hold in dual numbers, as [`Held`](crate::kkt::Held) has them, and the room to differentiate with them.
#[derive(Clone, Debug, Default)]
pub(super) struct Equations {
    pub(super) duals: Duals,
    /// G, row by row.
    pub(super) rows: Vec<Dual>,
    /// What of accelerations along rows is without v̇, and what pulls back to them.
    bias: Vec<Dual>,
    /// F, row by row, and which rows they are of.
    pub(super) friction: Vec<Dual>,
    slides: Vec<usize>,
    sliding: Vec<Sliding>,
    /// What is left of forces and of rows.
    pub(super) force: Vec<Dual>,
    pub(super) left: Vec<Dual>,
}

/// How a contact slides with friction.
#[derive(Clone, Copy, Debug)]
struct Sliding {
    contact: usize,
    slip: [Dual; 2],
    direction: [Dual; 2],
}

impl Equations {
    pub(super) fn clear(&mut self) {
        self.rows.clear();
        self.bias.clear();
        self.friction.clear();
        self.slides.clear();
        self.sliding.clear();
    }

    /// Takes forces of rows, and friction of what slides, from what is left of forces.
    pub(super) fn press(&mut self, lambda: &[f64], sliding: &[f64]) {
        let nv = self.force.len().max(1);
        let friction = self.friction.chunks_exact(nv).zip(sliding);
        for (row, lambda) in self.rows.chunks_exact(nv).zip(lambda).chain(friction) {
            let entries = self.force.iter_mut().zip(row);
            entries.for_each(|(force, entry)| *force = *force - entry.times(*lambda));
        }
    }

    /// The slopes that changes must make up for, along a direction.
    pub(super) fn write_slopes(&self, direction: usize, force: &mut [f64], left: &mut [f64]) {
        let slope = |(to, of): (&mut f64, &Dual)| *to = -of.slopes[direction];
        force.iter_mut().zip(&self.force).for_each(slope);
        left.iter_mut().zip(&self.left).for_each(slope);
    }
}

impl Machine {
    /// Derivatives of what was solved last in a mode, with those of the input, (nu, 2 nv + 1); none if there are none.
    pub(super) fn differentiate(
        &mut self,
        robot: Robot<'_>,
        mode: &Mode,
        inputs: &[f64],
    ) -> Option<Slopes> {
        let Table { nv, nu, nc, .. } = *self.table;
        let columns = 2 * nv + 1;
        let mut slopes = Slopes::new(self.table, self.forces.len());
        let mut equations = mem::take(&mut self.equations);
        for column in 0..columns {
            // Constraints alone depend on the time itself.
            let is_still = column == 2 * nv && nc == 0;
            if column % DIRECTIONS == 0 && !is_still {
                let state = (&self.state, &self.v_dot[..]);
                equations.duals.evaluate((robot, self.duals), state, column);
                self.set_dual_rows(mode, &mut equations);
                self.write_freedom(&mut equations, column, &mut slopes);
                self.balance(&mut equations);
            }
            let (mut force, mut lambda) = (vec![0.0; nv], vec![0.0; self.held.count()]);
            let direction = (!is_still).then_some(column % DIRECTIONS);
            if let Some(direction) = direction {
                equations.write_slopes(direction, &mut force, &mut lambda);
            }
            multiply(&mut force, &self.inputs, &inputs[column * nu..][..nu]);
            self.held.vary(&self.mass, &mut force, &mut lambda);
            slopes.v_dot[column * nv..][..nv].copy_from_slice(&force);
            self.write_forces(&equations, (column, direction), &lambda, &mut slopes);
        }
        let is_known = all_finite(&slopes.v_dot) && all_finite(&slopes.forces);
        self.equations = equations;
        is_known.then_some(slopes)
    }

    /// What accelerations and forces leave of the equations for which they were solved last.
    fn balance(&self, equations: &mut Equations) {
        let Equations { duals, rows, bias, slides, force, left, .. } = equations;
        let lambda = &self.held.lambda;
        let sliding: Vec<f64> = slides.iter().map(|row| lambda[*row]).collect();
        force.clone_from(&duals.force);
        let rows = rows.chunks_exact(self.table.nv.max(1)).zip(&*bias);
        left.clear();
        left.extend(rows.map(|(row, bias)| along(row, &self.v_dot) + *bias));
        equations.press(lambda, &sliding);
    }

    /// Writes derivatives of what is left until what slides jams, by the coordinates from `first` on.
    fn write_freedom(&mut self, equations: &mut Equations, first: usize, slopes: &mut Slopes) {
        let count = equations.slides.len();
        if count > 0 {
            equations.duals.evaluate_mass(self.duals);
        }
        for j in 0..count {
            let [a, y] = self.held.drag_response(j);
            let Equations { duals, rows, force, left, .. } = &mut *equations;
            duals.write_product(&a, force);
            left.clear();
            left.extend(rows.chunks_exact(self.table.nv).map(|row| along(row, &a)));
            let unit: Vec<f64> = (0..count).map(|i| f64::from(u8::from(i == j))).collect();
            equations.press(&y, &unit);
            let columns = slopes.freedom.iter_mut().skip(first).take(DIRECTIONS);
            for (direction, slope) in columns.enumerate() {
                let (mut force, mut left) =
                    (vec![0.0; self.table.nv], vec![0.0; self.held.count()]);
                equations.write_slopes(direction, &mut force, &mut left);
                *slope += self.held.vary_determinant(&self.mass, j, (&mut force, &mut left));
            }
        }
    }

    /// As [`set_rows`](Self::set_rows), in dual numbers.
    fn set_dual_rows(&self, mode: &Mode, equations: &mut Equations) {
        equations.clear();
        for row in 0..self.table.nc {
            let Equations { duals, rows, bias, .. } = equations;
            duals.push_constraint(row, self.table.nv, rows);
            let [without, rate, error] = duals.constraint(row);
            let [of_rate, of_error] = self.parts.closure.pull(row, STABILIZATION);
            bias.push(without + rate.times(of_rate) + error.times(of_error));
        }
        for bearing in &self.bearings {
            self.push_bearing(bearing, equations);
            if let Some(Touch::Slide { along }) = mode.contacts.get(bearing.part) {
                self.push_dual_friction(bearing, *along, equations);
            }
        }
    }

    /// The normal of a part, and its tangents.
    fn push_bearing(&self, bearing: &Bearing, equations: &mut Equations) {
        let Some(part) = self.parts.get(bearing.part) else { return };
        let Equations { duals, rows, bias, .. } = equations;
        for place in bearing.row..=bearing.row + bearing.tangents {
            let (weights, start) = (self.places[place].along, rows.len());
            duals.push_row(part, weights, self.table.nv, rows);
            let row = &rows[start..];
            let rate = moving(row, duals.velocity());
            let pull = if place == bearing.row {
                let gap = duals.gap(self.gaps[bearing.part], row);
                (rate.times(2.0) + gap.times(STABILIZATION)).times(STABILIZATION)
            } else {
                rate.times(STABILIZATION)
            };
            bias.push(duals.bias(part, weights) + pull);
        }
    }

    /// The friction of a contact whose normal is a bearing's.
    fn push_dual_friction(&self, bearing: &Bearing, along: [f64; 2], equations: &mut Equations) {
        let (contact, friction) = (bearing.part, self.friction[bearing.part]);
        let Some(part) = self.parts.get(contact).filter(|_| friction > 0.0) else { return };
        let Equations { duals, friction: rows, slides, sliding, .. } = equations;
        let tangents = [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|weights| {
            let mut tangent = Vec::with_capacity(self.table.nv);
            duals.push_row(part, weights, self.table.nv, &mut tangent);
            tangent
        });
        let slip = [0, 1].map(|k| moving(&tangents[k], duals.velocity()));
        let direction = self.dual_direction(slip, along);
        let [first, second] = &tangents;
        let entries = first.iter().zip(second);
        let entries = entries.map(|(a, b)| *a * direction[0] + *b * direction[1]);
        rows.extend(entries.map(|entry| entry.times(-friction)));
        slides.push(bearing.row);
        sliding.push(Sliding { contact, slip, direction });
    }

    /// As [`direction`](Self::direction).
    fn dual_direction(&self, slip: [Dual; 2], along: [f64; 2]) -> [Dual; 2] {
        let forward = slip[0].times(along[0]) + slip[1].times(along[1]);
        let against = if forward.value < 0.0 { -forward } else { Dual::constant(0.0) };
        let forth = Dual::constant(self.still()) + against.times(2.0);
        let sum = [0, 1].map(|k| slip[k] + forth.times(along[k]));
        let size = Differentiate::sqrt(sum[0] * sum[0] + sum[1] * sum[1]);
        sum.map(|x| x / size)
    }

    /// Writes a column of the derivatives of forces and slips, of a direction of the duals or of none.
    fn write_forces(
        &self,
        equations: &Equations,
        (column, direction): (usize, Option<usize>),
        lambda: &[f64],
        slopes: &mut Slopes,
    ) {
        let (count, slips) = (self.forces.len(), 2 * self.table.contacts.len());
        let forces = &mut slopes.forces[column * count..][..count];
        self.spread(lambda, forces);
        let of = |dual: &Dual| direction.map_or(0.0, |k| dual.slopes[k]);
        for (Sliding { contact, slip, direction }, normal) in
            equations.sliding.iter().zip(&equations.slides)
        {
            for k in 0..2 {
                let of_size = lambda[*normal] * direction[k].value;
                let of_turn = self.held.lambda[*normal] * of(&direction[k]);
                forces[3 * contact + 1 + k] = -self.friction[*contact] * (of_size + of_turn);
                slopes.slips[column * slips + 2 * contact + k] = of(&slip[k]);
            }
        }
    }
}
