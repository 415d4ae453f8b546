//! What a kernel computes in rounds.

use crate::derive::{LANES, Rounds, symbols};
use crate::expr::{Expr, Graph, Node, NodeId};

/// One round of those that a kernel goes through.
pub(super) struct Round<'a, 'g> {
    pub(super) rounds: &'a Rounds<'g>,
    /// The values that are its outputs, lane by lane and one after the other.
    pub(super) outputs: Vec<Expr<'g>>,
    /// The statements that differ from round to round, in the order of their making.
    pub(super) statements: Vec<NodeId>,
}

impl<'a, 'g> Round<'a, 'g> {
    /// Without its statements.
    pub(super) fn new(graph: &'g Graph, outputs: &[Expr<'g>], rounds: &'a Rounds<'g>) -> Self {
        let of_one = outputs[rounds.outputs.clone()].chunks(LANES);
        let outputs = of_one.map(|lanes| graph.pack(lanes)).collect();
        Self { rounds, outputs, statements: Vec::new() }
    }

    /// Whether it gives sums, which all else may read, and not outputs.
    pub(super) fn gives_sums(&self) -> bool {
        !self.rounds.sums.is_empty()
    }

    /// Whether an output is one of any round.
    pub(super) fn writes(&self, output: usize) -> bool {
        self.rounds.all_outputs().contains(&output)
    }

    /// The values that it has to compute.
    pub(super) fn values(&self) -> impl Iterator<Item = Expr<'g>> {
        self.outputs.iter().copied().chain(self.rounds.sums.iter().map(|(_, term)| *term))
    }
}

/// Which rounds each node is of; `None` of what is the same in all.
pub(super) fn of_rounds(graph: &Graph, order: &[NodeId]) -> Vec<Option<usize>> {
    let mut round = vec![None; order.last().map_or(0, |id| id.index() + 1)];
    for &id in order {
        round[id.index()] = match graph.node(id) {
            Node::Symbol(symbol) => symbols::round(symbol),
            node => node.operands().find_map(|id| round[id.index()]),
        };
    }
    round
}

/// Whether it is symbols of a set, in lanes.
pub(super) fn is_packed_of(graph: &Graph, node: Node, set: u8) -> bool {
    let is_of = |&id: &NodeId| matches!(graph.node(id), Node::Symbol(symbol) if symbol.set == set);
    node.packed().is_some_and(|lanes| lanes.iter().all(is_of))
}

#[cfg(test)]
mod tests;
