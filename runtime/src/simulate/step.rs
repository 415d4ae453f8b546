//! A step as one computation.
//!
//! What is inlined here uses the registers of the processor and stays in them: each part of a step alone would be a call
//! that spills them. What fails is told by functions of their own, which are not.

use alloc::boxed::Box;

use super::failure::{check_end_here, drowned, failure, inaccurate, without_chains};
use super::moving::Core;
use super::{SimulationError, StepReport};
use crate::check;
use crate::constrained::{AT, REST, Singular, nearest_singular, singular_at};
use crate::contact::{self, LITTLE, Outcome, Residual};
use crate::error::ModelError;
use crate::kernel::{Computation, Real, compute};
use crate::model::Robot;
use crate::slices::{larger, largest};

/// How often a step that is not solved is halved, to tell which would be.
const HALVINGS: usize = 12;

/// The product of a way and a distance, m² or rad², to a singular position of which rounding hides a hundredth.
const HIDDEN: f64 = 1e-13;

/// A step with the input `u`.
pub(super) struct Step<'a> {
    pub(super) core: &'a mut Core,
    pub(super) robot: Robot<'a>,
    pub(super) u: &'a [f64],
    pub(super) report: &'a mut StepReport,
    pub(super) error: &'a mut Option<SimulationError>,
}

impl Computation for Step<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Real>(self) {
        match self.core.step_inlined::<A>(self.robot, self.u) {
            Ok(report) => *self.report = report,
            Err(error) => *self.error = Some(error),
        }
    }
}

impl Core {
    /// Moves on by one step with the input `u`, (nu), as [`Simulation::step`](super::Simulation::step) says.
    pub(crate) fn step(
        &mut self,
        robot: Robot<'_>,
        u: &[f64],
    ) -> Result<StepReport, SimulationError> {
        let led_by = self.led_by;
        self.try_step(robot, u).or_else(|error| self.step_otherwise(robot, error, u, led_by))
    }

    /// The same, with the mechanics that are set.
    fn try_step(&mut self, robot: Robot<'_>, u: &[f64]) -> Result<StepReport, SimulationError> {
        let (mut report, mut error) = (StepReport::default(), None);
        compute(Step { core: self, robot, u, report: &mut report, error: &mut error });
        error.map_or(Ok(report), Err)
    }

    /// As [`try_step`](Self::try_step), where it is inlined.
    #[inline(always)]
    fn step_inlined<A: Real>(
        &mut self,
        robot: Robot<'_>,
        u: &[f64],
    ) -> Result<StepReport, SimulationError> {
        let is_start = self.begin::<A>(robot, u)?;
        let Self { stepper, state, conditions, force, .. } = self;
        let during = (state.time, self.step_size);
        let from = (&state.q[..], &state.v[..]);
        let mut solved = stepper.advance_and_judge::<A>(robot, from, force, during, conditions);
        if !matches!(&solved, Ok((_, residual)) if residual.max() <= self.tolerance) {
            let anew = stepper.advance_anew(robot, from, force, during, (conditions, &solved));
            solved = anew.map_or(solved, Ok);
        }
        let (outcome, residual) = match solved {
            Ok(solved) => solved,
            Err(error) => return Err(self.failed(robot, error)),
        };
        self.accept::<A>(robot, is_start, (residual, outcome))
    }

    /// Begins a step: finds the force of the input and of all that is set. Returns whether it is the first one from a state that
    /// was given.
    #[inline(always)]
    pub(super) fn begin<A: Real>(
        &mut self,
        robot: Robot<'_>,
        u: &[f64],
    ) -> Result<bool, SimulationError> {
        let is_start = self.led_by.take().is_none();
        if !self.inputs.all_drive() {
            check::finite("u", u)?;
        }
        self.find_force(robot, u);
        if !check::are_finite::<A>(&self.force) {
            check::finite("u", u)?;
            check::finite("force", &self.force)?;
        }
        Ok(is_start)
    }

    /// Goes to where a step leads that was solved, if that is good enough.
    #[inline(always)]
    pub(super) fn accept<A: Real>(
        &mut self,
        robot: Robot<'_>,
        is_start: bool,
        (residual, outcome): (Residual, Outcome),
    ) -> Result<StepReport, SimulationError> {
        let time = self.state.time;
        self.check_overlap()?;
        let accepted = residual.max() <= self.tolerance;
        if !accepted {
            let of = (residual, self.tolerance);
            let reason = || inaccurate(&robot, self.state.at(), self.step_size, of);
            let known = self.blocked(robot).or_else(|| self.lost_branch(robot));
            return Err(self.explained(robot, known.unwrap_or_else(reason)));
        }
        let of = (residual.max(), self.tolerance);
        if let Some(hidden) = self.stepper.hidden::<A>(&self.state.v, self.step_size, of) {
            return Err(drowned(&robot, time, self.step_size, hidden));
        }
        let Self { stepper, state, next, .. } = self;
        let clock = self.clock.after(time, self.step_size);
        next.time = clock.time();
        let to = (&mut next.q[..], &mut next.v[..]);
        if let Err(error) = stepper.write_end(robot, &state.q, self.step_size, to) {
            return Err(self.failed(robot, error));
        }
        let fastest = check_end_here::<A>(&robot, time, (&next.q, &next.v))?;
        if robot.contacts.iter().any(|contact| contact.turns) {
            self.check_ground(robot)?;
            self.contacts.turn(robot, &self.state.q);
        }
        if robot.nc > 0 && is_start {
            self.check_branch(robot)?;
        } else if robot.nc > 0 {
            self.check_way(robot)?;
        }
        if self.step_size * fastest > LITTLE {
            self.check_turn(robot)?;
        }
        core::mem::swap(&mut self.state, &mut self.next);
        self.apart.leave_start();
        (self.led_by, self.led_under, self.clock) = (Some(self.step_size), None, clock);
        Ok(StepReport { residual, penetration: self.penetration(), outcome })
    }

    /// B u + τ_p + Jᵀ w.
    #[inline(always)]
    fn find_force(&mut self, robot: Robot<'_>, u: &[f64]) {
        let Self { state, inputs, wrenches, force, .. } = self;
        force.fill(0.0);
        robot.passive_force_into(&state.q, &state.v, force);
        inputs.add_force(u, force);
        if !wrenches.are_none() {
            wrenches.add_force(robot, &state.q, force);
        }
    }

    /// Why a step was not solved: what overlaps may have no way apart, and what is driven into a stop has none.
    #[cold]
    pub(super) fn failed(&self, robot: Robot<'_>, error: contact::Error) -> SimulationError {
        match self.check_overlap() {
            Ok(()) => {
                let known = self.blocked(robot).or_else(|| self.lost_branch(robot));
                let error = known.unwrap_or_else(|| failure(robot, self.state.at(), error));
                self.explained(robot, error)
            }
            Err(overlap) => overlap,
        }
    }

    /// The same, or why no solution was found, or none that is good enough.
    #[cold]
    fn explained(&self, robot: Robot<'_>, error: SimulationError) -> SimulationError {
        let is_numeric = match &error {
            SimulationError::Residual { .. } => true,
            SimulationError::Contact { error, .. } => error.is_of_solvers(),
            _ => false,
        };
        if is_numeric { self.uneven(robot).unwrap_or(error) } else { error }
    }

    /// A step that the leapfrog has failed in with this error: without it, if that is because it comes by a singular position, or
    /// what it says. Beside constraints whose rows turn by much in a step, the leapfrog may have none that ends as they demand.
    #[cold]
    fn step_otherwise(
        &mut self,
        robot: Robot<'_>,
        error: SimulationError,
        u: &[f64],
        led_by: Option<f64>,
    ) -> Result<StepReport, SimulationError> {
        let is_of_chains = match error {
            SimulationError::Contact { error: contact::Error::TooLong { .. }, .. } => true,
            SimulationError::Residual { .. } | SimulationError::Diverged { .. } => {
                self.stepper.moves_chains()
            }
            _ => false,
        };
        // Other steps are tried below.
        let is_theirs = self.conditions.symplectic || self.stepper.moves_chains();
        if is_of_chains {
            if robot.nc > 0 && self.step_size * largest(&self.state.v) <= LITTLE {
                self.led_by = led_by;
                let conditions = self.conditions.clone();
                self.conditions.move_explicitly();
                let tried = self.try_step(robot, u);
                let led_under = core::mem::replace(&mut self.conditions, conditions);
                if tried.is_ok() {
                    self.led_under = Some(Box::new(led_under));
                    return tried;
                }
            }
            if let Some(error) = self.too_long(robot, u) {
                return Err(error);
            }
        }
        Err(if is_theirs { without_chains(&robot, error) } else { error })
    }

    /// What a step says that fails where a shorter one is solved: chains turn too far in it.
    fn too_long(&mut self, robot: Robot<'_>, u: &[f64]) -> Option<SimulationError> {
        let (time, step_size, clock, apart) =
            (self.state.time, self.step_size, self.clock, self.apart);
        let mut most = None;
        for _ in 0..HALVINGS {
            self.step_size *= 0.5;
            self.stepper.forget();
            if self.try_step(robot, u).is_ok() {
                core::mem::swap(&mut self.state, &mut self.next);
                most = Some(self.step_size);
                break;
            }
        }
        self.stepper.forget();
        (self.step_size, self.clock, self.apart, self.led_by) = (step_size, clock, apart, None);
        let error = contact::Error::TooLong { step_size, most: most? };
        Some(SimulationError::Contact { time, error })
    }

    /// The largest change of a velocity in the step.
    fn gained(&self) -> f64 {
        let changes = self.state.v.iter().zip(&self.next.v);
        changes.fold(0.0, |most, (v, next)| larger((next - v).abs(), most))
    }

    /// Whether constraints tell a velocity by more than what rounding leaves of them: beside a singular position, at a distance d,
    /// by ε/(h d).
    #[inline]
    fn check_way(&self, robot: Robot<'_>) -> Result<(), SimulationError> {
        let [before, next] = [&self.state.v, &self.next.v].map(|v| largest(v));
        let speed = larger(before, next);
        let most = HIDDEN / (self.step_size * speed);
        let is_changed = speed > REST && self.gained() > 0.01 * before;
        if most > AT && is_changed { self.check_told(robot, most) } else { Ok(()) }
    }

    #[cold]
    fn check_told(&self, robot: Robot<'_>, most: f64) -> Result<(), SimulationError> {
        let (time, q, v) = self.state.at();
        match nearest_singular(robot, (q, v), time) {
            Some(Singular { constraint, distance, .. }) if distance < most => {
                Err(SimulationError::SingularPosition { time, constraint, distance })
            }
            _ => Ok(()),
        }
    }

    /// Whether constraints, and a velocity where they do not, say where the first step leads.
    #[cold]
    fn check_branch(&self, robot: Robot<'_>) -> Result<(), SimulationError> {
        let (time, q, v) = self.state.at();
        match singular_at(robot, (q, v), time, || self.gained()) {
            Some((Singular { constraint, distance, .. }, false)) => {
                Err(SimulationError::SingularPosition { time, constraint, distance })
            }
            _ => Ok(()),
        }
    }

    /// The singular position in which a step failed because its velocity is along no branch.
    #[cold]
    fn lost_branch(&self, robot: Robot<'_>) -> Option<SimulationError> {
        let (time, q, v) = self.state.at();
        let found = if robot.nc == 0 { None } else { singular_at(robot, (q, v), time, || 0.0) };
        let (Singular { constraint, distance, .. }, _) = found.filter(|(_, leads)| !leads)?;
        Some(SimulationError::SingularPosition { time, constraint, distance })
    }

    /// Whether there is ground in the next state where contacts are that follow its height.
    fn check_ground(&mut self, robot: Robot<'_>) -> Result<(), ModelError> {
        self.gaps.fill(f64::NAN);
        robot.gap_into(&self.next.q, &mut self.gaps);
        match self.gaps.iter().position(|gap| gap.is_nan()) {
            Some(index) => Err(ModelError::NotFinite { quantity: "gap", index, value: f64::NAN }),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::SVector;

    use crate::contact::{Conditions, Stepper};
    use crate::prelude::*;

    /// A box on two corners and a flywheel with a spring and a motor.
    #[derive(Robot, Clone, Copy, Debug)]
    #[robot(
        gravity = [0, 0, -9.81],
        link(trunk, mass = 2, com = [0.03, -0.02, 0.05], inertia = [0.05, 0.11, 0.14]),
        joint(base, floating(world -> trunk)),
        contact(front, on = trunk, at = [0.2, 0, -0.1], friction = 0.5),
        contact(back, on = trunk, at = [-0.2, 0.05, -0.1], friction = 0.3),
        link(wheel, mass = 0.4, inertia = [2e-3, 3e-3, 2e-3]),
        joint(axle, revolute(trunk -> wheel), axis = [0, 1, 0], stiffness = 3, damping = 0.1, actuated),
    )]
    struct Wheeled;

    #[test]
    fn a_step_is_that_of_its_parts_and_checked_as_by_itself() {
        let mut q = Wheeled.neutral();
        (q[2], q[7]) = (0.1, 0.3);
        let v = SVector::from_fn(|i, _| 0.1 * (i as f64 - 3.5));
        let (h, u, conditions) = (1e-3, SVector::from([0.7]), Conditions::default());
        let mut simulation = Simulation::new(Wheeled).unwrap().state(q, v).unwrap();
        let mut stepper = Stepper::new(&Wheeled).unwrap();
        for _ in 0..20 {
            let State { time, q, v } = simulation.current().clone();
            let force = Wheeled.passive_force(&q, &v) + Wheeled.input_matrix() * u;
            let outcome = stepper.step(&Wheeled, (&q, &v), &force, (time, h), &conditions).unwrap();
            let report = simulation.step(&u).unwrap();
            assert_eq!((report.outcome, simulation.impulse()), (outcome, stepper.impulse()));
            assert_eq!(report.residual, simulation.core.stepper.residual(h, &conditions));
            let end = stepper.end(&Wheeled, &q, h).unwrap();
            assert_eq!(end, (simulation.current().q, simulation.current().v));
            let turned = Wheeled.integrate(&q, &(h * simulation.current().v));
            assert!((turned - simulation.current().q).amax() < 1e-6);
        }
        assert!(simulation.impulse().normal.iter().any(|normal| *normal > 0.0));
    }
}
