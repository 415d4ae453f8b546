//! A robot that moves from event to event, as a user runs it.

use alloc::string::String;
use alloc::vec::Vec;
use core::marker::PhantomData;

use super::automaton::InContact;
use super::error::ContactError;
use super::guard::Guard;
use super::machine::Machine;
use super::mode::Mode;
use super::sample::Sampler;
use super::start::begin;
use crate::control::Controller;
use crate::hybrid::{self, Event, History, Hybrid, Stretch};
use crate::impact::Outcome;
use crate::integrate::{self, Dop853, Method, Phase, Rodas5P, Space, Tolerance};
use crate::model::Model;
use crate::record::Recording;
use crate::space::Storage;
use crate::state::State;

/// A robot in contact that moves from event to event: smooth, to a tolerance, in each mode of its contacts.
///
/// It is to [`Simulation`](crate::Simulation) what an exact solution is to one by time stepping: contacts touch down,
/// lift off, stick and slide at times that are located to rounding. It is for few contacts and events.
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
    pub(super) machine: Machine<M>,
    pub(super) space: Space,
    pub(super) tolerance: Tolerance,
    pub(super) most_steps: u64,
    pub(super) phase: Phase,
    pub(super) state: State<M>,
    /// None before a run has begun from the state.
    pub(super) mode: Option<Mode>,
    pub(super) history: History<Mode>,
    pub(super) impacts: Vec<(f64, Outcome)>,
    pub(super) method: PhantomData<I>,
}

impl<M: Model> HybridSimulation<M> {
    /// At rest in the neutral configuration at time zero, with a tolerance of 1e-9, absolute and relative.
    ///
    /// # Errors
    ///
    /// [`ContactError::Model`] if a field has an impossible value or a joint moves no inertia in general,
    /// [`ContactError::NotOffered`] of a robot with what event-driven contact has no law for: pairs of solids other than spheres, torsional friction
    /// and dry friction of joints.
    pub fn new(model: M) -> Result<Self, ContactError> {
        let (space, tolerance) = (Space::of::<M>(0), Tolerance::default());
        let machine = Machine::checked(model)?;
        let phase = Phase::neutral(&space);
        let state = State { time: 0.0, q: machine.model.neutral(), v: M::V::zeros() };
        let history = History::new(phase.time, machine.open());
        let (mode, method) = (None, PhantomData);
        let most_steps = 1_000_000;
        let impacts = Vec::new();
        Ok(Self {
            machine,
            space,
            tolerance,
            most_steps,
            phase,
            state,
            mode,
            history,
            impacts,
            method,
        })
    }
}

impl<M: Model> HybridSimulation<M> {
    /// With the method for stiff forces. It is also the one for slip that begins in space, where friction turns a slow
    /// slip towards the force the faster the slower it is: a thousand steps of the explicit method there are ten of this.
    #[must_use]
    pub fn stiff(self) -> HybridSimulation<M, Rodas5P> {
        let Self {
            machine,
            space,
            tolerance,
            most_steps,
            phase,
            state,
            mode,
            history,
            impacts,
            ..
        } = self;
        let method = PhantomData;
        HybridSimulation {
            machine,
            space,
            tolerance,
            most_steps,
            phase,
            state,
            mode,
            history,
            impacts,
            method,
        }
    }
}

impl<M: Model, I: Method> HybridSimulation<M, I> {
    /// The robot.
    pub fn model(&self) -> &M {
        self.machine.model.robot()
    }

    /// Time, configuration and velocity now.
    pub fn current(&self) -> &State<M> {
        &self.state
    }

    /// The mode now; none before a run has begun.
    pub fn mode(&self) -> Option<&Mode> {
        self.mode.as_ref()
    }

    /// The mode now as people call it, empty before a run has begun.
    pub fn mode_name(&self) -> String {
        self.mode.as_ref().map_or_else(String::new, |mode| self.machine.mode_name(mode))
    }

    /// What happened since the state was set, in the order of time.
    pub fn events(&self) -> &[Event<Mode>] {
        self.history.events()
    }

    /// The impacts since the state was set, each with its time in seconds.
    pub fn impacts(&self) -> &[(f64, Outcome)] {
        &self.impacts
    }

    /// What the guards of an event are of.
    pub fn guards(&self, event: &Event<Mode>) -> Vec<Guard> {
        let parts = self.machine.gaps.len();
        event.guards().into_iter().map(|guard| Guard::of(guard, parts)).collect()
    }

    /// The modes since the state was set, by name, each with the time in seconds at which it began.
    pub fn modes(&self) -> Vec<(f64, String)> {
        self.history.modes().map(|(time, mode)| (time, self.machine.mode_name(mode))).collect()
    }

    /// The automaton that was seen since the state was set, as text for Graphviz's `dot`.
    pub fn export(&mut self) -> String {
        let Self { machine, history, .. } = self;
        history.graphviz(&InContact::new(machine, |_: &State<M>| M::U::zeros()))
    }

    /// T + U in J, without what springs store.
    pub fn energy(&self) -> f64 {
        let (model, State { q, v, .. }) = (&self.machine.model, &self.state);
        model.kinetic_energy(q, v) + model.potential_energy(q)
    }

    /// The robot with its contacts as an automaton, for the derivatives and limit cycles of any.
    pub fn automaton<C: Controller<M>>(&mut self, controller: C) -> InContact<'_, M, C> {
        InContact::new(&mut self.machine, controller)
    }

    /// Moves on by `duration` seconds, through all events on the way.
    ///
    /// # Errors
    ///
    /// [`ContactError::Overlap`] and [`ContactError::Violated`] of the state to begin with;
    /// [`ContactError::Inconsistent`], [`ContactError::Painleve`] and [`ContactError::Impact`] of what touches, there or at
    /// an event; [`ContactError::MassMatrix`], [`ContactError::Motion`] and [`ContactError::Events`] of the motion. What was
    /// done before stays.
    pub fn run(
        &mut self,
        duration: f64,
        controller: impl Controller<M>,
    ) -> Result<(), ContactError> {
        self.run_observed(duration, controller, |_, _, _| {})
    }

    /// As [`run`](Self::run), with samples added to `recording` at its rate from the beginning on, whatever the events
    /// are.
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
        let mut sampler = Sampler::new(&self.machine.model);
        self.run_observed(duration, controller, |automaton, mode, stretch| {
            while let Some(time) = recording.due_within(stretch.start(), stretch.end()) {
                recording.push(sampler.sample(automaton, mode, &stretch.at(time)));
            }
        })
    }

    fn run_observed<C: Controller<M>>(
        &mut self,
        duration: f64,
        controller: C,
        observe: impl FnMut(&mut InContact<'_, M, C>, &Mode, Stretch<'_>),
    ) -> Result<(), ContactError> {
        let end = self.phase.time + integrate::positive("duration", duration)?;
        let Self { machine, mode, phase, history, impacts, .. } = self;
        let (mut automaton, mut start) = (InContact::new(machine, controller), phase.clone());
        let begun = match mode {
            Some(mode) => automaton.resume(mode, &mut start)?,
            None => automaton.start(&mut start)?,
        };
        let hybrid =
            Hybrid::<_, I>::with_method(automaton, &self.space, begun, start, self.tolerance);
        let mut hybrid = hybrid?.most_steps(self.most_steps);
        begin(history, mode.as_ref(), (phase, hybrid.phase()), hybrid.mode());
        let outcome = hybrid.run_observed(end, observe);
        *phase = hybrid.phase().clone();
        let last = mode.insert(hybrid.mode().clone());
        hybrid.history().events().iter().for_each(|event| history.push(event.clone()));
        let mut automaton = hybrid.into_automaton();
        impacts.append(&mut automaton.impacts);
        let ended = (&*last, &*phase);
        let outcome = outcome.map_err(|error| automaton.named(error, ended));
        self.state.time = phase.time;
        self.state.q.as_mut_slice().copy_from_slice(&phase.q);
        self.state.v.as_mut_slice().copy_from_slice(&phase.v);
        outcome
    }
}

impl<M: Model, C: Controller<M>> InContact<'_, M, C> {
    /// A failure of the run in a mode in the words of contact, if there are no accelerations where it ended.
    fn named(
        &mut self,
        error: hybrid::Error<Mode, ContactError>,
        (mode, phase): (&Mode, &Phase),
    ) -> ContactError {
        let place = match &error {
            hybrid::Error::Motion(integrate::Error::NotFinite { phase, .. }) => phase,
            hybrid::Error::Motion(
                integrate::Error::StepSize { .. } | integrate::Error::Guard { .. },
            ) => phase,
            _ => return error.into(),
        };
        let Self { machine, controller, .. } = self;
        machine.see(place.at(), controller);
        match machine.accelerate(mode) {
            Err(failure) => failure.at::<M>(place),
            Ok(()) => error.into(),
        }
    }
}
