//! The run of an automaton.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::flow::Flow;
use super::{Accumulation, Automaton, Cause, Event, Failure, Fired, Found, Hybrid, Limit, Stretch};
use crate::integrate::{self, Method, Phase};

impl<A: Automaton, I: Method> Hybrid<A, I> {
    /// Moves on to the next event, or to `end`; returns the event.
    ///
    /// # Errors
    ///
    /// As [`run_observed`](Self::run_observed).
    pub fn advance(&mut self, end: f64) -> Result<Option<&Event<A::Mode>>, Failure<A>> {
        let is_event = self.advance_observed(end, &mut |_, _, _| {})?;
        Ok(self.history.events().last().filter(|_| is_event))
    }

    /// Moves on until the time is at least `end`, through all events on the way: later only where an accumulation ends
    /// later.
    ///
    /// # Errors
    ///
    /// As [`run_observed`](Self::run_observed).
    pub fn run_to(&mut self, end: f64) -> Result<(), Failure<A>> {
        self.run_observed(end, |_, _, _| {})
    }

    /// As [`run_to`](Self::run_to), with each stretch of motion shown to `observe`, and the mode that it is in.
    ///
    /// # Errors
    ///
    /// [`Error::Motion`](super::Error::Motion) as [`Adaptive::step`](crate::integrate::Adaptive::step) has them, if a
    /// guard is not finite, or if more steps are needed than are allowed; [`Error::Negative`](super::Error::Negative),
    /// [`Error::Unresolved`](super::Error::Unresolved), [`Error::Impossible`](super::Error::Impossible) and
    /// [`Error::Storm`](super::Error::Storm) at an event. Phase and mode are then those of the end of the last step, or
    /// of the end of the mode if it was its transition that failed.
    pub fn run_observed(
        &mut self,
        end: f64,
        mut observe: impl FnMut(&mut A, &A::Mode, Stretch<'_>),
    ) -> Result<(), Failure<A>> {
        while self.advance_observed(end, &mut observe)? {}
        Ok(())
    }

    /// Says whether it moved on to an event, and not to the end.
    fn advance_observed(
        &mut self,
        end: f64,
        observe: &mut impl FnMut(&mut A, &A::Mode, Stretch<'_>),
    ) -> Result<bool, Failure<A>> {
        for _ in 0..self.most_steps {
            if self.phase().time >= end {
                return Ok(false);
            }
            if self.step(end, observe)? {
                return Ok(true);
            }
        }
        let (time, steps) = (self.phase().time, self.most_steps);
        Err(integrate::Error::Steps { time, steps, end }.into())
    }

    /// One step of the integration, to its end or to the first event in it.
    fn step(
        &mut self,
        end: f64,
        observe: &mut impl FnMut(&mut A, &A::Mode, Stretch<'_>),
    ) -> Result<bool, Failure<A>> {
        let Self { automaton, mode, motion, watch, .. } = self;
        motion.step(&mut Flow { automaton, mode }, end)?;
        let Some(dense) = motion.dense() else { return Ok(false) };
        let found = watch.locate(automaton, mode, dense)?;
        let end = match &found {
            None => dense.end(),
            Some(Found::Fired { time, .. }) => *time,
            Some(Found::Unresolved { .. }) => dense.start(),
        };
        if end > dense.start() {
            observe(automaton, mode, Stretch { dense, end });
        }
        match found {
            None => return Ok(false),
            Some(Found::Fired { time, fired }) => {
                let phase = dense.at(time);
                self.fire(fired, phase)?;
            }
            Some(Found::Unresolved { time, guard, margin }) => {
                let (start, lost) = (dense.at(dense.start()), dense.at(time));
                self.resolve(guard, margin, (&start, lost))?;
            }
        }
        Ok(true)
    }

    /// The transition where guards fire.
    fn fire(&mut self, fired: Vec<Fired>, before: Phase) -> Result<(), Failure<A>> {
        // From here on the phase is the one at the end of the mode, also if the transition fails.
        let length = self.motion.proposed_step();
        self.motion.restart(&before, length)?;
        let guards: Vec<usize> = fired.iter().map(|fired| fired.guard).collect();
        let mut armed = self.watch.armed(&mut self.automaton, &self.mode, before.at());
        armed.retain(|(guard, _)| !guards.contains(guard));
        let mut after = before.clone();
        let mode = match self.automaton.transit(&self.mode, &guards, &mut after) {
            Ok(mode) => mode,
            Err(reason) => {
                let guards = guards.iter().map(|guard| self.automaton.guard_name(*guard)).collect();
                let (mode, name) = self.named_mode();
                let phase = Box::new(before);
                return Err(Failure::<A>::Impossible { guards, mode, name, phase, reason });
            }
        };
        self.begin(Cause::Guards(fired), (self.mode.clone(), before), (mode, after), &armed)?;
        self.check_storm(&guards)
    }

    /// A mode begins after another one; if it cannot, all stays as it is.
    fn begin(
        &mut self,
        cause: Cause,
        (mode_before, phase_before): (A::Mode, Phase),
        (mode_after, mut phase_after): (A::Mode, Phase),
        armed: &[(usize, f64)],
    ) -> Result<(), Failure<A>> {
        phase_after.time = phase_before.time;
        phase_after.check(self.motion.space())?;
        self.watch.enter(&mut self.automaton, &mode_after, &phase_after, armed)?;
        let length = self.motion.proposed_step();
        self.motion.restart(&phase_after, length)?;
        self.mode = mode_after.clone();
        self.history.push(Event { cause, mode_before, phase_before, mode_after, phase_after });
        Ok(())
    }

    /// A guard falls below zero without having been clearly positive: the end of an accumulation, or an error.
    fn resolve(
        &mut self,
        guard: usize,
        margin: f64,
        (start, lost): (&Phase, Phase),
    ) -> Result<(), Failure<A>> {
        let length = self.motion.proposed_step();
        self.motion.restart(start, length)?;
        let limit = Limit::of(self.motion.space(), self.history.events(), guard, lost.time);
        let accumulation = limit.as_ref().map(|limit| limit.accumulation.clone());
        let limit = limit.unwrap_or_else(|| {
            let error = lost.time - start.time;
            let accumulation =
                Accumulation { guards: vec![guard], time: lost.time, error, ratio: None };
            Limit { mode: self.mode.clone(), phase: lost.clone(), accumulation }
        });
        if self.complete(limit)? {
            return Ok(());
        }
        let (guard, (mode, name)) = (self.automaton.guard_name(guard), self.named_mode());
        let phase = Box::new(lost);
        Err(Failure::<A>::Unresolved { guard, margin, mode, name, phase, accumulation })
    }

    /// Goes on from what transitions tend to, if the automaton knows how.
    fn complete(&mut self, limit: Limit<A::Mode>) -> Result<bool, Failure<A>> {
        let Limit { mode, phase: mut before, accumulation } = limit;
        // What was shown to an observer is not taken back.
        before.time = f64::max(accumulation.time, self.phase().time);
        let mut after = before.clone();
        let next = self.automaton.complete(&mode, &accumulation.guards, &mut after);
        let Some(next) = next else { return Ok(false) };
        if let Err(reason) = self.automaton.check(&next) {
            let name = self.automaton.mode_name(&next);
            return Err(Failure::<A>::Declaration { mode: next, name, reason });
        }
        self.begin(Cause::Accumulation(accumulation), (mode, before), (next, after), &[])?;
        self.calm = self.history.events().len();
        Ok(true)
    }

    /// Many events in a short time must tend to something.
    fn check_storm(&mut self, guards: &[usize]) -> Result<(), Failure<A>> {
        let events = self.history.events();
        let (most, seconds) = self.storm;
        let now = self.phase().time;
        let Some(first) = events.len().checked_sub(most).filter(|first| *first >= self.calm) else {
            return Ok(());
        };
        let since = events[first].time();
        if now - since > seconds {
            return Ok(());
        }
        let limit =
            guards.first().and_then(|guard| Limit::of(self.motion.space(), events, *guard, now));
        if let Some(limit) = limit.filter(|limit| limit.is_regular(now))
            && self.complete(limit)?
        {
            return Ok(());
        }
        let guards = guards.iter().map(|guard| self.automaton.guard_name(*guard)).collect();
        let ((mode, name), phase) = (self.named_mode(), Box::new(self.phase().clone()));
        Err(Failure::<A>::Storm { events: most, since, guards, mode, name, phase })
    }

    fn named_mode(&self) -> (A::Mode, String) {
        (self.mode.clone(), self.automaton.mode_name(&self.mode))
    }
}
