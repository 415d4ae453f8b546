//! A robot that moves from event to event, as a user runs it.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::marker::PhantomData;

use super::driven::Driven;
use super::error::ContactError;
use super::guard::Guard;
use super::machine::Further;
use super::mode::Mode;
use super::moving::{Core, Observe};
use super::sample::Sampler;
use super::typed::InContact;
use crate::control::{Controller, Erased};
use crate::hybrid::{Event, Stretch};
use crate::impact::Outcome;
use crate::integrate::{self, Dop853, Effort, Method, Rodas5P};
use crate::model::one_sided::gaps;
use crate::model::{Model, Prepared};
use crate::record::Recording;
use crate::simulate::ContactForce;
use crate::state::State;

/// A robot in contact that moves from event to event: smooth, to a tolerance, in each mode of its contacts.
///
/// It is to [`Simulation`](crate::Simulation) what an exact solution is to one by time stepping: contacts touch down,
/// lift off, stick and slide at times that are located to rounding; where more touches than forces can be told of, when
/// what gives way has 10⁻⁷ of the largest acceleration. It is for few contacts and events.
///
/// ```
/// use jourdain::hybrid::Cause;
/// use jourdain::prelude::*;
/// use nalgebra::{SVector, vector};
///
/// /// A point that bounces.
/// #[derive(Robot, Clone, Debug)]
/// #[robot(
///     link(point, mass = 1),
///     joint(height, prismatic(world -> point), axis = [0, 0, 1], passive),
///     contact(ground, on = point, restitution = 0.5),
/// )]
/// struct Point;
///
/// let mut point = HybridSimulation::new(Point)?.state(vector![1.0], vector![0.0])?;
/// point.run(2.0, |_: &State<Point>| SVector::<f64, 0>::zeros())?;
/// // Falling takes √(2 h / g), and all impacts together three times as long.
/// let first = (2.0f64 / 9.81).sqrt();
/// assert!((point.events()[0].time() - first).abs() < 1e-12);
/// let Cause::Accumulation(end) = &point.events().last().unwrap().cause else { panic!() };
/// assert!((end.time - 3.0 * first).abs() < 1e-9);
/// assert_eq!(point.mode_name(), "ground closed");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct HybridSimulation<M: Model, I = Dop853> {
    /// Large, and moved by each setting.
    pub(super) run: Box<Run<M>>,
    method: PhantomData<I>,
}

/// A robot, and all that moves it.
#[derive(Clone, Debug)]
pub(super) struct Run<M: Model> {
    /// Its fields stay as they are: what depends on them alone is computed once.
    pub(super) model: Prepared<M>,
    pub(super) core: Core,
    /// That of the core.
    pub(super) state: State<M>,
}

impl<M: Model> HybridSimulation<M> {
    /// At rest in the neutral configuration at time zero, with a tolerance of 1e-9, absolute and relative.
    ///
    /// # Errors
    ///
    /// [`ContactError::Model`] if a field has an impossible value or a joint moves no inertia in general,
    /// [`ContactError::NotOffered`] of a robot with what event-driven contact has no law for: pairs of solids other than
    /// spheres, what resists turning, and dry friction of joints.
    pub fn new(model: M) -> Result<Self, ContactError> {
        model.check_fields()?;
        let model = model.prepare();
        let core = Core::new(model.as_data(), Further::of::<M>())?;
        let state = State::of(&core.phase);
        Ok(Self { run: Box::new(Run { model, core, state }), method: PhantomData })
    }

    /// With the method for stiff forces. It is also the one for slip that begins in space, where friction turns a slow
    /// slip towards the force the faster the slower it is: a thousand steps of the explicit method there are ten of this.
    #[must_use]
    pub fn stiff(mut self) -> HybridSimulation<M, Rodas5P> {
        self.run.core.is_stiff = true;
        HybridSimulation { run: self.run, method: PhantomData }
    }
}

impl<M: Model, I: Method> HybridSimulation<M, I> {
    /// The robot.
    pub fn model(&self) -> &M {
        self.run.model.robot()
    }

    /// Time, configuration and velocity now.
    pub fn current(&self) -> &State<M> {
        &self.run.state
    }

    /// The mode now; none before a run has begun.
    pub fn mode(&self) -> Option<&Mode> {
        self.run.core.mode.as_ref()
    }

    /// The mode now as people call it, empty before a run has begun.
    pub fn mode_name(&self) -> String {
        let Core { mode, machine, .. } = &self.run.core;
        mode.as_ref().map_or_else(String::new, |mode| machine.mode_name(mode))
    }

    /// What happened since the state was set, in the order of time.
    pub fn events(&self) -> &[Event<Mode>] {
        self.run.core.history.events()
    }

    /// The impacts since the state was set, each with its time in seconds.
    pub fn impacts(&self) -> &[(f64, Outcome)] {
        &self.run.core.impacts
    }

    /// What the guards of an event are of.
    pub fn guards(&self, event: &Event<Mode>) -> Vec<Guard> {
        let parts = self.run.core.machine.gaps.len();
        event.guards().into_iter().map(|guard| Guard::of(guard, parts)).collect()
    }

    /// The modes since the state was set, by name, each with the time in seconds at which it began.
    pub fn modes(&self) -> Vec<(f64, String)> {
        self.run.core.modes()
    }

    /// The automaton that was seen since the state was set, as text for Graphviz's `dot`.
    pub fn export(&mut self) -> String {
        self.run.core.export()
    }

    /// T + U in J, without what springs store.
    pub fn energy(&self) -> f64 {
        self.run.state.energy(self.model())
    }

    /// What integration took since it was set up.
    pub fn effort(&self) -> Effort {
        self.run.core.effort
    }

    /// The gaps of the contacts now, in the order of [`Model::CONTACTS`], which names them, in metres, positive apart.
    pub fn gaps(&self) -> Vec<f64> {
        gaps(&self.run.model, &self.run.state.q)
    }

    /// The forces at all contacts that pressed at the end of the last run; none where it failed.
    pub fn contact_forces(&self) -> Vec<ContactForce> {
        self.run.core.contact_forces(self.run.model.as_data())
    }

    /// The robot with its contacts as an automaton, for the derivatives and limit cycles of any.
    pub fn automaton<C: Controller<M>>(&mut self, controller: C) -> InContact<'_, M, C> {
        let Run { model, core, .. } = &mut *self.run;
        InContact::new(model.as_data(), &mut core.machine, controller)
    }

    /// Moves on by `duration` seconds, through all events on the way.
    ///
    /// # Errors
    ///
    /// [`ContactError::Overlap`] and [`ContactError::Violated`] of the state to begin with;
    /// [`ContactError::SingularPosition`] where it does not determine how a loop moves on, there or later;
    /// [`ContactError::Inconsistent`], [`ContactError::Unsolved`], [`ContactError::Painleve`] and [`ContactError::Impact`] of
    /// what touches, there or at an event; [`ContactError::Drowned`] where forces hide what holds it;
    /// [`ContactError::MassMatrix`], [`ContactError::Motion`] and [`ContactError::Events`] of the motion. What was
    /// done before stays.
    pub fn run(
        &mut self,
        duration: f64,
        controller: impl Controller<M>,
    ) -> Result<(), ContactError> {
        self.run_observed(duration, controller, |_, _, _, _| {})
    }

    /// As [`run`](Self::run), with samples added to `recording` at its rate from the beginning on, whatever happens.
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run); what was recorded before the failure stays.
    pub fn run_recorded(
        &mut self,
        duration: f64,
        controller: impl Controller<M>,
        recording: &mut Recording<M>,
    ) -> Result<(), ContactError> {
        let mut sampler = Sampler::new(self.run.model.as_data());
        self.run_observed(duration, controller, |model, driven, mode, stretch| {
            while let Some(time) = recording.due_within(stretch.start(), stretch.end()) {
                recording.push(sampler.sample(model, driven, (mode, &stretch.at(time))));
            }
        })
    }

    fn run_observed(
        &mut self,
        duration: f64,
        controller: impl Controller<M>,
        mut observe: impl FnMut(&Prepared<M>, &mut Driven<'_>, &Mode, Stretch<'_>),
    ) -> Result<(), ContactError> {
        let Run { model, core, state } = &mut *self.run;
        let end = core.phase.time + integrate::positive("duration", duration)?;
        let mut control = Erased::new(controller);
        let observe: &mut Observe<'_> =
            &mut |driven, mode, stretch| observe(model, driven, mode, stretch);
        let outcome = core.run(model.as_data(), end, &mut control, observe);
        *state = State::of(&core.phase);
        outcome
    }
}
