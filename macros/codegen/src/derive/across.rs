//! Entries of M⁻¹ between different limbs.
//!
//! What lies in different limbs meets only in the coordinates s that both hang on and that have no
//! lanes. With L's entries resolved onto these,
//!
//! > F_ks = L_ks − Σ_i L_ki F_is over the i of the limb itself,
//!
//! a coordinate k of one limb and any y outside it have X_ky = −Σ_s F_ks X_sy. Of limbs that are
//! lanes of the same value, lane a meets lane a + r of the other factor turned by r; X being symmetric,
//! r up to half of the lanes is enough. Of limbs in different values, one lane after the other meets
//! all lanes of the other.

use crate::expr::Expr;

use super::factor::Factor;
use super::mass_matrix::Square;
use super::mechanism::Mechanism;

/// A coordinate of one limb, by its factors F, and the coordinate c of another.
struct Meeting<'a, 'g> {
    factors: &'a [(usize, Expr<'g>)],
    inverse: &'a Square<'g>,
    c: usize,
}

impl<'g> Meeting<'_, 'g> {
    /// −Σ_s F_s X_sc, the lanes of X_sc as `turned` puts them.
    fn entries(&self, zero: Expr<'g>, turned: impl Fn(Expr<'g>) -> Expr<'g>) -> Expr<'g> {
        let terms = self.factors.iter();
        terms.fold(zero, |sum, &(s, factor)| sum - factor * turned(self.inverse[s][self.c]))
    }
}

impl<'g> Mechanism<'g> {
    /// The full M⁻¹, given its entries between coordinates in the same lane.
    pub(super) fn spread_across(&self, factor: &Factor<'g>, inverse: &Square<'g>) -> Square<'g> {
        let mut full = self.spread_matrix(inverse);
        let resolved = self.resolve(factor);
        let in_lanes: Vec<_> =
            (0..factor.limbs.len()).filter(|&k| factor.limbs[k].is_some()).collect();
        for &k in &in_lanes {
            for &c in &in_lanes {
                let meeting = Meeting { factors: &resolved[k], inverse, c };
                if !factor.apart(k, c) {
                    self.meet_turned(k, &meeting, &mut full);
                } else if k < c {
                    self.meet_lanes(k, &meeting, &mut full);
                }
            }
        }
        full
    }

    /// Limbs that are lanes of the same value.
    fn meet_turned(&self, k: usize, meeting: &Meeting<'_, 'g>, full: &mut Square<'g>) {
        let (rows, columns) = (&self.lanes[k], &self.lanes[meeting.c]);
        let width = rows.len();
        for turn in 1..=width / 2 {
            if 2 * turn == width && k < meeting.c {
                continue;
            }
            let entries = meeting.entries(self.graph.zero(), |x| {
                let lanes: Vec<_> = (0..width).map(|lane| x.lane((lane + turn) % width)).collect();
                self.graph.pack(&lanes)
            });
            for (lane, &i) in rows.iter().enumerate() {
                let j = columns[(lane + turn) % width];
                full[i][j] = entries.lane(lane);
                full[j][i] = full[i][j];
            }
        }
    }

    /// Limbs that are lanes of different values.
    fn meet_lanes(&self, k: usize, meeting: &Meeting<'_, 'g>, full: &mut Square<'g>) {
        for (column, &j) in self.lanes[meeting.c].iter().enumerate() {
            let entries = meeting.entries(self.graph.zero(), |x| x.lane(column));
            for (lane, &i) in self.lanes[k].iter().enumerate() {
                full[i][j] = entries.lane(lane);
                full[j][i] = full[i][j];
            }
        }
    }

    /// F: for each coordinate with lanes, its factors of coordinates without.
    fn resolve(&self, factor: &Factor<'g>) -> Vec<Vec<(usize, Expr<'g>)>> {
        let limbs = &factor.limbs;
        let mut resolved: Vec<Vec<(usize, Expr<'g>)>> = vec![Vec::new(); limbs.len()];
        for &k in factor.order.iter().filter(|&&k| limbs[k].is_some()) {
            let mut sums = vec![self.graph.zero(); limbs.len()];
            for &(i, entry) in &factor.rows[k] {
                match limbs[i] {
                    None => sums[i] += entry,
                    Some(_) => {
                        resolved[i].iter().for_each(|&(s, further)| sums[s] -= entry * further);
                    }
                }
            }
            let found = sums.into_iter().enumerate().filter(|(_, sum)| !sum.is_zero());
            resolved[k] = found.collect();
        }
        resolved
    }

    /// The outermost body of the limb that each coordinate belongs to, if that has lanes.
    pub(super) fn limbs(&self) -> Vec<Option<usize>> {
        let mut limbs = vec![None; self.nv()];
        for (k, body) in self.bodies.iter().enumerate().filter(|(_, body)| body.lanes > 1) {
            let limb = self.path(Some(k)).find(|&outer| self.bodies[outer].repeats > 1);
            body.columns.iter().for_each(|column| limbs[column.dof] = limb);
        }
        limbs
    }
}
