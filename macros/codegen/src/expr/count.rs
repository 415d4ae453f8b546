//! How many operations a set of outputs takes.

use super::graph::{Expr, Graph, Node};

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
}
