//! How well the points between robots satisfy their law, by the velocities that all impulses lead to.

use super::super::residual::{Contact, Turn};
use super::super::sum::Sum;
use super::super::{Formulation, Residual};
use super::between::{Between, Contacts, ROWS};
use super::{Coupled, Part};
use crate::slices::worse;

impl Coupled {
    /// The residual of the points between robots in the last step.
    pub(crate) fn residual(
        &self,
        parts: &[Part<'_>],
        contacts: &Contacts,
        formulation: &Formulation,
    ) -> Residual {
        let normals = contacts.points.iter().map(|point| point.impulse[0].abs());
        let strongest = normals.fold(0.0, f64::max);
        let mut residual = Residual::default();
        for point in &contacts.points {
            let Some((demand, _)) = point.demand() else { continue };
            let end = contacts.end(point, parts);
            let [n, x, y, turning @ ..] = point.impulse;
            let impulse = [n, x, y];
            let w = core::array::from_fn(|k| {
                let sigma = point.is_included().then(|| self.problem.sigma.get(point.row() + k));
                let soft = sigma.flatten().map_or(0.0, |sigma| sigma * impulse[k]);
                let mut w = end[k];
                [-demand.target[k], soft].into_iter().for_each(|term| w.add(term));
                w
            });
            let Between { friction, directions, .. } = *point;
            let contact = Contact { impulse, floor: 0.0, w, friction, directions, strongest };
            let [normal, friction] = contact.residual(formulation);
            residual.normal = worse(residual.normal, normal);
            residual.friction = worse(residual.friction, friction);
            if point.resists_turning() {
                let turn = Turn { impulse: turning, w: [end[3], end[4], end[5]] };
                let left = turn.residual(n, point.coefficients());
                residual.friction = worse(residual.friction, left);
            }
        }
        residual
    }
}

impl Contacts {
    /// J v⁺ of a point, with the largest of its terms and of what it would be without impulses.
    fn end(&self, point: &Between, parts: &[Part<'_>]) -> [Sum; ROWS] {
        let mut end = [Sum::default(); ROWS];
        for side in point.sides.iter().flatten() {
            let v = parts[side.part].core.velocity();
            let rows = self.rows[side.first..].chunks_exact(v.len()).take(point.lines());
            for (sum, row) in end.iter_mut().zip(rows) {
                row.iter().zip(v).for_each(|(j, v)| sum.add(j * v));
            }
        }
        let free = self.velocity(point, |k| parts[k].core.free());
        end.iter_mut().zip(free).for_each(|(sum, free)| sum.scale = sum.scale.max(free.abs()));
        end
    }
}
