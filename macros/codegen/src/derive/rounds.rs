//! What is computed in rounds: numbers of many contacts that differ in where they lie alone.
//!
//! Such contacts are derived as four of them, in terms of symbols of the set [`symbols::ROUND`]. A kernel goes through
//! what these stand for in a loop: its code does not grow with the number of contacts. That of a hundred would not fit into
//! the nearest cache otherwise.
//!
//! [`symbols::ROUND`]: super::symbols::ROUND

mod unrolled;

use std::ops::Range;

use crate::expr::Expr;

use super::contact_layout::LANES;

pub use unrolled::unrolled;

/// A part of a quantity that is computed in rounds.
#[derive(Clone, Debug)]
pub struct Rounds<'g> {
    /// How many there are.
    pub count: usize,
    /// What they differ in: symbols side by side, and where these come from.
    pub columns: Vec<(Expr<'g>, Source)>,
    /// The outputs of the first one, which are the same expressions in all of them; those of the others follow.
    pub outputs: Range<usize>,
    /// Sums over all of them: the symbol of one, and what each round adds in its lanes, from what the kernel is given alone. All
    /// else may read them.
    pub sums: Vec<(Expr<'g>, Expr<'g>)>,
}

/// Where four numbers of each round come from, one for each contact side by side.
#[derive(Clone, Debug)]
pub enum Source {
    /// They are known.
    Table(Vec<[f64; LANES]>),
    /// They are among what the kernel is given.
    Given {
        /// The set of symbols.
        set: u8,
        /// Those of the first round; those of the others follow.
        of_one: Range<usize>,
        /// The first of them, from the start of the round.
        place: usize,
    },
}

impl Rounds<'_> {
    /// The outputs of all rounds.
    pub(crate) fn all_outputs(&self) -> Range<usize> {
        let Range { start, end } = self.outputs;
        start..start + self.count * (end - start)
    }
}
