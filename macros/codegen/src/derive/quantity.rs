//! A quantity as a list of expressions.

use crate::expr::{Expr, Graph, Operations};

use super::cost::cost;
use super::mass_matrix::Square;
use super::prepare::{Preparation, is_field};
use super::rounds::Rounds;
use super::symbols;

/// How the numbers of a quantity are arranged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One number.
    Number,
    /// So many in a row.
    Vector(usize),
    /// Rows and columns; the numbers are column by column.
    Matrix(usize, usize),
}

/// One quantity as a list of expressions.
#[derive(Clone, Debug)]
pub struct Quantity<'g> {
    /// The name of its kernel: for the quantities of all models, the associated type of the
    /// runtime's `Model`.
    pub kernel: String,
    /// Its numbers, matrices column by column.
    pub outputs: Vec<Expr<'g>>,
    /// Their arrangement.
    pub shape: Shape,
    /// What it takes to compute them beyond what depends on the fields alone.
    pub operations: Operations,
    /// The form that was chosen; empty where there is one form only.
    pub form: String,
    /// What the choice went by: estimated time, in additions.
    pub cost: f64,
    /// Where the last columns, a square matrix X, are still to be multiplied with the other ones, each
    /// x to become −X x: the rows of each x that are not always zero.
    pub products: Option<Vec<Vec<usize>>>,
    /// The outputs that are computed in rounds.
    pub rounds: Vec<Rounds<'g>>,
}

impl<'g> Quantity<'g> {
    pub(super) fn number(graph: &'g Graph, kernel: &str, output: Expr<'g>) -> Self {
        Self { shape: Shape::Number, ..Self::vector(graph, kernel, vec![output]) }
    }

    pub(super) fn vector(graph: &'g Graph, kernel: &str, outputs: Vec<Expr<'g>>) -> Self {
        let operations = graph.operations_beyond(&outputs, is_field);
        Self {
            kernel: kernel.to_owned(),
            shape: Shape::Vector(outputs.len()),
            cost: cost(&operations, outputs.len()),
            operations,
            form: String::new(),
            products: None,
            rounds: Vec::new(),
            outputs,
        }
    }

    /// What is computed in rounds takes as many times as many operations.
    pub(super) fn in_rounds(self, graph: &'g Graph, rounds: Vec<Rounds<'g>>) -> Self {
        let mut quantity = Self { rounds, ..self };
        let terms = |rounds: &Rounds<'g>| rounds.sums.iter().map(|sum| sum.1).collect::<Vec<_>>();
        let all: Vec<_> = quantity.rounds.iter().flat_map(terms).collect();
        let all = [quantity.outputs.clone(), all].concat();
        quantity.operations = graph.operations_beyond(&all, is_field);
        let more = |rounds: &Rounds<'g>| (rounds.count - 1) * rounds.outputs.len();
        let repeated: usize = quantity.rounds.iter().map(more).sum();
        quantity.cost = cost(&quantity.operations, quantity.outputs.len() - repeated);
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

    /// Reads prepared numbers instead of fields.
    pub(super) fn prepare(&mut self, preparation: &mut Preparation<'g>) {
        self.outputs = preparation.apply(&self.outputs);
    }

    pub(super) fn matrix(graph: &'g Graph, kernel: &str, rows: &Square<'g>) -> Self {
        let (height, width) = (rows.len(), rows.first().map_or(0, Vec::len));
        let columns = (0..width).flat_map(|j| rows.iter().map(move |row| row[j]));
        let shape = Shape::Matrix(height, width);
        Self { shape, ..Self::vector(graph, kernel, columns.collect()) }
    }
}
