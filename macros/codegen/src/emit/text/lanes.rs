//! Which lanes of values are outputs one after the other, and which are not.

use crate::emit::program::{Places, Program};
use crate::expr::NodeId;

/// So many outputs in a row are written at once, whatever they are lanes of.
pub(super) const QUAD: usize = 4;

/// So many values may wait to be written in this way: a batch, which takes one lane after the other, has them in memory until then.
const FEW: usize = 12;

/// The values of four lanes of which some are outputs that do not follow on each other, if they are few.
pub(super) fn scattered(program: &Program<'_, '_>) -> Vec<NodeId> {
    let values = program.places.iter().filter(|&(&id, places)| {
        !program.is_inline(id) && are_scattered(places, program.graph.width(id))
    });
    let values: Vec<NodeId> = values.map(|(&id, _)| id).collect();
    if values.len() <= FEW { values } else { Vec::new() }
}

/// Whether four lanes are outputs that do not follow on each other.
pub(super) fn are_scattered(places: &[(Option<usize>, usize)], width: usize) -> bool {
    width == QUAD && !rows(places, width).1.is_empty()
}

/// Whether all lanes are outputs one after the other from this one on.
pub(super) fn is_row(places: &[(Option<usize>, usize)], width: usize, first: usize) -> bool {
    (0..width).all(|lane| places.contains(&(Some(lane), first + lane)))
}

/// The outputs from which on all lanes are one after the other, and the others.
pub(super) fn rows(places: &[(Option<usize>, usize)], width: usize) -> (Vec<usize>, Places) {
    let firsts = places.iter().filter(|(lane, k)| *lane == Some(0) && is_row(places, width, *k));
    let rows: Vec<usize> = firsts.map(|(_, k)| *k).collect();
    let is_in_row = |lane, k| rows.iter().any(|first| first + lane == k);
    let others = places.iter().filter(|(lane, k)| lane.is_none_or(|lane| !is_in_row(lane, *k)));
    let others = others.copied().collect();
    (rows, others)
}
