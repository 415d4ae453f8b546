//! What a matrix of rows leaves of rounding is taken away from the solution.
//!
//! Pivots on a matrix A lose digits as A does, and some humanoid with all that acts is left with more than an audit allows. From
//! there, the search for velocities, which knows no A, needs few iterations, since all modes are right.

use crate::contact::conditions::Conditions;
use crate::contact::formulation::Formulation;
use crate::contact::restitution::Phase;
use crate::contact::stepper::Core;

/// The share of the tolerance that a residual may be without further work.
const SHARE: f64 = 0.1;

/// By how much velocities of the same solution may differ, m/s or rad/s, relative to the largest one if that is above one.
const SAME: f64 = 1e-6;

impl Core {
    /// Goes on from a solution by rows in which an audit would see rounding. It stays unless a better one of the same modes is found.
    pub(in crate::contact) fn polish(&mut self, (h, conditions): (f64, &Conditions)) {
        if self.compression.phase != Phase::Whole || !self.may_solve_by_newton() {
            return;
        }
        let before = self.residual(h, conditions).max();
        if before > SHARE * self.tolerance {
            self.refine(before, (h, conditions));
        }
    }

    #[cold]
    fn refine(&mut self, before: f64, (h, conditions): (f64, &Conditions)) {
        let formulation = &conditions.formulation;
        let (impulses, velocity) = (self.impulses.clone(), self.velocity.clone());
        self.start.copy(&self.impulse);
        let found = self.refine_by_newton(formulation).is_some();
        let speed = velocity.iter().fold(1.0, |speed, v| f64::max(v.abs(), speed));
        let is_same = || {
            let mut each = velocity.iter().zip(&self.velocity);
            each.all(|(v, w)| (v - w).abs() <= SAME * speed)
        };
        if found && is_same() && self.residual(h, conditions).max() <= before {
            return;
        }
        self.restore(formulation, &impulses);
    }

    /// Goes back to the solution with these impulses along the rows.
    fn restore(&mut self, formulation: &Formulation, impulses: &[f64]) {
        self.arrange(formulation);
        self.impulses.clear();
        self.impulses.extend_from_slice(impulses);
        self.write();
        let Self { dynamics, rows, contact_rows, impulses, impulse, velocity, .. } = self;
        dynamics.accelerate((rows, *contact_rows), impulses, impulse, velocity);
    }
}
