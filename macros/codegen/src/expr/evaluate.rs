//! Values of expressions.

use super::graph::{Expr, Graph, Node};

impl Graph {
    /// The values of `outputs` where each variable has the value that `value` gives it.
    pub fn evaluate(&self, outputs: &[Expr<'_>], value: impl Fn(super::Symbol) -> f64) -> Vec<f64> {
        let order = self.reachable(outputs);
        let mut values = vec![0.0; order.last().map_or(0, |id| id.index() + 1)];
        for id in order {
            let at = |id: super::NodeId| values[id.index()];
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
}
