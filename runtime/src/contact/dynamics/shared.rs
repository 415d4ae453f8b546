//! Which coordinates contacts share, and which each of them has beside, by the description.

use alloc::vec::Vec;

use crate::cone::{LANES, WIDEST};
use crate::description::Contact;
use crate::model::Table;

/// The coordinates from the root on that all contacts hang on, unless they are many; none of one contact alone.
pub(super) fn shared_coordinates(table: &Table) -> Option<Vec<usize>> {
    let [first, others @ ..] = table.contacts else { return None };
    let alike = |of: &Contact| {
        let pairs = first.coordinates.iter().zip(of.coordinates);
        pairs.take_while(|(x, y)| x == y).count()
    };
    let count = others.iter().map(alike).min().unwrap_or(0);
    let shared = &first.coordinates[..count];
    // Bodies that are solved for have all that moves them in common.
    let suits = table.hubs.is_empty() || table.contacts.iter().all(|of| of.coordinates == shared);
    (suits && count <= WIDEST).then(|| shared.to_vec())
}

/// Of each contact the limb that it is on, by the first coordinate beyond the shared ones.
pub(super) fn limbs_of(table: &Table, shared: usize) -> Vec<Option<usize>> {
    table.contacts.iter().map(|of| of.coordinates.get(shared).copied()).collect()
}

/// The coordinates of each body that is solved for, those of its contacts.
pub(super) fn hubs_of(table: &Table) -> impl Iterator<Item = &'static [usize]> {
    let first = |hub: usize| table.hubs.iter().position(|of| *of == hub);
    let contact = move |hub: usize| first(hub).and_then(|k| table.contacts.get(LANES * k));
    (0..).map_while(contact).map(|contact| contact.coordinates)
}

/// Contacts `4 k` to `4 k + 3`, if there are so many.
#[inline(always)]
pub(super) fn four_of(table: &Table, k: usize) -> [Option<usize>; LANES] {
    let of = |lane: usize| Some(LANES * k + lane).filter(|&i| i < table.contacts.len());
    [of(0), of(1), of(2), of(3)]
}

/// How many columns contacts have at most.
pub(super) fn columns(table: &Table, four: [Option<usize>; LANES]) -> usize {
    four.iter().flatten().map(|&i| table.contacts[i].coordinates.len()).fold(0, usize::max)
}

/// The coordinates of the columns beyond the shared ones; any where a contact has none, since that column is zero.
pub(super) fn own_coordinates(
    table: &Table,
    four: [Option<usize>; LANES],
    shared: usize,
) -> impl Iterator<Item = [usize; LANES]> {
    let of = move |contact: Option<usize>, j: usize| {
        contact.and_then(|i| table.contacts[i].coordinates.get(j)).copied().unwrap_or(0)
    };
    (shared..columns(table, four)).map(move |j| four.map(|contact| of(contact, j)))
}

/// Of all contacts as they lie, the coordinates of the columns beyond the shared ones.
pub(super) fn own_of_fours(table: &Table, shared: usize) -> Vec<Vec<[usize; LANES]>> {
    let fours = 0..table.contacts.len().div_ceil(LANES);
    fours.map(|k| own_coordinates(table, four_of(table, k), shared).collect()).collect()
}
