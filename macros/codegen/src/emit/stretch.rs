//! Which statements are alike in all lanes, and in which order they come.
//!
//! A kernel with limbs in lanes goes to and fro between what is there once, such as the base of a
//! quadruped, and what its limbs do alike. Statements of each kind are gathered into as few stretches
//! as there are such turns, so that an arithmetic may compute a stretch for one lane after the other.

use crate::expr::{Graph, Node, NodeId};

/// Statements that follow each other.
pub(super) struct Stretch {
    /// In how many lanes they are alike; one for what is there once.
    pub(super) lanes: usize,
    pub(super) statements: Vec<NodeId>,
}

/// In how many lanes an operation is the same; one for those that bring numbers into lanes or out of
/// them.
pub(super) fn lanes(graph: &Graph, id: NodeId) -> usize {
    if graph.node(id).packed().is_some() { 1 } else { graph.width(id) }
}

/// The given statements in stretches, those of each in the order of their making. All nodes that they
/// need are in `order`.
pub(super) fn stretches(graph: &Graph, order: &[NodeId], statements: &[NodeId]) -> Vec<Stretch> {
    let turns = turns(graph, order);
    let place = |id: NodeId| (turns[id.index()], lanes(graph, id));
    let mut sorted = statements.to_vec();
    sorted.sort_by_key(|&id| place(id));
    let chunks = sorted.chunk_by(|&a, &b| place(a) == place(b));
    chunks.map(|chunk| Stretch { lanes: place(chunk[0]).1, statements: chunk.to_vec() }).collect()
}

/// After how many turns each node can be computed: an even number for what is there once, an odd one
/// for what is alike in lanes.
fn turns(graph: &Graph, order: &[NodeId]) -> Vec<usize> {
    let mut turns = vec![0; order.last().map_or(0, |id| id.index() + 1)];
    for &id in order {
        let node = graph.node(id);
        // All sines and cosines come before the first turn.
        if matches!(node, Node::Sin(_) | Node::Cos(_)) {
            continue;
        }
        let latest = node.operands().map(|operand| turns[operand.index()]).max().unwrap_or(0);
        turns[id.index()] = latest + usize::from(latest % 2 != usize::from(lanes(graph, id) > 1));
    }
    turns
}
