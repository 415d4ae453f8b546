//! The system of coordinates and rows, and its elimination.

use crate::derive::factor::Factor;
use crate::derive::mass_matrix::Square;
use crate::derive::mechanism::Mechanism;
use crate::expr::Expr;

use super::row::Row;

/// How many times larger than what is left of them pivots of coordinates and of rows may be, and both
/// together: with the last, an error in the one would be magnified to all digits by the other.
const LOSSES: (f64, f64, f64) = (1e10, 1e9, 1e16);

/// How many times larger than its entry of M a shared coordinate's may become: ten digits are left.
const GROWTH: f64 = 1e6;

/// How much smaller than others, or than one, a row may be.
const SMALL: f64 = 1e-6;

/// How much of a row is another's at least, by the distance from the manifold, where they depend on one
/// another on it.
const TURN: f64 = 10.0;

/// The distance beyond which it says nothing of the rows on the manifold, twice that at run time, since it
/// fades out.
const FAR: f64 = 2e-2;

/// The factored system of (v̇, −λ).
pub(super) struct System<'a, 'g> {
    mechanism: &'a Mechanism<'g>,
    rows: Vec<Row<'g>>,
    factor: Factor<'g>,
    /// The coordinates that rows are eliminated before, and their entries of M.
    shared: Vec<(usize, Expr<'g>)>,
}

impl<'a, 'g> System<'a, 'g> {
    pub(super) fn new(mechanism: &'a Mechanism<'g>, rows: &[Row<'g>]) -> Self {
        let rows = mechanism.in_order(rows);
        let (n, m) = (mechanism.nv(), mechanism.mass_matrix_in_lanes());
        let (order, inner) = mechanism.order(&rows);
        let widths =
            mechanism.lanes.iter().map(Vec::len).chain(rows.iter().map(Row::width)).collect();
        let shared = inner.into_iter().map(|k| (k, m[k][k])).collect();
        let factor = Factor::new(whole(m, &rows), order, widths, |k| k >= n);
        Self { mechanism, rows, factor, shared }
    }

    /// Whether the elimination takes at most so many multiplications.
    pub(super) fn fits(mechanism: &Mechanism<'g>, rows: &[Row<'g>], most: usize) -> bool {
        let rows = &mechanism.in_order(rows);
        let (order, _) = mechanism.order(rows);
        let matrix = whole(mechanism.mass_matrix_in_lanes(), rows);
        let filled = |row: &Vec<Expr<'g>>| row.iter().map(|x| !x.is_zero()).collect();
        let mut filled: Vec<Vec<bool>> = matrix.iter().map(filled).collect();
        let mut effort = 0;
        for rank in (0..order.len()).rev() {
            let k = order[rank];
            let coupled: Vec<_> = order[..rank].iter().filter(|&&i| filled[k][i]).collect();
            effort += coupled.len() * (coupled.len() + 1) / 2;
            if effort > most {
                return false;
            }
            for &&i in &coupled {
                coupled.iter().for_each(|&&j| filled[i][j] = true);
            }
        }
        true
    }

    /// The first part of the solution, that of the coordinates, and λ, in the order of the description;
    /// then the doubt about it.
    pub(super) fn outputs(
        &self,
        force: Vec<Expr<'g>>,
        target: impl Fn(&Row<'g>) -> Expr<'g>,
    ) -> Vec<Expr<'g>> {
        let (n, m) = (self.mechanism.nv(), self.mechanism);
        let targets = self.rows.iter().map(target);
        let solution = self.factor.solve(force.into_iter().chain(targets).collect());
        let lambda: Vec<_> = solution[n..].iter().map(|&x| -x).collect();
        let mut outputs = m.spread(&solution[..n]);
        outputs.extend(self.spread_rows(&lambda));
        outputs.push(self.doubt());
        outputs
    }

    /// At most one where the solution is to be trusted, a sum of what each speaks against it:
    ///
    /// - a pivot is what is left of something much larger: M may be singular or rows may depend on one
    ///   another;
    /// - rows on a limb that hardly moves them make much of a coordinate that limbs share, and so many
    ///   digits of its inertia are lost;
    /// - not much more is a row's own than would be of a row that depends on others on the manifold, at this
    ///   distance from it;
    /// - a row is so small that it may be rounding.
    fn doubt(&self) -> Expr<'g> {
        let n = self.mechanism.nv();
        let Factor { summed, inverse, lanes: widths, .. } = &self.factor;
        let graph = self.mechanism.graph;
        let losses: Vec<_> = summed.iter().zip(inverse).map(|(&x, &d)| x * d).collect();
        let growth = self.shared.iter().map(|&(k, mass)| summed[k] / mass);
        let growth = growth.fold(graph.zero(), |sum, growth| sum + growth * growth);
        let of_coordinates = self.squares(&losses[..n], &widths[..n]);
        let of_rows = self.squares(&losses[n..], &widths[n..]);
        let share = |limit: f64| graph.constant(1.0 / (limit * limit));
        let lengths: Vec<_> = self.rows.iter().map(|row| self.length(row)).collect();
        of_coordinates * share(LOSSES.0)
            + growth * share(GROWTH)
            + of_rows * (share(LOSSES.1) + of_coordinates * share(LOSSES.2))
            + self.turned(&lengths)
            + self.vanishing(&lengths)
    }

    /// Beside the manifold of the constraints, a row must have more of its own, in coordinates, than a
    /// multiple of the distance δ from there:
    ///
    /// > Σ TURN² δ² ‖Jᵢ‖² / sᵢ² < 1,  δ² = Σ hᵢ² / ‖Jᵢ‖²,  sᵢ² = |dᵢ| / Σ D⁻¹.
    ///
    /// A row's pivot dᵢ is the square of its own part in the metric of M⁻¹, which hardly is more than Σ D⁻¹
    /// times that in coordinates.
    fn turned(&self, lengths: &[Expr<'g>]) -> Expr<'g> {
        let (n, graph) = (self.mechanism.nv(), self.mechanism.graph);
        let Factor { inverse, lanes: widths, .. } = &self.factor;
        let missed = self.rows.iter().zip(lengths).map(|(row, &length)| {
            (row.error * row.error * inverted(row, length)).gathered(row.width())
        });
        let missed = missed.fold(graph.zero(), |sum, term| sum + term);
        let ease = inverse[..n].iter().zip(widths).map(|(&d, &width)| d.gathered(width));
        let ease = ease.fold(graph.zero(), |sum, d| sum + d);
        let own = inverse[n..].iter().zip(lengths).zip(&widths[n..]);
        let own = own.map(|((&d, &length), &width)| (length * d).gathered(width));
        let own = own.fold(graph.zero(), |sum, term| sum - term);
        let far = missed * graph.constant(1.0 / (FAR * FAR));
        let far = far * far * far;
        let turn = missed * graph.constant(TURN * TURN) / (graph.one() + far * far);
        turn * ease * own
    }

    /// (1 + Σ ‖Jᵢ‖²) Σ SMALL² / ‖Jᵢ‖² of rows that may vanish.
    fn vanishing(&self, lengths: &[Expr<'g>]) -> Expr<'g> {
        let graph = self.mechanism.graph;
        let rows = self.rows.iter().zip(lengths).filter(|(row, _)| row.may_vanish);
        let (mut sum, mut shortness) = (graph.one(), graph.zero());
        for (row, &length) in rows {
            sum += length.gathered(row.width());
            shortness += inverted(row, length).gathered(row.width());
        }
        sum * shortness * graph.constant(SMALL * SMALL)
    }

    /// ‖Jᵢ‖² where it holds, and zero where it does not.
    fn length(&self, row: &Row<'g>) -> Expr<'g> {
        let terms = row.jacobian.iter().zip(&self.mechanism.lanes).map(|(&entry, lanes)| {
            let entry = row.holds * entry;
            (entry * entry).gathered(if row.width() > 1 { 1 } else { lanes.len() })
        });
        terms.fold(self.mechanism.graph.zero(), |sum, term| sum + term)
    }

    /// Σ x².
    fn squares(&self, x: &[Expr<'g>], widths: &[usize]) -> Expr<'g> {
        let squares = x.iter().zip(widths).map(|(&x, &width)| (x * x).gathered(width));
        squares.fold(self.mechanism.graph.zero(), |sum, square| sum + square)
    }

    fn spread_rows(&self, values: &[Expr<'g>]) -> Vec<Expr<'g>> {
        let count = self.rows.iter().map(Row::width).sum();
        let mut spread = vec![self.mechanism.graph.zero(); count];
        for (row, value) in self.rows.iter().zip(values) {
            row.each().for_each(|(lane, k)| spread[k] = value.lane(lane));
        }
        spread
    }
}

impl<'g> Mechanism<'g> {
    /// Coordinates and rows, those first that are eliminated last; and the coordinates that limbs share.
    fn order(&self, rows: &[Row<'g>]) -> (Vec<usize>, Vec<usize>) {
        let limbs = self.limbs();
        let order = self.elimination_order().into_iter();
        let (inner, outer): (Vec<_>, Vec<_>) = order.partition(|&k| limbs[k].is_none());
        let places = |with_limb: bool| {
            let found = rows.iter().enumerate();
            let found = found.filter(move |(_, row)| (row.width() > 1) == with_limb);
            found.map(|(k, _)| self.nv() + k).collect::<Vec<_>>()
        };
        ([places(false), inner.clone(), places(true), outer].concat(), inner)
    }

    /// The rows, those in lanes that cannot be eliminated with their limb one by one.
    fn in_order(&self, rows: &[Row<'g>]) -> Vec<Row<'g>> {
        let limbs = self.limbs();
        let limb = |row: &Row<'g>| {
            let moved = |k: &usize| !row.jacobian[*k].is_zero();
            (0..self.nv()).filter(moved).find_map(|k| limbs[k])
        };
        let suits = |row: &Row<'g>| {
            let on = limb(row);
            let beside = rows.iter().filter(|other| other.width() > 1 && limb(other) == on).count();
            let moving = (0..self.nv()).filter(|&k| limbs[k].is_some() && limbs[k] == on);
            let moving = moving.filter(|&k| !row.jacobian[k].is_zero()).count();
            row.is_full() && moving >= beside
        };
        let all_suit = |row: &Row<'g>| {
            let on = limb(row);
            rows.iter().filter(|other| other.width() > 1 && limb(other) == on).all(suits)
        };
        let ordered = rows.iter().map(|row| match row.width() > 1 && !all_suit(row) {
            true => row.one_by_one(&self.lanes),
            false => vec![row.clone()],
        });
        ordered.flatten().collect()
    }
}

/// 1 / ‖Jᵢ‖² where a row holds, and zero where it does not.
fn inverted<'g>(row: &Row<'g>, length: Expr<'g>) -> Expr<'g> {
    row.holds / (length + row.holds.graph().one() - row.holds)
}

/// The matrix [M Jᵀ; J Σ − 1].
fn whole<'g>(mut m: Square<'g>, rows: &[Row<'g>]) -> Square<'g> {
    let n = m.len();
    let Some(zero) = rows.first().map(|row| row.holds.graph().zero()) else { return m };
    m.iter_mut().for_each(|row| row.resize(n + rows.len(), zero));
    for (k, row) in rows.iter().enumerate() {
        let mut entries: Vec<_> = row.jacobian.iter().map(|&j| row.holds * j).collect();
        entries.iter().enumerate().for_each(|(i, &entry)| m[i][n + k] = entry);
        entries.resize(n + rows.len(), zero);
        entries[n + k] = row.holds - row.holds.graph().one();
        m.push(entries);
    }
    m
}
