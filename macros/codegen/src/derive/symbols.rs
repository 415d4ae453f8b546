//! The sets of symbols that equations are written in.

use std::array::from_fn;

use crate::expr::{Expr, Graph, Node, Symbol};

use super::contact_layout::LANES;

/// The struct's fields.
pub const FIELD: u8 = 0;
/// Configuration.
pub const Q: u8 = 1;
/// Velocity.
pub const V: u8 = 2;
/// Acceleration, or generalised force; of what follows from contact dynamics, y₀ or a change of velocity.
pub const A: u8 = 3;
/// Time, one symbol.
pub const TIME: u8 = 4;
/// Of each row that may hold, 1 if it does, 0 if not; of what follows from contact dynamics, its numbers.
pub const HOLDS: u8 = 5;
/// What each of these rows is asked for beyond what it asks for itself; of contact dynamics, what is added to
/// the inertia of each coordinate; of the response to contacts, the impulse of each, (3).
pub const ASKED: u8 = 6;
/// Where a contact is relative to what it touches, (3); no quantity is left with it.
pub const PLACE: u8 = 7;
/// How fast that changes, (3); likewise.
pub const MOTION: u8 = 8;
/// What rounds differ in, see [`Rounds`](super::Rounds).
pub const ROUND: u8 = 9;
/// Sums over rounds.
pub(crate) const SUM: u8 = 10;

/// Rounds have fewer symbols than that.
const OF_ROUNDS: usize = 1 << 16;

/// What rounds number `rounds` differ in, side by side.
pub(super) fn of_rounds(graph: &Graph, rounds: usize, column: usize) -> Expr<'_> {
    let symbol = |lane| of_number(graph, ROUND, rounds, LANES * column + lane);
    graph.pack(&from_fn::<_, LANES, _>(symbol))
}

/// A sum over rounds number `rounds`.
pub(super) fn sum(graph: &Graph, rounds: usize, place: usize) -> Expr<'_> {
    of_number(graph, SUM, rounds, place)
}

fn of_number(graph: &Graph, set: u8, rounds: usize, place: usize) -> Expr<'_> {
    debug_assert!(place < OF_ROUNDS, "more symbols than rounds have room for");
    graph.symbol(set, OF_ROUNDS * rounds + place)
}

/// Whether it is such a sum.
pub(crate) fn is_sum(node: Node) -> bool {
    matches!(node, Node::Symbol(symbol) if symbol.set == SUM)
}

/// Which rounds it tells apart; `None` of any other symbol.
pub(crate) fn round(symbol: Symbol) -> Option<usize> {
    (symbol.set == ROUND).then_some(symbol.index as usize / OF_ROUNDS)
}
