//! What Newton's method for velocities reads of a tree, and what impulses change that are along no rows.

use core::iter::successors;

use super::tree::{COLUMNS, Tree};
use crate::cone::{LANES, WIDEST};
use crate::contact::Impulse;
use crate::kernel::Real;
use crate::model::Table;

impl Tree {
    pub(in crate::contact) fn table(&self) -> &'static Table {
        self.table
    }

    pub(in crate::contact) fn nv(&self) -> usize {
        self.table.nv
    }

    /// Of each contact, the coordinates that move it.
    pub(in crate::contact) fn coordinates_of_contacts(
        &self,
    ) -> impl Iterator<Item = &'static [usize]> {
        self.table.contacts.iter().map(|contact| contact.coordinates)
    }

    /// Which body that is solved for carries a contact, if one does.
    #[inline(always)]
    pub(in crate::contact) fn hub(&self, contact: usize) -> Option<usize> {
        self.table.hubs.get(contact / LANES).copied()
    }

    /// X of a contact on such a body, column by column: its velocity is X times the body's.
    #[inline(always)]
    pub(in crate::contact) fn arm(&self, contact: usize) -> Option<[[f64; 3]; WIDEST]> {
        let place = self.arms.get(contact / LANES)? + contact % LANES;
        Some(core::array::from_fn(|k| self.three(place + 3 * LANES * k)))
    }

    /// The entry of Y of a contact, or of the body that carries it, at the coordinate that is at this depth of its path.
    #[inline(always)]
    pub(in crate::contact) fn column_entry(&self, contact: usize, depth: usize, row: usize) -> f64 {
        match self.hub(contact) {
            Some(hub) => self.numbers[self.hubs[hub].0 + WIDEST * depth + row],
            None => self.numbers[self.contacts[contact] + LANES * (COLUMNS + 3 * depth + row)],
        }
    }

    /// The diagonal of A of a contact, and the entry of both tangents.
    #[inline(always)]
    pub(in crate::contact) fn mobility(&self, contact: usize) -> ([f64; 3], f64) {
        let (inverse, arm) = (self.inverse_pivots(), self.arm(contact));
        let (mut mobility, mut across) = ([0.0; 3], 0.0);
        for (depth, &k) in self.table.contacts[contact].coordinates.iter().enumerate() {
            let y: [f64; 3] = core::array::from_fn(|axis| match &arm {
                None => self.column_entry(contact, depth, axis),
                Some(arm) => {
                    (0..WIDEST).map(|j| arm[j][axis] * self.column_entry(contact, depth, j)).sum()
                }
            });
            mobility.iter_mut().zip(y).for_each(|(to, y)| *to += inverse[k] * y * y);
            across += inverse[k] * y[1] * y[2];
        }
        (mobility, across)
    }

    /// What an impulse of one makes a coordinate faster.
    pub(in crate::contact) fn compliance(&mut self, v: usize) -> f64 {
        let mut row = core::mem::take(&mut self.row);
        let path = || successors(Some(v), |&k| self.table.parents[k]);
        path().for_each(|k| row[k] = 0.0);
        row[v] = 1.0;
        let mut compliance = 0.0;
        for k in path() {
            let value = row[k];
            compliance += self.inverse_pivots()[k] * value * value;
            self.lower.add_row(&self.numbers, k, -value, &mut row);
        }
        self.row = row;
        compliance
    }

    /// Row `k` of L beside the diagonal, from the root on.
    #[inline(always)]
    pub(in crate::contact) fn write_lower(&self, k: usize, row: &mut [f64]) {
        self.lower.write_row(&self.numbers, k, row);
    }

    /// Row `k` of M + δ up to the diagonal, from the root on.
    #[inline(always)]
    pub(in crate::contact) fn write_mass(&self, k: usize, row: &mut [f64]) {
        let (stride, diagonal) = (self.lower.stride(k), self.diagonal[k]);
        let first = diagonal + stride - stride * row.len();
        row.iter_mut()
            .zip(self.numbers[first..].iter().step_by(stride))
            .for_each(|(to, x)| *to = *x);
    }

    /// Finds what these impulses change of contacts and of single coordinates.
    #[inline(always)]
    pub(in crate::contact) fn accelerate_by<A: Real>(&mut self, impulse: &Impulse) {
        let each = self.row.iter_mut().zip(&impulse.motors).zip(&impulse.dry_friction);
        for (((row, motor), friction), [below, above]) in each.zip(&impulse.limits) {
            *row = motor + friction + below - above;
        }
        self.lower.transform::<A>(&self.numbers, &mut self.row);
        self.respond(impulse);
    }
}
