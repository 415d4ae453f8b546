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
    /// The statements of each part, but for what precedes the sines and cosines, which are of the first.
    pub(super) statements: Vec<&'p [NodeId]>,
    /// Places in the workspace, among the values of as many lanes.
    pub(super) places: HashMap<NodeId, usize>,
    /// How many places there are for the values of each width.
    pub(super) room: [usize; 3],
}

impl<'p> Parts<'p> {
    /// The parts, of which there is one if the kernel is short.
    pub(super) fn new(program: &'p Program<'_, '_>, cut: Cut) -> Self {
        let rest = &program.rest;
        let count = if rest.len() <= cut.whole { 1 } else { rest.len().div_ceil(cut.part) };
        if count == 1 {
            return Self { statements: vec![rest], places: HashMap::new(), room: [0; 3] };
        }
        let statements = rest.chunks(rest.len().div_ceil(count)).collect();
        let mut parts = Self { statements, places: HashMap::new(), room: [0; 3] };
        parts.place(program);
        parts
    }

    /// Whether the kernel is not in one piece.
    pub(super) fn are_many(&self) -> bool {
        self.statements.len() > 1
    }

    /// A part writes to places of one parity only: stores side by side would have LLVM look, for long
    /// and in vain, for operations to join in registers.
    fn place(&mut self, program: &Program<'_, '_>) {
        let mut free: [[BTreeSet<usize>; 2]; 3] = Default::default();
        let mut fresh = [[0, 1]; 3];
        let mut held: Vec<Vec<(usize, usize)>> = vec![Vec::new(); self.statements.len()];
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
        let parts = self.statements.iter().enumerate();
        let maker: HashMap<NodeId, usize> =
            parts.clone().flat_map(|(part, ids)| ids.iter().map(move |&id| (id, part))).collect();
        let mut last: HashMap<NodeId, usize> = HashMap::new();
        for (part, ids) in parts {
            let reads = ids.iter().flat_map(|&id| program.reads(id));
            reads.for_each(|id| _ = last.insert(id, part));
        }
        let end = self.statements.len() - 1;
        program.read_at_last().into_iter().for_each(|id| _ = last.insert(id, end));
        let mut made = vec![Vec::new(); self.statements.len()];
        for (id, last) in last {
            let maker = maker.get(&id).copied().unwrap_or(0);
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
