//! A step that is solved with other robots, which touch this one.

use super::alternation::{blame, watch};
use super::apart::Apart;
use super::moving::Core;
use super::runs::Stepping;
use super::{Simulation, SimulationError, StepReport};
use crate::clock::Clock;
use crate::contact::{Conditions, Outcome, Part, Residual};
use crate::control::{Controller, check_input_at};
use crate::kernel::{Computation, Real, compute};
use crate::model::{Model, Robot, Table};
use crate::space::Storage;

/// By what all robots of a world move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Law<'a> {
    /// From which on, s.
    pub(crate) time: f64,
    pub(crate) step_size: f64,
    pub(crate) tolerance: f64,
    /// Whether what overlaps at a start is accepted.
    pub(crate) accepts_overlap: bool,
    /// Whether others can touch it, so that its chains cannot move by the leapfrog.
    pub(crate) is_touched: bool,
    pub(crate) conditions: &'a Conditions,
}

/// How a step begins, beside its state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Start {
    led_by: Option<f64>,
    apart: Apart,
}

impl Core {
    /// Begins such a step with the input `u`, (nu). Returns whether it is the first one from a state that was given.
    ///
    /// # Errors
    ///
    /// As [`Simulation::step`](super::Simulation::step), but for those of solvers.
    pub(crate) fn begin_coupled(
        &mut self,
        robot: Robot<'_>,
        u: &[f64],
    ) -> Result<bool, SimulationError> {
        let mut result = Ok(false);
        compute(Begin { core: self, robot, u, result: &mut result });
        let is_start = result?;
        let Self { stepper, state, conditions, force, .. } = self;
        let (during, from) = ((state.time, self.step_size), (&state.q[..], &state.v[..]));
        match stepper.begin_coupled(robot, from, force, during, conditions) {
            Ok(()) => Ok(is_start),
            Err(error) => Err(self.failed(robot, error)),
        }
    }

    /// What it brings to the problem of all, in which it has a number.
    pub(crate) fn part<'a>(&'a mut self, robot: Robot<'a>, number: usize) -> Part<'a> {
        let Self { stepper, state, conditions, .. } = self;
        Part::new(stepper, robot, (&state.q, &state.v), (conditions, number))
    }

    /// Whether the last step leads a pair of its own into each other that was too far apart to be listed, so that it is to be solved again.
    pub(crate) fn has_missed(&mut self, robot: Robot<'_>) -> bool {
        self.stepper.has_missed(robot, (self.step_size, &self.conditions))
    }

    /// v⁺ of the last step in the axes of its beginning, (nv).
    pub(crate) fn end_velocity(&self) -> &[f64] {
        self.stepper.velocity()
    }

    /// What a step forgets of how it began.
    pub(crate) fn start(&self) -> Start {
        Start { led_by: self.led_by, apart: self.apart }
    }

    /// Goes back to the state before the last step.
    pub(crate) fn go_back_to(&mut self, start: Start) {
        self.undo();
        self.begin_again(start);
    }

    /// Has a step, which has led nowhere, still to begin.
    pub(crate) fn begin_again(&mut self, Start { led_by, apart }: Start) {
        (self.led_by, self.apart) = (led_by, apart);
    }

    /// Begins a step, whose points are as far away as the velocities of its beginning lead.
    pub(crate) fn begin_points(&mut self) {
        self.stepper.begin_points();
    }

    /// Goes to where the step leads, if its residual and that of the points `between` robots are good enough.
    ///
    /// # Errors
    ///
    /// As [`Simulation::step`](super::Simulation::step); the state is then unchanged.
    pub(crate) fn accept_coupled(
        &mut self,
        robot: Robot<'_>,
        is_start: bool,
        (between, outcome): (Residual, Outcome),
    ) -> Result<StepReport, SimulationError> {
        let own = self.stepper.residual(self.step_size, &self.conditions);
        let mut result = Ok(StepReport::default());
        let solved = (own.worse(&between), outcome);
        compute(Accept { core: self, robot, is_start, solved, result: &mut result });
        result
    }
}

struct Begin<'a> {
    core: &'a mut Core,
    robot: Robot<'a>,
    u: &'a [f64],
    result: &'a mut Result<bool, SimulationError>,
}

impl Computation for Begin<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Real>(self) {
        *self.result = self.core.begin::<A>(self.robot, self.u);
    }
}

struct Accept<'a> {
    core: &'a mut Core,
    robot: Robot<'a>,
    is_start: bool,
    solved: (Residual, Outcome),
    result: &'a mut Result<StepReport, SimulationError>,
}

impl Computation for Accept<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Real>(self) {
        *self.result = self.core.accept::<A>(self.robot, self.is_start, self.solved);
    }
}

/// What a world asks of one of its robots.
impl<M: Model> Simulation<M> {
    /// Decides on the input of the next step, and on the motors of servos; nothing drives it without a controller.
    ///
    /// # Errors
    ///
    /// [`SimulationError::Motor`] of gains, a target or an effort that a motor cannot have.
    pub(crate) fn prepare(
        &mut self,
        controller: Option<&mut dyn Controller<M>>,
    ) -> Result<M::U, SimulationError> {
        let Some(controller) = controller else {
            self.core.withdraw();
            return Ok(M::U::zeros());
        };
        if let Some(servos) = controller.servos(&self.state) {
            servos.write_motors(&self.state.q, &mut self.core.served)?;
            self.core.serve();
            return Ok(servos.others());
        }
        self.core.withdraw();
        Ok(controller.input(&self.state))
    }

    pub(crate) fn core(&self) -> &Core {
        &self.core
    }

    /// What kernels read instead of its fields.
    pub(crate) fn numbers(&self) -> &[f64] {
        self.model.numbers()
    }

    pub(crate) fn parts(&mut self) -> (&mut Core, Robot<'_>) {
        (&mut self.core, self.model.as_data())
    }

    /// Takes the state of the core after a step with the input `u`.
    ///
    /// # Errors
    ///
    /// [`SimulationError::Unstable`] where that makes velocities alternate and grow.
    pub(crate) fn conclude(&mut self, u: &M::U) -> Result<(), SimulationError> {
        let time = self.state.time;
        self.show();
        watch(Table::of::<M>(), self.watched(), u.as_slice(), time)
    }

    /// Why a step failed, if its input is to blame.
    pub(crate) fn explain(
        &mut self,
        controller: Option<&dyn Controller<M>>,
        u: &M::U,
        error: SimulationError,
    ) -> SimulationError {
        let time = self.state.time;
        if let Err(of_input) = check_input_at(time, u) {
            let reason = controller.map_or(Ok(()), |controller| controller.check());
            return reason.err().unwrap_or(of_input).into();
        }
        blame(Table::of::<M>(), self.watched(), error, time)
    }

    /// Goes back to the state before the last step.
    pub(crate) fn go_back(&mut self, start: Start) {
        self.core.go_back_to(start);
        self.show();
    }

    /// Moves by the law of a world, from its time on.
    pub(crate) fn enter(&mut self, law: Law<'_>) {
        let Conditions { formulation, restitution, margin, recovery, .. } = *law.conditions;
        let conditions = self.core.alter();
        (conditions.formulation, conditions.restitution) = (formulation, restitution);
        (conditions.margin, conditions.recovery) = (margin, recovery);
        if law.is_touched {
            conditions.move_explicitly();
        }
        self.core.enter_world(law);
        self.show();
    }
}

impl Core {
    fn enter_world(&mut self, law: Law<'_>) {
        self.state.time = law.time;
        (self.step_size, self.tolerance, self.led_by) = (law.step_size, law.tolerance, None);
        // The world has checked it.
        let _ = self.stepper.tolerance(law.tolerance);
        if law.accepts_overlap {
            self.apart = Apart::Never;
        }
    }

    /// (t, q, v).
    pub(crate) fn at(&self) -> (f64, &[f64], &[f64]) {
        self.state.at()
    }

    pub(crate) fn table(&self) -> &'static Table {
        self.table
    }

    /// Goes on by the clock of a world.
    pub(crate) fn set_clock(&mut self, clock: Clock) {
        self.clock = clock;
    }

    /// In what it differs from the law of a world.
    pub(crate) fn differs(&self, law: Law<'_>) -> Option<&'static str> {
        let (own, of) = (&self.conditions, law.conditions);
        if self.state.time != law.time {
            Some("time")
        } else if self.step_size != law.step_size || self.tolerance != law.tolerance {
            Some("the size of its steps or their tolerance")
        } else if own.formulation != of.formulation || own.restitution != of.restitution {
            Some("its law of contact")
        } else if own.margin != of.margin || own.recovery != of.recovery {
            Some("its margin or recovery")
        } else if law.is_touched && (own.symplectic || own.energy_drift < f64::INFINITY) {
            Some("the leapfrog")
        } else {
            None
        }
    }

    /// Whether the energy of its chains may have no more than a stated trend.
    pub(crate) fn limits_drift(&self) -> bool {
        self.conditions.energy_drift < f64::INFINITY
    }

    /// Whether nothing must penetrate in the next step.
    pub(crate) fn must_be_apart(&self) -> bool {
        self.apart.is_due() && self.conditions.formulation.normal().recovers_at_once()
    }
}
