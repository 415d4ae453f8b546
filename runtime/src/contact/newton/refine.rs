//! How a step takes the refinement [by rows](super::by_rows).

use alloc::vec::Vec;

use super::by_rows::ByRows;
use crate::contact::conditions::Conditions;
use crate::contact::dynamics::Dynamics;
use crate::contact::residual::Residual;
use crate::contact::stepper::Core;
use crate::slices;

/// κ in the order of trial: what holds may need much, and what changes its modes less.
const HOLDING: [f64; 4] = [1e7, 1e9, 1e5, 1e3];

/// Most iterations with one κ, and most that are no better than the best one.
const MOST: usize = 20;
const PATIENCE: usize = 5;

impl Core {
    /// Looks for a solution near that of the rows, with one κ after the other until its laws have no larger residuals than this, and
    /// takes the best one. Returns how many iterations that took: none if some law is another.
    #[cold]
    pub(super) fn refine_by_rows(&mut self, conditions: &Conditions, enough: f64) -> usize {
        let mut room = core::mem::take(&mut self.by_rows);
        let start = [&self.impulses[..], &self.velocity];
        let mut iterations = 0;
        if room.list(&self.problem, &conditions.formulation, start) {
            for holding in HOLDING {
                iterations += self.iterate_by_rows(&mut room, holding);
                self.take_by_rows(&room.best);
                if self.laws(conditions) <= enough {
                    break;
                }
            }
        }
        self.by_rows = room;
        iterations
    }

    /// Goes back to where the refinement began.
    pub(super) fn go_back_by_rows(&mut self) {
        let room = core::mem::take(&mut self.by_rows);
        self.take_by_rows(&room.start);
        self.by_rows = room;
    }

    /// Takes Λ along the rows, and v⁺.
    fn take_by_rows(&mut self, [impulses, velocity]: &[Vec<f64>; 2]) {
        self.impulses.copy_from_slice(impulses);
        self.velocity.copy_from_slice(velocity);
        self.write();
    }

    /// Iterates with one κ from the best iterate. Returns how often.
    fn iterate_by_rows(&mut self, room: &mut ByRows, holding: f64) -> usize {
        room.go_back();
        let mut best = 0;
        for iteration in 0..MOST {
            self.find_ends(room);
            let error = room.linearise(holding);
            if error < room.least {
                room.keep(error);
                best = iteration;
            }
            if iteration > best + PATIENCE || !room.advance(&self.problem) {
                return iteration;
            }
            let response = self.rows.respond_to(&room.change);
            slices::add(&mut room.velocity, 1.0, response);
        }
        MOST
    }

    /// w = J v⁺ − target of all rows.
    fn find_ends(&self, room: &mut ByRows) {
        slices::zeros(&mut room.w, self.problem.rows());
        self.rows.multiply(&room.velocity, &mut room.w);
        let included = self.candidates.iter().filter(|candidate| candidate.included);
        for (candidate, &first) in included.zip(&self.problem.firsts) {
            let w = &mut room.w[first..][..candidate.rows()];
            w.iter_mut().zip(candidate.demand.target).for_each(|(w, target)| *w -= target);
        }
    }

    /// How well what acts satisfies its laws.
    pub(super) fn laws(&self, conditions: &Conditions) -> f64 {
        let mut residual = Residual::default();
        self.add_candidates(conditions, &mut residual);
        residual.max()
    }

    /// Whether its problems are ones of rows of Jacobians.
    pub(super) fn has_jacobians(&self) -> bool {
        matches!(self.dynamics, Dynamics::Dense(_))
    }
}
