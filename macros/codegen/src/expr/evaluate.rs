//! Values of expressions, as numbers or as other expressions.

use std::collections::HashMap;

use super::Symbol;
use super::graph::{Expr, Graph, Node, NodeId};

impl Graph {
    /// The values of `outputs` where each variable has the value that `value` gives it; of an output
    /// with lanes, the first lane's.
    ///
    /// A value without lanes is the same in each lane.
    pub fn evaluate(&self, outputs: &[Expr<'_>], value: impl Fn(Symbol) -> f64) -> Vec<f64> {
        let order = self.reachable(outputs);
        let mut values = vec![[0.0; 4]; order.last().map_or(0, |id| id.index() + 1)];
        for id in order {
            let at = |id: NodeId| values[id.index()];
            let map = |a: NodeId, f: fn(f64) -> f64| at(a).map(f);
            let zip = |a: NodeId, b: NodeId, f: fn(f64, f64) -> f64| {
                let (a, b) = (at(a), at(b));
                [0, 1, 2, 3].map(|k| f(a[k], b[k]))
            };
            values[id.index()] = match self.node(id) {
                Node::Constant(bits) => [f64::from_bits(bits); 4],
                Node::Symbol(symbol) => [value(symbol); 4],
                Node::Add(a, b) => zip(a, b, |a, b| a + b),
                Node::Sub(a, b) => zip(a, b, |a, b| a - b),
                Node::Mul(a, b) => zip(a, b, |a, b| a * b),
                Node::Div(a, b) => zip(a, b, |a, b| a / b),
                Node::Neg(a) => map(a, |a| -a),
                Node::Sin(a) => map(a, f64::sin),
                Node::Cos(a) => map(a, f64::cos),
                Node::Sqrt(a) => map(a, f64::sqrt),
                Node::Pair([a, b]) => [at(a)[0], at(b)[0], at(a)[0], at(b)[0]],
                Node::Quad(lanes) => lanes.map(|a| at(a)[0]),
                Node::Lane(a, k) => [at(a)[usize::from(k)]; 4],
                Node::Sum(a) => [at(a)[..self.width(a)].iter().sum(); 4],
            };
        }
        outputs.iter().map(|output| values[output.id().index()][0]).collect()
    }

    /// `outputs` with expressions in place of the variables to which `value` gives one.
    pub fn substituted<'g>(
        &'g self,
        outputs: &[Expr<'g>],
        value: impl Fn(Symbol) -> Option<Expr<'g>>,
    ) -> Vec<Expr<'g>> {
        let mut image: HashMap<NodeId, Expr<'g>> = HashMap::new();
        for id in self.reachable(outputs) {
            let made = match self.node(id) {
                Node::Symbol(symbol) => value(symbol).unwrap_or_else(|| self.expr(id)),
                _ => self.rebuilt(id, |operand| image[&operand]),
            };
            image.insert(id, made);
        }
        outputs.iter().map(|output| image[&output.id()]).collect()
    }

    /// The operation of a node on other operands than its own.
    pub fn rebuilt<'g>(
        &'g self,
        id: NodeId,
        mut operand: impl FnMut(NodeId) -> Expr<'g>,
    ) -> Expr<'g> {
        match self.node(id) {
            Node::Constant(_) | Node::Symbol(_) => self.expr(id),
            Node::Add(a, b) => operand(a) + operand(b),
            Node::Sub(a, b) => operand(a) - operand(b),
            Node::Mul(a, b) => operand(a) * operand(b),
            Node::Div(a, b) => operand(a) / operand(b),
            Node::Neg(a) => -operand(a),
            Node::Sin(a) => operand(a).sin(),
            Node::Cos(a) => operand(a).cos(),
            Node::Sqrt(a) => operand(a).sqrt(),
            Node::Pair(lanes) => self.pack(&lanes.map(operand)),
            Node::Quad(lanes) => self.pack(&lanes.map(operand)),
            Node::Lane(a, k) => operand(a).lane(usize::from(k)),
            Node::Sum(a) => operand(a).gathered(self.width(a)),
        }
    }
}
