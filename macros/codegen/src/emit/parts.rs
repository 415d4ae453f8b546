//! Cutting a long kernel into parts, each a function of its own.
//!
//! LLVM takes a time for a function that grows faster than its length, and code that is longer than
//! what the processor keeps at hand is no faster in one piece. What one part computes and a later one
//! reads is kept in a workspace. A place in it is used again once nothing reads what it holds.

use std::collections::{BTreeSet, HashMap};

use crate::expr::NodeId;

use super::program::Program;

/// Where kernels are cut.
#[derive(Clone, Copy, Debug)]
pub struct Cut {
    /// Statements of a kernel that stays in one piece, at most.
    pub whole: usize,
    /// Statements of a part, at most.
    pub part: usize,
}

impl Default for Cut {
    fn default() -> Self {
        Self { whole: 2000, part: 850 }
    }
}

/// A kernel's statements in parts.
pub(super) struct Parts<'p> {
    /// The parts, one after the other.
    pub(super) all: Vec<Part<'p>>,
    /// Places in the workspace, among the values of as many lanes.
    pub(super) places: HashMap<NodeId, usize>,
    /// How many places there are for the values of each width.
    pub(super) room: [usize; 3],
}

/// A part.
#[derive(Clone, Copy)]
pub(super) enum Part<'p> {
    /// All of a short kernel.
    Whole,
    /// Statements; before the first of them come sines and cosines, and what precedes these.
    Statements { these: &'p [NodeId], are_first: bool },
    /// The rounds of this number.
    Rounds(usize),
}

impl<'p> Parts<'p> {
    /// The parts, of which there is one if the kernel is short.
    pub(super) fn new(program: &'p Program<'_, '_>, cut: Cut) -> Self {
        let rest = &program.rest;
        let in_rounds: usize = program.rounds.iter().map(|of| of.statements.len()).sum();
        if rest.len() + in_rounds <= cut.whole.max(cut.part) {
            return Self { all: vec![Part::Whole], places: HashMap::new(), room: [0; 3] };
        }
        let rounds = |of_sums: bool| {
            let all = program.rounds.iter().enumerate();
            let some = all.filter(move |(_, of)| of.gives_sums() == of_sums);
            some.map(|(k, _)| Part::Rounds(k))
        };
        let length = rest.len().div_ceil(rest.len().div_ceil(cut.part).max(1));
        let (first, others) = rest.split_at(length);
        let first = Part::Statements { these: first, are_first: true };
        let others = others.chunks(length.max(1));
        let others = others.map(|these| Part::Statements { these, are_first: false });
        let all = rounds(true).chain([first]).chain(others).chain(rounds(false)).collect();
        let mut parts = Self { all, places: HashMap::new(), room: [0; 3] };
        parts.place(program);
        parts
    }

    /// Whether the kernel is not in one piece.
    pub(super) fn are_many(&self) -> bool {
        !matches!(self.all[..], [Part::Whole])
    }

    /// A part writes to places of one parity only: stores side by side would have LLVM look, for long
    /// and in vain, for operations to join in registers.
    fn place(&mut self, program: &Program<'_, '_>) {
        let mut free: [[BTreeSet<usize>; 2]; 3] = Default::default();
        let mut fresh = [[0, 1]; 3];
        let mut held: Vec<Vec<(usize, usize)>> = vec![Vec::new(); self.all.len()];
        for (part, made) in self.kept(program).into_iter().enumerate() {
            // What the part before was the last to read.
            if let Some(before) = part.checked_sub(1) {
                for (set, place) in std::mem::take(&mut held[before]) {
                    free[set][place % 2].insert(place);
                }
            }
            for (id, last) in made {
                let (set, parity) = (set(program, id), part % 2);
                let place = free[set][parity].pop_first().unwrap_or_else(|| {
                    fresh[set][parity] += 2;
                    fresh[set][parity] - 2
                });
                self.room[set] = self.room[set].max(place + 1);
                held[last].push((set, place));
                self.places.insert(id, place);
            }
        }
    }

    /// For each part the values that it makes and later ones read, and the last one that does.
    fn kept(&self, program: &Program<'_, '_>) -> Vec<Vec<(NodeId, usize)>> {
        let mut maker: HashMap<NodeId, usize> = HashMap::new();
        let mut last: HashMap<NodeId, usize> = HashMap::new();
        let mut turns = 0;
        for (part, what) in self.all.iter().enumerate() {
            let (makes, reads) = match *what {
                Part::Whole => continue,
                Part::Statements { these, are_first } => {
                    turns = if are_first { part } else { turns };
                    (these.to_vec(), these.iter().flat_map(|&id| program.reads(id)).collect())
                }
                Part::Rounds(k) => {
                    let of = &program.rounds[k];
                    let sums = of.rounds.sums.iter().map(|(sum, _)| sum.id());
                    (sums.collect(), program.read_by_rounds(of))
                }
            };
            maker.extend(makes.into_iter().map(|id| (id, part)));
            last.extend(reads.into_iter().map(|id| (id, part)));
        }
        let end = self.all.len() - 1;
        last.extend(program.read_by_outputs().into_iter().map(|id| (id, end)));
        let mut made = vec![Vec::new(); self.all.len()];
        for (id, last) in last {
            let maker = maker.get(&id).copied().unwrap_or(turns);
            if maker < last {
                made[maker].push((id, last));
            }
        }
        made.iter_mut().for_each(|ids| ids.sort());
        made
    }
}

/// Which set of places is for values with as many lanes: 0 for one, 1 for two, 2 for four.
pub(super) fn set(program: &Program<'_, '_>, id: NodeId) -> usize {
    match program.graph.width(id) {
        1 => 0,
        2 => 1,
        _ => 2,
    }
}

#[cfg(test)]
mod tests;
