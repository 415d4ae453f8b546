//! One operation as text.
//!
//! A value without lanes is spread where an operation on lanes reads it.

use crate::expr::{Node, NodeId};

use super::calls::number;
use super::program::Form;
use super::text::{GIVEN, Writer};

impl Writer<'_, '_> {
    pub(super) fn operation(&mut self, id: NodeId) -> String {
        let graph = self.program.graph;
        let (form, width) = (self.program.form(id), graph.width(id));
        match graph.node(id) {
            Node::Add(a, b) => match form {
                Form::FusedFirst => self.fused(a, "", b, ""),
                Form::FusedSecond => self.fused(b, "", a, ""),
                _ => self.infix(a, "+", b, width),
            },
            Node::Sub(a, b) => match form {
                Form::FusedFirst => self.fused(a, "", b, "-"),
                Form::FusedSecond => self.fused(b, "-", a, ""),
                _ => self.infix(a, "-", b, width),
            },
            Node::Mul(a, b) => self.infix(a, "*", b, width),
            Node::Div(a, b) => self.infix(a, "/", b, width),
            Node::Sqrt(a) => {
                let root = self.calls.sqrt(width);
                format!("{root}({})", self.operand(a))
            }
            Node::Sum(a) => {
                let sum = self.calls.lanes("sum", graph.width(a));
                format!("{sum}({})", self.operand(a))
            }
            node if node.packed().is_some() => self.pack(node.packed().unwrap_or_default()),
            _ => self.operand(id),
        }
    }

    fn infix(&mut self, a: NodeId, sign: &str, b: NodeId, width: usize) -> String {
        let (a, b) = (self.enclosed(a, width), self.enclosed(b, width));
        format!("{a} {sign} {b}")
    }

    /// ±product ± term as one multiply-add.
    fn fused(&mut self, product: NodeId, sign: &str, term: NodeId, term_sign: &str) -> String {
        let graph = self.program.graph;
        let Node::Mul(x, y) = graph.node(product) else {
            return self.operand(product);
        };
        let width = graph.width(product);
        let call = self.calls.fuse(width);
        let mut signed = |sign, id| match sign {
            "" => self.spread(id, width),
            _ => format!("{sign}{}", self.enclosed(id, width)),
        };
        let [x, y, term] = [signed(sign, x), signed("", y), signed(term_sign, term)];
        format!("{call}({x}, {y}, {term})")
    }

    fn pack(&mut self, lanes: &[NodeId]) -> String {
        let graph = self.program.graph;
        let constants: Option<Vec<_>> = lanes.iter().map(|&id| graph.expr(id).value()).collect();
        if let Some(constants) = constants {
            let list: Vec<_> = constants.into_iter().map(number).collect();
            return format!("{}([{}])", self.calls.lanes("literal", lanes.len()), list.join(", "));
        }
        let list: Vec<_> = lanes.iter().map(|&id| self.operand(id)).collect();
        format!("{}([{}])", self.calls.lanes("pack", lanes.len()), list.join(", "))
    }

    /// An operand of an operation on so many lanes.
    pub(super) fn spread(&mut self, id: NodeId, width: usize) -> String {
        self.on_lanes(id, width).0
    }

    /// An operand beside a sign.
    fn enclosed(&mut self, id: NodeId, width: usize) -> String {
        match self.on_lanes(id, width) {
            (value, true) => format!("({value})"),
            (value, false) => value,
        }
    }

    /// An operand, and whether it is compound; all that a lane program reads is in lanes.
    fn on_lanes(&mut self, id: NodeId, width: usize) -> (String, bool) {
        let (value, is_compound) = self.value(id);
        if self.program.graph.width(id) == width || self.within.is_some() {
            return (value, is_compound);
        }
        (format!("{}({value})", self.calls.lanes("splat", width)), false)
    }

    pub(super) fn operand(&mut self, id: NodeId) -> String {
        self.value(id).0
    }

    /// A value, and whether it is compound: an operation whose sign stands between or before its
    /// operands. Only beside another sign is that put in parentheses: rustc's lint for those that are
    /// not needed reads a file from its beginning for each of them.
    fn value(&mut self, id: NodeId) -> (String, bool) {
        if let Some(name) = self.names.get(&id) {
            return (name.clone(), false);
        }
        if let Some(text) = self.captured(id) {
            return (text, false);
        }
        let graph = self.program.graph;
        match graph.node(id) {
            Node::Constant(bits) => (self.calls.literal(f64::from_bits(bits)), false),
            Node::Symbol(symbol) => {
                self.read[usize::from(symbol.set)] = true;
                (format!("{}[{}]", GIVEN[usize::from(symbol.set)].0, symbol.index), false)
            }
            Node::Neg(a) => (format!("-{}", self.enclosed(a, graph.width(a))), true),
            Node::Lane(a, k) => {
                let unpack = self.calls.lanes("unpack", graph.width(a));
                (format!("{unpack}({})[{k}]", self.operand(a)), false)
            }
            Node::Sqrt(_) | Node::Sum(_) | Node::Pair(_) | Node::Quad(_) => {
                (self.operation(id), false)
            }
            _ => {
                let is_fused =
                    matches!(self.program.form(id), Form::FusedFirst | Form::FusedSecond);
                (self.operation(id), !is_fused)
            }
        }
    }
}
