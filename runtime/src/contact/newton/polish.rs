//! Iterative refinement of a solution that was found with a matrix of rows.
//!
//! Pivoting loses the digits that the condition of A takes, so that an audit may refuse the solution. Newton's method for velocities
//! has no A, or takes w of v⁺. It starts from the solution, all of whose modes are right, and so needs few iterations.

#[cfg(test)]
mod tests;

use crate::contact::candidate::Candidate;
use crate::contact::conditions::Conditions;
use crate::contact::phase::Phase;
use crate::contact::solver::{Solved, Solver};
use crate::contact::stepper::Core;
use crate::slices::largest;

/// The share of the tolerance that a residual may be without further work.
const SHARE: f64 = 0.1;

/// The share that is enough where it is hard to come by.
const ENOUGH: f64 = 0.5;

/// By how much velocities of the same solution may differ, m/s or rad/s, relative to the largest one if that is above one.
const SAME: f64 = 1e-6;

impl Core {
    /// Refines a solution by rows whose residual is not far below the tolerance. Returns what that took, or `None` if the solution
    /// is kept as it is.
    pub(in crate::contact) fn polish(
        &mut self,
        (h, conditions): (f64, &Conditions),
    ) -> Option<Solved> {
        if self.compression.phase != Phase::Whole || self.chains.is_used() {
            return None;
        }
        if self.has_jacobians() {
            return self.polish_by_rows(conditions);
        }
        let is_of_tree = |of: &Candidate| !of.included || of.is_of_tree();
        if !self.may_solve_by_newton() || !self.candidates.iter().all(is_of_tree) {
            return None;
        }
        let before = self.residual(h, conditions).max();
        if before <= SHARE * self.tolerance {
            return None;
        }
        let mut velocity = core::mem::take(&mut self.room);
        velocity.copy_from_slice(&self.velocity);
        let refined = self.refine(before, &velocity, (h, conditions));
        self.room = velocity;
        refined
    }

    /// The same for a solution with the residual `before` and this velocity.
    #[cold]
    fn refine(
        &mut self,
        before: f64,
        velocity: &[f64],
        (h, conditions): (f64, &Conditions),
    ) -> Option<Solved> {
        self.start.copy(&self.impulse);
        let found = self.refine_by_newton(&conditions.formulation);
        let is_same = are_same(velocity, &self.velocity);
        if found.is_some() && is_same && self.residual(h, conditions).max() <= before {
            return found;
        }
        if let Some(newton) = &mut self.newton {
            newton.is_steady = false;
        }
        // The search knows nothing of the impulses along the rows, which are as they were.
        self.arrange(&conditions.formulation);
        self.move_by_rows();
        None
    }

    /// The same with [rows](super::by_rows).
    fn polish_by_rows(&mut self, conditions: &Conditions) -> Option<Solved> {
        let before = self.laws(conditions);
        if before <= SHARE * self.tolerance {
            return None;
        }
        let pivots = self.refine_by_rows(conditions, ENOUGH * self.tolerance);
        if pivots == 0 {
            return None;
        }
        if are_same(self.by_rows.velocity(), &self.velocity) && self.laws(conditions) <= before {
            return Some(Solved { pivots, solver: Solver::Newton });
        }
        self.go_back_by_rows();
        None
    }
}

/// Whether velocities are of the same solution.
fn are_same(before: &[f64], after: &[f64]) -> bool {
    let most = SAME * largest(before).max(1.0);
    before.iter().zip(after).all(|(v, w)| (v - w).abs() <= most)
}
