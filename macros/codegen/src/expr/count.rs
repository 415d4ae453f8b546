//! How many operations a set of outputs takes.

use super::graph::{Expr, Graph, Node, NodeId, Symbol};

/// Operation counts after common subexpressions are shared. Changes of sign are not counted: they
/// are absorbed by the additions around them. An operation on all lanes of a value counts once, and
/// so does the sum of its lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Operations {
    /// Additions and subtractions.
    pub additions: usize,
    /// Multiplications.
    pub multiplications: usize,
    /// Divisions.
    pub divisions: usize,
    /// Square roots.
    pub roots: usize,
    /// Sines and cosines.
    pub trigonometric: usize,
    /// Multiplications that become one operation with the only sum or difference that uses them.
    pub contractions: usize,
    /// Instructions that bring numbers into lanes, spread them over lanes, and sum lanes.
    pub moves: usize,
}

impl Operations {
    /// Additions, subtractions, multiplications, divisions and square roots.
    pub fn arithmetic(&self) -> usize {
        self.additions + self.multiplications + self.divisions + self.roots
    }

    /// These, and others so many times.
    pub(crate) fn and(&self, others: &Self, times: usize) -> Self {
        Self {
            additions: self.additions + times * others.additions,
            multiplications: self.multiplications + times * others.multiplications,
            divisions: self.divisions + times * others.divisions,
            roots: self.roots + times * others.roots,
            trigonometric: self.trigonometric + times * others.trigonometric,
            contractions: self.contractions + times * others.contractions,
            moves: self.moves + times * others.moves,
        }
    }
}

impl Graph {
    /// The operations that `outputs` take together.
    pub fn operations(&self, outputs: &[Expr<'_>]) -> Operations {
        self.operations_beyond(outputs, |_| false)
    }

    /// The operations that `outputs` take together where everything that follows from the given
    /// variables is known.
    pub fn operations_beyond(
        &self,
        outputs: &[Expr<'_>],
        given: impl Fn(Symbol) -> bool,
    ) -> Operations {
        let order = self.reachable(outputs);
        let given = self.given(&order, given);
        let mut uses = vec![0_u32; given.len()];
        outputs.iter().for_each(|output| uses[output.id.index()] += 2);
        let order: Vec<_> = order.into_iter().filter(|id| !given[id.index()]).collect();
        let constant = |id: NodeId| matches!(self.node(id), Node::Constant(_));
        let nodes: Vec<Node> = order.iter().map(|&id| self.node(id)).collect();
        nodes.iter().flat_map(|node| node.operands()).for_each(|id| uses[id.index()] += 1);
        let product = |id: NodeId| {
            uses[id.index()] == 1 && !given[id.index()] && matches!(self.node(id), Node::Mul(..))
        };
        let mut count = Operations { moves: self.spreads(&order), ..Operations::default() };
        for node in nodes {
            match node {
                Node::Constant(_) | Node::Symbol(_) | Node::Neg(_) | Node::Lane(..) => {}
                Node::Pair(_) | Node::Quad(_) if node.operands().all(constant) => {}
                Node::Pair(_) | Node::Quad(_) => count.moves += node.operands().count() - 1,
                Node::Sum(a) => {
                    count.additions += 1;
                    count.moves += self.width(a) - 1;
                }
                Node::Add(a, b) | Node::Sub(a, b) => {
                    count.additions += 1;
                    count.contractions += usize::from(product(a) || product(b));
                }
                Node::Mul(..) => count.multiplications += 1,
                Node::Div(..) => count.divisions += 1,
                Node::Sqrt(_) => count.roots += 1,
                Node::Sin(_) | Node::Cos(_) => count.trigonometric += 1,
            }
        }
        count
    }

    /// How many numbers of the nodes in `order` are read by operations on lanes.
    fn spreads(&self, order: &[NodeId]) -> usize {
        let mut spread = vec![false; order.last().map_or(0, |id| id.index() + 1)];
        for &id in order.iter().filter(|&&id| self.width(id) > 1) {
            let node = self.node(id);
            let narrow =
                |&x: &NodeId| self.width(x) == 1 && !matches!(self.node(x), Node::Constant(_));
            if node.packed().is_none() {
                node.operands().filter(narrow).for_each(|x| spread[x.index()] = true);
            }
        }
        spread.into_iter().filter(|&spread| spread).count()
    }

    /// Which of the nodes in `order` follow from the given variables and constants alone.
    pub(crate) fn given(&self, order: &[NodeId], given: impl Fn(Symbol) -> bool) -> Vec<bool> {
        let mut follows = vec![false; order.last().map_or(0, |id| id.index() + 1)];
        for &id in order {
            follows[id.index()] = match self.node(id) {
                Node::Symbol(symbol) => given(symbol),
                node => node.operands().all(|id| follows[id.index()]),
            };
        }
        follows
    }
}
