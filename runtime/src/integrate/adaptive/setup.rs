//! How an integration is set up, and what it says of itself.

use alloc::vec;

use super::super::error::positive;
use super::{
    Adaptive, Control, Dense, Dop853, Error, Method, Phase, Room, Space, Stiffness, Tolerance,
};
use crate::integrate::Rodas5P;

/// What an integration took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Steps that were made.
    pub steps: u64,
    /// Steps whose error was too large, and which were tried again.
    pub rejections: u64,
    /// Evaluations of the right-hand side.
    pub evaluations: u64,
}

impl Effort {
    /// Takes another one into account.
    pub(crate) fn add(&mut self, other: Self) {
        self.steps += other.steps;
        self.rejections += other.rejections;
        self.evaluations += other.evaluations;
    }
}

impl Adaptive<Dop853> {
    /// From a phase on, with errors within the tolerance in each step, by the explicit method.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] or [`Error::Model`] unless the phase is one of the space.
    pub fn new(space: &Space, phase: Phase, tolerance: Tolerance) -> Result<Self, Error> {
        Self::with_method(space, phase, tolerance)
    }
}

impl Adaptive<Rodas5P> {
    /// As [`new`](Adaptive::new), by the linearly implicit method.
    ///
    /// # Errors
    ///
    /// As [`new`](Adaptive::new).
    pub fn stiff(space: &Space, phase: Phase, tolerance: Tolerance) -> Result<Self, Error> {
        Self::with_method(space, phase, tolerance)
    }
}

impl<M: Method> Adaptive<M> {
    /// As [`new`](Adaptive::new), by the method of the type.
    ///
    /// # Errors
    ///
    /// As [`new`](Adaptive::new).
    pub fn with_method(space: &Space, phase: Phase, tolerance: Tolerance) -> Result<Self, Error> {
        phase.check(space)?;
        Ok(Self::at(space, phase, tolerance))
    }

    /// The same motion from where it is on, by another method.
    pub fn by<N: Method>(self) -> Adaptive<N> {
        let Self { longest, steps, rejections, .. } = self;
        let evaluations = self.room.evaluations;
        let mut other = Adaptive::at(&self.space, self.phase, self.tolerance);
        other.room.evaluations = evaluations;
        Adaptive { longest, steps, rejections, ..other }
    }

    fn at(space: &Space, phase: Phase, tolerance: Tolerance) -> Self {
        let zeros = vec![0.0; space.local()];
        Self {
            tolerance,
            method: M::new(space),
            phase,
            is_begun: false,
            rate: zeros.clone(),
            proposal: None,
            longest: f64::INFINITY,
            control: Control::new(M::ERROR_ORDER),
            stiffness: Stiffness::default(),
            unstable: None,
            dense: Dense::new(space, M::TERMS),
            is_made: false,
            start_rate: zeros.clone(),
            end_rate: zeros.clone(),
            scale: zeros.clone(),
            y: zeros,
            room: Room::new(space),
            space: space.clone(),
            steps: 0,
            rejections: 0,
        }
    }

    /// With another tolerance.
    #[must_use]
    pub fn tolerance(mut self, tolerance: Tolerance) -> Self {
        self.tolerance = tolerance;
        self
    }

    /// With no step longer than so many seconds.
    ///
    /// # Errors
    ///
    /// [`Error::Setting`] unless it is finite and greater than zero.
    pub fn longest_step(mut self, h: f64) -> Result<Self, Error> {
        self.longest = positive("longest step", h)?;
        Ok(self)
    }

    /// Goes on from another phase, or with another system: no step has been made from here. The first one has about
    /// the length `h`, or one that is found by an evaluation more.
    ///
    /// # Errors
    ///
    /// As [`new`](Adaptive::new), and [`Error::Setting`] unless `h` is finite and greater than zero; then all stays as
    /// it is.
    pub fn restart(&mut self, phase: &Phase, h: Option<f64>) -> Result<(), Error> {
        phase.check(&self.space)?;
        self.proposal = h.map(|h| positive("step", h)).transpose()?;
        self.phase.copy(phase);
        self.is_begun = false;
        self.is_made = false;
        self.control.restart();
        self.stiffness = Stiffness::default();
        Ok(())
    }

    /// Changes the phase by what is within the tolerance, as rounding would.
    ///
    /// # Errors
    ///
    /// As [`restart`](Self::restart).
    pub(crate) fn put_right(&mut self, phase: &Phase) -> Result<(), Error> {
        phase.check(&self.space)?;
        self.phase.copy(phase);
        self.is_begun = false;
        Ok(())
    }

    /// The phase at the end of the last step.
    pub fn phase(&self) -> &Phase {
        &self.phase
    }

    /// The coordinates.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// The length that the next step will have, if its end and the error allow; none before the first one.
    pub fn proposed_step(&self) -> Option<f64> {
        self.proposal
    }

    /// The motion during the last step; none before the first one and after a [`restart`](Self::restart) or a step
    /// that failed.
    pub fn dense(&self) -> Option<&Dense> {
        self.is_made.then_some(&self.dense)
    }

    /// What it took so far.
    pub fn effort(&self) -> Effort {
        let Self { steps, rejections, .. } = *self;
        Effort { steps, rejections, evaluations: self.room.evaluations }
    }
}
