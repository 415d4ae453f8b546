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
    /// About how many instructions `outputs` take: a division or a root counts as four, and lanes cost
    /// what brings numbers into them and out of them.
    pub fn cost(&self, outputs: &[Expr<'_>]) -> usize {
        let shuffles = |width: usize| if width == 2 { 1 } else { 3 };
        let instructions = |id: NodeId| match self.node(id) {
            Node::Constant(_) | Node::Symbol(_) | Node::Neg(_) => 0,
            Node::Add(..) | Node::Sub(..) | Node::Mul(..) | Node::Lane(..) => 1,
            Node::Div(..) | Node::Sqrt(_) => 4,
            Node::Sin(_) | Node::Cos(_) => 8,
            Node::Sum(a) => 2 * shuffles(self.width(a)),
            node @ (Node::Pair(_) | Node::Quad(_)) => {
                let constant = |&id: &NodeId| matches!(self.node(id), Node::Constant(_));
                let literal = node.packed().unwrap_or_default().iter().all(constant);
                if literal { 0 } else { shuffles(self.width(id)) }
            }
        };
        self.reachable(outputs).into_iter().map(instructions).sum()
    }

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
}
