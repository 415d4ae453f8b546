//! What impulses change, from the numbers of [`contact_dynamics`](Mechanism::contact_dynamics).
//!
//! > y = y₀ + Σ Yᵀ Λ,  Δv = L⁻¹ D⁻¹ y,  p = Lᵀ y,  Y D⁻¹ y
//!
//! Λ is the impulse of each contact along its normal and tangents, side by side as those numbers, y₀ what all else
//! gives. Δv is the change of velocity, p = Jᵀ Λ + Lᵀ y₀ the generalised impulse, and Y D⁻¹ y = J Δv how the velocities
//! of contacts change. No number but these is needed, and no lane: most of the time goes into reading them once.

use std::iter::successors;

use crate::expr::{Expr, Graph};

use super::contact_dynamics::{COLUMNS, LANES};
use super::mechanism::Mechanism;
use super::symbols;

impl<'g> Mechanism<'g> {
    /// Δv, (nv), p, (nv), and J Δv of the contacts, side by side; `parents` and `coordinates` as for
    /// [`contact_dynamics`](Self::contact_dynamics).
    pub fn contact_response(
        &self,
        parents: &[Option<usize>],
        coordinates: &[Vec<usize>],
    ) -> Vec<Expr<'g>> {
        let graph = self.graph;
        let Numbers { inverse, rows, contacts } = Numbers::new(graph, parents, coordinates);
        let mut y: Vec<_> = (0..parents.len()).map(|k| graph.symbol(symbols::A, k)).collect();
        for (contact, columns) in contacts.iter().enumerate() {
            for (i, column) in columns {
                for (axis, &entry) in column.iter().enumerate() {
                    y[*i] += entry * graph.symbol(symbols::ASKED, place(contact, axis));
                }
            }
        }
        let response: Vec<_> = y.iter().zip(&inverse).map(|(&y, &d)| y * d).collect();
        let (mut change, mut impulse) = (Vec::new(), y.clone());
        for ((row, &y), &s) in rows.iter().zip(&y).zip(&response) {
            change.push(row.iter().fold(s, |sum, &(i, entry)| sum - entry * change[i]));
            row.iter().for_each(|&(i, entry)| impulse[i] += entry * y);
        }
        let mut velocities = vec![graph.zero(); 3 * contacts.len().next_multiple_of(LANES)];
        for (contact, columns) in contacts.iter().enumerate() {
            for axis in 0..3 {
                let terms = columns.iter().map(|(i, column)| column[axis] * response[*i]);
                velocities[place(contact, axis)] = terms.fold(graph.zero(), |sum, term| sum + term);
            }
        }
        [change, impulse, velocities].concat()
    }
}

/// Where a number along normal and tangents of a contact is, among those of all contacts.
fn place(contact: usize, axis: usize) -> usize {
    LANES * (3 * (contact / LANES) + axis) + contact % LANES
}

/// The numbers of contact dynamics that matter here.
struct Numbers<'g> {
    /// D⁻¹.
    inverse: Vec<Expr<'g>>,
    /// Of each row of L the entries beside its diagonal.
    rows: Vec<Vec<(usize, Expr<'g>)>>,
    /// Of each contact the columns of Y.
    contacts: Vec<Vec<(usize, [Expr<'g>; 3])>>,
}

impl<'g> Numbers<'g> {
    fn new(graph: &'g Graph, parents: &[Option<usize>], coordinates: &[Vec<usize>]) -> Self {
        let mut numbers = (parents.len()..).map(|k| graph.symbol(symbols::HOLDS, k));
        let inverse = numbers.by_ref().take(parents.len()).collect();
        let row = |first: &Option<usize>| {
            let mut ancestors: Vec<_> = successors(*first, |&i| parents[i]).collect();
            ancestors.reverse();
            ancestors.into_iter().zip(numbers.by_ref()).collect()
        };
        let rows = parents.iter().map(row).collect();
        let mut contacts = Vec::new();
        for four in coordinates.chunks(LANES) {
            let count = four.iter().map(Vec::len).max().unwrap_or(0);
            let numbers: Vec<_> = numbers.by_ref().take(LANES * (COLUMNS + 3 * count)).collect();
            contacts.extend(four.iter().enumerate().map(|(lane, of)| {
                let entry =
                    |k: usize, axis: usize| numbers[LANES * (COLUMNS + 3 * k + axis) + lane];
                let column = |k: usize| [entry(k, 0), entry(k, 1), entry(k, 2)];
                of.iter().enumerate().map(|(k, &i)| (i, column(k))).collect()
            }));
        }
        Self { inverse, rows, contacts }
    }
}
