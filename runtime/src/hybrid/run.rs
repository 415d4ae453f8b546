//! The run of an automaton.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::flow::Flow;
use super::{Accumulation, Automaton, Cause, Event, Failure, Fired, Found, Hybrid, Stretch};
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

    /// Moves on until the time is `end`, through all events on the way.
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
    /// [`Error::Motion`](super::Error::Motion) as [`Adaptive::step`](crate::integrate::Adaptive::step) has them, or if more
    /// steps are needed than are allowed; [`Error::Guard`](super::Error::Guard) if a guard is not finite;
    /// [`Error::Negative`](super::Error::Negative),
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
    pub(super) fn advance_observed(
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
        I::advance(motion, &mut Flow { automaton, mode }, end)?;
        let Some(dense) = motion.dense() else { return Ok(false) };
        let found = watch.locate(&mut Flow { automaton, mode }, dense);
        let found = found.map_err(|wrong| wrong.named(automaton, mode))?;
        let end = match &found {
            None => dense.end(),
            Some(Found::Fired { time, .. } | Found::Unresolved { time, .. }) => *time,
        };
        if end > dense.start() {
            observe(automaton, mode, Stretch { dense, end });
        }
        match found {
            None => return self.hold().map(|()| false),
            Some(Found::Fired { time, fired }) => {
                let phase = dense.at(time);
                self.fire(fired, phase)?;
            }
            Some(Found::Unresolved { time, guard, margin }) => {
                let lost = dense.at(time);
                self.resolve(guard, margin, lost)?;
            }
        }
        Ok(true)
    }

    /// Puts right what a step has left of what the mode holds.
    fn hold(&mut self) -> Result<(), Failure<A>> {
        let Self { automaton, mode, motion, .. } = self;
        match automaton.hold(mode, motion.phase()) {
            Ok(None) => Ok(()),
            Ok(Some(held)) => Ok(motion.put_right(&held)?),
            Err(reason) => {
                let phase = motion.phase().clone();
                Err(self.impossible(&[], phase, reason))
            }
        }
    }

    /// The transition where guards fire.
    fn fire(&mut self, fired: Vec<Fired>, before: Phase) -> Result<(), Failure<A>> {
        // From here on the phase is the one at the end of the mode, also if the transition fails.
        let length = self.motion.proposed_step();
        self.motion.restart(&before, length)?;
        let guards: Vec<usize> = fired.iter().map(|fired| fired.guard).collect();
        let armed = self.armed();
        let mut after = before.clone();
        let mode = match self.automaton.transit(&self.mode, &guards, &mut after) {
            Ok(mode) => mode,
            Err(reason) => return Err(self.impossible(&guards, before, reason)),
        };
        self.begin(
            Cause::Guards(fired),
            (self.mode.clone(), before),
            (mode, after),
            (&armed, &guards),
        )?;
        self.check_storm(&guards)
    }

    /// A mode begins after another one; if it cannot, all stays as it is.
    fn begin(
        &mut self,
        cause: Cause,
        (mode_before, phase_before): (A::Mode, Phase),
        (mode_after, mut phase_after): (A::Mode, Phase),
        watched: (&[(usize, f64)], &[usize]),
    ) -> Result<(), Failure<A>> {
        phase_after.time = phase_before.time;
        phase_after.check(self.motion.space())?;
        let Self { automaton, watch, .. } = self;
        let flow = &mut Flow { automaton, mode: &mode_after };
        let entered = watch.enter(flow, &phase_after, watched);
        entered.map_err(|wrong| wrong.named(automaton, &mode_after))?;
        let length = self.motion.proposed_step();
        self.motion.restart(&phase_after, length)?;
        self.mode = mode_after.clone();
        self.history.push(Event { cause, mode_before, phase_before, mode_after, phase_after });
        Ok(())
    }

    /// A guard falls below zero without having been clearly positive: the end of an accumulation, or an error.
    fn resolve(&mut self, guard: usize, margin: f64, lost: Phase) -> Result<(), Failure<A>> {
        let length = self.motion.proposed_step();
        self.motion.restart(&lost, length)?;
        let known = Accumulation::of(self.history.events(), guard, lost.time);
        let alone = || {
            let since = self.history.last_time();
            Accumulation {
                guards: vec![guard],
                time: lost.time,
                error: lost.time - since,
                ratio: None,
            }
        };
        if self.complete(known.clone().unwrap_or_else(alone))? {
            return Ok(());
        }
        let (guard, (mode, name)) = (self.automaton.guard_name(guard), self.named_mode());
        let (phase, accumulation) = (Box::new(lost), known);
        Err(Failure::<A>::Unresolved { guard, margin, mode, name, phase, accumulation })
    }

    /// Goes on from where transitions are lost, if the automaton knows how.
    fn complete(&mut self, accumulation: Accumulation) -> Result<bool, Failure<A>> {
        let before = self.phase().clone();
        let guards = &accumulation.guards;
        let mut armed = self.armed();
        armed.retain(|(guard, _)| !guards.contains(guard));
        let mut after = before.clone();
        let next = match self.automaton.complete(&self.mode, guards, &mut after) {
            Ok(Some(next)) => next,
            Ok(None) => return Ok(false),
            Err(reason) => return Err(self.impossible(guards, before, reason)),
        };
        let guards = guards.clone();
        let (cause, ended) = (Cause::Accumulation(accumulation), (self.mode.clone(), before));
        self.begin(cause, ended, (next, after), (&armed, &[]))?;
        self.check_completions(&guards)?;
        Ok(true)
    }

    fn impossible(&self, guards: &[usize], phase: Phase, reason: A::Error) -> Failure<A> {
        let guards = guards.iter().map(|guard| self.automaton.guard_name(*guard)).collect();
        let (mode, name) = self.named_mode();
        Failure::<A>::Impossible { guards, mode, name, phase: phase.into(), reason }
    }

    /// Many events in a short time must tend to something. What does so is followed as far as it is resolved.
    fn check_storm(&self, guards: &[usize]) -> Result<(), Failure<A>> {
        let events = self.history.events();
        let Some(first) = events.len().checked_sub(self.storm.0) else { return Ok(()) };
        let (since, now) = (events[first].time(), self.phase().time);
        if now - since > self.storm.1 || events[first..].iter().any(Event::ends_accumulation) {
            return Ok(());
        }
        let known = guards.first().and_then(|guard| Accumulation::of(events, *guard, now));
        match known.is_some_and(|known| known.is_near(now)) {
            true => Ok(()),
            false => Err(self.stormy(since, guards)),
        }
    }

    /// Accumulations may not follow one another as fast.
    fn check_completions(&self, guards: &[usize]) -> Result<(), Failure<A>> {
        let (most, seconds) = self.storm;
        let mut ends = self.history.events().iter().rev().filter(|event| event.ends_accumulation());
        let first = ends.nth(most - 1);
        match first.map(Event::time).filter(|since| self.phase().time - since <= seconds) {
            Some(since) => Err(self.stormy(since, guards)),
            None => Ok(()),
        }
    }

    fn stormy(&self, since: f64, guards: &[usize]) -> Failure<A> {
        let guards = guards.iter().map(|guard| self.automaton.guard_name(*guard)).collect();
        let ((mode, name), phase) = (self.named_mode(), Box::new(self.phase().clone()));
        Failure::<A>::Storm { events: self.storm.0, since, guards, mode, name, phase }
    }

    fn named_mode(&self) -> (A::Mode, String) {
        (self.mode.clone(), self.automaton.mode_name(&self.mode))
    }
}
