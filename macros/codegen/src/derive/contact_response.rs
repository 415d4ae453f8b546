//! What impulses change, and what a change of velocity takes, from the numbers of
//! [`contact_dynamics`](Mechanism::contact_dynamics).
//!
//! > y = y₀ + Σ Yᵀ Λ,  Δv = L⁻¹ D⁻¹ y,  p = Lᵀ y,  Y D⁻¹ y
//!
//! Λ is the impulse of each contact along its normal and tangents, side by side as those numbers, y₀ what all else
//! gives. Δv is the change of velocity, p = Jᵀ Λ + Lᵀ y₀ the generalised impulse, and Y D⁻¹ y = J Δv how the velocities
//! of contacts change. No number but these is needed: most of the time goes into reading them once. Contacts that bodies
//! carry act on them by Xᵀ Λ, and move as X says of the velocities of bodies.
//!
//! (M + δ) Δv is what p is compared with where a step is checked; of the factors, L has a part in p only.

use crate::expr::{Expr, Graph};

use super::contact_layout::{LANES, WIDTH};
use super::contact_numbers::{Arrangement, Numbers, Sum, Vector};
use super::contact_patches::Reading;
use super::mechanism::Mechanism;
use super::rounds::Rounds;
use super::symbols;

impl<'g> Mechanism<'g> {
    /// Δv, (nv), p, (nv), and J Δv of the contacts, side by side, and what of it is computed in rounds, if the numbers are
    /// `written` so.
    pub fn contact_response(
        &self,
        arrangement: &Arrangement,
        written: &[Expr<'g>],
        rounds: &[Rounds<'g>],
    ) -> (Vec<Expr<'g>>, Vec<Rounds<'g>>) {
        let numbers = Numbers::new(self.graph, arrangement, (written, rounds));
        let (y, mut rounds) = numbers.along_factor();
        let response: Vector<'g> = y.iter().zip(&numbers.inverse).map(|(&y, &d)| y * d).collect();
        let (mut change, mut impulse): (Vector<'g>, _) = (Vec::new(), y.clone());
        for (k, row) in numbers.rows.iter().enumerate() {
            change.push(row.iter().fold(response[k], |sum, &(i, entry)| sum - entry * change[i]));
            row.iter().for_each(|&(i, entry)| {
                impulse[i] += numbers.gathered(entry * y[k], k, i);
            });
        }
        let coordinates = 0..arrangement.parents.len();
        let spread = |x: &Vector<'g>| -> Vec<_> {
            coordinates.clone().map(|i| arrangement.entry(x, i)).collect()
        };
        let mut outputs = [spread(&change), spread(&impulse)].concat();
        let (velocities, of_velocities) =
            numbers.velocities(&response, outputs.len(), rounds.len());
        outputs.extend(velocities);
        rounds.extend(of_velocities);
        (outputs, rounds)
    }

    /// (M + δ) Δv of a change of velocity, (nv).
    pub fn contact_momentum(
        &self,
        arrangement: &Arrangement,
        written: &[Expr<'g>],
    ) -> Vec<Expr<'g>> {
        let numbers = Numbers::new(self.graph, arrangement, (written, &[]));
        let change = arrangement.vector(|i| self.graph.symbol(symbols::A, i));
        let mut momentum: Vector<'g> = Vec::new();
        for (k, row) in numbers.mass.iter().enumerate() {
            let terms = row.iter().map(|&(i, entry)| entry * change[i]);
            momentum.push(terms.fold(self.graph.zero(), |sum, term| sum + term));
            for &(i, entry) in row.iter().filter(|(i, _)| *i != k) {
                momentum[i] += numbers.gathered(entry * change[k], k, i);
            }
        }
        (0..arrangement.parents.len()).map(|i| arrangement.entry(&momentum, i)).collect()
    }
}

impl<'g> Numbers<'_, 'g> {
    /// y, and the sums of it that are computed in rounds.
    fn along_factor(&self) -> (Vector<'g>, Vec<Rounds<'g>>) {
        let start = 0..self.arrangement.parents.len();
        let start = start.map(|i| self.graph.symbol(symbols::A, i)).collect();
        let mut y = Sum::new(self.arrangement, start);
        if self.hubs.is_empty() {
            for (four, columns) in self.fours.iter().enumerate() {
                let impulse = impulses(self.graph, four);
                for (k, column) in columns.iter().enumerate() {
                    y.add(&self.arrangement.of_column(four, k), times(column, &impulse));
                }
            }
        }
        let mut rounds = Vec::new();
        for (index, patch) in self.patches.iter().enumerate() {
            let mut read = Reading::new(self.graph, index);
            let (columns, impulse) = (patch.columns(&mut read), patch.impulse(&mut read));
            let mut sums = Vec::new();
            for (k, column) in columns.iter().enumerate() {
                let term = times(column, &impulse);
                if !term.is_zero() {
                    let sum = symbols::sum(self.graph, index, k);
                    y.add_one(self.arrangement.coordinates[LANES * patch.fours.start][k], sum);
                    sums.push((sum, term));
                }
            }
            let (count, columns) = (patch.fours.len(), read.columns);
            rounds.push(Rounds { count, columns, outputs: 0..0, sums });
        }
        for (k, (hub, columns)) in self.arrangement.hubs.iter().zip(&self.hubs).enumerate() {
            let impulse = self.impulse_of_hub(k);
            for (&i, column) in self.arrangement.of_hub(hub).iter().zip(columns) {
                y.add_one(i, times(column, &impulse));
            }
        }
        (y.finish(), rounds)
    }

    /// Y D⁻¹ y, side by side, which stand from the output `first` on, and what of it is computed in rounds from number
    /// `index` on.
    fn velocities(
        &self,
        response: &Vector<'g>,
        first: usize,
        index: usize,
    ) -> (Vec<Expr<'g>>, Vec<Rounds<'g>>) {
        let hubs: Vec<_> =
            (0..self.hubs.len()).map(|k| self.velocity_of_hub(k, response)).collect();
        let of_four = |(four, columns): (usize, &Vec<[Expr<'g>; 3]>)| -> [Expr<'g>; 3] {
            let motion: Vec<_> = match self.arrangement.hub(four) {
                Some(hub) => hubs[hub].to_vec(),
                None => (0..columns.len()).map(|k| self.beside(response, four, k)).collect(),
            };
            let along = |axis: usize| {
                let terms =
                    columns.iter().zip(&motion).map(|(column, &motion)| column[axis] * motion);
                terms.fold(self.graph.zero(), |sum, term| sum + term)
            };
            [0, 1, 2].map(along)
        };
        let mut velocities: Vec<_> = self.fours.iter().enumerate().map(of_four).collect();
        let mut rounds = Vec::new();
        for (k, patch) in self.patches.iter().enumerate() {
            let mut read = Reading::new(self.graph, index + k);
            let (four, count) = (patch.fours.start, patch.fours.len());
            let velocity = of_four((four, &patch.columns(&mut read)));
            velocities[patch.fours.clone()].fill(velocity);
            let outputs = first + 3 * LANES * four..first + 3 * LANES * (four + 1);
            rounds.push(Rounds { count, columns: read.columns, outputs, sums: Vec::new() });
        }
        let velocities = velocities.into_iter().flatten();
        let lanes = velocities.flat_map(|x| (0..LANES).map(move |lane| x.lane(lane)));
        (lanes.collect(), rounds)
    }

    /// The entries of a vector at the coordinates of a column of four contacts; any where one has no such column, since
    /// the column has zeros there.
    fn beside(&self, vector: &Vector<'g>, four: usize, column: usize) -> Expr<'g> {
        let coordinates = self.arrangement.of_column(four, column);
        let any = coordinates.iter().flatten().next().copied().unwrap_or_default();
        let lanes = (0..LANES).map(|lane| coordinates.get(lane).copied().flatten().unwrap_or(any));
        let lanes: Vec<_> = lanes.map(|i| self.arrangement.entry(vector, i)).collect();
        self.graph.pack(&lanes)
    }

    /// What the contacts of a body are to it together, along its rows.
    fn impulse_of_hub(&self, hub: usize) -> [Expr<'g>; WIDTH] {
        let mut sum = [self.graph.zero(); WIDTH];
        for (four, columns) in self.fours.iter().enumerate() {
            if self.arrangement.hub(four) == Some(hub) {
                let impulse = impulses(self.graph, four);
                let terms = sum.iter_mut().zip(columns);
                terms.for_each(|(sum, column)| *sum += times(column, &impulse));
            }
        }
        sum.map(|x| x.gathered(LANES))
    }

    /// The velocity of a body.
    fn velocity_of_hub(&self, hub: usize, response: &Vector<'g>) -> [Expr<'g>; WIDTH] {
        let mut velocity = [self.graph.zero(); WIDTH];
        let coordinates = self.arrangement.of_hub(&self.arrangement.hubs[hub]);
        for (&i, column) in coordinates.iter().zip(&self.hubs[hub]) {
            let entry = self.arrangement.entry(response, i);
            velocity.iter_mut().zip(column).for_each(|(sum, &y)| *sum += y * entry);
        }
        velocity
    }

    /// What coordinates side by side, `k`, give to those that they hang on, `i`: the sum, if that is one.
    fn gathered(&self, x: Expr<'g>, k: usize, i: usize) -> Expr<'g> {
        let alike = &self.arrangement.alike;
        if alike[i].len() == 1 { x.gathered(alike[k].len()) } else { x }
    }
}

/// Λ of four contacts.
fn impulses(graph: &Graph, four: usize) -> [Expr<'_>; 3] {
    [0, 1, 2].map(|axis| {
        let first = LANES * (3 * four + axis);
        let lanes: Vec<_> =
            (first..first + LANES).map(|k| graph.symbol(symbols::ASKED, k)).collect();
        graph.pack(&lanes)
    })
}

/// Σ a b.
fn times<'g, const N: usize>(a: &[Expr<'g>; N], b: &[Expr<'g>; N]) -> Expr<'g> {
    a.iter().zip(b).fold(a[0].graph().zero(), |sum, (&a, &b)| sum + a * b)
}
