//! A robot that moves from event to event, as a user runs it.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::marker::PhantomData;
use core::mem;

use super::automaton::InContact;
use super::error::ContactError;
use super::guard::Guard;
use super::machine::Machine;
use super::mode::Mode;
use super::sample::Sampler;
use super::start::begin;
use crate::contact::Impulse;
use crate::control::Controller;
use crate::hybrid::{Event, History, Hybrid, Stretch};
use crate::impact::Outcome;
use crate::integrate::{self, Dop853, Effort, Method, Phase, Rodas5P, Space, Tolerance};
use crate::model::one_sided::gaps;
use crate::model::{Model, Table};
use crate::record::Recording;
use crate::simulate::{ContactForce, contact_points, pressing};
use crate::space::Storage;
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

/// A robot, where it is and what happened to it, whatever the method of integration.
#[derive(Clone, Debug)]
pub(super) struct Run<M: Model> {
    pub(super) machine: Machine<M>,
    pub(super) space: Space,
    pub(super) tolerance: Tolerance,
    pub(super) longest: Option<f64>,
    pub(super) most_steps: u64,
    pub(super) phase: Phase,
    pub(super) state: State<M>,
    /// None before a run has begun from the state.
    pub(super) mode: Option<Mode>,
    pub(super) history: History<Mode>,
    /// The guards that were armed at the end of the last run, and their values.
    pub(super) armed: Vec<(usize, f64)>,
    pub(super) impacts: Vec<(f64, Outcome)>,
    /// Forces at the end of the last run, as impulses in a second.
    pub(super) forces: Impulse,
    pub(super) effort: Effort,
}

impl<M: Model> HybridSimulation<M> {
    /// At rest in the neutral configuration at time zero, with a tolerance of 1e-9, absolute and relative.
    ///
    /// # Errors
    ///
    /// [`ContactError::Model`] if a field has an impossible value or a joint moves no inertia in general,
    /// [`ContactError::NotOffered`] of a robot with what event-driven contact has no law for: pairs of solids other than
    /// spheres, torsional friction and dry friction of joints.
    pub fn new(model: M) -> Result<Self, ContactError> {
        let space = Space::of::<M>(0);
        let machine = Machine::checked(model)?;
        let phase = Phase::neutral(&space);
        let run = Run {
            tolerance: Tolerance::default(),
            longest: None,
            most_steps: 1_000_000,
            state: State { time: 0.0, q: machine.model.neutral(), v: M::V::zeros() },
            mode: None,
            history: History::new(phase.time, machine.open()),
            armed: Vec::new(),
            impacts: Vec::new(),
            forces: Impulse::zeros::<M>(),
            effort: Effort::default(),
            machine,
            space,
            phase,
        };
        Ok(Self { run: Box::new(run), method: PhantomData })
    }

    /// With the method for stiff forces. It is also the one for slip that begins in space, where friction turns a slow
    /// slip towards the force the faster the slower it is: a thousand steps of the explicit method there are ten of this.
    #[must_use]
    pub fn stiff(self) -> HybridSimulation<M, Rodas5P> {
        HybridSimulation { run: self.run, method: PhantomData }
    }
}

impl<M: Model, I: Method> HybridSimulation<M, I> {
    /// The robot.
    pub fn model(&self) -> &M {
        self.run.machine.model.robot()
    }

    /// Time, configuration and velocity now.
    pub fn current(&self) -> &State<M> {
        &self.run.state
    }

    /// The mode now; none before a run has begun.
    pub fn mode(&self) -> Option<&Mode> {
        self.run.mode.as_ref()
    }

    /// The mode now as people call it, empty before a run has begun.
    pub fn mode_name(&self) -> String {
        self.run.mode.as_ref().map_or_else(String::new, |mode| self.run.machine.mode_name(mode))
    }

    /// What happened since the state was set, in the order of time.
    pub fn events(&self) -> &[Event<Mode>] {
        self.run.history.events()
    }

    /// The impacts since the state was set, each with its time in seconds.
    pub fn impacts(&self) -> &[(f64, Outcome)] {
        &self.run.impacts
    }

    /// What the guards of an event are of.
    pub fn guards(&self, event: &Event<Mode>) -> Vec<Guard> {
        let parts = self.run.machine.gaps.len();
        event.guards().into_iter().map(|guard| Guard::of(guard, parts)).collect()
    }

    /// The modes since the state was set, by name, each with the time in seconds at which it began.
    pub fn modes(&self) -> Vec<(f64, String)> {
        self.run
            .history
            .modes()
            .map(|(time, mode)| (time, self.run.machine.mode_name(mode)))
            .collect()
    }

    /// The automaton that was seen since the state was set, as text for Graphviz's `dot`.
    pub fn export(&mut self) -> String {
        let Run { machine, history, .. } = &mut *self.run;
        history.graphviz(&InContact::new(machine, |_: &State<M>| M::U::zeros()))
    }

    /// T + U in J, without what springs store.
    pub fn energy(&self) -> f64 {
        self.run.state.energy(self.model())
    }

    /// What integration took since it was set up.
    pub fn effort(&self) -> Effort {
        self.run.effort
    }

    /// The gaps of the contacts now, in the order of [`Model::CONTACTS`], which names them, in metres, positive apart.
    pub fn gaps(&self) -> Vec<f64> {
        gaps(&self.run.machine.model, &self.run.state.q)
    }

    /// The forces at all contacts that pressed at the end of the last run; none where it failed.
    pub fn contact_forces(&self) -> Vec<ContactForce> {
        let (model, q) = (&self.run.machine.model, &self.run.state.q);
        let axes = model.contact_parameters_at(q);
        let points = contact_points(model.as_data(), q.as_slice());
        pressing(Table::of::<M>(), (&axes, &self.run.forces), &points, 1.0)
    }

    /// The robot with its contacts as an automaton, for the derivatives and limit cycles of any.
    pub fn automaton<C: Controller<M>>(&mut self, controller: C) -> InContact<'_, M, C> {
        InContact::new(&mut self.run.machine, controller)
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
        self.run_observed(duration, controller, |_, _, _| {})
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
        let mut sampler = Sampler::new(&self.run.machine.model);
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
        let end = self.run.phase.time + integrate::positive("duration", duration)?;
        let Run { tolerance, longest, most_steps, .. } = *self.run;
        let Run {
            machine, space, mode, phase, state, history, armed, impacts, forces, effort, ..
        } = &mut *self.run;
        forces.clear();
        let (mut automaton, mut start) = (InContact::new(machine, controller), phase.clone());
        let begun = match mode {
            Some(mode) => automaton.resume(mode, &mut start)?,
            None => automaton.start(&mut start)?,
        };
        let has_hit = !automaton.impacts.is_empty();
        let hybrid = Hybrid::<_, I>::sequel((automaton, space), (begun, start), tolerance, armed);
        let mut hybrid = hybrid?.most_steps(most_steps);
        if let Some(h) = longest {
            hybrid = hybrid.longest_step(h)?;
        }
        begin(history, (mode.as_ref(), has_hit), (phase, hybrid.phase()), hybrid.mode());
        hybrid.set_history(mem::replace(history, History::new(phase.time, hybrid.mode().clone())));
        let outcome = hybrid.run_observed(end, observe);
        *phase = hybrid.phase().clone();
        let last = mode.insert(hybrid.mode().clone());
        *armed = hybrid.armed();
        effort.add(hybrid.effort());
        let mut automaton;
        (automaton, *history) = hybrid.into_parts();
        impacts.append(&mut automaton.impacts);
        let ended = (&*last, &*phase);
        let outcome = outcome.map_err(|error| automaton.named(error, ended));
        let mut sampler = Sampler::new(&automaton.machine.model);
        if outcome.is_ok() {
            forces.clone_from(sampler.measure(&mut automaton, last, phase));
        }
        *state = State::of(phase);
        outcome
    }
}
