//! The problem of a step, of the candidates that are included, and where its impulses come from and go.

use super::Formulation;
use super::candidate::{Candidate, Source};
use super::phase::Phase;
use super::stepper::Core;
use crate::slices;

impl Core {
    /// Writes the problem of what is included, in the form that its solver is fastest with.
    #[inline(always)]
    pub(super) fn arrange(&mut self, formulation: &Formulation) {
        let Self { table, candidates, explicit, dynamics, problem, .. } = self;
        let included = || candidates.iter().filter(|candidate| candidate.included);
        problem.clear();
        problem.settings = self.compression.phase.settings(self.tolerance);
        included().for_each(|candidate| candidate.push(table, explicit, dynamics, problem));
        let expands = self.compression.phase == Phase::Expansion;
        let takes_factors = formulation.friction().on_cone().is_some() && !expands;
        if takes_factors && included().all(|candidate| candidate.contact().is_some()) {
            let contacts = included().filter_map(Candidate::contact);
            if dynamics.write_star(contacts, &mut problem.star) {
                problem.soften_star();
                self.contact_rows = problem.rows();
                return;
            }
        }
        self.collect_rows();
        self.problem.evaluate(&self.rows, takes_factors);
    }

    /// Lists the rows of what is included.
    #[inline(always)]
    fn collect_rows(&mut self) {
        let Self { candidates, explicit, dynamics, rows, listed, contact_rows, .. } = self;
        let included = || candidates.iter().filter(|candidate| candidate.included);
        let key = |candidate: &Candidate| match candidate.source {
            Source::Contact(i) => Some((i, candidate.rows())),
            _ => None,
        };
        if included().map(key).eq(listed.iter().copied()) && !listed.contains(&None) {
            rows.rewind();
        } else {
            rows.clear(self.table.nv, included().map(Candidate::rows).sum());
            listed.clear();
            listed.extend(included().map(key));
        }
        *contact_rows = listed.iter().flatten().map(|(_, rows)| rows).sum();
        included().for_each(|candidate| candidate.push_rows(explicit, dynamics, rows));
        dynamics.respond(rows);
    }

    /// The impulses along the rows that are known from before.
    #[inline(always)]
    pub(super) fn start(&mut self) {
        slices::zeros(&mut self.impulses, self.problem.rows());
        let included = self.candidates.iter().filter(|candidate| candidate.included);
        for (candidate, &first) in included.zip(&self.problem.firsts) {
            let impulses = &mut self.impulses[first..][..candidate.rows()];
            candidate.read(&self.start, &self.impulse.pairs, impulses);
        }
    }

    /// Sorts the impulses along the rows by what they act on.
    #[inline(always)]
    pub(super) fn write(&mut self) {
        let included = self.candidates.iter().filter(|candidate| candidate.included);
        for (candidate, &first) in included.zip(&self.problem.firsts) {
            candidate.write(&self.impulses[first..][..candidate.rows()], &mut self.impulse);
        }
    }
}
