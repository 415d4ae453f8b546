//! What a matrix of rows leaves of rounding is taken away from the solution.
//!
//! Pivots on a matrix A lose digits as A does, and some humanoid with all that acts is left with more than an audit allows. From
//! there, the search for velocities, which knows no A, needs few iterations, since all modes are right.

use crate::contact::candidate::Candidate;
use crate::contact::conditions::Conditions;
use crate::contact::restitution::Phase;
use crate::contact::solver::Solved;
use crate::contact::stepper::Core;
use crate::slices::largest;

/// The share of the tolerance that a residual may be without further work.
const SHARE: f64 = 0.1;

/// By how much velocities of the same solution may differ, m/s or rad/s, relative to the largest one if that is above one.
const SAME: f64 = 1e-6;

impl Core {
    /// Goes on from a solution by rows in which an audit would see rounding; what that took, if a better one of the same modes is
    /// found. Else the solution stays.
    pub(in crate::contact) fn polish(
        &mut self,
        (h, conditions): (f64, &Conditions),
    ) -> Option<Solved> {
        let is_of_tree = |of: &Candidate| !of.included || of.is_of_tree();
        if self.compression.phase != Phase::Whole
            || !self.may_solve_by_newton()
            || !self.candidates.iter().all(is_of_tree)
        {
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

    /// The same, of a solution that has this residual and velocity.
    #[cold]
    fn refine(
        &mut self,
        before: f64,
        velocity: &[f64],
        (h, conditions): (f64, &Conditions),
    ) -> Option<Solved> {
        self.start.copy(&self.impulse);
        let found = self.refine_by_newton(&conditions.formulation);
        let speed = largest(velocity).max(1.0);
        let mut each = velocity.iter().zip(&self.velocity);
        let is_same = each.all(|(v, w)| (v - w).abs() <= SAME * speed);
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
}
