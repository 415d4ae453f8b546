//! What is computed in rounds: numbers of many contacts that differ in where they lie alone.
//!
//! Such contacts are derived as [`LANES`] of them, in terms of symbols of the set [`symbols::ROUND`]. A kernel goes through
//! what these stand for in a loop: its code does not grow with the number of contacts. That of a hundred would not fit into
//! the nearest cache otherwise.
//!
//! [`symbols::ROUND`]: super::symbols::ROUND

use std::collections::HashMap;
use std::ops::Range;

use crate::expr::{Expr, Graph, NodeId};

use super::contact_layout::LANES;
use super::cost::cost;
use super::prepare::{Preparation, is_field};
use super::quantity::Quantity;
use super::symbols;

/// A part of a quantity that is computed in rounds.
#[derive(Clone, Debug)]
pub struct Rounds<'g> {
    /// How many there are.
    pub count: usize,
    /// What they differ in: symbols side by side, and where these come from.
    pub columns: Vec<(Expr<'g>, Source)>,
    /// The outputs of the first one, which are the same expressions in all of them; those of the others follow.
    pub outputs: Range<usize>,
    /// Sums over all of them: the symbol of one, and what each round adds in its lanes. All else may read them.
    pub sums: Vec<(Expr<'g>, Expr<'g>)>,
}

/// Where [`LANES`] numbers of each round come from.
#[derive(Clone, Debug)]
pub enum Source {
    /// They are known.
    Table(Vec<[f64; LANES]>),
    /// They are among what the kernel is given.
    Given {
        /// The set of symbols.
        set: u8,
        /// Those of the first round; those of the others follow.
        of_one: Range<usize>,
        /// The first of them, from the start of the round.
        place: usize,
    },
}

impl Rounds<'_> {
    /// The outputs of all rounds.
    pub(crate) fn all_outputs(&self) -> Range<usize> {
        let Range { start, end } = self.outputs;
        start..start + self.count * (end - start)
    }
}

impl<'g> Quantity<'g> {
    /// What is computed in rounds takes as many times as many operations.
    pub(super) fn in_rounds(self, graph: &'g Graph, rounds: Vec<Rounds<'g>>) -> Self {
        let mut quantity = Self { rounds, ..self };
        let terms = |rounds: &Rounds<'g>| rounds.sums.iter().map(|sum| sum.1).collect::<Vec<_>>();
        let all: Vec<_> = quantity.rounds.iter().flat_map(terms).collect();
        let all = [quantity.outputs.clone(), all].concat();
        quantity.operations = graph.operations_beyond(&all, is_field);
        quantity.cost = cost(&quantity.operations, quantity.outputs.len());
        for rounds in &quantity.rounds {
            let of_one = [&quantity.outputs[rounds.outputs.clone()], &terms(rounds)].concat();
            let mut operations =
                graph.operations_beyond(&of_one, |symbol| symbol.set != symbols::ROUND);
            operations.additions += rounds.sums.len();
            quantity.operations = quantity.operations.and(&operations, rounds.count - 1);
            quantity.cost += (rounds.count - 1) as f64 * cost(&operations, rounds.outputs.len());
        }
        quantity
    }
}

impl<'g> Rounds<'g> {
    /// Reads prepared numbers instead of fields.
    pub(super) fn prepare(&mut self, preparation: &mut Preparation<'g>) {
        let terms: Vec<_> = self.sums.iter().map(|(_, term)| *term).collect();
        let terms = preparation.apply(&terms);
        self.sums.iter_mut().zip(terms).for_each(|((_, term), made)| *term = made);
    }
}

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
            [0, 1, 2, 3].map(|lane| (column.lane(lane).id(), value(lane)))
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
