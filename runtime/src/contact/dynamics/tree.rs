//! A robot whose coordinates form a tree, by what is generated: M + δ = Lᵀ D L, Y = J L⁻¹.
//!
//! Rows are those of Y, and responses D⁻¹ Yᵀ Λ. What they change is generated as well.

use alloc::vec;
use alloc::vec::Vec;
use core::iter::successors;

use super::hubs::{Coupling, couplings};
use super::lower::{Lower, columns_of};
use super::shared::{hubs_of, limbs_of, own_of_fours, shared_coordinates};
use super::start::{Start, check_gaps};
use super::sum::sum_of;
use crate::arithmetic::{Lanes, Ordered};
use crate::cone::{Each, LANES, WIDEST};
use crate::contact::rows::Rows;
use crate::contact::slip::is_at_rest;
use crate::contact::{Error, Impulse};
use crate::fours::{are_positive, largest, load, starts, store};
use crate::kernel::Real;
use crate::model::{Kernels, Robot, Table};

/// J v, J (α + c), φ and Y, among the numbers of a contact, where the kernel has them.
pub(super) const VELOCITY: usize = 0;
pub(super) const RATE: usize = 3;
pub(super) const GAP: usize = 6;
pub(super) const COLUMNS: usize = 7;

#[derive(Clone, Debug)]
pub(in crate::contact) struct Tree {
    pub(super) table: &'static Table,
    pub(super) kernels: &'static Kernels,
    /// As the kernel writes them, and behind them what its parts hand on.
    pub(super) numbers: Vec<f64>,
    pub(super) lower: Lower,
    /// Where the diagonal of M + δ is, (nv).
    pub(super) diagonal: Vec<usize>,
    /// Where the first number of each contact is; the next ones are [`LANES`] apart.
    pub(super) contacts: Vec<usize>,
    /// The coordinates that all contacts hang on, from the root on, if they are few.
    pub(super) shared: Option<Vec<usize>>,
    /// Of each contact the limb that it is on, if one, and whether some limb has several.
    pub(super) limbs: Vec<Option<usize>>,
    pub(super) is_crowded: bool,
    /// Of each body that is solved for, the place of its numbers, and the coordinates that it hangs on.
    pub(super) hubs: Vec<(usize, &'static [usize])>,
    /// How they are coupled.
    pub(super) couplings: Vec<Coupling>,
    /// Of contacts that lie side by side, the place of their arms, if there are such bodies.
    pub(super) arms: Vec<usize>,
    /// Of contacts that lie side by side, the coordinates of their other columns.
    pub(super) own: Vec<Vec<[usize; LANES]>>,
    /// Δv, (nv), the generalised impulse, (nv), and J Δv of the contacts, side by side, under the last impulses.
    pub(super) response: Vec<f64>,
    /// The impulses of contacts, side by side.
    pub(super) contact_impulses: Vec<f64>,
    pub(super) step_size: f64,
    /// v_free, (nv).
    pub(in crate::contact) free: Vec<f64>,
    /// φ of the contacts, side by side.
    gap: Vec<Each>,
    /// The deepest penetration, m; 0 if there is none.
    pub(super) penetration: f64,
    /// Room for a change of velocity and its momentum, (nv).
    pub(super) change: Vec<f64>,
    pub(super) momentum: Vec<f64>,
    /// Room for a row, (nv), and what is none.
    pub(super) row: Vec<f64>,
    none: Vec<f64>,
}

/// Where the first of three numbers of a contact is that lie side by side.
#[inline(always)]
fn place(contact: usize) -> usize {
    LANES * 3 * (contact / LANES) + contact % LANES
}

impl Tree {
    /// Whether there is what it needs.
    pub(super) fn suits(table: &Table) -> bool {
        let moved = table.contacts.iter().all(|contact| !contact.coordinates.is_empty());
        table.nc == 0 && !table.parents.is_empty() && !table.contacts.is_empty() && moved
    }

    pub(super) fn new(robot: Robot<'_>) -> Self {
        let table = robot.table();
        let mut length = 3 * table.nv;
        let mut place = |count: usize| {
            length += count;
            length - count
        };
        let lower = Lower::new(table, &mut place);
        // The rows of M + δ with their diagonals.
        let mut diagonal = vec![0; table.nv];
        for alike in table.alike {
            let beside = columns_of(table, alike[0]) * alike.len();
            let first = place(beside + alike.len()) + beside;
            alike.iter().enumerate().for_each(|(lane, &k)| diagonal[k] = first + lane);
        }
        let mut contacts = Vec::new();
        for side_by_side in table.contacts.chunks(LANES) {
            let columns = side_by_side.iter().map(|of| of.coordinates.len()).max();
            let columns = columns.filter(|_| table.hubs.is_empty()).unwrap_or(0);
            let first = place(LANES * (COLUMNS + 3 * columns));
            contacts.extend(first..first + side_by_side.len());
        }
        let hubs = hubs_of(table);
        let hubs: Vec<_> = hubs.map(|of| (place(WIDEST * of.len()), of)).collect();
        let arms = table.hubs.iter().map(|_| place(LANES * 3 * WIDEST)).collect();
        let shared = shared_coordinates(table);
        let count = shared.as_ref().map_or(0, Vec::len);
        let limbs = limbs_of(table, count);
        let is_taken =
            |(k, limb): (usize, &Option<usize>)| limb.is_some() && limbs[..k].contains(limb);
        let is_crowded = shared.is_some() && limbs.iter().enumerate().any(is_taken);
        Self {
            table,
            kernels: robot.kernels(),
            numbers: vec![f64::NAN; length + table.contact_dynamics_room],
            lower,
            diagonal,
            contacts,
            own: own_of_fours(table, count),
            shared,
            limbs,
            is_crowded,
            couplings: couplings(&hubs),
            hubs,
            arms,
            response: vec![0.0; 2 * table.nv + 3 * table.contacts.len().next_multiple_of(LANES)],
            contact_impulses: vec![0.0; 3 * table.contacts.len().next_multiple_of(LANES)],
            step_size: f64::NAN,
            free: vec![0.0; table.nv],
            gap: vec![Each::default(); table.contacts.len().div_ceil(LANES)],
            penetration: 0.0,
            change: vec![0.0; table.nv],
            momentum: vec![0.0; table.nv],
            row: vec![0.0; table.nv],
            none: vec![0.0; table.nv],
        }
    }

    #[inline(always)]
    pub(super) fn evaluate<A: Real>(
        &mut self,
        robot: Robot<'_>,
        start: &Start<'_>,
    ) -> Result<(), Error> {
        let Start { q, v, force, added, .. } = *start;
        robot.contact_dynamics_into(q, v, force, added, &mut self.numbers);
        if !are_positive::<A>(self.inverse_pivots()) {
            return Err(Error::MassMatrix);
        }
        self.step_size = start.step_size;
        let (carried, accelerations) = (start.carried, &self.numbers[..self.table.nv]);
        sum_of(
            &mut self.free[..self.table.nv],
            &carried[..self.table.nv],
            start.step_size,
            accelerations,
        );
        self.keep_gaps::<A>()
    }

    /// Keeps φ of the contacts, which is zero in lanes without one.
    #[inline(always)]
    fn keep_gaps<A: Real>(&mut self) -> Result<(), Error> {
        let (mut sum, mut deepest) = (A::Quad::splat(0.0), A::Quad::splat(0.0));
        for (k, gaps) in self.gap.iter_mut().enumerate() {
            let (numbers, _) = self.numbers[self.contacts[LANES * k]..].as_chunks();
            *gaps = numbers[GAP];
            let gap = A::Quad::pack(*gaps);
            (sum, deepest) = (sum + gap.abs(), (-gap).maximum(deepest));
        }
        self.penetration = largest::<A>(deepest);
        if sum.sum().is_nan() { check_gaps(self.gap()) } else { Ok(()) }
    }

    /// φ of the contacts.
    #[inline(always)]
    pub(super) fn gap(&self) -> &[f64] {
        &self.gap.as_flattened()[..self.table.contacts.len()]
    }

    /// D⁻¹.
    #[inline]
    pub(super) fn inverse_pivots(&self) -> &[f64] {
        &self.numbers[self.table.nv..2 * self.table.nv]
    }

    /// Three numbers of a contact, the first of which is there.
    #[inline(always)]
    pub(super) fn three(&self, first: usize) -> [f64; 3] {
        [self.numbers[first], self.numbers[first + LANES], self.numbers[first + 2 * LANES]]
    }

    /// Writes the last rows, which are those of a contact.
    #[inline(always)]
    pub(super) fn write_contact<const K: usize>(&self, contact: usize, rows: &mut Rows) {
        if !self.arms.is_empty() {
            return self.write_carried::<K>(contact, rows);
        }
        for (j, &k) in self.table.contacts[contact].coordinates.iter().enumerate() {
            let column = self.three(self.contacts[contact] + LANES * (COLUMNS + 3 * j));
            rows.write::<K>(k, core::array::from_fn(|axis| column[axis]));
        }
    }

    /// Writes the last row, sign times row `v` of L⁻¹.
    pub(super) fn write_coordinate(&mut self, v: usize, sign: f64, rows: &mut Rows) {
        let mut row = core::mem::take(&mut self.row);
        let path = || successors(Some(v), |&k| self.table.parents[k]);
        path().for_each(|k| row[k] = 0.0);
        row[v] = sign;
        for k in path() {
            let value = row[k];
            rows.write(k, [value]);
            self.lower.add_row(&self.numbers, k, -value, &mut row);
        }
        self.row = row;
    }

    /// Writes the last row, `row` times L⁻¹.
    pub(super) fn write_row(&mut self, entries: impl Iterator<Item = f64>, rows: &mut Rows) {
        let mut row = core::mem::take(&mut self.row);
        row.iter_mut().zip(entries).for_each(|(x, entry)| *x = entry);
        for k in (0..self.table.nv).rev() {
            let value = row[k];
            rows.write(k, [value]);
            self.lower.add_row(&self.numbers, k, -value, &mut row);
        }
        self.row = row;
    }

    /// An entry of the diagonal of M + δ.
    #[inline(always)]
    pub(in crate::contact) fn inertia(&self, v: usize) -> f64 {
        self.numbers[self.diagonal[v]]
    }

    /// No impulses at all.
    #[inline(always)]
    pub(in crate::contact) fn rest(&mut self) {
        self.response.fill(0.0);
    }

    /// Finds what impulses along the rows change; those from `first` on are not of contacts.
    #[inline(always)]
    pub(super) fn accelerate(
        &mut self,
        (rows, first): (&Rows, usize),
        impulses: &[f64],
        impulse: &Impulse,
    ) {
        self.row.fill(0.0);
        if first < impulses.len() {
            rows.add_force(first, &impulses[first..], &mut self.row);
        }
        for &i in rows.beside() {
            rows.add_force(i, &impulses[i..=i], &mut self.row);
        }
        self.respond(impulse);
    }

    /// Finds what the impulses of contacts change beside L⁻ᵀ times that of all else, which is in [`row`](Self::row).
    #[inline(always)]
    pub(super) fn respond(&mut self, impulse: &Impulse) {
        let Self { kernels, numbers, row, contact_impulses, response, .. } = self;
        let along = impulse.normal.iter().zip(&impulse.friction).enumerate();
        for (contact, (&normal, &[x, y])) in along {
            let to = &mut contact_impulses[place(contact)..];
            [to[0], to[LANES], to[2 * LANES]] = [normal, x, y];
        }
        kernels.contact_response_into(numbers, row, contact_impulses, response);
    }

    /// Finds what the impulses of contacts change beside a generalised impulse, (nv), of all else.
    #[cfg(feature = "std")]
    #[inline(always)]
    pub(in crate::contact) fn respond_beside<A: Real>(&mut self, of: &[f64], impulse: &Impulse) {
        self.row.copy_from_slice(of);
        self.lower.transform::<A>(&self.numbers, &mut self.row);
        self.respond(impulse);
    }

    /// Adds a force, (nv), to that of the step.
    #[inline(always)]
    pub(in crate::contact) fn add_force<A: Real>(&mut self, force: &[f64]) {
        let Self {
            table, kernels, numbers, lower, row, momentum, contact_impulses, response, ..
        } = self;
        row.copy_from_slice(force);
        lower.transform::<A>(numbers, row);
        contact_impulses.fill(0.0);
        kernels.contact_response_into(numbers, row, contact_impulses, response);
        let h = A::Quad::splat(self.step_size);
        for i in starts(table.nv) {
            let change = load::<A>(response, i);
            // Fours overlap, so what is added to is not what is written.
            store::<A>(momentum, i, load::<A>(numbers, i) + change);
            store::<A>(row, i, h.mul_add(change, load::<A>(&self.free, i)));
        }
        numbers[..table.nv].copy_from_slice(momentum);
        self.free.copy_from_slice(row);
        let (changes, _) = response[2 * table.nv..].as_chunks::<LANES>();
        let (changes, _) = changes.as_chunks::<3>();
        for (first, change) in self.contacts.iter().step_by(LANES).zip(changes) {
            let (of_four, _) = numbers[*first..].as_chunks_mut::<LANES>();
            for (rate, change) in of_four[RATE..].iter_mut().zip(change) {
                *rate = (A::Quad::pack(*rate) + A::Quad::pack(*change)).unpack();
            }
        }
    }

    /// Finds what the impulses of contacts change that are written.
    #[inline(always)]
    pub(super) fn respond_to_contacts(&mut self) {
        let Self { kernels, numbers, none, contact_impulses, response, .. } = self;
        kernels.contact_response_into(numbers, none, contact_impulses, response);
    }

    /// Δv under the last impulses, (nv).
    #[inline(always)]
    pub(in crate::contact) fn change(&self) -> &[f64] {
        &self.response[..self.table.nv]
    }

    /// J Δv of a contact.
    #[inline(always)]
    pub(in crate::contact) fn contact_change(&self, contact: usize) -> [f64; 3] {
        let of = &self.response[2 * self.table.nv + place(contact)..];
        [of[0], of[LANES], of[2 * LANES]]
    }

    /// J v of a contact.
    #[inline(always)]
    pub(super) fn contact_velocity(&self, contact: usize) -> [f64; 3] {
        self.three(self.contacts[contact] + LANES * VELOCITY)
    }

    /// Whether a contact does not slip at the beginning.
    #[cold]
    pub(in crate::contact) fn has_rest(&self) -> bool {
        (0..self.contacts.len()).any(|contact| is_at_rest(self.contact_velocity(contact)))
    }

    /// J v_free of a contact.
    #[inline(always)]
    pub(in crate::contact) fn contact_free(&self, contact: usize) -> [f64; 3] {
        let velocity = self.contact_velocity(contact);
        let rate = self.three(self.contacts[contact] + LANES * RATE);
        core::array::from_fn(|k| velocity[k] + self.step_size * rate[k])
    }
}
