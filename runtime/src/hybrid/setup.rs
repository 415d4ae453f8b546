//! How a hybrid motion is set up, and what it says of itself.

use alloc::vec::Vec;

use super::flow::Flow;
use super::{Automaton, Failure, History, Watch};
use crate::integrate::{
    self, Adaptive, Dop853, Effort, Error, Method, Phase, Rodas5P, Space, Tolerance,
};

/// A million steps from event to event.
const MOST_STEPS: u64 = 1_000_000;

/// A thousand events in a thousandth of a second.
const STORM: (usize, f64) = (1000, 1e-3);

/// The motion of an [`Automaton`], by steps whose error is within a tolerance, from event to event.
#[derive(Clone, Debug)]
pub struct Hybrid<A: Automaton, I = Dop853> {
    pub(super) automaton: A,
    pub(super) mode: A::Mode,
    pub(super) motion: Adaptive<I>,
    pub(super) watch: Watch,
    pub(super) history: History<A::Mode>,
    pub(super) most_steps: u64,
    pub(super) storm: (usize, f64),
}

impl<A: Automaton> Hybrid<A> {
    /// From a phase in a mode on, by the explicit method.
    ///
    /// # Errors
    ///
    /// [`Error::Motion`](super::Error::Motion) unless the phase is one of the space,
    /// [`Error::Guard`](super::Error::Guard) unless its guards are finite,
    /// [`Error::Declaration`](super::Error::Declaration) if it cannot begin in the mode there,
    /// [`Error::Negative`](super::Error::Negative) if a guard that bounds the mode is negative.
    pub fn new(
        automaton: A,
        space: &Space,
        mode: A::Mode,
        phase: Phase,
        tolerance: Tolerance,
    ) -> Result<Self, Failure<A>> {
        Self::with_method(automaton, space, mode, phase, tolerance)
    }
}

impl<A: Automaton> Hybrid<A, Rodas5P> {
    /// As [`new`](Hybrid::new), by the linearly implicit method.
    ///
    /// # Errors
    ///
    /// As [`new`](Hybrid::new).
    pub fn stiff(
        automaton: A,
        space: &Space,
        mode: A::Mode,
        phase: Phase,
        tolerance: Tolerance,
    ) -> Result<Self, Failure<A>> {
        Self::with_method(automaton, space, mode, phase, tolerance)
    }
}

impl<A: Automaton, I: Method> Hybrid<A, I> {
    /// As [`new`](Hybrid::new), by the method of the type.
    ///
    /// # Errors
    ///
    /// As [`new`](Hybrid::new).
    pub fn with_method(
        mut automaton: A,
        space: &Space,
        mode: A::Mode,
        phase: Phase,
        tolerance: Tolerance,
    ) -> Result<Self, Failure<A>> {
        phase.check(space)?;
        check(&mut automaton, &mode, &phase)?;
        Self::sequel((automaton, space), (mode, phase), tolerance, &[])
    }

    /// As [`with_method`](Self::with_method), in a mode that it is known to be able to begin in, of a motion whose armed guards
    /// had these values when it ended here.
    pub(super) fn sequel(
        (mut automaton, space): (A, &Space),
        (mode, phase): (A::Mode, Phase),
        tolerance: Tolerance,
        armed: &[(usize, f64)],
    ) -> Result<Self, Failure<A>> {
        let motion = Adaptive::with_method(space, phase, tolerance)?;
        let mut watch = Watch::new(space, tolerance);
        let flow = &mut Flow { automaton: &mut automaton, mode: &mode };
        let entered = watch.enter(flow, motion.phase(), (armed, &[]));
        entered.map_err(|wrong| wrong.named(&automaton, &mode))?;
        let history = History::new(motion.phase().time, mode.clone());
        Ok(Self { automaton, mode, motion, watch, history, most_steps: MOST_STEPS, storm: STORM })
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

    /// With no more than so many steps from event to event, a million if not given.
    #[must_use]
    pub fn most_steps(mut self, most: u64) -> Self {
        self.most_steps = most;
        self
    }

    /// So many events in so many seconds are a storm, and an error unless they tend to something; a thousand in a
    /// thousandth of a second, if not given.
    ///
    /// # Errors
    ///
    /// [`Error::Setting`] unless there is an event at least and the seconds are finite and greater than zero.
    pub fn storm(mut self, events: usize, seconds: f64) -> Result<Self, Error> {
        if events == 0 {
            return Err(Error::Setting { quantity: "events of a storm", value: 0.0 });
        }
        self.storm = (events, integrate::positive("seconds of a storm", seconds)?);
        Ok(self)
    }

    /// What moves.
    pub fn automaton(&self) -> &A {
        &self.automaton
    }

    /// Goes on with what happened before.
    pub(super) fn set_history(&mut self, history: History<A::Mode>) {
        self.history = history;
    }

    /// The armed guards and their values now.
    pub(super) fn armed(&mut self) -> Vec<(usize, f64)> {
        let Self { automaton, mode, motion, watch, .. } = self;
        watch.armed(&mut Flow { automaton, mode }, motion.phase().at())
    }

    /// The automaton and the history again, for a sequel.
    pub(super) fn into_parts(self) -> (A, History<A::Mode>) {
        (self.automaton, self.history)
    }

    /// The automaton again, for another motion of it.
    pub fn into_automaton(self) -> A {
        self.automaton
    }

    /// The mode now.
    pub fn mode(&self) -> &A::Mode {
        &self.mode
    }

    /// The phase now.
    pub fn phase(&self) -> &Phase {
        self.motion.phase()
    }

    /// The coordinates.
    pub fn space(&self) -> &Space {
        self.motion.space()
    }

    /// What happened so far.
    pub fn history(&self) -> &History<A::Mode> {
        &self.history
    }

    /// What it took so far.
    pub fn effort(&self) -> Effort {
        self.motion.effort()
    }
}

/// Whether an automaton can begin in a mode at a phase of its space.
///
/// # Errors
///
/// [`Error::Declaration`](super::Error::Declaration).
pub(super) fn check<A: Automaton>(
    automaton: &mut A,
    mode: &A::Mode,
    phase: &Phase,
) -> Result<(), Failure<A>> {
    automaton.check(mode, phase.at()).map_err(|reason| {
        let (mode, name) = (mode.clone(), automaton.mode_name(mode));
        Failure::<A>::Declaration { mode, name, reason }
    })
}
