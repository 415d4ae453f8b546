//! Sines and cosines: how they are nested, and what their angles need.

use crate::expr::{Graph, Node, NodeId};

/// How many sines and cosines are nested in each node, and the most that are.
pub(super) fn turn_levels(graph: &Graph, order: &[NodeId]) -> (Vec<usize>, usize) {
    let mut level = vec![0; order.last().map_or(0, |id| id.index() + 1)];
    for &id in order {
        let node = graph.node(id);
        let deepest = node.operands().map(|id| level[id.index()]).max().unwrap_or(0);
        let turns = matches!(node, Node::Sin(_) | Node::Cos(_));
        level[id.index()] = deepest + usize::from(turns);
    }
    let depth = level.iter().copied().max().unwrap_or(0);
    (level, depth)
}

/// Which nodes some angle is computed from.
pub(super) fn needed_by_angles(graph: &Graph, order: &[NodeId]) -> Vec<bool> {
    let mut needed = vec![false; order.last().map_or(0, |id| id.index() + 1)];
    for &id in order.iter().rev() {
        let node = graph.node(id);
        if needed[id.index()] || matches!(node, Node::Sin(_) | Node::Cos(_)) {
            node.operands().for_each(|id| needed[id.index()] = true);
        }
    }
    needed
}

/// The angles of nesting level `k`, each once: first those whose sines or cosines are lanes of one
/// value, side by side so that they are one register, then the others in order.
pub(super) fn angles(graph: &Graph, order: &[NodeId], level: &[usize], k: usize) -> Vec<NodeId> {
    let angle_of = |id: NodeId| match graph.node(id) {
        Node::Sin(angle) | Node::Cos(angle) => Some(angle),
        _ => None,
    };
    let unsigned = |id: NodeId| match graph.node(id) {
        Node::Neg(a) => a,
        _ => id,
    };
    let mut found: Vec<NodeId> = Vec::new();
    for width in [4, 2, 1] {
        for &id in order.iter().filter(|&&id| graph.width(id) == width) {
            let node = graph.node(id);
            let group: Option<Vec<_>> = match node.packed() {
                Some(lanes) => lanes.iter().map(|&id| angle_of(unsigned(id))).collect(),
                None => angle_of(id).map(|angle| vec![angle]),
            };
            let group = group.unwrap_or_default();
            if group.iter().all(|angle| level[angle.index()] == k && !found.contains(angle)) {
                found.extend(group);
            }
        }
    }
    found
}
