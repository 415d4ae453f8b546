//! The rows that hold in a mode, and the forces that they exert.

use super::machine::Machine;
use super::mode::{Mode, Touch};
use crate::integrate::Phase;
use crate::model::Robot;
use crate::slices::{add, dot, sqrt};

/// The rate in 1/s at which errors of rows that hold die out, which integration leaves.
pub(super) const STABILIZATION: f64 = 20.0;
/// Two tangents of which one shows less beside the other, squared, are one.
const NO_TANGENT: f64 = 1e-12;

/// Where the force of a row acts: along up to three rows of a part, from this place among all forces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) first: usize,
    pub(super) along: [f64; 3],
}

/// A part that is closed, with its normal among the rows that hold, and how many tangents behind it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bearing {
    pub(super) part: usize,
    pub(super) row: usize,
    pub(super) tangents: usize,
}

impl Machine {
    /// The rows that hold in a mode, with friction of what slides.
    pub(super) fn set_rows(&mut self, mode: &Mode) {
        self.held.clear(self.table.nv);
        self.places.clear();
        self.bearings.clear();
        let first = self.parts.first_multiplier();
        for row in 0..self.table.nc {
            self.parts.closure.push_row(row, &mut self.held.rows);
            self.held.target.push(self.parts.closure.target(row, STABILIZATION));
            self.places.push(Place { first: first + row, along: [1.0, 0.0, 0.0] });
        }
        for part in 0..self.parts.count() {
            let row = self.held.count();
            if !mode.is_closed(part) || !self.push_normal(part) {
                continue;
            }
            match mode.contacts.get(part).copied() {
                Some(Touch::Stick) => self.push_tangents(part),
                Some(Touch::Slide { along }) => self.push_friction(part, along),
                _ => {}
            }
            let tangents = self.held.count() - row - 1;
            self.bearings.push(Bearing { part, row, tangents });
        }
    }

    /// Adds the normal of a part, unless nothing moves along it; whether it is there.
    fn push_normal(&mut self, part: usize) -> bool {
        let rows = &mut self.held.rows;
        let start = rows.len();
        self.parts.push_row(part, 0, rows);
        if rows[start..].iter().all(|entry| *entry == 0.0) {
            rows.truncate(start);
            return false;
        }
        let rate = self.parts.velocity(part, 0, &self.state.v);
        let pull = STABILIZATION * (2.0 * rate + STABILIZATION * self.gaps[part]);
        self.held.target.push(-self.parts.bias(part, 0) - pull);
        self.places.push(Place { first: self.parts.place(part), along: [1.0, 0.0, 0.0] });
        true
    }

    /// Adds the tangents of a contact: of those of a planar robot, which moves along one line of them, that line alone.
    fn push_tangents(&mut self, contact: usize) {
        let rows = &mut self.held.rows;
        let start = rows.len();
        (1..3).for_each(|row| self.parts.push_row(contact, row, rows));
        let (first, second) = rows[start..].split_at_mut(self.table.nv);
        if are_independent(first, second) {
            self.push_tangent(contact, [1.0, 0.0]);
            self.push_tangent(contact, [0.0, 1.0]);
            return;
        }
        // Both are multiples of one row, by the numbers that either's products with them are in the ratio of.
        let longer = if dot(first, first) >= dot(second, second) { &*first } else { &*second };
        let along = [dot(first, longer), dot(second, longer)];
        let size = sqrt(along[0] * along[0] + along[1] * along[1]);
        if size == 0.0 {
            return rows.truncate(start);
        }
        let along = along.map(|x| x / size);
        first.iter_mut().zip(&*second).for_each(|(a, b)| *a = along[0] * *a + along[1] * b);
        rows.truncate(start + self.table.nv);
        self.push_tangent(contact, along);
    }

    /// Adds what is asked of the row along a tangent.
    fn push_tangent(&mut self, contact: usize, along: [f64; 2]) {
        let v = &self.state.v;
        let asked = |(row, along): (usize, f64)| {
            let rate = self.parts.velocity(contact, row, v);
            -along * (self.parts.bias(contact, row) + STABILIZATION * rate)
        };
        self.held.target.push((1..3).zip(along).map(asked).sum());
        let first = self.parts.place(contact);
        self.places.push(Place { first, along: [0.0, along[0], along[1]] });
    }

    /// Adds the friction of a contact whose normal is the last row.
    fn push_friction(&mut self, contact: usize, along: [f64; 2]) {
        let friction = self.friction[contact];
        if friction == 0.0 {
            return;
        }
        let direction = self.direction(contact, along);
        let start = self.held.friction.len();
        self.held.friction.resize(start + self.table.nv, 0.0);
        for (row, along) in (1..3).zip(direction) {
            let rows = &mut self.held.rows;
            let end = rows.len();
            self.parts.push_row(contact, row, rows);
            add(&mut self.held.friction[start..], -friction * along, &rows[end..]);
            rows.truncate(end);
        }
        self.held.slides.push(self.held.count() - 1);
    }

    /// The unit vector along which a contact slides: that of its slip, of which what is against `along` is mirrored, so
    /// that it goes on smoothly where the slip turns round, which is an event, and does not jump where it just turns away.
    pub(super) fn direction(&self, contact: usize, along: [f64; 2]) -> [f64; 2] {
        let slip = self.parts.slip(contact, &self.state.v);
        let against = f64::max(0.0, -slip[0] * along[0] - slip[1] * along[1]);
        // What is slower than is told from rest has the direction that it begins with.
        let forth = self.still() + 2.0 * against;
        let sum = [0, 1].map(|k| slip[k] + forth * along[k]);
        let size = sqrt(sum[0] * sum[0] + sum[1] * sum[1]);
        sum.map(|x| x / size)
    }

    /// The slip of a contact at the state that is looked at.
    pub(super) fn slip_at(&mut self, robot: Robot<'_>, contact: usize) -> [f64; 2] {
        let Phase { time, q, v, .. } = &self.state;
        self.parts.evaluate(robot, (q, v), *time);
        self.parts.slip(contact, v)
    }

    /// Writes forces of the rows, (m), to their places among all, and nothing elsewhere.
    pub(super) fn spread(&self, lambda: &[f64], forces: &mut [f64]) {
        forces.fill(0.0);
        for (Place { first, along }, lambda) in self.places.iter().zip(lambda) {
            for (k, along) in along.iter().enumerate().filter(|(_, along)| **along != 0.0) {
                forces[first + k] += along * lambda;
            }
        }
    }

    /// Writes the forces of the rows to their places, and friction.
    pub(super) fn record(&mut self, mode: &Mode) {
        let mut forces = core::mem::take(&mut self.forces);
        self.spread(&self.held.lambda, &mut forces);
        self.forces = forces;
        for contact in 0..mode.contacts.len() {
            if let Touch::Slide { along } = mode.contacts[contact] {
                let size = self.friction[contact] * self.forces[3 * contact];
                let direction = self.direction(contact, along);
                (0..2).for_each(|k| self.forces[3 * contact + 1 + k] = -size * direction[k]);
            }
        }
    }
}

/// Whether two tangents are more than one line of motion.
pub(super) fn are_independent(first: &[f64], second: &[f64]) -> bool {
    let (a, b, c) = (dot(first, first), dot(first, second), dot(second, second));
    a * c - b * b > NO_TANGENT * (a + c) * (a + c)
}
