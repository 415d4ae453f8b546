//! Constraints that contradict one another wherever the robot is.
//!
//! If for constant weights Σ wₖ Hₖ = 0 at every configuration, no motion changes Σ wₖ hₖ, or, of rows of
//! velocities, Σ wₖ (h_v)ₖ. If that is not zero, the rows never hold together: two welds that disagree by
//! an offset, two rates of one joint. Weights are sought that suit a few configurations in general
//! position, at each of which H is seen along random velocities, more in all than there are rows.
//!
//! A closure of x, y and z says the same seen from its other end. Constraints between the same two links are
//! therefore seen from either of them alike, where a contradiction of points on one
//! link has constant weights. Linkages whose bars do not reach, and the like, contradict themselves by
//! their configurations, which no such identity shows.

use crate::description::{Axis, Constraint, Law, Level, Parent, Requirement};
use crate::expr::Expr;

use super::super::mechanism::Mechanism;
use super::super::symbols;
use super::numeric::{Purpose, State, dot, number};
use super::relative::Views;
use super::{ConstraintRows, Row};

/// Configurations at which the weights must suit, each with other fields.
const STATES: usize = 8;

/// Values of the fields without which nothing is said of rows that depend on these.
const ENOUGH: usize = 3;

/// A combination of rows that is so much smaller than they are is zero.
const ZERO: f64 = 1e-9;

/// Constraints that never hold together.
#[derive(Clone, Debug, PartialEq)]
pub struct Contradiction {
    /// Which; the last contradicts those before it.
    pub constraints: Vec<usize>,
    /// By how much, m, rad or their rates.
    pub disagreement: f64,
}

/// The numbers of some rows at all states.
struct Sampled {
    /// The constraint of each row and its level.
    rows: Vec<(usize, Level)>,
    /// Whether enough values of the fields were tried for the row.
    known: Vec<bool>,
    /// H x of random x.
    slopes: Vec<Vec<f64>>,
    errors: Vec<Vec<f64>>,
    rates: Vec<Vec<f64>>,
}

impl<'g> Mechanism<'g> {
    /// The constraints, whose rows are given, that contradict those before them.
    pub fn contradictions(
        &self,
        rows: &ConstraintRows<'g>,
        requirements: &[Requirement],
    ) -> Vec<Contradiction> {
        let fields = self.field_values(requirements);
        let constraints = &self.description.constraints;
        if fields.is_empty() || constraints.len() < 2 {
            return Vec::new();
        }
        let of = |(k, c): (usize, &Constraint)| c.law.levels().into_iter().map(move |l| (k, l));
        let levels = constraints.iter().enumerate().flat_map(of).collect();
        let mut found = self.sampled(levels, &rows.rows, &fields).contradictions();
        for end in [0, 1] {
            let (levels, rows) = self.rows_from(end);
            for other in self.sampled(levels, &rows, &fields).contradictions() {
                if found.iter().all(|one| one.constraints.last() != other.constraints.last()) {
                    found.push(other);
                }
            }
        }
        found
    }

    /// The rows of constraints that are not the only one between their links, seen from the first or second of
    /// these. A closure of x, y and z that is declared from the other one is turned round.
    fn rows_from(&self, end: usize) -> (Vec<(usize, Level)>, Vec<Row<'g>>) {
        let (mut levels, mut rows, mut views) = (Vec::new(), Vec::new(), Views::new(self));
        let constraints = &self.description.constraints;
        for (k, constraint) in constraints.iter().enumerate() {
            let Some(pair) = links(constraint) else { continue };
            if constraints.iter().filter(|other| links(other) == Some(pair)).count() < 2 {
                continue;
            }
            let seen = if from(constraint) == Some(pair[end]) {
                Some(constraint.clone())
            } else {
                turned(constraint)
            };
            let Some(seen) = seen else { continue };
            levels.extend(seen.law.levels().into_iter().map(|level| (k, level)));
            rows.extend(self.rows(&seen, &mut views));
        }
        (levels, rows)
    }

    fn sampled(
        &self,
        levels: Vec<(usize, Level)>,
        rows: &[Row<'g>],
        fields: &[Vec<f64>],
    ) -> Sampled {
        let entries = |row: &Row<'g>| [&[row.error, row.rate], &row.jacobian[..]].concat();
        let outputs: Vec<Expr<'g>> = rows.iter().flat_map(entries).collect();
        let known = |row: &Row<'g>| fields.len() >= ENOUGH || !self.has_fields(&entries(row));
        let mut sampled = Sampled {
            rows: levels,
            known: rows.iter().map(known).collect(),
            slopes: vec![Vec::new(); rows.len()],
            errors: vec![Vec::new(); rows.len()],
            rates: vec![Vec::new(); rows.len()],
        };
        let directions = rows.len() / STATES + 1;
        for state in 0..STATES {
            let random = |purpose| (0..self.nv()).map(move |k| number(purpose, state, k));
            let away: Vec<f64> = random(Purpose::State).collect();
            let v: Vec<f64> = random(Purpose::StateVelocity).collect();
            let q = self.moved(&self.rest(), &away);
            let fields = &fields[state % fields.len()];
            let values = self.numbers(&outputs, &State { fields, q: &q, v: &v, t: 0.83 });
            for (k, row) in values.chunks_exact(self.nv() + 2).enumerate() {
                sampled.errors[k].push(row[0]);
                sampled.rates[k].push(row[1]);
                let slope = |j: usize| {
                    let entries = row[2..].iter().enumerate();
                    entries.map(|(i, h)| h * number(Purpose::Motion, j, i)).sum::<f64>()
                };
                sampled.slopes[k].extend((0..directions).map(|j| slope(state * directions + j)));
            }
        }
        sampled
    }

    fn has_fields(&self, outputs: &[Expr<'g>]) -> bool {
        let symbols = |id| self.graph.expr(id).as_symbol();
        let reachable = self.graph.reachable(outputs).into_iter();
        reachable.filter_map(symbols).any(|symbol| symbol.set == symbols::FIELD)
    }
}

/// The link that the constraint is seen from.
fn from(constraint: &Constraint) -> Option<Parent> {
    constraint.law.places().map(|places| places[0].parent)
}

/// The links of the constraint, the world or the one that is declared first in front.
fn links(constraint: &Constraint) -> Option<[Parent; 2]> {
    let [a, b] = constraint.law.places()?;
    let rank = |parent: Parent| match parent {
        Parent::World => 0,
        Parent::Link(index) => 1 + index,
    };
    let mut links = [a.parent, b.parent];
    links.sort_by_key(|parent| rank(*parent));
    Some(links)
}

/// x, y and z of a closure that has all of them, from its other end.
fn turned(constraint: &Constraint) -> Option<Constraint> {
    let Law::Closure { frames: [a, b], axes } = &constraint.law else { return None };
    if axes.iter().filter(|axis| matches!(axis, Axis::Along(_))).count() < 3 {
        return None;
    }
    let (frames, axes) = ([b.clone(), a.clone()], [0, 1, 2].map(Axis::Along).to_vec());
    Some(Constraint { law: Law::Closure { frames, axes }, ..constraint.clone() })
}

impl Sampled {
    /// Each row that depends on those before it and disagrees with them.
    fn contradictions(&self) -> Vec<Contradiction> {
        let mut found: Vec<Contradiction> = Vec::new();
        for weights in dependencies(&self.slopes) {
            let mut constraints: Vec<usize> =
                weights.iter().map(|&(row, _)| self.rows[row].0).collect();
            constraints.dedup();
            let found_before = found.iter().any(|one| one.constraints.last() == constraints.last());
            let known = weights.iter().all(|&(row, _)| self.known[row]);
            // What one constraint asks for alone is reported as such.
            if let (false, true, 2.., Some(disagreement)) =
                (found_before, known, constraints.len(), self.constant(&weights))
            {
                found.push(Contradiction { constraints, disagreement });
            }
        }
        found
    }

    /// What the weighted rows sum up to, if that is the same at all states and not zero.
    fn constant(&self, weights: &[(usize, f64)]) -> Option<f64> {
        let position = weights.iter().all(|&(row, _)| self.rows[row].1 == Level::Position);
        let values = if position { &self.errors } else { &self.rates };
        let at = |state: usize| weights.iter().map(|&(row, w)| w * values[row][state]).sum::<f64>();
        let all = weights.iter().flat_map(|&(row, w)| values[row].iter().map(move |x| w * x));
        let scale = all.fold(1.0, |most: f64, x| most.max(x.abs()));
        let first = at(0);
        let same = (0..STATES).all(|state| (at(state) - first).abs() < ZERO * scale);
        (same && first.abs() > 1e3 * ZERO * scale).then_some(first)
    }
}

/// For each row that is a combination of those before it, the rows that take part and their weights in a
/// sum that is zero, its own being 1.
fn dependencies(rows: &[Vec<f64>]) -> Vec<Vec<(usize, f64)>> {
    let mut basis: Vec<(Vec<f64>, Vec<f64>)> = Vec::new();
    let mut found = Vec::new();
    for (k, row) in rows.iter().enumerate() {
        let (mut rest, mut weights) = (row.clone(), vec![0.0; rows.len()]);
        weights[k] = 1.0;
        for (direction, made_of) in basis.iter().chain(&basis) {
            let along = dot(&rest, direction);
            subtract(&mut rest, along, direction);
            subtract(&mut weights, along, made_of);
        }
        let (left, length) = (dot(&rest, &rest).sqrt(), dot(row, row).sqrt());
        if left <= ZERO * length {
            let taking_part = weights.into_iter().enumerate().filter(|(_, w)| w.abs() > 1e-6);
            found.push(taking_part.collect());
        } else {
            rest.iter_mut().for_each(|x| *x /= left);
            weights.iter_mut().for_each(|x| *x /= left);
            basis.push((rest, weights));
        }
    }
    found
}

fn subtract(from: &mut [f64], factor: f64, other: &[f64]) {
    from.iter_mut().zip(other).for_each(|(x, y)| *x -= factor * y);
}
