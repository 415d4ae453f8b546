//! One step.

use alloc::vec::Vec;

use super::StepReport;
use super::branch;
use super::motion::Start;
use super::moving::{Core, Place, momentum};
use super::residual::residual;
use super::rounding::hidden;
use crate::check;
use crate::contact;
use crate::failure::SimulationError;
use crate::model::Robot;
use crate::simulate::{Apart, apart, check_end, drowned, failure, without_chains};

impl Core {
    /// Moves on by one step with the input `u`, (nu), and the servos that there are, as
    /// [`Variational::step`](super::Variational::step) says.
    pub(super) fn step(
        &mut self,
        robot: Robot<'_>,
        u: &[f64],
    ) -> Result<StepReport, SimulationError> {
        self.try_step(robot, u).map_err(|error| without_chains(&robot, error))
    }

    fn try_step(&mut self, robot: Robot<'_>, u: &[f64]) -> Result<StepReport, SimulationError> {
        check::finite("u", u)?;
        self.input.fill(0.0);
        self.inputs.add_force(u, &mut self.input);
        check::finite("force", &self.input)?;
        self.check_overlap(robot)?;
        let displaced = self.separate(robot)?;
        let displaced = displaced.map(|q| (momentum(robot, (&q, &self.state.v)), q));
        let from = displaced.as_ref().map(|(p, q)| (&q[..], &p[..]));
        let report = self.solve(robot, from)?;
        let end = (&self.motion.chord.end[..], &self.arrival.velocity[..]);
        check_end(&robot, self.state.time, end)?;
        self.contacts.turn(robot, &self.state.q);
        self.accept();
        Ok(report)
    }

    /// Finds the end of a step from the state or, where that was displaced, from another configuration and its momentum.
    fn solve(
        &mut self,
        robot: Robot<'_>,
        displaced: Option<(&[f64], &[f64])>,
    ) -> Result<StepReport, SimulationError> {
        let Self { motion, arrival, one_sided, linear, servos, input, .. } = self;
        let Place { time, q, v, p } = &self.state;
        let (time, h, tolerance) = (*time, self.step_size, self.tolerance);
        let (q, p) = displaced.unwrap_or((q, p));
        one_sided.serve(servos, q, h);
        // What a displacement has left of overlaps is not for the motion.
        let recovery = if displaced.is_some() { 0.0 } else { self.recovery };
        let start = Start { q, v, p, time, h, input, recovery };
        let failed = |error| failure(robot, self.state.at(), error);
        motion.begin(robot, &start).map_err(failed)?;
        if motion.phase.is_dependent() {
            branch::choose(robot, &start, motion)?;
        }
        let solved = motion.solve(robot, &start, (linear, one_sided)).and_then(|iterations| {
            arrival.solve(robot, &start, motion, (linear, one_sided)).map(|()| iterations)
        });
        let residual = residual(&start, motion, arrival);
        let accepted = residual.max() <= tolerance;
        if !(accepted && branch::goes_on(robot, &start, motion, arrival))
            && let Some(lost) = branch::lost(robot, &start)
        {
            return Err(lost);
        }
        let good = accepted.then_some(&residual);
        if let Some(hidden) = hidden(&start, (motion, one_sided), good, tolerance) {
            return Err(drowned(&robot, time, h, hidden));
        }
        let iterations = match solved {
            // With the inertias that were checked, it is Newton's matrix that has no inverse.
            Err(contact::Error::MassMatrix) if robot.check_mass_matrix(q).is_ok() => 0,
            solved => solved.map_err(failed)?,
        };
        if accepted {
            Ok(StepReport { residual, iterations })
        } else {
            Err(SimulationError::Residual { time, residual, tolerance })
        }
    }

    /// # Errors
    ///
    /// [`SimulationError::Overlap`] and [`SimulationError::BeyondLimit`] in the first step from a state that was given,
    /// with what is deepest.
    fn check_overlap(&mut self, robot: Robot<'_>) -> Result<(), SimulationError> {
        let Self { one_sided, apart, state: Place { time, q, .. }, .. } = self;
        if !apart.is_due() {
            return Ok(());
        }
        one_sided.measure(robot, q);
        apart::check(*time, one_sided.penetrating(q), one_sided.beyond_limits(q))
    }

    /// The state's configuration with what overlaps put right as it is said to be; `None` where nothing overlaps, or nothing
    /// is said.
    ///
    /// # Errors
    ///
    /// [`SimulationError::Contact`].
    fn separate(&mut self, robot: Robot<'_>) -> Result<Option<Vec<f64>>, SimulationError> {
        if self.apart != Apart::Never {
            return Ok(None);
        }
        let Self { one_sided, recovery, state, .. } = self;
        one_sided.measure(robot, &state.q);
        if !one_sided.overlaps(&state.q) {
            return Ok(None);
        }
        contact::separate(robot, &state.q, (state.time, *recovery))
            .map_err(|error| failure(robot, state.at(), error))
    }

    /// The end of the step becomes the state.
    fn accept(&mut self) {
        let Self { state, last, motion, arrival, impulse, .. } = self;
        core::mem::swap(state, last);
        self.clock = self.clock.after(last.time, self.step_size);
        self.led_by = self.step_size;
        state.time = self.clock.time();
        state.q.copy_from_slice(&motion.chord.end);
        state.v.copy_from_slice(&arrival.velocity);
        state.p.copy_from_slice(&arrival.momentum);
        impulse.clear();
        self.apart.leave_start();
        motion.phase.record(impulse);
        arrival.phase.record(impulse);
    }
}
