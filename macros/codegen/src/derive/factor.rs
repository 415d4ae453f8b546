//! The sparse factorisation M = Lᵀ D L, solutions of M x = b, and M⁻¹.
//!
//! Coordinates are eliminated from the leaves inwards, so that the unit triangular L has an entry
//! L_ki only where the body of coordinate k hangs on that of i; entries that are zero cost nothing on
//! the graph. Where a joint moves no inertia its pivot is zero, and the result is not finite, which
//! `check_mass_matrix` reports.
//!
//! The inverse X needs no inverse of L: with the coordinates from the root outwards, X Lᵀ = L⁻¹ D⁻¹
//! says of k and every c before it
//!
//! > X_kc = δ_kc / D_k − Σ_i L_ki X_ic.
//!
//! Of two coordinates neither of which hangs on the other, the one with the shorter row is expanded.
//! Where alike limbs are lanes, different limbs meet in `across`.
//!
//! Source: Featherstone, Rigid Body Dynamics Algorithms (2008), section 6.5; Takahashi, Fagan, Chen,
//! Formation of a Sparse Bus Impedance Matrix (1973), for the inverse.

use crate::expr::Expr;

use super::mass_matrix::Square;
use super::mechanism::Mechanism;

/// L and D of a mass matrix, or of a symmetric matrix whose pivots have known signs.
pub(super) struct Factor<'g> {
    /// The coordinates from the root outwards.
    pub(super) order: Vec<usize>,
    /// The entries of each row of L beside the diagonal, by their columns.
    pub(super) rows: Vec<Vec<(usize, Expr<'g>)>>,
    /// 1 / D.
    pub(super) inverse: Vec<Expr<'g>>,
    /// Of each D, the sum of its terms that have its sign; it is no smaller.
    pub(super) summed: Vec<Expr<'g>>,
    /// Of how many lanes each coordinate is.
    pub(super) lanes: Vec<usize>,
    /// The limb that each coordinate with lanes belongs to, by its outermost body.
    pub(super) limbs: Vec<Option<usize>>,
}

impl<'g> Mechanism<'g> {
    /// The factors of M.
    pub(super) fn factor(&self) -> Factor<'g> {
        let (m, order) = (self.mass_matrix_in_lanes(), self.elimination_order());
        let factor = Factor::of_inertia(m, order, self.lanes.iter().map(Vec::len).collect());
        Factor { limbs: self.limbs(), ..factor }
    }

    /// M⁻¹.
    pub fn inverse_mass_matrix(&self) -> Square<'g> {
        let factor = self.factor();
        self.spread_across(&factor, &factor.inverse(self.graph.zero()))
    }

    /// The coordinates from the root outwards, whatever the order in which they are numbered.
    pub(super) fn elimination_order(&self) -> Vec<usize> {
        let mut order = Vec::new();
        for column in self.bodies.iter().flat_map(|body| &body.columns) {
            if !order.contains(&column.dof) {
                order.push(column.dof);
            }
        }
        order
    }
}

impl<'g> Factor<'g> {
    /// The factors of a symmetric matrix of coordinates with so many lanes, which are eliminated from the
    /// end of `order` on.
    pub(super) fn new(
        mut m: Square<'g>,
        order: Vec<usize>,
        lanes: Vec<usize>,
        is_negative: impl Fn(usize) -> bool,
    ) -> Self {
        let diagonal: Vec<_> = (0..m.len()).map(|k| m[k][k]).collect();
        let rows = vec![Vec::new(); m.len()];
        let (inverse, limbs) = (diagonal.clone(), vec![None; m.len()]);
        let mut factor = Self { order, rows, inverse, summed: diagonal, lanes, limbs };
        for rank in (0..m.len()).rev() {
            let k = factor.order[rank];
            factor.inverse[k] = m[k][k].graph().one() / m[k][k];
            let before = factor.order[..rank].iter().rev().copied();
            let coupled: Vec<_> = before.filter(|&i| !m[k][i].is_zero()).collect();
            for (place, &i) in coupled.iter().enumerate() {
                let entry = m[k][i] * factor.inverse[k];
                for &j in &coupled[place..] {
                    let term = factor.gathered(entry * m[k][j], k, &[i, j]);
                    m[i][j] -= term;
                    m[j][i] = m[i][j];
                    if i == j && is_negative(i) != is_negative(k) {
                        factor.summed[i] -= term;
                    }
                }
                factor.rows[k].push((i, entry));
            }
            factor.rows[k].reverse();
        }
        factor
    }

    /// The factors of an inertia of coordinates with so many lanes, as [`new`](Self::new) finds them, but entry by entry:
    /// partial sums of many entries would have to be stored in every turn.
    pub(super) fn of_inertia(mut m: Square<'g>, order: Vec<usize>, lanes: Vec<usize>) -> Self {
        let diagonal: Vec<_> = (0..m.len()).map(|k| m[k][k]).collect();
        let rows = vec![Vec::new(); m.len()];
        let (inverse, limbs) = (diagonal.clone(), vec![None; m.len()]);
        let mut factor = Self { order, rows, inverse, summed: diagonal, lanes, limbs };
        // Of each coordinate, those that were eliminated before and have an entry in its column.
        let mut outer: Vec<Vec<(usize, Expr<'g>)>> = vec![Vec::new(); m.len()];
        for rank in (0..m.len()).rev() {
            let i = factor.order[rank];
            for &(k, entry) in &outer[i] {
                let term = factor.gathered(entry * m[k][i], k, &[i]);
                m[i][i] -= term;
            }
            factor.inverse[i] = m[i][i].graph().one() / m[i][i];
            for place in 0..rank {
                let j = factor.order[place];
                for &(k, entry) in &outer[i] {
                    let term = factor.gathered(entry * m[k][j], k, &[i, j]);
                    m[i][j] -= term;
                }
                if !m[i][j].is_zero() {
                    let entry = m[i][j] * factor.inverse[i];
                    factor.rows[i].push((j, entry));
                    outer[j].push((i, entry));
                }
            }
        }
        factor
    }

    /// Whether two coordinates belong to limbs whose lanes do not correspond.
    pub(super) fn apart(&self, i: usize, j: usize) -> bool {
        let (one, other) = (self.limbs[i], self.limbs[j]);
        one.is_some() && other.is_some() && one != other
    }

    /// What coordinate `k` adds to an entry of the given coordinates: its sum over lanes, unless the
    /// entry has the same lanes.
    fn gathered(&self, x: Expr<'g>, k: usize, entry: &[usize]) -> Expr<'g> {
        let same = entry.iter().any(|&i| self.lanes[i] > 1);
        x.gathered(if same { 1 } else { self.lanes[k] })
    }

    /// L⁻ᵀ x of a vector of the space of forces.
    fn inwards(&self, mut x: Vec<Expr<'g>>) -> Vec<Expr<'g>> {
        for &k in self.order.iter().rev() {
            for &(i, factor) in &self.rows[k] {
                x[i] = x[i] - self.gathered(factor * x[k], k, &[i]);
            }
        }
        x
    }

    /// L⁻ᵀ x of rows beside one another, one in each lane, so that lanes are not summed.
    pub(super) fn transposed(&self, mut x: Vec<Expr<'g>>) -> Vec<Expr<'g>> {
        for &k in self.order.iter().rev() {
            for &(i, factor) in &self.rows[k] {
                x[i] = x[i] - factor * x[k];
            }
        }
        x
    }

    /// x of M x = b.
    pub(super) fn solve(&self, x: Vec<Expr<'g>>) -> Vec<Expr<'g>> {
        let mut x = self.inwards(x);
        for &k in &self.order {
            let start = x[k] * self.inverse[k];
            x[k] = self.rows[k].iter().fold(start, |sum, &(i, factor)| sum - factor * x[i]);
        }
        x
    }

    /// M⁻¹, with zeros for the entries of two coordinates in different lanes.
    pub(super) fn inverse(&self, zero: Expr<'g>) -> Square<'g> {
        let mut x = vec![vec![zero; self.rows.len()]; self.rows.len()];
        let outer = self.outer();
        for (rank, &k) in self.order.iter().enumerate() {
            for &c in self.order[..rank].iter().filter(|&&c| !self.apart(k, c)) {
                let beside = !outer[k].contains(&c);
                let (row, other) =
                    if beside && self.rows[c].len() < self.rows[k].len() { (c, k) } else { (k, c) };
                x[k][c] = self.expand(row, other, zero, &x);
                x[c][k] = x[k][c];
            }
            x[k][k] = self.expand(k, k, self.inverse[k], &x);
        }
        x
    }

    /// start − Σ L_ki X_ic.
    fn expand(&self, k: usize, c: usize, start: Expr<'g>, x: &Square<'g>) -> Expr<'g> {
        self.rows[k].iter().fold(start, |sum, &(i, factor)| sum - factor * x[i][c])
    }

    /// The coordinates that each one hangs on.
    fn outer(&self) -> Vec<Vec<usize>> {
        let mut outer = vec![Vec::new(); self.rows.len()];
        for &k in &self.order {
            let mut found: Vec<usize> = Vec::new();
            for &(i, _) in &self.rows[k] {
                found.push(i);
                found.extend(&outer[i]);
            }
            found.sort_unstable();
            found.dedup();
            outer[k] = found;
        }
        outer
    }
}
