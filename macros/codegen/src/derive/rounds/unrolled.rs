//! Rounds as expressions of their own, by which tests tell what kernels must compute.

use std::array::from_fn;
use std::collections::HashMap;

use crate::derive::contact_layout::LANES;
use crate::expr::{Expr, Graph, NodeId};

use super::{Rounds, Source};

/// Outputs of which some are computed in rounds, each as an expression of its own.
pub fn unrolled<'g>(
    graph: &'g Graph,
    outputs: &[Expr<'g>],
    rounds: &[Rounds<'g>],
) -> Vec<Expr<'g>> {
    let mut known = HashMap::new();
    for of in rounds {
        for &(sum, term) in &of.sums {
            let terms = (0..of.count).map(|round| {
                replaced(graph, &[term], &of.symbols_of(round, graph))[0].gathered(LANES)
            });
            known.insert(sum.id(), terms.fold(graph.zero(), |sum, term| sum + term));
        }
    }
    let mut unrolled = replaced(graph, outputs, &known);
    for of in rounds {
        let of_one = unrolled[of.outputs.clone()].to_vec();
        for round in 0..of.count {
            let first = of.outputs.start + round * of_one.len();
            let made = replaced(graph, &of_one, &of.symbols_of(round, graph));
            unrolled[first..first + made.len()].copy_from_slice(&made);
        }
    }
    unrolled
}

impl<'g> Rounds<'g> {
    /// What the symbols of one round stand for.
    fn symbols_of(&self, round: usize, graph: &'g Graph) -> HashMap<NodeId, Expr<'g>> {
        let of_column = |(column, source): &(Expr<'g>, Source)| {
            let value = |lane: usize| match source {
                Source::Table(numbers) => graph.constant(numbers[round][lane]),
                Source::Given { set, of_one, place } => {
                    graph.symbol(*set, of_one.start + round * of_one.len() + place + lane)
                }
            };
            from_fn::<_, LANES, _>(|lane| (column.lane(lane).id(), value(lane)))
        };
        self.columns.iter().flat_map(of_column).collect()
    }
}

/// The same outputs of other values for some nodes.
fn replaced<'g>(
    graph: &'g Graph,
    outputs: &[Expr<'g>],
    values: &HashMap<NodeId, Expr<'g>>,
) -> Vec<Expr<'g>> {
    let mut image = values.clone();
    for id in graph.reachable(outputs) {
        if !image.contains_key(&id) {
            let made = graph.rebuilt(id, |operand| image[&operand]);
            image.insert(id, made);
        }
    }
    outputs.iter().map(|output| image[&output.id()]).collect()
}
