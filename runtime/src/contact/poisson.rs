//! The two phases of a step by [Poisson's law](super::Restitution::Poisson), one after the other.

use super::candidate::Sources;
use super::conditions::Conditions;
use super::error::Error;
use super::formulation::Formulation;
use super::phase::Phase;
use super::residual::Residual;
use super::restitution::Restitution;
use super::solver::{Outcome, Solved};
use super::stepper::Core;
use crate::cone::BLOCK_ROWS;
use crate::slices;

impl Core {
    /// Finds the compression of a step, and includes what it presses in the problem of the expansion.
    #[inline]
    pub(super) fn compress(
        &mut self,
        state: (&[f64], &[f64]),
        laws: (f64, &Conditions),
        outcome: &mut Outcome,
    ) -> Result<(), Error> {
        self.compression.phase = Phase::Whole;
        self.compression.forget(&mut self.impulse);
        match laws.1.restitution {
            Restitution::Poisson => self.compress_by_poisson(state, laws, outcome),
            _ => Ok(()),
        }
    }

    #[cold]
    fn compress_by_poisson(
        &mut self,
        (q, v): (&[f64], &[f64]),
        (h, conditions): (f64, &Conditions),
        outcome: &mut Outcome,
    ) -> Result<(), Error> {
        self.begin_compression(v, h);
        let solved = self.solve((q, v), (h, conditions), outcome);
        self.compression.residual = Residual::default();
        if solved.is_ok() {
            let mut residual = Residual::default();
            self.add_candidates(conditions, &mut residual);
            self.compression.residual = residual;
        }
        self.end_compression(v, (h, conditions));
        solved
    }

    fn begin_compression(&mut self, v: &[f64], h: f64) {
        self.compression.candidates.clone_from(&self.candidates);
        let Self { candidates, contacts, explicit, dynamics, compression, .. } = self;
        let sources = &Sources { contacts, explicit };
        candidates.retain_mut(|candidate| {
            let approach = candidate.approach(sources, dynamics, (v, h));
            candidate.compress(approach.as_ref(), v)
        });
        compression.free.set(v);
        dynamics.exchange(&mut compression.free);
        compression.phase = Phase::Compression;
    }

    fn end_compression(&mut self, v: &[f64], laws: (f64, &Conditions)) {
        let Self { candidates, compression, dynamics, impulse, start, .. } = self;
        let pressed = self.impulses.iter().any(|&impulse| impulse != 0.0);
        compression.phase = if pressed { Phase::Expansion } else { Phase::Whole };
        dynamics.exchange(&mut compression.free);
        core::mem::swap(candidates, &mut compression.candidates);
        core::mem::swap(impulse, &mut compression.impulse);
        // What was last is again what solvers start from.
        core::mem::swap(impulse, start);
        for candidate in candidates.iter_mut() {
            candidate.included |= compression.of(candidate) != [0.0; BLOCK_ROWS];
        }
        let pressed =
            compression.candidates.iter().filter(|of| compression.of(of) != [0.0; BLOCK_ROWS]);
        candidates.extend(pressed.filter_map(|of| of.limit_in_expansion(v, laws)));
    }

    /// Finds Λ of the expansion, (n).
    #[cold]
    pub(super) fn expand(&mut self, formulation: &Formulation) -> Result<Solved, Error> {
        let Self {
            candidates, contacts, explicit, compression, problem, solvers, impulses, ..
        } = self;
        slices::zeros(&mut compression.along, problem.rows());
        let mut along = core::mem::take(&mut compression.along);
        slices::zeros(&mut problem.floors, along.len());
        let included = candidates.iter().filter(|candidate| candidate.included);
        for (candidate, &first) in included.zip(&problem.firsts) {
            let rows = &mut along[first..][..candidate.rows()];
            rows.copy_from_slice(&compression.of(candidate)[..candidate.rows()]);
            problem.floors[first] = candidate.restitution(contacts, explicit) * along[first];
        }
        problem.begin_with(&along);
        slices::zeros(impulses, problem.rows());
        let solved = solvers.solve(formulation, problem, impulses);
        slices::add(impulses, 1.0, &along);
        compression.along = along;
        solved
    }
}
