//! How well the points between robots satisfy their law, by the velocities that all impulses lead to.

use super::super::residual::{Contact, Turn};
use super::super::sum::Sum;
use super::super::{Formulation, Residual};
use super::between::{Between, ROWS};
use super::{Island, Part};
use crate::slices::worse;

impl Island<'_, '_> {
    /// The residual of its points.
    pub(super) fn residual(&self, formulation: &Formulation) -> Residual {
        let points = || self.points.iter().map(|&k| &self.contacts.points[k]);
        let strongest = points().fold(0.0, |most, point| f64::max(most, point.impulse[0].abs()));
        let (rows, parts) = (&self.contacts.rows[..], &*self.parts);
        let of = |point: &Between| point.residual((rows, parts), formulation, strongest);
        points().map(of).fold(Residual::default(), |worst, of| worst.worse(&of))
    }
}

impl Between {
    /// Its residual, where the strongest normal impulse is this.
    pub(super) fn residual(
        &self,
        (rows, parts): (&[f64], &[Part<'_>]),
        formulation: &Formulation,
        strongest: f64,
    ) -> Residual {
        let Some((demand, _)) = self.demand() else { return Residual::default() };
        let end = self.end(rows, parts);
        let [n, x, y, turning @ ..] = self.impulse;
        let impulse = [n, x, y];
        let w = core::array::from_fn(|k| {
            let mut w = end[k];
            let soft = self.sigma[k] * impulse[k];
            [-demand.target[k], soft].into_iter().for_each(|term| w.add(term));
            w
        });
        let Self { friction, directions, .. } = *self;
        let contact = Contact { impulse, floor: 0.0, w, friction, directions, strongest };
        let [normal, mut friction] = contact.residual(formulation);
        if self.resists_turning() {
            let turn = Turn { impulse: turning, w: [end[3], end[4], end[5]] };
            friction = worse(friction, turn.residual(n, self.coefficients()));
        }
        Residual { normal, friction, ..Residual::default() }
    }

    /// J v⁺, with the largest of its terms and of what it would be without impulses.
    fn end(&self, rows: &[f64], parts: &[Part<'_>]) -> [Sum; ROWS] {
        let mut end = [Sum::default(); ROWS];
        for side in self.sides.iter().flatten() {
            let v = parts[side.part].core.velocity();
            let rows = rows[side.first..].chunks_exact(v.len()).take(self.lines());
            for (sum, row) in end.iter_mut().zip(rows) {
                row.iter().zip(v).for_each(|(j, v)| sum.add(j * v));
            }
        }
        let free = self.velocity(rows, |k| parts[k].core.free());
        end.iter_mut().zip(free).for_each(|(sum, free)| sum.scale = sum.scale.max(free.abs()));
        end
    }
}
