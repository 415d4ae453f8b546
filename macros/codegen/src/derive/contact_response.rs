//! What impulses change, from the numbers of [`contact_dynamics`](Mechanism::contact_dynamics).
//!
//! > y = y₀ + Σ Yᵀ Λ,  Δv = L⁻¹ D⁻¹ y,  p = Lᵀ y,  Y D⁻¹ y
//!
//! Λ is the impulse of each contact along its normal and tangents, side by side as those numbers, y₀ what all else
//! gives. Δv is the change of velocity, p = Jᵀ Λ + Lᵀ y₀ the generalised impulse, and Y D⁻¹ y = J Δv how the velocities
//! of contacts change. No number but these is needed, and no lane: most of the time goes into reading them once.
//! Contacts that bodies carry act on them by Xᵀ Λ, and move as X says of the velocities of bodies.

use std::iter::successors;

use crate::expr::{Expr, Graph};

use super::contact_dynamics::{COLUMNS, LANES};
use super::contact_hubs::WIDTH;
use super::held::Hub;
use super::mechanism::Mechanism;
use super::symbols;

impl<'g> Mechanism<'g> {
    /// Δv, (nv), p, (nv), and J Δv of the contacts, side by side; what is given is as for
    /// [`contact_dynamics`](Self::contact_dynamics).
    pub fn contact_response(
        &self,
        parents: &[Option<usize>],
        coordinates: &[Vec<usize>],
        hubs: &[Hub],
    ) -> Vec<Expr<'g>> {
        let graph = self.graph;
        let Numbers { inverse, rows, carriers } = Numbers::new(graph, parents, coordinates, hubs);
        let mut y: Vec<_> = (0..parents.len()).map(|k| graph.symbol(symbols::A, k)).collect();
        for carrier in &carriers {
            let impulse = carrier.impulse(graph);
            for (i, column) in &carrier.columns {
                for (&entry, &impulse) in column.iter().zip(&impulse) {
                    y[*i] += entry * impulse;
                }
            }
        }
        let response: Vec<_> = y.iter().zip(&inverse).map(|(&y, &d)| y * d).collect();
        let (mut change, mut impulse) = (Vec::new(), y.clone());
        for ((row, &y), &s) in rows.iter().zip(&y).zip(&response) {
            change.push(row.iter().fold(s, |sum, &(i, entry)| sum - entry * change[i]));
            row.iter().for_each(|&(i, entry)| impulse[i] += entry * y);
        }
        let mut velocities = vec![graph.zero(); 3 * coordinates.len().next_multiple_of(LANES)];
        for carrier in &carriers {
            let velocity: Vec<_> = (0..carrier.width())
                .map(|k| {
                    let terms = carrier.columns.iter().map(|(i, column)| column[k] * response[*i]);
                    terms.fold(graph.zero(), |sum, term| sum + term)
                })
                .collect();
            carrier.write_velocities(&velocity, &mut velocities);
        }
        [change, impulse, velocities].concat()
    }
}

/// Where a number along normal and tangents of a contact is, among those of all contacts.
fn place(contact: usize, axis: usize) -> usize {
    LANES * (3 * (contact / LANES) + axis) + contact % LANES
}

/// What moves contacts: itself, if it is one, or a body that carries some.
struct Carrier<'g> {
    /// The columns of its Y.
    columns: Vec<(usize, Vec<Expr<'g>>)>,
    /// Its contacts, with X column by column unless it is the contact.
    contacts: Vec<(usize, Option<Vec<[Expr<'g>; 3]>>)>,
}

impl<'g> Carrier<'g> {
    /// How many rows it has.
    fn width(&self) -> usize {
        if self.contacts.iter().any(|(_, arms)| arms.is_some()) { WIDTH } else { 3 }
    }

    /// What the impulses of its contacts are along its rows.
    fn impulse(&self, graph: &'g Graph) -> Vec<Expr<'g>> {
        let asked = |contact: usize, axis| graph.symbol(symbols::ASKED, place(contact, axis));
        let mut impulse = vec![graph.zero(); self.width()];
        for (contact, arms) in &self.contacts {
            for (k, impulse) in impulse.iter_mut().enumerate() {
                match arms {
                    None => *impulse = asked(*contact, k),
                    Some(arms) => (0..3).for_each(|axis| {
                        *impulse += arms[k][axis] * asked(*contact, axis);
                    }),
                }
            }
        }
        impulse
    }

    /// Writes the velocities of its contacts by those along its rows.
    fn write_velocities(&self, velocity: &[Expr<'g>], to: &mut [Expr<'g>]) {
        for (contact, arms) in &self.contacts {
            for axis in 0..3 {
                to[place(*contact, axis)] = match arms {
                    None => velocity[axis],
                    Some(arms) => {
                        let terms = arms.iter().zip(velocity).map(|(arm, &v)| arm[axis] * v);
                        terms.reduce(|sum, term| sum + term).unwrap_or(velocity[axis])
                    }
                };
            }
        }
    }
}

/// The numbers of contact dynamics that matter here.
struct Numbers<'g> {
    /// D⁻¹.
    inverse: Vec<Expr<'g>>,
    /// Of each row of L the entries beside its diagonal.
    rows: Vec<Vec<(usize, Expr<'g>)>>,
    carriers: Vec<Carrier<'g>>,
}

impl<'g> Numbers<'g> {
    fn new(
        graph: &'g Graph,
        parents: &[Option<usize>],
        coordinates: &[Vec<usize>],
        hubs: &[Hub],
    ) -> Self {
        let mut numbers = (parents.len()..).map(|k| graph.symbol(symbols::HOLDS, k));
        let inverse = numbers.by_ref().take(parents.len()).collect();
        let row = |first: &Option<usize>| {
            let mut ancestors: Vec<_> = successors(*first, |&i| parents[i]).collect();
            ancestors.reverse();
            ancestors.into_iter().zip(numbers.by_ref()).collect()
        };
        let rows = parents.iter().map(row).collect();
        let carriers = match hubs {
            [] => contacts(&mut numbers, coordinates),
            _ => bodies(&mut numbers, coordinates, hubs),
        };
        Self { inverse, rows, carriers }
    }
}

/// Contacts by their own Y.
fn contacts<'g>(
    numbers: &mut impl Iterator<Item = Expr<'g>>,
    coordinates: &[Vec<usize>],
) -> Vec<Carrier<'g>> {
    let mut contacts = Vec::new();
    for four in coordinates.chunks(LANES) {
        let count = four.iter().map(Vec::len).max().unwrap_or(0);
        let numbers: Vec<_> = numbers.by_ref().take(LANES * (COLUMNS + 3 * count)).collect();
        for (lane, of) in four.iter().enumerate() {
            let entry = |k: usize, axis: usize| numbers[LANES * (COLUMNS + 3 * k + axis) + lane];
            let column = |k: usize| (0..3).map(|axis| entry(k, axis)).collect();
            let columns = of.iter().enumerate().map(|(k, &i)| (i, column(k))).collect();
            contacts.push(Carrier { columns, contacts: vec![(contacts.len(), None)] });
        }
    }
    contacts
}

/// Bodies by their Y, and their contacts by X.
fn bodies<'g>(
    numbers: &mut impl Iterator<Item = Expr<'g>>,
    coordinates: &[Vec<usize>],
    hubs: &[Hub],
) -> Vec<Carrier<'g>> {
    let fours = coordinates.len().div_ceil(LANES);
    let mut numbers = numbers.skip(LANES * COLUMNS * fours);
    let mut column = |i: &usize| (*i, numbers.by_ref().take(WIDTH).collect::<Vec<_>>());
    let of_hub = |hub: &Hub| coordinates[hub.contacts[0]].iter().map(&mut column).collect();
    let columns: Vec<Vec<_>> = hubs.iter().map(of_hub).collect();
    let arms: Vec<_> = numbers.take(LANES * 3 * WIDTH * fours).collect();
    let arms = |contact: usize| {
        let first = 3 * WIDTH * LANES * (contact / LANES) + contact % LANES;
        let entry = |k: usize, axis: usize| arms[first + LANES * (3 * k + axis)];
        (0..WIDTH).map(|k| [0, 1, 2].map(|axis| entry(k, axis))).collect()
    };
    let carried = |hub: &Hub| hub.contacts.iter().map(|&k| (k, Some(arms(k)))).collect();
    let of_each = hubs.iter().zip(columns);
    of_each.map(|(hub, columns)| Carrier { columns, contacts: carried(hub) }).collect()
}
