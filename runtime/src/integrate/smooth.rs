//! Smooth motion of robots, as a user runs it.

use alloc::vec::Vec;

use super::{
    Adaptive, Dense, Dop853, Driven, Effort, Error, Method, Phase, Rodas5P, Space, Tolerance,
};
use crate::contact::{Impulse, Residual};
use crate::control::Controller;
use crate::model::one_sided::gaps;
use crate::model::{Model, Prepared};
use crate::record::Recording;
use crate::simulate::sample;
use crate::space::Storage;
use crate::state::State;

const MOST_STEPS: u64 = 1_000_000;

/// A robot that moves without touching anything, by steps whose error is within a tolerance.
///
/// Forces are those of the controller, of gravity, springs and dampers. Contacts, limits and dry friction do not act:
/// they are a [`Simulation`](crate::Simulation)'s. The controller decides on u(t, q, v) at every time; what it holds for
/// a step of its own is not smooth.
///
/// ```
/// use jourdain::prelude::*;
/// use nalgebra::{SVector, vector};
///
/// /// A mass on a rod of one metre.
/// #[derive(Robot, Clone, Debug)]
/// #[robot(
///     link(rod, mass = 1, com = [0, 0, -1]),
///     joint(pivot, revolute(world -> rod), axis = [0, 1, 0], passive),
/// )]
/// struct Pendulum;
///
/// // Released level; the published place after ten seconds is (−0.275087462577, −0.961419205099).
/// let start = (vector![std::f64::consts::FRAC_PI_2], vector![0.0]);
/// let mut simulation =
///     SmoothSimulation::new(Pendulum)?.tolerance(1e-12)?.state(start.0, start.1)?;
/// let mut recording = Recording::new(30.0)?;
/// let free = |_: &State<Pendulum>| SVector::<f64, 0>::zeros();
/// simulation.run_recorded(10.0, free, &mut recording)?;
/// let q = simulation.current().q[0];
/// assert!((q.sin() - 0.275087462577).abs() < 1e-10 && (q.cos() - 0.961419205099).abs() < 1e-10);
/// assert_eq!(recording.samples().len(), 301);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SmoothSimulation<M: Model, I = Dop853> {
    model: Prepared<M>,
    motion: Adaptive<I>,
    most_steps: u64,
    state: State<M>,
}

impl<M: Model> SmoothSimulation<M> {
    /// At rest in the neutral configuration at time zero, with a tolerance of 1e-9, absolute and relative.
    ///
    /// # Errors
    ///
    /// [`Error::Model`] if a field has an impossible value, [`Error::Constrained`] if the robot has constraints.
    pub fn new(model: M) -> Result<Self, Error> {
        model.check_fields()?;
        if let Some(constraint) = M::CONSTRAINTS.first() {
            return Err(Error::Constrained { constraint: constraint.name });
        }
        let (model, space) = (model.prepare(), Space::of::<M>(0));
        let state = State { time: 0.0, q: model.neutral(), v: M::V::zeros() };
        let motion = Adaptive::new(&space, Phase::neutral(&space), Tolerance::default())?;
        Ok(Self { model, motion, most_steps: MOST_STEPS, state })
    }

    /// With the method for stiff forces.
    #[must_use]
    pub fn stiff(self) -> SmoothSimulation<M, Rodas5P> {
        let Self { model, motion, most_steps, state } = self;
        SmoothSimulation { model, motion: motion.by(), most_steps, state }
    }
}

impl<M: Model, I: Method> SmoothSimulation<M, I> {
    /// With another tolerance, both absolute and relative.
    ///
    /// # Errors
    ///
    /// [`Error::Between`] unless it is from 10⁻¹⁴ to 0.1.
    pub fn tolerance(self, tolerance: f64) -> Result<Self, Error> {
        Ok(self.tolerances(Tolerance::of_robots(tolerance)?))
    }

    /// With other tolerances, which may be any.
    #[must_use]
    pub fn tolerances(mut self, tolerance: Tolerance) -> Self {
        self.motion = self.motion.tolerance(tolerance);
        self
    }

    /// With no step longer than so many seconds.
    ///
    /// # Errors
    ///
    /// [`Error::Setting`] unless it is finite and greater than zero.
    pub fn longest_step(mut self, h: f64) -> Result<Self, Error> {
        self.motion = self.motion.longest_step(h)?;
        Ok(self)
    }

    /// With no more than so many steps in a run, a million if not given.
    #[must_use]
    pub fn most_steps(mut self, most: u64) -> Self {
        self.most_steps = most;
        self
    }

    /// From the configuration `q`, (nq), and the velocity `v`, (nv), at the time that it is.
    ///
    /// # Errors
    ///
    /// [`Error::Model`] if they are not finite, or a quaternion is not of unit length.
    pub fn state(mut self, q: M::Q, v: M::V) -> Result<Self, Error> {
        self.reset(q, v)?;
        Ok(self)
    }

    /// Goes to another state at the current time.
    ///
    /// # Errors
    ///
    /// As [`state`](Self::state); nothing is then changed.
    pub fn reset(&mut self, q: M::Q, v: M::V) -> Result<(), Error> {
        let mut phase = self.motion.phase().clone();
        phase.q.copy_from_slice(q.as_slice());
        phase.v.copy_from_slice(v.as_slice());
        self.motion.restart(&phase, None)?;
        (self.state.q, self.state.v) = (q, v);
        Ok(())
    }

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

    /// The gaps of the contacts now, in the order of [`Model::CONTACTS`], which names them, in metres, positive apart; they
    /// stop nothing here.
    pub fn gaps(&self) -> Vec<f64> {
        gaps(&self.model, &self.state.q)
    }

    /// What it took so far.
    pub fn effort(&self) -> Effort {
        self.motion.effort()
    }

    /// The state at a time of the last step, by its dense output; none at other times.
    pub fn at(&self, time: f64) -> Option<State<M>> {
        let dense = self.motion.dense()?;
        let is_within = (dense.start()..=dense.end()).contains(&time);
        is_within.then(|| State::of(&dense.at(time)))
    }

    /// Moves on by `duration` seconds.
    ///
    /// # Errors
    ///
    /// [`Error::Setting`] unless `duration` is finite and greater than zero. At the first step that fails, and which
    /// states its time where it says why: [`Error::Model`] if the controller's u is NaN or infinite there,
    /// [`Error::NotFinite`] if accelerations are for another reason, [`Error::StepSize`] if no step meets the tolerance,
    /// [`Error::Stiff`] if forces are so stiff that explicit steps would take for ever, and [`Error::Steps`] after [`most_steps`](Self::most_steps); the steps before it are done.
    pub fn run(&mut self, duration: f64, controller: impl Controller<M>) -> Result<(), Error> {
        let end = self.end(duration)?;
        self.run_observed(end, controller, |_, _, _| {})
    }

    /// As [`run`](Self::run), with samples added to `recording` at its rate from the beginning on, whatever the steps are.
    /// The recording's forces, of contacts and of constraints, are zero.
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run); what was recorded before the failure stays.
    pub fn run_recorded(
        &mut self,
        duration: f64,
        controller: impl Controller<M>,
        recording: &mut Recording<M>,
    ) -> Result<(), Error> {
        let end = self.end(duration)?;
        let (contacts, nothing) = (self.model.contact_parameters(), Impulse::zeros::<M>());
        self.run_observed(end, controller, |model, dense, driven| {
            while let Some(time) = recording.due_within(dense.start(), dense.end()) {
                let state = State::of(&dense.at(time));
                let u = driven.input(&state);
                let acting = (&contacts[..], &nothing);
                recording.push(sample(model, (state, u), acting, 1.0, Residual::default()));
            }
        })
    }

    /// Steps to `end`, each shown to `observe`.
    fn run_observed<C: Controller<M>>(
        &mut self,
        end: f64,
        controller: C,
        mut observe: impl FnMut(&Prepared<M>, &Dense, &mut Driven<'_, M, C>),
    ) -> Result<(), Error> {
        let Self { model, motion, .. } = self;
        let mut driven = Driven::new(&*model, controller);
        let most = self.most_steps;
        let (mut steps, mut outcome) = (0, Ok(()));
        while outcome.is_ok() && (steps == 0 || motion.phase().time < end) {
            outcome = if steps == most {
                Err(Error::Steps { time: motion.phase().time, steps, end })
            } else {
                I::advance(motion, &mut driven, end)
            };
            if let (Ok(()), Some(dense)) = (&outcome, motion.dense()) {
                observe(model, dense, &mut driven);
            }
            steps += 1;
        }
        let outcome = outcome.map_err(|error| driven.named(error));
        self.state = State::of(self.motion.phase());
        outcome
    }

    fn end(&self, duration: f64) -> Result<f64, Error> {
        Ok(self.state.time + super::error::positive("duration", duration)?)
    }
}
