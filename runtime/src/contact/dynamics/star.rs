//! Contacts that share few coordinates, by the numbers of the tree, four side by side.

use alloc::vec::Vec;

use super::hubs::Couple;
use super::shared::{columns, four_of, own_coordinates};
use super::tree::{COLUMNS, GAP, RATE, Tree, VELOCITY};
use crate::arithmetic::{Baseline, Lanes};
use crate::cone::{Each, LANES, Rows, WIDEST};
use crate::contact::rows;
use crate::contact::star::Star;
use crate::fours::load_rows;
use crate::kernel::{Real, compute};

/// Four contacts at the beginning of a step.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::contact) struct Beginning {
    /// φ.
    pub(in crate::contact) gap: Each,
    /// J v and J v_free.
    pub(in crate::contact) velocity: Rows,
    pub(in crate::contact) free: Rows,
}

impl Tree {
    /// Whether no two of these contacts are on one limb, where `taken` is room for a number of each coordinate.
    pub(in crate::contact) fn are_apart(
        &self,
        contacts: impl Iterator<Item = usize>,
        taken: &mut Vec<bool>,
    ) -> bool {
        taken.clear();
        taken.resize(self.table.nv, false);
        let mut limbs = contacts.filter_map(|contact| self.limbs[contact]);
        limbs.all(|limb| !core::mem::replace(&mut taken[limb], true))
    }

    /// Whether contacts have something in common.
    pub(in crate::contact) fn shares(&self) -> bool {
        self.shared_count() > 0 || !self.hubs.is_empty()
    }

    /// Whether some limb has several contacts.
    #[inline(always)]
    pub(in crate::contact) fn is_crowded(&self) -> bool {
        self.is_crowded
    }

    /// Whether all contacts share few velocities: coordinates, or those of the bodies that carry them.
    pub(in crate::contact) fn is_star(&self) -> bool {
        self.shared.is_some() || !self.hubs.is_empty()
    }

    /// Contacts `4 k` to `4 k + 3`, with zeros for those that there are not.
    #[inline(always)]
    pub(in crate::contact) fn four(&self, k: usize) -> Beginning {
        let (numbers, _) = self.numbers[self.contacts[LANES * k]..].as_chunks();
        let mut four = Beginning { gap: numbers[GAP], ..Beginning::default() };
        for axis in 0..3 {
            let (velocity, rate) = (&numbers[VELOCITY + axis], &numbers[RATE + axis]);
            four.velocity[axis] = *velocity;
            for (to, (v, rate)) in four.free[axis].iter_mut().zip(velocity.iter().zip(rate)) {
                *to = v + self.step_size * rate;
            }
        }
        four
    }

    /// J Δv of the same contacts under the last impulses.
    #[inline(always)]
    pub(in crate::contact) fn four_changes(&self, k: usize) -> Rows {
        let (numbers, _) = self.response[2 * self.table.nv..].as_chunks();
        [numbers[3 * k], numbers[3 * k + 1], numbers[3 * k + 2]]
    }

    /// Finds what impulses of contacts alone change.
    #[inline(always)]
    pub(in crate::contact) fn accelerate_contacts<'a>(
        &mut self,
        impulses: impl Iterator<Item = &'a Rows>,
    ) {
        let (fours, _) = self.contact_impulses.as_chunks_mut::<LANES>();
        let (fours, _) = fours.as_chunks_mut::<3>();
        fours.iter_mut().zip(impulses).for_each(|(to, four)| *to = *four);
        self.respond_to_contacts();
    }

    /// Writes what contacts share, if that is little and no two of them are on one limb; whether it is so.
    #[inline(always)]
    pub(in crate::contact) fn write_star(
        &self,
        mut contacts: impl Iterator<Item = usize> + Clone,
        star: &mut Star,
    ) -> bool {
        let is_apart = !self.is_crowded || self.are_apart(contacts.clone(), &mut star.taken);
        if self.shared.is_none() || !is_apart {
            return false;
        }
        self.begin_star(star);
        while let Some(first) = contacts.next() {
            let four = [Some(first), contacts.next(), contacts.next(), contacts.next()];
            if first % LANES == 0 && four == four_of(self.table, first / LANES) {
                self.add_four::<Baseline>(first / LANES, star);
            } else {
                self.gather_four(four, star);
            }
        }
        true
    }

    /// As [`write_contact`](Self::write_contact), of one that a body carries: Y = X Y_hub.
    pub(super) fn write_carried<const K: usize>(&self, contact: usize, rows: &mut rows::Rows) {
        let four = contact / LANES;
        let arm = self.arms[four] + contact % LANES;
        let arms: [_; WIDEST] = core::array::from_fn(|j| self.three(arm + 3 * LANES * j));
        let (place, coordinates) = &self.hubs[self.table.hubs[four]];
        let (columns, _) = self.numbers[*place..].as_chunks::<WIDEST>();
        for (&k, column) in coordinates.iter().zip(columns) {
            let entry = |axis: usize| {
                arms.iter().zip(column).fold(0.0, |sum, (arm, y)| sum + arm[axis] * y)
            };
            rows.write::<K>(k, core::array::from_fn(entry));
        }
    }

    /// A star without contacts.
    #[inline(always)]
    pub(in crate::contact) fn begin_star(&self, star: &mut Star) {
        star.begin(&self.shared_weights());
        if !self.hubs.is_empty() {
            let Self { couplings, numbers, .. } = self;
            let (inverse, bodies) = (self.inverse_pivots(), self.hubs.len());
            let compliance = star.compliance_of(bodies);
            compute(Couple { couplings, numbers, inverse, bodies, compliance });
        }
    }

    /// Adds contacts `4 k` to `4 k + 3` to a star, as they lie.
    #[inline(always)]
    pub(in crate::contact) fn add_four<A: Real>(&self, k: usize, star: &mut Star) {
        if let Some(&place) = self.arms.get(k) {
            let (numbers, _) = self.numbers[place..].as_chunks::<LANES>();
            let (columns, _) = numbers.as_chunks::<3>();
            star.push_on(self.table.hubs[k], &columns[..WIDEST]);
            return;
        }
        let (of_all, _) = self.columns_of_four(k).split_at(self.shared_count());
        star.push(of_all, &self.own_of_four::<A>(k));
    }

    /// The columns of Y of contacts `4 k` to `4 k + 3`, and what numbers come after these.
    #[inline(always)]
    fn columns_of_four(&self, k: usize) -> &[Rows] {
        let (numbers, _) = self.numbers[self.contacts[LANES * k] + LANES * COLUMNS..].as_chunks();
        numbers.as_chunks().0
    }

    #[inline(always)]
    fn shared_count(&self) -> usize {
        self.shared.as_ref().map_or(0, Vec::len)
    }

    /// The columns of Y that all share of contacts `4 k` to `4 k + 3`, where they are as many as a solver has room for.
    #[inline(always)]
    pub(in crate::contact) fn shared_in_place(&self, k: usize) -> Option<&[[Rows; WIDEST]; 1]> {
        if self.shared_count() != WIDEST || !self.arms.is_empty() {
            return None;
        }
        self.columns_of_four(k).as_chunks().0.first_chunk()
    }

    /// W of the shared coordinates, 1 where there is none.
    #[inline(always)]
    pub(in crate::contact) fn shared_weights(&self) -> [f64; WIDEST] {
        let (inverse, mut weights) = (self.inverse_pivots(), [1.0; WIDEST]);
        if let Some(shared) = &self.shared {
            for (to, &k) in weights.iter_mut().zip(shared) {
                *to = inverse[k];
            }
        }
        weights
    }

    /// The triangle of B of contacts `4 k` to `4 k + 3`, as they lie.
    #[inline(always)]
    pub(in crate::contact) fn own_of_four<A: Real>(&self, k: usize) -> [Each; 6] {
        let columns = &self.columns_of_four(k)[self.shared_count()..];
        own::<A>(self.inverse_pivots(), self.own[k].iter().copied().zip(columns))
    }

    /// Adds contacts to a star that do not lie side by side.
    #[cold]
    fn gather_four(&self, four: [Option<usize>; LANES], star: &mut Star) {
        let number = |k: usize, contact: Option<usize>| match contact {
            Some(i) if k < self.table.contacts[i].coordinates.len() * 3 => {
                self.numbers[self.contacts[i] + LANES * (COLUMNS + k)]
            }
            _ => 0.0,
        };
        let mut gathered = core::mem::take(&mut star.gathered);
        gathered.clear();
        gathered.extend(
            (0..columns(self.table, four))
                .map(|j| [0, 1, 2].map(|axis| four.map(|contact| number(3 * j + axis, contact)))),
        );
        let (of_all, of_each) = gathered.split_at(self.shared_count());
        let columns = own_coordinates(self.table, four, of_all.len()).zip(of_each);
        star.push(of_all, &own::<Baseline>(self.inverse_pivots(), columns));
        star.gathered = gathered;
    }
}

/// The triangle of Σ Y D⁻¹ Yᵀ of four contacts, by columns of Y with their coordinates.
#[inline(always)]
fn own<'a, A: Real>(
    inverse: &[f64],
    columns: impl Iterator<Item = ([usize; LANES], &'a Rows)>,
) -> [Each; 6] {
    let mut own = [A::Quad::splat(0.0); 6];
    for ([a, b, c, d], column) in columns {
        let [x, y, z] = load_rows::<A>(column);
        let weight = A::Quad::pack([inverse[a], inverse[b], inverse[c], inverse[d]]);
        let (weighted_x, weighted_y) = (weight * x, weight * y);
        own[0] = weighted_x.mul_add(x, own[0]);
        own[1] = weighted_x.mul_add(y, own[1]);
        own[2] = weighted_x.mul_add(z, own[2]);
        own[3] = weighted_y.mul_add(y, own[3]);
        own[4] = weighted_y.mul_add(z, own[4]);
        own[5] = (weight * z).mul_add(z, own[5]);
    }
    let [xx, xy, xz, yy, yz, zz] = own;
    [xx.unpack(), xy.unpack(), xz.unpack(), yy.unpack(), yz.unpack(), zz.unpack()]
}
