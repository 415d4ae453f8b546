//! Values of expressions, as numbers or as other expressions.

use super::graph::{Expr, Graph, Node, NodeId};

impl Graph {
    /// The values of `outputs` where each variable has the value that `value` gives it.
    pub fn evaluate(&self, outputs: &[Expr<'_>], value: impl Fn(super::Symbol) -> f64) -> Vec<f64> {
        let order = self.reachable(outputs);
        let mut values = vec![0.0; order.last().map_or(0, |id| id.index() + 1)];
        for id in order {
            let at = |id: NodeId| values[id.index()];
            values[id.index()] = match self.node(id) {
                Node::Constant(bits) => f64::from_bits(bits),
                Node::Symbol(symbol) => value(symbol),
                Node::Add(a, b) => at(a) + at(b),
                Node::Sub(a, b) => at(a) - at(b),
                Node::Mul(a, b) => at(a) * at(b),
                Node::Div(a, b) => at(a) / at(b),
                Node::Neg(a) => -at(a),
                Node::Sin(a) => at(a).sin(),
                Node::Cos(a) => at(a).cos(),
                Node::Sqrt(a) => at(a).sqrt(),
            };
        }
        outputs.iter().map(|output| values[output.id().index()]).collect()
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
        }
    }
}
