//! Errors of declared constraints at the end of a step: they are corrected, and the step is solved anew.

use super::Conditions;
use super::stepper::{Outcome, Stepper};
use crate::model::Model;
use crate::space::Storage;

/// The error of a constraint at the end of a step that is not made less, as in
/// [`Residual::constraints`](super::Residual).
const CLOSED: f64 = 1e-12;
/// How often what a step asks of the constraints is corrected, and how often in vain.
const MAX_CORRECTIONS: usize = 20;
const MAX_MISSES: usize = 3;

impl<M: Model> Stepper<M> {
    /// Solves again, until the bilateral constraints are satisfied at the end of the step.
    pub(super) fn correct(
        &mut self,
        model: &M,
        state: (&M::Q, &M::V),
        during: (f64, f64),
        conditions: &Conditions,
        outcome: &mut Outcome,
    ) {
        self.violation = 0.0;
        if M::NC == 0 {
            return;
        }
        let displaced = self.overlap.displaced::<M>(state.0);
        let from = displaced.as_ref().unwrap_or(state.0);
        let (mut least, mut misses, mut is_best) = (f64::INFINITY, 0, true);
        for _ in 0..MAX_CORRECTIONS {
            let violation = self.dynamics.violation(model, (from, &self.velocity), during);
            is_best = violation < least;
            (least, misses) = if is_best { (violation, 0) } else { (least, misses + 1) };
            if least <= CLOSED || misses == MAX_MISSES {
                break;
            }
            if is_best {
                self.hold();
                self.best.0.clone_from(&self.velocity);
                self.best.1.copy(&self.impulse);
            }
            self.dynamics.correct(&self.velocity);
            is_best = false;
            // What was found before is good enough to go on with.
            if self.solve(state, (during.1, conditions), outcome).is_err() {
                break;
            }
        }
        self.violation = least;
        if is_best || least.is_infinite() {
            self.hold();
        } else {
            core::mem::swap(&mut self.velocity, &mut self.best.0);
            core::mem::swap(&mut self.impulse, &mut self.best.1);
            // What is along the rows was of the last correction.
            core::mem::swap(&mut self.impulse, &mut self.start);
            self.start();
            core::mem::swap(&mut self.impulse, &mut self.start);
        }
    }

    /// Writes the impulses of bilateral constraints beside those of the rows.
    fn hold(&mut self) {
        if M::NC > 0 {
            let mut p = M::V::zeros();
            self.rows.add_force(0, &self.impulses, p.as_mut_slice());
            self.dynamics.bilateral_impulses(p.as_mut_slice(), &mut self.impulse.constraints);
        }
    }
}
