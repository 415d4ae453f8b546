//! What to write, and in which order.
//!
//! Operations stand in the order of their making, body by body, which keeps values near their
//! uses. Angles come first, so that sines and cosines fill registers. A product that is used once,
//! by a sum, becomes a fused multiply-add.

use std::collections::HashMap;

use crate::derive::{LANES, Rounds, symbols};
use crate::expr::{Expr, Graph, Node, NodeId};

use super::rounds::{Round, is_packed_of, of_rounds};
use super::stretch::{Stretch, lanes, stretches};
use super::turns::{angles, needed_by_angles, turn_levels};

/// Operations within one statement, one inside the other.
const NEST: usize = 4;

/// How a node is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Within what uses it: a leaf, a sine or cosine, a change of sign, or the product of a fused
    /// operation.
    Inline,
    /// As a statement of its own.
    Statement,
    /// As a multiply-add whose product is the first operand of the sum.
    FusedFirst,
    /// As a multiply-add whose product is the second operand of the sum.
    FusedSecond,
}

/// Outputs, and in which lane of a value each is.
pub(super) type Places = Vec<(Option<usize>, usize)>;

/// The analysed expressions of one kernel.
pub(super) struct Program<'a, 'g> {
    pub(super) graph: &'g Graph,
    pub(super) outputs: &'a [Expr<'g>],
    /// Those that are not of rounds.
    pub(super) single: Vec<usize>,
    /// The outputs that each node is; for a statement of rounds, among those of one round.
    pub(super) places: HashMap<NodeId, Places>,
    /// Groups of angles: the statements that they need, then the angles.
    pub(super) turns: Vec<(Vec<NodeId>, Vec<NodeId>)>,
    /// All other statements, in the order of their making.
    pub(super) rest: Vec<NodeId>,
    /// The same by what is alike in lanes.
    pub(super) stretches: Vec<Stretch>,
    /// What is computed in rounds: sums before all else, outputs after.
    pub(super) rounds: Vec<Round<'a, 'g>>,
    /// Which rounds each node is of.
    round: Vec<Option<usize>>,
    form: Vec<Form>,
    /// Operations that are written within the one that uses them.
    nested: Vec<bool>,
}

impl<'a, 'g> Program<'a, 'g> {
    pub(super) fn new(graph: &'g Graph, outputs: &'a [Expr<'g>], rounds: &'a [Rounds<'g>]) -> Self {
        let mut rounds: Vec<_> =
            rounds.iter().map(|rounds| Round::new(graph, outputs, rounds)).collect();
        let single = |k: &usize| !rounds.iter().any(|of| of.writes(*k));
        let single: Vec<_> = (0..outputs.len()).filter(single).collect();
        let of_one = rounds.iter().flat_map(Round::values);
        let written: Vec<_> = single.iter().map(|&k| outputs[k]).chain(of_one).collect();
        let order = graph.reachable(&written);
        let uses = uses(graph, &written, &order);
        let round = of_rounds(graph, &order);
        let form = forms(graph, &uses, &order, &round);
        let nested = nested(graph, &uses, &form, &order, &round);
        let statement = |id: &NodeId| {
            let is_inline = form[id.index()] == Form::Inline || nested[id.index()];
            !is_inline && !symbols::is_sum(graph.node(*id))
        };
        let (level, depth) = turn_levels(graph, &order);
        let angle_need = needed_by_angles(graph, &order);
        let turns = (0..depth).map(|k| {
            let early = |id: &NodeId| level[id.index()] == k && angle_need[id.index()];
            let before = order.iter().copied().filter(early).filter(statement).collect();
            (before, angles(graph, &order, &level, k))
        });
        let turns = turns.collect();
        let late = |id: &&NodeId| !(angle_need[id.index()] && level[id.index()] < depth);
        let mut rest: Vec<_> = order.iter().filter(late).copied().filter(statement).collect();
        rest.retain(|&id| match round[id.index()] {
            Some(k) => {
                rounds[k].statements.push(id);
                false
            }
            None => true,
        });
        let stretches = stretches(graph, &order, &rest);
        let places = places(graph, outputs, &single, &rounds);
        Self { graph, outputs, single, places, turns, rest, stretches, rounds, round, form, nested }
    }

    pub(super) fn form(&self, id: NodeId) -> Form {
        self.form[id.index()]
    }

    /// The value with lanes that an output is a lane of, and which; or the output itself.
    pub(super) fn source(&self, output: NodeId) -> (NodeId, Option<usize>) {
        source(self.graph, output)
    }

    /// Whether it has no statement of its own.
    pub(super) fn is_inline(&self, id: NodeId) -> bool {
        self.form[id.index()] == Form::Inline || self.nested[id.index()]
    }

    /// The values that writing a statement reads, sines and cosines among them, looking through what
    /// is written within it.
    pub(super) fn reads(&self, id: NodeId) -> Vec<NodeId> {
        self.values(self.graph.node(id).operands().collect())
    }

    /// Whether a value is a statement of rounds.
    pub(super) fn is_repeated(&self, id: NodeId) -> bool {
        self.round[id.index()].is_some() && !self.is_inline(id)
    }

    /// The values that outputs without a statement of their own read.
    pub(super) fn read_by_outputs(&self) -> Vec<NodeId> {
        let sources = self.single.iter().map(|&k| self.source(self.outputs[k].id()).0);
        self.values(sources.filter(|&id| self.is_inline(id)).collect())
    }

    /// The values that rounds read of what is computed before.
    pub(super) fn read_by_rounds(&self, of: &Round<'_, '_>) -> Vec<NodeId> {
        let statements = of.statements.iter().flat_map(|&id| self.reads(id));
        let read = statements.chain(self.read_after(of));
        read.filter(|&id| !self.is_repeated(id)).collect()
    }

    /// The values that are read after the statements of a round, by outputs without one and by sums.
    pub(super) fn read_after(&self, of: &Round<'_, '_>) -> Vec<NodeId> {
        let inline = of.values().filter(|value| !self.is_repeated(value.id()));
        let sums = of.rounds.sums.iter().map(|(_, term)| *term);
        self.values(inline.chain(sums).map(|value| value.id()).collect())
    }

    fn values(&self, mut open: Vec<NodeId>) -> Vec<NodeId> {
        let mut found = Vec::new();
        while let Some(id) = open.pop() {
            let node = self.graph.node(id);
            if !self.is_inline(id) || matches!(node, Node::Sin(_) | Node::Cos(_)) {
                found.push(id);
            } else {
                open.extend(node.operands());
            }
        }
        found
    }
}

/// How often each node is used; an output counts as used more than once.
fn uses(graph: &Graph, outputs: &[Expr<'_>], order: &[NodeId]) -> Vec<u32> {
    let mut uses = vec![0_u32; order.last().map_or(0, |id| id.index() + 1)];
    order.iter().flat_map(|&id| graph.node(id).operands()).for_each(|id| uses[id.index()] += 1);
    let sources = outputs.iter().map(|output| source(graph, output.id()).0);
    sources.for_each(|id| uses[id.index()] += 2);
    uses
}

/// The value with lanes that an output is a lane of, and which; or the output itself.
fn source(graph: &Graph, output: NodeId) -> (NodeId, Option<usize>) {
    match graph.node(output) {
        Node::Lane(value, k) => (value, Some(usize::from(k))),
        _ => (output, None),
    }
}

/// The outputs that each node is: one by one, and for a statement of rounds, among those of one round.
fn places(
    graph: &Graph,
    outputs: &[Expr<'_>],
    single: &[usize],
    rounds: &[Round<'_, '_>],
) -> HashMap<NodeId, Places> {
    let mut places: HashMap<NodeId, Places> = HashMap::new();
    for &k in single {
        let (source, lane) = source(graph, outputs[k].id());
        places.entry(source).or_default().push((lane, k));
    }
    for of in rounds {
        for (k, output) in of.outputs.iter().enumerate() {
            if of.statements.contains(&output.id()) {
                let lanes = (0..LANES).map(|lane| (Some(lane), LANES * k + lane));
                places.entry(output.id()).or_default().extend(lanes);
            }
        }
    }
    places
}

/// Whether it is constants in lanes.
pub(super) fn is_literal(graph: &Graph, node: Node) -> bool {
    let constant = |&id: &NodeId| matches!(graph.node(id), Node::Constant(_));
    node.packed().is_some_and(|lanes| lanes.iter().all(constant))
}

/// Leaves, sines and cosines (which are entries of an array) and changes of sign are inline, but for sums
/// over rounds; a product is, if a sum can fuse it.
fn forms(graph: &Graph, uses: &[u32], order: &[NodeId], round: &[Option<usize>]) -> Vec<Form> {
    let mut form = vec![Form::Statement; uses.len()];
    for &id in order {
        let single = |product: NodeId| {
            let is_product = matches!(graph.node(product), Node::Mul(..));
            let is_within = round[product.index()] == round[id.index()];
            let is_alike = graph.width(product) == graph.width(id);
            is_product && uses[product.index()] == 1 && is_within && is_alike
        };
        match graph.node(id) {
            node if symbols::is_sum(node) => {}
            Node::Constant(_) | Node::Symbol(_) | Node::Neg(_) | Node::Sin(_) | Node::Cos(_) => {
                form[id.index()] = Form::Inline;
            }
            Node::Lane(..) => form[id.index()] = Form::Inline,
            node if is_literal(graph, node) || is_packed_of(graph, node, symbols::ROUND) => {
                form[id.index()] = Form::Inline;
            }
            Node::Add(a, b) | Node::Sub(a, b) if single(a) || single(b) => {
                let (product, how) =
                    if single(a) { (a, Form::FusedFirst) } else { (b, Form::FusedSecond) };
                form[product.index()] = Form::Inline;
                form[id.index()] = how;
            }
            _ => {}
        }
    }
    form
}

/// Operations that are used once are written within their user, [`NEST`] deep at most: half of the
/// variables disappear, and with them much of what rustc does for an unoptimised build.
fn nested(
    graph: &Graph,
    uses: &[u32],
    form: &[Form],
    order: &[NodeId],
    round: &[Option<usize>],
) -> Vec<bool> {
    let mut nested = vec![false; uses.len()];
    let mut depth = vec![0; uses.len()];
    for &id in order {
        let operands = graph.node(id).operands();
        let within = |id: NodeId| nested[id.index()] || form[id.index()] == Form::Inline;
        depth[id.index()] =
            operands.filter(|&id| within(id)).map(|id| depth[id.index()] + 1).max().unwrap_or(0);
        nested[id.index()] = uses[id.index()] == 1
            && form[id.index()] != Form::Inline
            && depth[id.index()] < NEST
            && !symbols::is_sum(graph.node(id));
        for operand in graph.node(id).operands() {
            nested[operand.index()] &= lanes(graph, operand) == lanes(graph, id)
                && round[operand.index()] == round[id.index()];
        }
    }
    nested
}
