//! What overlaps between robots and within each, put right by one displacement of all, as [`overlap`](super::super::overlap) has it.

use alloc::vec::Vec;

use super::super::overlap::{REGULAR, has_no_way_apart};
use super::super::{Conditions, Error, Formulation};
use super::{Aim, Contacts, Coupled, Part};

impl Coupled {
    /// Finds the displacements of a step.
    ///
    /// # Errors
    ///
    /// Those of the problem's solver.
    pub(super) fn put_right(
        &mut self,
        parts: &mut [Part<'_>],
        contacts: &mut Contacts,
        laws: (f64, &Conditions),
    ) -> Result<(), Error> {
        let mut overlaps = contacts.demand_apart(laws);
        for part in &mut *parts {
            let laws = (laws.0, part.conditions);
            overlaps |= part.core.list_overlaps(part.state, laws);
        }
        if overlaps { self.displace(parts, contacts, laws) } else { Ok(()) }
    }

    #[cold]
    fn displace(
        &mut self,
        parts: &mut [Part<'_>],
        contacts: &mut Contacts,
        (h, _): (f64, &Conditions),
    ) -> Result<(), Error> {
        let frictions: Vec<[f64; 3]> = contacts
            .points
            .iter()
            .map(|point| [point.friction, point.torsion, point.rolling])
            .collect();
        for point in &mut contacts.points {
            (point.friction, point.torsion, point.rolling) = (0.0, 0.0, 0.0);
        }
        parts.iter_mut().for_each(|part| part.core.begin_displacement(part.state.1));
        let mut solved = self.separate(parts, contacts, h);
        if solved.as_ref().is_err_and(has_no_way_apart) {
            contacts.give_way(REGULAR);
            parts.iter_mut().for_each(|part| part.core.give_way(REGULAR));
            solved = self.separate(parts, contacts, h);
        }
        for part in parts {
            part.core.end_displacement(part.state.1, h, solved.is_ok());
        }
        for (point, [friction, torsion, rolling]) in contacts.points.iter_mut().zip(frictions) {
            (point.friction, point.torsion, point.rolling) = (friction, torsion, rolling);
        }
        solved
    }

    /// v + c of all.
    fn separate(
        &mut self,
        parts: &mut [Part<'_>],
        contacts: &mut Contacts,
        h: f64,
    ) -> Result<(), Error> {
        let law = Formulation::coulomb();
        parts.iter_mut().for_each(|part| part.core.begin_separation(part.state.1));
        contacts.begin_solution();
        self.separating.forget();
        loop {
            self.list(parts, contacts);
            self.solve_by_rows(parts, contacts, &law, Aim::Displacement)?;
            if !self.include(parts, contacts, (h, &law), Aim::Displacement) {
                return Ok(());
            }
        }
    }
}
