//! Many contacts of one body, whose numbers are read in rounds.

use std::ops::Range;

use crate::expr::{Expr, Graph};

use super::contact_layout::{COLUMNS, LANES};
use super::rounds::{Rounds, Source};
use super::symbols;

/// Fours of contacts whose numbers are written in rounds.
pub(super) struct Patch<'g> {
    /// Which they are.
    pub(super) fours: Range<usize>,
    /// The numbers of the first one.
    written: Range<usize>,
    /// Its columns.
    columns: Vec<[Expr<'g>; 3]>,
}

impl<'g> Patch<'g> {
    /// From this four on, those that are written so.
    pub(super) fn new(four: usize, columns: Vec<[Expr<'g>; 3]>, rounds: &Rounds<'g>) -> Self {
        Self { fours: four..four + rounds.count, written: rounds.outputs.clone(), columns }
    }

    /// The columns of each of them. What is constant in one is so in all.
    pub(super) fn columns(&self, read: &mut Reading<'g>) -> Vec<[Expr<'g>; 3]> {
        let mut columns = self.columns.clone();
        for (k, entry) in columns.iter_mut().flatten().enumerate() {
            if entry.numbers::<LANES>().is_none() {
                let place = LANES * (COLUMNS + k);
                *entry = read.symbols(symbols::HOLDS, &self.written, place);
            }
        }
        columns
    }

    /// The impulses of the contacts.
    pub(super) fn impulse(&self, read: &mut Reading<'g>) -> [Expr<'g>; 3] {
        let first = 3 * LANES * self.fours.start;
        let of_one = first..first + 3 * LANES;
        [0, 1, 2].map(|axis| read.symbols(symbols::ASKED, &of_one, LANES * axis))
    }
}

/// What rounds read of what the kernel is given.
pub(super) struct Reading<'g> {
    graph: &'g Graph,
    /// The number of these rounds.
    rounds: usize,
    pub(super) columns: Vec<(Expr<'g>, Source)>,
}

impl<'g> Reading<'g> {
    pub(super) fn new(graph: &'g Graph, rounds: usize) -> Self {
        Self { graph, rounds, columns: Vec::new() }
    }

    fn symbols(&mut self, set: u8, of_one: &Range<usize>, place: usize) -> Expr<'g> {
        let symbols = symbols::of_rounds(self.graph, self.rounds, self.columns.len());
        self.columns.push((symbols, Source::Given { set, of_one: of_one.clone(), place }));
        symbols
    }
}
