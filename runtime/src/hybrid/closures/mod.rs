//! Small automata of closures.

mod error;

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Debug};

pub use self::error::ClosuresError;

use super::Automaton;
use crate::integrate::{At, Phase};

/// An automaton whose motion, guards and resets are closures; M tells modes apart, and may be an enum of one's own.
///
/// ```
/// use jourdain::hybrid::{Cause, Closures, Hybrid};
/// use jourdain::integrate::{Phase, Space, Tolerance};
///
/// #[derive(Clone, PartialEq, Debug)]
/// enum Point { Flying, Resting }
/// use Point::{Flying, Resting};
///
/// // A point falls one metre, and bounces with restitution ½.
/// let point = Closures::new()
///     .mode(Flying, |_, v_dot, _| v_dot[0] = -9.81)
///     .guard(Flying, "impact", |at| at.q[0], |phase| {
///         phase.v[0] *= -0.5;
///         Flying
///     })
///     .limit(Flying, "impact", |phase| {
///         (phase.q[0], phase.v[0]) = (0.0, 0.0);
///         Resting
///     })
///     .mode(Resting, |_, v_dot, _| v_dot[0] = 0.0);
/// let space = Space::flat(1, 0);
/// let start = Phase { q: vec![1.0], ..Phase::neutral(&space) };
/// let mut motion = Hybrid::new(point, &space, Flying, start, Tolerance::default())?;
/// motion.run_to(5.0)?;
/// // It lies there after √(2h/g) (1 + e) / (1 − e).
/// let Cause::Accumulation(end) = &motion.history().events().last().unwrap().cause else { panic!() };
/// assert!(*motion.mode() == Resting && (end.time - 3.0 * (2.0f64 / 9.81).sqrt()).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Closures<M> {
    flows: Vec<(M, Rates)>,
    guards: Vec<Guard<M>>,
    limits: Vec<Ending<M>>,
    /// A guard's identifier is where its name stands.
    names: Vec<String>,
    mode_name: Name<M>,
}

type Rates = Box<dyn Fn(At<'_>, &mut [f64], &mut [f64])>;
type Value = Box<dyn Fn(At<'_>) -> f64>;
type Reset<M> = Box<dyn Fn(&mut Phase) -> M>;
type Name<M> = Box<dyn Fn(&M) -> String>;

struct Guard<M> {
    mode: M,
    id: usize,
    value: Value,
    /// None of a mark.
    reset: Option<Reset<M>>,
}

struct Ending<M> {
    mode: M,
    id: usize,
    reset: Reset<M>,
}

impl<M: Clone + PartialEq + Debug + 'static> Closures<M> {
    /// Without modes.
    pub fn new() -> Self {
        Self {
            flows: Vec::new(),
            guards: Vec::new(),
            limits: Vec::new(),
            names: Vec::new(),
            mode_name: Box::new(|mode| format!("{mode:?}")),
        }
    }

    /// With names of modes for messages and graphs, in the place of what their `Debug` says.
    #[must_use]
    pub fn named(mut self, name: impl Fn(&M) -> String + 'static) -> Self {
        self.mode_name = Box::new(name);
        self
    }

    /// With a mode, whose rates v̇ and ż are written as [`Automaton::rates`] does.
    #[must_use]
    pub fn mode(
        mut self,
        mode: M,
        rates: impl Fn(At<'_>, &mut [f64], &mut [f64]) + 'static,
    ) -> Self {
        self.flows.push((mode, Box::new(rates)));
        self
    }

    /// With a guard of a mode, positive while that goes on. Where it falls through zero, `reset` may let the phase jump
    /// and says which mode follows. Guards of the same name are the same guard in several modes.
    ///
    /// Where several fire together, resets follow each other in the order of declaration, as long as the modes that they
    /// lead to have the next guard too.
    #[must_use]
    pub fn guard(
        mut self,
        mode: M,
        name: &str,
        value: impl Fn(At<'_>) -> f64 + 'static,
        reset: impl Fn(&mut Phase) -> M + 'static,
    ) -> Self {
        let (id, value) = (self.id(name), Box::new(value));
        self.guards.push(Guard { mode, id, value, reset: Some(Box::new(reset)) });
        self
    }

    /// With a guard at which nothing changes, and which may be negative: a section of the flow.
    #[must_use]
    pub fn mark(mut self, mode: M, name: &str, value: impl Fn(At<'_>) -> f64 + 'static) -> Self {
        let (id, value) = (self.id(name), Box::new(value));
        self.guards.push(Guard { mode, id, value, reset: None });
        self
    }

    /// With a mode that follows where a guard of that name fires infinitely often, and leads into `mode`.
    #[must_use]
    pub fn limit(mut self, mode: M, name: &str, reset: impl Fn(&mut Phase) -> M + 'static) -> Self {
        let id = self.id(name);
        self.limits.push(Ending { mode, id, reset: Box::new(reset) });
        self
    }

    /// The identifier of the guard of this name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known == name)
    }

    /// # Errors
    ///
    /// [`ClosuresError::UnknownMode`].
    fn declared(&self, mode: &M) -> Result<(), ClosuresError<M>> {
        if self.flows.iter().any(|(known, _)| known == mode) {
            return Ok(());
        }
        let declared = self.flows.iter().map(|(mode, _)| self.mode_name(mode)).collect();
        let (mode, name) = (mode.clone(), self.mode_name(mode));
        Err(ClosuresError::UnknownMode { mode, name, declared })
    }

    /// That no two guards, or no two limits, of a mode have one name.
    ///
    /// # Errors
    ///
    /// [`ClosuresError::RepeatedGuard`], and [`ClosuresError::UnknownMode`] of their modes.
    fn check_names<'a>(
        &self,
        named: impl Iterator<Item = (&'a M, usize)>,
    ) -> Result<(), ClosuresError<M>> {
        let mut seen: Vec<(&M, usize)> = Vec::new();
        for (mode, id) in named {
            self.declared(mode)?;
            if seen.contains(&(mode, id)) {
                let (name, guard) = (self.mode_name(mode), self.guard_name(id));
                return Err(ClosuresError::RepeatedGuard { mode: mode.clone(), name, guard });
            }
            seen.push((mode, id));
        }
        Ok(())
    }

    fn id(&mut self, name: &str) -> usize {
        self.find(name).unwrap_or_else(|| {
            self.names.push(name.into());
            self.names.len() - 1
        })
    }
}

impl<M: Clone + PartialEq + Debug + 'static> Default for Closures<M> {
    fn default() -> Self {
        Self::new()
    }
}

impl<M: Clone + PartialEq + Debug + 'static> Automaton for Closures<M> {
    type Mode = M;
    type Error = ClosuresError<M>;

    fn rates(&mut self, mode: &M, at: At<'_>, v_dot: &mut [f64], z_dot: &mut [f64]) {
        match self.flows.iter().find(|(known, _)| known == mode) {
            Some((_, rates)) => rates(at, v_dot, z_dot),
            None => {
                v_dot.fill(f64::NAN);
                z_dot.fill(f64::NAN);
            }
        }
    }

    fn guards(&self, mode: &M, guards: &mut Vec<usize>) {
        let own = self.guards.iter().filter(|guard| guard.mode == *mode);
        guards.extend(own.map(|guard| guard.id));
    }

    fn guard(&mut self, mode: &M, guard: usize, at: At<'_>) -> f64 {
        self.of(mode, guard).map_or(f64::NAN, |guard| (guard.value)(at))
    }

    fn is_bound(&self, mode: &M, guard: usize) -> bool {
        self.of(mode, guard).is_some_and(|guard| guard.reset.is_some())
    }

    fn transit(
        &mut self,
        mode: &M,
        fired: &[usize],
        phase: &mut Phase,
    ) -> Result<M, ClosuresError<M>> {
        let mut mode = mode.clone();
        let mut done: Vec<usize> = Vec::new();
        while let Some(guard) = self.guards.iter().find(|guard| {
            guard.mode == mode && fired.contains(&guard.id) && !done.contains(&guard.id)
        }) {
            done.push(guard.id);
            if let Some(reset) = &guard.reset {
                mode = reset(phase);
            }
        }
        self.declared(&mode)?;
        Ok(mode)
    }

    fn check(&mut self, mode: &M, _: At<'_>) -> Result<(), ClosuresError<M>> {
        for (place, (repeated, _)) in self.flows.iter().enumerate() {
            if self.flows[..place].iter().any(|(known, _)| known == repeated) {
                let (mode, name) = (repeated.clone(), self.mode_name(repeated));
                return Err(ClosuresError::RepeatedMode { mode, name });
            }
        }
        self.check_names(self.guards.iter().map(|guard| (&guard.mode, guard.id)))?;
        self.check_names(self.limits.iter().map(|limit| (&limit.mode, limit.id)))?;
        self.declared(mode)
    }

    fn complete(
        &mut self,
        mode: &M,
        accumulating: &[usize],
        lost: &mut Phase,
    ) -> Result<Option<M>, ClosuresError<M>> {
        let is_this =
            |ending: &&Ending<M>| ending.mode == *mode && accumulating.contains(&ending.id);
        let next = self.limits.iter().find(is_this).map(|ending| (ending.reset)(lost));
        next.map(|mode| self.declared(&mode).map(|()| mode)).transpose()
    }

    fn mode_name(&self, mode: &M) -> String {
        (self.mode_name)(mode)
    }

    fn guard_name(&self, guard: usize) -> String {
        self.names.get(guard).cloned().unwrap_or_else(|| format!("guard {guard}"))
    }
}

impl<M: Clone + PartialEq + Debug + 'static> Closures<M> {
    fn of(&self, mode: &M, guard: usize) -> Option<&Guard<M>> {
        self.guards.iter().find(|of| of.id == guard && of.mode == *mode)
    }
}

impl<M: Debug> Debug for Closures<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let modes: Vec<&M> = self.flows.iter().map(|(mode, _)| mode).collect();
        f.debug_struct("Closures").field("modes", &modes).field("guards", &self.names).finish()
    }
}
