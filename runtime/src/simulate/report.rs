//! What steps and runs took and how good they are.

use crate::contact::{Outcome, Residual};

/// What a step took and how good it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepReport {
    /// The residual of each kind of equation.
    pub residual: Residual,
    /// The deepest penetration of a contact at the beginning of the step, in metres; 0 if there is none.
    pub penetration: f64,
    /// What solving it took.
    pub outcome: Outcome,
}

/// What a run took and how good it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RunReport {
    /// Number of steps.
    pub steps: u64,
    /// The largest residual of each kind of equation.
    pub residual: Residual,
    /// The deepest penetration of a contact at the beginning of a step, in metres.
    pub penetration: f64,
    /// Pivots or iterations of the solvers in all steps.
    pub pivots: usize,
}

impl RunReport {
    /// Takes one more step into account.
    pub(super) fn add(&mut self, step: &StepReport) {
        self.steps += 1;
        self.residual = self.residual.worse(&step.residual);
        self.penetration = self.penetration.max(step.penetration);
        self.pivots += step.outcome.pivots;
    }
}
