//! Simulation by time stepping.
//!
//! > M(q) (v⁺ − ṽ) = h (B u + τ_p + Jᵀ w − b(q, v)) + Gᵀ Λ,  q⁺ = q ⊕ h v⁺
//!
//! Semi-implicit Euler steps of constant size h; τ_p are springs and dampers, w the external
//! wrenches, b the bias force and Λ the impulses of [`contact`](crate::contact) and of declared constraints. A floating joint
//! moves along a straight line in each step, and its velocity is then turned to the axes that its
//! child has at the end. The method is of first order.
//!
//! What is stiff in a description is no matter of the step. Dampers of joints and between points act with the velocities at
//! the end of the step. Springs keep their energy while a step resolves them, h² K ≤ M, and are damped beyond that. The
//! input of a controller and wrenches act with what they are at the beginning: gains must be moderate, or be those of
//! [servos](crate::control::Servos) or a [motor](crate::contact::Motor), which are stable for every step. Where an input
//! makes velocities alternate and grow, a run ends with [`SimulationError::Unstable`].
//!
//! A body that floats or turns about a fixed point, and that carries nothing, keeps energy and momentum to rounding while it
//! turns freely. Chains of bodies keep their momentum so too, and their energy within a bound without trend, of the size of
//! (h ω)² where no forces act, by the generalised leapfrog: where nothing can touch, and elsewhere if asked for,
//! [`symplectic`](Simulation::symplectic). Else, and beside soft constraints or those of velocities, centrifugal and
//! gyroscopic forces are those of the beginning: the energy of a body that turns at ω rad/s grows by about h ω² of itself in a second.
//! A step in which that is more than a tenth ends a run with [`SimulationError::Diverged`].
//!
//! A contact that penetrates, or a limit that is passed, is put right within one step. What came in within a step goes out at
//! most as fast as it came; the rest is displaced, which gives no velocity.
//! At the start that is an error, unless [`recovery`](Simulation::recovery) lets steps put it right by and by, the
//! contact or limit [gives way](Simulation::soften_contact), or the formulation recovers slowly by itself. So it is
//! with declared constraints: [`align`](Simulation::align) the robot first, or
//! [soften](Simulation::soften_constraint) them.
//!
//! A step either returns a state whose residual is within the tolerance, or an error that carries it, and then
//! the state is unchanged. It is that of [`Stepper::residual`](crate::contact::Stepper::residual);
//! [`contact::residual`](fn@crate::contact::residual)
//! computes it from q, v, v⁺ and Λ alone, for an audit.

mod align;
mod alternation;
pub(crate) mod apart;
mod blocked;
#[cfg(feature = "std")]
mod coupled;
mod duration;
mod failure;
mod forces;
mod inputs;
mod moving;
mod overlap;
mod push;
mod report;
mod rows;
mod runs;
mod sample;
mod servos;
mod setup;
mod step;
mod turn;
mod uneven;
mod wrench;

use alloc::vec::Vec;

pub(crate) use self::alternation::{Alternation, Watched};
pub(crate) use self::apart::Apart;
#[cfg(feature = "std")]
pub(crate) use self::coupled::{Law, Start};
pub(crate) use self::duration::positive;
#[cfg(feature = "std")]
pub(crate) use self::duration::steps_of;
pub(crate) use self::failure::{check_end, drowned, failure, without_chains};
pub(crate) use self::forces::pressing;
pub use self::forces::{ContactForce, SpringForce};
pub(crate) use self::inputs::Inputs;
pub(crate) use self::moving::Core;
pub use self::report::{RunReport, StepReport};
pub(crate) use self::rows::place;
pub(crate) use self::runs::Stepping;
pub(crate) use self::sample::{Acting, contact_points, sample};
pub(crate) use self::setup::{asymmetric_configuration, check_offered};
use crate::contact::{Conditions, Impulse, Residual};
use crate::control::{Controller, Servos};
use crate::description::ContactParameters;
pub use crate::failure::SimulationError;
use crate::model::one_sided::gaps;
use crate::model::{Model, Prepared};
use crate::record::Recording;
use crate::space::Storage;
pub use crate::state::State;

/// A robot that moves.
///
/// Limits of position and dry friction act by impulses. Limits of speed that a description states are not enforced. Its
/// limits of effort are those of controllers: [`Pd`](crate::control::Pd) and [`Servos`] keep to them,
/// any other does within [`Limited`](crate::control::Limited); the input of [`step`](Self::step) acts as it is given.
#[derive(Clone, Debug)]
pub struct Simulation<M: Model> {
    /// Its fields stay as they are: what depends on them alone is computed once.
    model: Prepared<M>,
    core: Core,
    /// That of the core.
    state: State<M>,
}

impl<M: Model> Simulation<M> {
    /// The robot.
    pub fn model(&self) -> &M {
        self.model.robot()
    }

    /// Time, configuration and velocity now.
    pub fn current(&self) -> &State<M> {
        &self.state
    }

    /// T + U in J, without what springs store.
    pub fn energy(&self) -> f64 {
        self.state.energy(self.model())
    }

    /// h in seconds.
    pub fn time_step(&self) -> f64 {
        self.core.step_size
    }

    /// The law of contact and what is set beside it; [servos](crate::control::Servos) of the last step are among the motors.
    pub fn conditions(&self) -> &Conditions {
        &self.core.conditions
    }

    /// Λ of the last step that was tried; as forces of contact with names, [`contact_forces`](Self::contact_forces).
    pub fn impulse(&self) -> &Impulse {
        self.core.impulse()
    }

    /// Friction, restitution and axes of the contacts, those that the last step began with.
    pub fn contacts(&self) -> &[ContactParameters] {
        &self.core.contacts
    }

    /// The gaps of the contacts now, in the order of [`Model::CONTACTS`], which names them, in metres, positive apart.
    pub fn gaps(&self) -> Vec<f64> {
        gaps(&self.model, &self.state.q)
    }

    /// Moves on by one step with the input `u`, (nu).
    ///
    /// # Errors
    ///
    /// [`SimulationError::Model`] if an entry of `u` or of what follows from it is not finite, or a gap is
    /// NaN,
    /// [`SimulationError::Violated`] if a declared constraint does not hold, [`SimulationError::SingularPosition`] in the
    /// first step from rest where constraints do not say which way the motion goes, [`SimulationError::Overlap`] and
    /// [`SimulationError::BeyondLimit`] in the first step from a state in which contacts penetrate or limits are passed,
    /// by more than a micrometre or a microradian, [`SimulationError::Blocked`] if a motor of unbounded force drives a
    /// joint into its stop, [`SimulationError::Driven`] if it drives a contact into what that touches,
    /// [`SimulationError::Contact`] if the step's equations are not solved for another reason,
    /// [`SimulationError::Residual`] if they are not satisfied, but [`SimulationError::Diverged`] if that is because
    /// the motion has grown beyond all bounds, or if no force gave a tenth of its energy, or if weight alone turns a joint by more
    /// than a radian in a step, and [`SimulationError::Drowned`] if what acts is so large that rounding hides the rest. The state is then unchanged.
    pub fn step(&mut self, u: &M::U) -> Result<StepReport, SimulationError> {
        self.core.withdraw();
        self.step_under(u)
    }

    /// As [`step`](Self::step), with the motors as they are.
    fn step_under(&mut self, u: &M::U) -> Result<StepReport, SimulationError> {
        let report = self.core.step(self.model.as_data(), u.as_slice())?;
        self.show();
        Ok(report)
    }

    /// Takes the state of the core.
    #[inline]
    fn show(&mut self) {
        let Self { core, state, .. } = self;
        state.time = core.state.time;
        state.q.as_mut_slice().copy_from_slice(&core.state.q);
        state.v.as_mut_slice().copy_from_slice(&core.state.v);
    }

    /// Moves on by `duration` seconds, rounded to whole steps.
    ///
    /// # Errors
    ///
    /// Those of [`step`](Self::step), at the first that fails; the steps before it are done. An input that is not finite is
    /// [`ModelError::Control`](crate::ModelError::Control), with the time that the controller was asked at, and one that
    /// makes velocities alternate and grow from step to step [`SimulationError::Unstable`], with the step that would not.
    /// Servos are refused with [`SimulationError::Motor`] if a gain, a target or an effort is not possible.
    /// [`SimulationError::Setting`] unless `duration` is finite and greater than zero, and
    /// [`SimulationError::Duration`] if it is less than half a step, or more steps than can be counted.
    pub fn run(
        &mut self,
        duration: f64,
        controller: impl Controller<M>,
    ) -> Result<RunReport, SimulationError> {
        self.run_on(duration, controller, None)
    }

    /// As [`run`](Self::run), with samples added to `recording` at its rate.
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run); what was recorded before the failure stays.
    pub fn run_recorded(
        &mut self,
        duration: f64,
        controller: impl Controller<M>,
        recording: &mut Recording<M>,
    ) -> Result<RunReport, SimulationError> {
        self.run_on(duration, controller, Some(recording))
    }
}

impl<M: Model> Stepping<M> for Simulation<M> {
    type Step = StepReport;
    type Run = RunReport;

    fn advance(&mut self, u: &M::U) -> Result<StepReport, SimulationError> {
        self.step(u)
    }

    fn drive_by_servos(
        &mut self,
        servos: &Servos<M>,
    ) -> Result<(M::U, StepReport), SimulationError> {
        self.step_with_servos(servos)
    }

    #[cold]
    fn undo(&mut self) {
        self.core.undo();
        self.show();
    }

    fn watched(&mut self) -> Watched<'_> {
        // The state before is where the next one will be written, unless the step failed.
        let Core { alternation, state, next, step_size, .. } = &mut self.core;
        (alternation, [&next.v, &state.v], *step_size)
    }

    fn shown(&self) -> (&Prepared<M>, &State<M>, Acting<'_>, f64) {
        (&self.model, &self.state, (self.contacts(), self.impulse()), self.core.step_size)
    }

    fn residual(step: &StepReport) -> Residual {
        step.residual
    }

    fn add(run: &mut RunReport, step: &StepReport) {
        run.add(step);
    }
}
