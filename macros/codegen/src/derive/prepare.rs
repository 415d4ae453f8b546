//! What depends on the struct's fields alone is computed apart from the rest.
//!
//! Of each quantity, the largest subexpressions of fields only are read as prepared numbers, each
//! once for all quantities. A kernel then computes with numbers where it would have computed with
//! fields, whether they were prepared for this one call or long before.

use std::collections::HashMap;

use crate::expr::{Expr, Graph, Node, NodeId, Symbol};

use super::symbols;

/// The prepared numbers of a robot.
pub(super) struct Preparation<'g> {
    graph: &'g Graph,
    /// Expressions of fields.
    pub(super) numbers: Vec<Expr<'g>>,
    places: HashMap<NodeId, usize>,
}

impl<'g> Preparation<'g> {
    pub(super) fn new(graph: &'g Graph) -> Self {
        Self { graph, numbers: Vec::new(), places: HashMap::new() }
    }

    /// The same outputs from prepared numbers, whose symbols are in the set of the fields.
    pub(super) fn apply(&mut self, outputs: &[Expr<'g>]) -> Vec<Expr<'g>> {
        let order = self.graph.reachable(outputs);
        let given = self.graph.given(&order, is_field);
        let mut image: HashMap<NodeId, Expr<'g>> = HashMap::new();
        for id in order.into_iter().filter(|id| !given[id.index()]) {
            let made = self.graph.rebuilt(id, |id| match image.get(&id) {
                Some(&made) => made,
                None => self.read(id),
            });
            image.insert(id, made);
        }
        let ids = outputs.iter().map(|output| output.id());
        ids.map(|id| image.get(&id).copied().unwrap_or_else(|| self.read(id))).collect()
    }

    /// An expression of fields as a prepared number.
    fn read(&mut self, id: NodeId) -> Expr<'g> {
        match self.graph.node(id) {
            Node::Constant(_) => self.graph.expr(id),
            Node::Neg(a) => -self.read(a),
            _ if self.graph.width(id) > 1 => {
                let whole = self.graph.expr(id);
                let lanes: Vec<_> =
                    (0..whole.width()).map(|k| self.read(whole.lane(k).id())).collect();
                self.graph.pack(&lanes)
            }
            _ => {
                let place = *self.places.entry(id).or_insert_with(|| {
                    self.numbers.push(self.graph.expr(id));
                    self.numbers.len() - 1
                });
                self.graph.symbol(symbols::FIELD, place)
            }
        }
    }
}

/// Whether a variable is a field.
pub(super) fn is_field(symbol: Symbol) -> bool {
    symbol.set == symbols::FIELD
}
