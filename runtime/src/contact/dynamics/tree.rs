//! A robot whose coordinates form a tree, by what is generated: M + δ = Lᵀ D L, Y = J L⁻¹.
//!
//! Rows are those of Y, and responses D⁻¹ Yᵀ Λ; only at last a response s becomes the change of velocity L⁻¹ s.

use alloc::vec;
use alloc::vec::Vec;
use core::iter::successors;
use core::marker::PhantomData;
use core::ops::Range;

use super::Start;
use crate::contact::Error;
use crate::contact::rows::Rows;
use crate::kernel::{Input, evaluate};
use crate::manifold;
use crate::model::Model;
use crate::space::Storage;

#[derive(Clone, Debug)]
pub(in crate::contact) struct Tree<M: Model> {
    /// As the kernel writes them.
    numbers: Vec<f64>,
    /// Of each coordinate, where its row of L begins, and which of the runs are its.
    rows: Vec<(usize, Range<usize>)>,
    /// Coordinates in a row that one hangs on: the first, and how many.
    runs: Vec<(usize, usize)>,
    /// Where Y of each contact begins.
    contacts: Vec<usize>,
    step_size: f64,
    /// v_free, (nv).
    pub(super) free: Vec<f64>,
    /// φ of the contacts.
    pub(super) gap: Vec<f64>,
    /// Room for a row, (nv).
    row: Vec<f64>,
    model: PhantomData<fn() -> M>,
}

/// The coordinates that `k` hangs on, from the root on, as runs of successive ones.
fn ancestors<M: Model>(k: usize) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for i in successors(M::PARENTS[k], |&i| M::PARENTS[i]) {
        match runs.last_mut() {
            Some(run) if run.0 == i + 1 => *run = (i, run.1 + 1),
            _ => runs.push((i, 1)),
        }
    }
    runs.reverse();
    runs
}

impl<M: Model> Tree<M> {
    /// Whether there is what it needs.
    pub(super) fn suits() -> bool {
        let moved = M::CONTACTS.iter().all(|contact| !contact.coordinates.is_empty());
        M::NC == 0 && !M::PARENTS.is_empty() && !M::CONTACTS.is_empty() && moved
    }

    pub(super) fn new() -> Self {
        let mut length = 2 * M::NV;
        let mut place = |count: usize| {
            length += count;
            length - count
        };
        let mut runs = Vec::new();
        let mut row = |k: usize| {
            let first = runs.len();
            runs.extend(ancestors::<M>(k));
            (place(runs[first..].iter().map(|run| run.1).sum()), first..runs.len())
        };
        let rows = (0..M::NV).map(&mut row).collect();
        let contact = |contact: &crate::description::Contact| 3 * contact.coordinates.len() + 7;
        let contacts = M::CONTACTS.iter().map(|of| place(contact(of))).collect();
        Self {
            numbers: vec![f64::NAN; length],
            rows,
            runs,
            contacts,
            step_size: f64::NAN,
            free: vec![0.0; M::NV],
            gap: vec![0.0; M::CONTACTS.len()],
            row: vec![0.0; M::NV],
            model: PhantomData,
        }
    }

    pub(super) fn evaluate(&mut self, model: &M, start: &Start<'_, M>) -> Result<(), Error> {
        let [q, v, a] = [start.q.as_slice(), start.v.as_slice(), start.force.as_slice()];
        model.with_prepared(|fields| {
            let input = Input { fields, q, v, a, asked: start.added, ..Input::default() };
            evaluate::<M::ContactDynamics>(&input, &mut self.numbers);
        });
        if !self.inverse_pivots().iter().all(|&d| d > 0.0 && d.is_finite()) {
            return Err(Error::MassMatrix);
        }
        self.step_size = start.step_size;
        manifold::carry(M::JOINTS, v, start.step_size, &mut self.free);
        let accelerations = &self.numbers[..M::NV];
        self.free.iter_mut().zip(accelerations).for_each(|(x, a)| *x += start.step_size * a);
        for (i, gap) in self.gap.iter_mut().enumerate() {
            *gap = self.numbers[self.contacts[i] + 3 * M::CONTACTS[i].coordinates.len() + 6];
        }
        Ok(())
    }

    /// D⁻¹.
    pub(super) fn inverse_pivots(&self) -> &[f64] {
        &self.numbers[M::NV..2 * M::NV]
    }

    /// The entries of row `k` of L, run by run: the first coordinate, and the entries from there on.
    #[inline]
    fn row(&self, k: usize) -> impl Iterator<Item = (usize, &[f64])> {
        let (begin, runs) = &self.rows[k];
        let mut rest = &self.numbers[*begin..];
        self.runs[runs.clone()].iter().map(move |&(first, count)| {
            let (entries, after) = rest.split_at(count);
            rest = after;
            (first, entries)
        })
    }

    /// x += a times row `k` of L.
    #[inline]
    fn add_row(&self, k: usize, a: f64, x: &mut [f64]) {
        for (first, entries) in self.row(k) {
            x[first..].iter_mut().zip(entries).for_each(|(x, entry)| *x += a * entry);
        }
    }

    /// Writes the last rows, which are those of a contact.
    pub(super) fn write_contact(&self, contact: usize, count: usize, rows: &mut Rows) {
        let coordinates = M::CONTACTS[contact].coordinates;
        let columns = self.numbers[self.contacts[contact]..].chunks_exact(3);
        coordinates.iter().zip(columns).for_each(|(&k, column)| rows.write(k, &column[..count]));
    }

    /// Writes the last row, sign times row `v` of L⁻¹.
    pub(super) fn write_coordinate(&mut self, v: usize, sign: f64, rows: &mut Rows) {
        let mut row = core::mem::take(&mut self.row);
        let path = || successors(Some(v), |&k| M::PARENTS[k]);
        path().for_each(|k| row[k] = 0.0);
        row[v] = sign;
        for k in path() {
            let value = row[k];
            rows.write(k, &[value]);
            self.add_row(k, -value, &mut row);
        }
        self.row = row;
    }

    /// Writes the last row, `row` times L⁻¹.
    pub(super) fn write_row(&mut self, entries: impl Iterator<Item = f64>, rows: &mut Rows) {
        let mut row = core::mem::take(&mut self.row);
        row.iter_mut().zip(entries).for_each(|(x, entry)| *x = entry);
        for k in (0..M::NV).rev() {
            let value = row[k];
            rows.write(k, &[value]);
            self.add_row(k, -value, &mut row);
        }
        self.row = row;
    }

    /// Turns a response into the change of velocity.
    pub(super) fn realize(&self, s: &mut [f64]) {
        for k in 0..M::NV {
            let mut sum = 0.0;
            for (first, entries) in self.row(k) {
                sum = s[first..].iter().zip(entries).fold(sum, |sum, (s, entry)| sum + s * entry);
            }
            s[k] -= sum;
        }
    }

    /// Lᵀ p.
    pub(super) fn generalize(&self, p: &mut [f64]) {
        for k in 0..M::NV {
            let value = p[k];
            self.add_row(k, value, p);
        }
    }

    /// J v, J v_free, or what a response makes of it: three numbers of a contact from the `at`th on.
    fn three(&self, contact: usize, at: usize) -> [f64; 3] {
        let first = self.contacts[contact] + 3 * M::CONTACTS[contact].coordinates.len() + at;
        core::array::from_fn(|k| self.numbers[first + k])
    }

    /// J v of a contact.
    pub(super) fn contact_velocity(&self, contact: usize) -> [f64; 3] {
        self.three(contact, 0)
    }

    /// J v_free of a contact.
    pub(super) fn contact_free(&self, contact: usize) -> [f64; 3] {
        let (velocity, rate) = (self.three(contact, 0), self.three(contact, 3));
        core::array::from_fn(|k| velocity[k] + self.step_size * rate[k])
    }

    /// What a response adds to the velocity of a contact.
    pub(super) fn contact_change(&self, contact: usize, s: &[f64]) -> [f64; 3] {
        let coordinates = M::CONTACTS[contact].coordinates;
        let n = coordinates.len();
        let columns = self.numbers[self.contacts[contact]..][..3 * n].chunks_exact(3);
        let mut change = [0.0; 3];
        for (column, &i) in columns.zip(coordinates) {
            (0..3).for_each(|k| change[k] += column[k] * s[i]);
        }
        change
    }

    /// (M + δ) Δ + h b for a change Δ of velocity, by inverse dynamics; and |D Δ|, which is no larger than the
    /// largest term of each entry.
    pub(super) fn inverse(&self, model: &M, start: &Start<'_, M>, change: &M::V) -> [M::V; 2] {
        let (h, mut acceleration) = (start.step_size, change.clone());
        acceleration.as_mut_slice().iter_mut().for_each(|a| *a /= h);
        let mut force = model.inverse_dynamics(start.q, start.v, &acceleration);
        let mut size = M::V::zeros();
        for i in 0..M::NV {
            force[i] = h * force[i] + start.added[i] * change[i];
            size[i] = (change[i] / self.inverse_pivots()[i]).abs();
        }
        [force, size]
    }
}
