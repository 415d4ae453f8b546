//! What overlaps between robots and within each, put right by one displacement of all, as [`overlap`](super::super::overlap) has it.

use alloc::vec::Vec;

use super::super::overlap::{REGULAR, has_no_way_apart};
use super::super::{Conditions, Error, Formulation};
use super::{Aim, Contacts, Coupled, Failure, Island, Part};

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
    ) -> Result<(), Failure> {
        let mut overlaps = contacts.demand_apart(laws);
        for part in &mut *parts {
            let laws = (laws.0, part.conditions);
            overlaps |= part.core.list_overlaps(part.state, laws);
        }
        if overlaps { self.displace(parts, contacts, laws.0) } else { Ok(()) }
    }

    #[cold]
    fn displace(
        &mut self,
        parts: &mut [Part<'_>],
        contacts: &mut Contacts,
        h: f64,
    ) -> Result<(), Failure> {
        let frictions: Vec<[f64; 3]> = contacts
            .points
            .iter()
            .map(|point| [point.friction, point.torsion, point.rolling])
            .collect();
        for point in &mut contacts.points {
            (point.friction, point.torsion, point.rolling) = (0.0, 0.0, 0.0);
        }
        for Part { core, state: (_, v), .. } in &mut *parts {
            core.begin_displacement(v);
            core.begin_separation(v);
        }
        let law = Formulation::coulomb();
        let solved = self.solve_islands((parts, contacts), &law, |coupled, island, _| {
            // What was solved before may have given way.
            island.give_way(0.0);
            let first = coupled.separate(island, (h, &law));
            if !first.as_ref().is_err_and(has_no_way_apart) {
                return first;
            }
            island.give_way(REGULAR);
            coupled.separate(island, (h, &law))
        });
        for Part { core, state: (_, v), .. } in parts {
            // What pushes nothing stays where it is.
            let is_found = solved.is_ok() && core.velocity() != *v;
            core.end_displacement(v, h, is_found);
        }
        for (point, [friction, torsion, rolling]) in contacts.points.iter_mut().zip(frictions) {
            (point.friction, point.torsion, point.rolling) = (friction, torsion, rolling);
        }
        solved
    }

    /// v + c of an island.
    fn separate(
        &mut self,
        island: &mut Island<'_, '_>,
        laws: (f64, &Formulation),
    ) -> Result<(), Error> {
        if !island.is_acted_on() {
            return Ok(());
        }
        island.each_member(|part| part.core.begin_separation(part.state.1));
        island.points.iter().for_each(|&k| island.contacts.points[k].begin_solution());
        self.separating.forget();
        loop {
            self.list(island);
            self.solve_by_rows(island, laws.1, Aim::Displacement)?;
            if !island.include(laws, Aim::Displacement) {
                return Ok(());
            }
        }
    }
}
