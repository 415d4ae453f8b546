//! How many operations a set of outputs takes.

use super::graph::{Expr, Graph, Node, NodeId};

/// Operation counts after common subexpressions are shared. Changes of sign are not counted: they
/// are absorbed by the additions around them. An operation on all lanes of a value counts once, and
/// so does the sum of its lanes; moving numbers into lanes and out of them is not counted.
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
}

impl Operations {
    /// Additions, subtractions, multiplications, divisions and square roots.
    pub fn arithmetic(&self) -> usize {
        self.additions + self.multiplications + self.divisions + self.roots
    }
}

impl Graph {
    /// The operations that `outputs` take together.
    pub fn operations(&self, outputs: &[Expr<'_>]) -> Operations {
        let mut count = Operations::default();
        for id in self.reachable(outputs) {
            match self.node(id) {
                Node::Constant(_) | Node::Symbol(_) | Node::Neg(_) => {}
                Node::Pair(_) | Node::Quad(_) | Node::Lane(..) => {}
                Node::Add(..) | Node::Sub(..) | Node::Sum(_) => count.additions += 1,
                Node::Mul(..) => count.multiplications += 1,
                Node::Div(..) => count.divisions += 1,
                Node::Sqrt(_) => count.roots += 1,
                Node::Sin(_) | Node::Cos(_) => count.trigonometric += 1,
            }
        }
        count
    }

    /// How many of the multiplications become one operation with an addition: those that a single
    /// sum or difference uses, one for each.
    pub fn contractions(&self, outputs: &[Expr<'_>]) -> usize {
        let order = self.reachable(outputs);
        let mut uses = vec![0_u32; order.last().map_or(0, |id| id.index() + 1)];
        order.iter().flat_map(|&id| self.node(id).operands()).for_each(|x| uses[x.index()] += 1);
        outputs.iter().for_each(|output| uses[output.id.index()] += 2);
        let single = |id: NodeId| uses[id.index()] == 1 && matches!(self.node(id), Node::Mul(..));
        let contracts = |&&id: &&NodeId| match self.node(id) {
            Node::Add(a, b) | Node::Sub(a, b) => single(a) || single(b),
            _ => false,
        };
        order.iter().filter(contracts).count()
    }

    /// How many instructions bring numbers into lanes, spread them over lanes, and sum lanes.
    pub fn moves(&self, outputs: &[Expr<'_>]) -> usize {
        let order = self.reachable(outputs);
        let mut spread = vec![false; order.last().map_or(0, |id| id.index() + 1)];
        let mut moves = 0;
        for id in order {
            let (node, width) = (self.node(id), self.width(id));
            let constant = |id: NodeId| matches!(self.node(id), Node::Constant(_));
            match node {
                Node::Pair(_) | Node::Quad(_) if node.operands().all(constant) => {}
                Node::Pair(_) | Node::Quad(_) => moves += width - 1,
                Node::Sum(a) => moves += self.width(a) - 1,
                _ => {
                    let narrow = |&x: &NodeId| self.width(x) < width && !constant(x);
                    for x in node.operands().filter(narrow) {
                        moves += usize::from(!std::mem::replace(&mut spread[x.index()], true));
                    }
                }
            }
        }
        moves
    }
}
