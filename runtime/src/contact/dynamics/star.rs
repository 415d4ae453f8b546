//! Contacts that share few coordinates, by the numbers of the tree, four side by side.

use alloc::vec::Vec;

use super::tree::{COLUMNS, GAP, RATE, Tree, VELOCITY};
use crate::cone::{Each, LANES, Rows, WIDEST};
use crate::contact::star::Star;
use crate::model::Model;

/// The coordinates that all contacts hang on, unless they are many, or others move more than one contact.
pub(super) fn shared_coordinates<M: Model>() -> Option<Vec<usize>> {
    let moves = |k: usize| M::CONTACTS.iter().filter(|of| of.coordinates.contains(&k)).count();
    let several: Vec<_> = (0..M::NV).filter(|&k| moves(k) > 1).collect();
    let all = M::CONTACTS.iter().all(|of| of.coordinates.starts_with(&several));
    (all && several.len() <= WIDEST).then_some(several)
}

/// Four contacts at the beginning of a step.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::contact) struct Four {
    /// φ.
    pub(in crate::contact) gap: Each,
    /// J v and J v_free.
    pub(in crate::contact) velocity: Rows,
    pub(in crate::contact) free: Rows,
}

/// Contacts `4 k` to `4 k + 3`, if there are so many.
#[inline(always)]
fn four_of<M: Model>(k: usize) -> [Option<usize>; LANES] {
    let of = |lane: usize| Some(LANES * k + lane).filter(|&i| i < M::CONTACTS.len());
    [of(0), of(1), of(2), of(3)]
}

impl<M: Model> Tree<M> {
    /// Whether all contacts are those of a star.
    pub(in crate::contact) fn is_star(&self) -> bool {
        self.shared.is_some()
    }

    /// Contacts `4 k` to `4 k + 3`, with zeros for those that there are not.
    #[inline(always)]
    pub(in crate::contact) fn four(&self, k: usize) -> Four {
        let (numbers, _) = self.numbers[self.contacts[LANES * k]..].as_chunks();
        let mut four = Four { gap: numbers[GAP], ..Four::default() };
        for axis in 0..3 {
            four.velocity[axis] = numbers[VELOCITY + axis];
            for lane in 0..LANES {
                let change = self.step_size * numbers[RATE + axis][lane];
                four.free[axis][lane] = four.velocity[axis][lane] + change;
            }
        }
        four
    }

    /// J Δv of the same contacts under the last impulses.
    #[inline(always)]
    pub(in crate::contact) fn four_changes(&self, k: usize) -> Rows {
        let (numbers, _) = self.response[2 * M::NV..].as_chunks();
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
        self.row.fill(0.0);
        self.respond();
    }

    /// Writes what contacts share, if that is little; whether it is.
    #[inline(always)]
    pub(in crate::contact) fn write_star(
        &self,
        mut contacts: impl Iterator<Item = usize>,
        star: &mut Star,
    ) -> bool {
        if self.shared.is_none() {
            return false;
        }
        self.begin_star(star);
        while let Some(first) = contacts.next() {
            let four = [Some(first), contacts.next(), contacts.next(), contacts.next()];
            if first % LANES == 0 && four == four_of::<M>(first / LANES) {
                self.add_four(first / LANES, star);
            } else {
                self.gather_four(four, star);
            }
        }
        true
    }

    /// A star without contacts.
    #[inline(always)]
    pub(in crate::contact) fn begin_star(&self, star: &mut Star) {
        let inverse = self.inverse_pivots();
        star.begin(self.shared.iter().flatten().map(|&k| inverse[k]));
    }

    /// Adds contacts `4 k` to `4 k + 3` to a star, as they lie.
    #[inline(always)]
    pub(in crate::contact) fn add_four(&self, k: usize, star: &mut Star) {
        let (numbers, _) = self.numbers[self.contacts[LANES * k]..].as_chunks();
        let (columns, _) = numbers[COLUMNS..].as_chunks();
        self.write_four(four_of::<M>(k), columns, star);
    }

    /// Adds contacts to a star that do not lie side by side.
    #[cold]
    fn gather_four(&self, four: [Option<usize>; LANES], star: &mut Star) {
        let number = |k: usize, contact: Option<usize>| match contact {
            Some(i) if k < M::CONTACTS[i].coordinates.len() * 3 => {
                self.numbers[self.contacts[i] + LANES * (COLUMNS + k)]
            }
            _ => 0.0,
        };
        let mut columns = core::mem::take(&mut star.gathered);
        columns.clear();
        columns.extend(
            (0..self.columns(four))
                .map(|j| [0, 1, 2].map(|axis| four.map(|contact| number(3 * j + axis, contact)))),
        );
        self.write_four(four, &columns, star);
        star.gathered = columns;
    }

    /// How many columns the contacts have at most.
    #[inline(always)]
    fn columns(&self, four: [Option<usize>; LANES]) -> usize {
        four.iter().flatten().map(|&i| M::CONTACTS[i].coordinates.len()).fold(0, usize::max)
    }

    /// Adds contacts, each in its lane, with their columns of Y, the first of which are shared.
    #[inline(always)]
    fn write_four(
        &self,
        four: [Option<usize>; LANES],
        columns: &[[[f64; LANES]; 3]],
        star: &mut Star,
    ) {
        let shared = self.shared.as_ref().map_or(0, Vec::len);
        star.push(&columns[..shared]);
        for (j, column) in columns[..self.columns(four)].iter().enumerate().skip(shared) {
            let mut weights = [0.0; LANES];
            for (weight, contact) in weights.iter_mut().zip(four) {
                let coordinates = contact.map_or(&[][..], |i| M::CONTACTS[i].coordinates);
                if let Some(&k) = coordinates.get(j) {
                    *weight = self.inverse_pivots()[k];
                }
            }
            star.add_own(&weights, column);
        }
    }
}
