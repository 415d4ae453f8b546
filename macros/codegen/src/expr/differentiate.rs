//! Exact derivatives: forward along a direction, backward for a gradient.

use super::graph::{Expr, Graph, Node, NodeId, Symbol};

impl Graph {
    /// Rates of change of `outputs` when each variable changes at the rate that `rate` gives it;
    /// `None` is a variable that stays.
    pub fn directional_derivative<'g>(
        &'g self,
        outputs: &[Expr<'g>],
        rate: impl Fn(Symbol) -> Option<Expr<'g>>,
    ) -> Vec<Expr<'g>> {
        let order = self.reachable(outputs);
        let mut rates = vec![self.zero(); order.last().map_or(0, |id| id.index() + 1)];
        for id in order {
            let d = |id: NodeId| rates[id.index()];
            let x = |id: NodeId| self.expr(id);
            rates[id.index()] = match self.node(id) {
                Node::Constant(_) => self.zero(),
                Node::Symbol(symbol) => rate(symbol).unwrap_or_else(|| self.zero()),
                Node::Add(a, b) => d(a) + d(b),
                Node::Sub(a, b) => d(a) - d(b),
                Node::Mul(a, b) => d(a) * x(b) + x(a) * d(b),
                Node::Div(a, b) => (d(a) - x(id) * d(b)) / x(b),
                Node::Neg(a) => -d(a),
                Node::Sin(a) => x(a).cos() * d(a),
                Node::Cos(a) => -(x(a).sin() * d(a)),
                Node::Sqrt(a) => d(a) / (2.0 * x(id)),
                Node::Pair(lanes) => self.pack(&lanes.map(d)),
                Node::Quad(lanes) => self.pack(&lanes.map(d)),
                Node::Lane(a, k) => d(a).lane(usize::from(k)),
                Node::Sum(a) => d(a).gathered(self.width(a)),
            };
        }
        outputs.iter().map(|output| rates[output.id().index()]).collect()
    }

    /// ∂output/∂variable for each of `variables`, by one backward sweep.
    pub fn gradient<'g>(&'g self, output: Expr<'g>, variables: &[Symbol]) -> Vec<Expr<'g>> {
        let order = self.reachable(&[output]);
        let mut weights = vec![self.zero(); output.id().index() + 1];
        weights[output.id().index()] = self.one();
        let mut found = vec![self.zero(); variables.len()];
        for id in order.into_iter().rev() {
            let w = weights[id.index()];
            if w.is_zero() {
                continue;
            }
            if let Node::Symbol(symbol) = self.node(id)
                && let Some(k) = variables.iter().position(|&v| v == symbol)
            {
                found[k] = w;
            }
            for (operand, weight) in self.backward(id, w) {
                weights[operand.index()] += weight.gathered(self.spread(id, operand));
            }
        }
        found
    }

    /// In how many lanes of a node the same operand counts.
    fn spread(&self, id: NodeId, operand: NodeId) -> usize {
        let each_lane_alike = self.node(id).packed().is_none() && self.width(operand) == 1;
        if each_lane_alike { self.width(id) } else { 1 }
    }

    /// What a node of weight `w` adds to the weights of its operands.
    fn backward<'g>(&'g self, id: NodeId, w: Expr<'g>) -> Vec<(NodeId, Expr<'g>)> {
        let x = |id: NodeId| self.expr(id);
        match self.node(id) {
            Node::Constant(_) | Node::Symbol(_) => Vec::new(),
            Node::Add(a, b) => vec![(a, w), (b, w)],
            Node::Sub(a, b) => vec![(a, w), (b, -w)],
            Node::Mul(a, b) => vec![(a, w * x(b)), (b, w * x(a))],
            Node::Div(a, b) => vec![(a, w / x(b)), (b, -(w * x(id) / x(b)))],
            Node::Neg(a) => vec![(a, -w)],
            Node::Sin(a) => vec![(a, w * x(a).cos())],
            Node::Cos(a) => vec![(a, -(w * x(a).sin()))],
            Node::Sqrt(a) => vec![(a, w / (2.0 * x(id)))],
            Node::Pair(_) | Node::Quad(_) => self.unpacked(id, w),
            Node::Lane(a, lane) => {
                let only = |k| if k == usize::from(lane) { w } else { self.zero() };
                vec![(a, self.pack(&(0..self.width(a)).map(only).collect::<Vec<_>>()))]
            }
            Node::Sum(a) => vec![(a, w)],
        }
    }
}

impl<'g> Expr<'g> {
    /// ∂self/∂variable; zero for anything but a variable.
    pub fn derivative(self, variable: Expr<'g>) -> Expr<'g> {
        match variable.as_symbol() {
            Some(symbol) => self.graph().gradient(self, &[symbol])[0],
            None => self.graph().zero(),
        }
    }
}
