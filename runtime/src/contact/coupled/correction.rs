//! Errors of declared constraints at the end of a step, which are corrected and the step solved anew, as
//! [`correction`](super::super::correction) has it.

use super::super::Error;
use super::super::Formulation;
use super::super::correction::{CLOSED, MAX_CORRECTIONS, MAX_MISSES};
use super::super::solver::Outcome;
use super::super::stepper::Core;
use super::{Aim, Coupled, Island, Part};
use crate::model::Robot;
use crate::slices::worse;

impl Coupled {
    /// Solves again, until the bilateral constraints of all robots are satisfied at the end of the step, or become no better.
    pub(super) fn correct(
        &mut self,
        island: &mut Island<'_, '_>,
        (during, formulation): ((f64, f64), &Formulation),
        outcome: &mut Outcome,
    ) -> Result<(), Error> {
        let laws = (during.1, formulation);
        let (mut least, mut misses) = (f64::INFINITY, 0);
        for _ in 0..MAX_CORRECTIONS {
            let mut violation = 0.0;
            island.each_member(|part| violation = worse(violation, part.violation(during)));
            (least, misses) = if violation < least { (violation, 0) } else { (least, misses + 1) };
            if violation <= CLOSED || misses == MAX_MISSES {
                break;
            }
            island.each_member(|part| {
                if part.robot.nc > 0 {
                    part.core.correct_constraints();
                }
            });
            island.start_again();
            island.begin_solution();
            island.include(laws, Aim::Step);
            self.solve(island, laws, outcome)?;
        }
        island.each_member(|part| {
            part.core.violation = part.violation(during);
            part.core.hold();
        });
        Ok(())
    }
}

impl Part<'_> {
    /// The largest error of the constraints of this robot where its velocity leads; zero if there are none.
    fn violation(&mut self, during: (f64, f64)) -> f64 {
        if self.robot.nc == 0 {
            return 0.0;
        }
        self.core.violation_of(self.robot, self.state.0, during)
    }
}

impl Core {
    fn violation_of(&mut self, robot: Robot<'_>, q: &[f64], during: (f64, f64)) -> f64 {
        let displaced = self.overlap.take_displaced(&robot, q);
        let of = (displaced.as_deref().unwrap_or(q), &self.velocity[..]);
        let violation = self.dynamics.violation(robot, of, None, during);
        self.overlap.give_back(displaced);
        violation
    }

    fn correct_constraints(&mut self) {
        self.dynamics.correct(&self.velocity);
    }
}
