//! Guards that are watched: which are armed, and where in a step the first ones fire.
//!
//! A guard that fires is disarmed, and armed again when it is clearly positive: above its margin
//!
//! > δ = Σ |∂g/∂xᵢ| (a + r |xᵢ|),
//!
//! by which it changes at most if every coordinate xᵢ and the time err by the absolute and the relative tolerance a and r
//! of the motion. What returns to zero without having been above δ is not resolved at this tolerance; see
//! [`accumulation`](super::accumulation).

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use super::flow::InMode;
use super::{Automaton, Failure, Fired};
use crate::integrate::{
    self, At, Crossing, CrossingKind, Dense, Phase, SAMPLES, Space, Tolerance, first_crossing, ulp,
};
use crate::manifold;

/// Times so close fire together, in units in the last place.
const TOGETHER: f64 = 4.0;

/// The guards of a mode.
#[derive(Clone, Debug)]
pub(super) struct Watch {
    space: Space,
    tolerance: Tolerance,
    guards: Vec<Watched>,
    /// When in the step guards that are not armed rise above their margins.
    risen: Vec<(usize, f64)>,
    sampled: Sampled,
}

/// Phases of a step. Guards are sampled at the same times, so that the first ones that are asked for are kept.
#[derive(Clone, Debug)]
struct Sampled {
    phases: Vec<Phase>,
    /// How many of them are of this step; behind them is room for one that is not kept.
    known: usize,
}

impl Sampled {
    fn at(&mut self, dense: &Dense, time: f64) -> At<'_> {
        let known = self.phases[..self.known].iter().position(|phase| phase.time == time);
        let place = known.unwrap_or(self.known);
        if known.is_none() {
            dense.write(time, &mut self.phases[place]);
            self.known = SAMPLES.min(place + 1);
        }
        self.phases[place].at()
    }
}

#[derive(Clone, Copy, Debug)]
struct Watched {
    guard: usize,
    is_bound: bool,
    /// What it must exceed to be armed; none if it is armed.
    margin: Option<f64>,
}

/// What ends the motion in a mode.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Found {
    /// Guards fire.
    Fired { time: f64, fired: Vec<Fired> },
    /// A guard that is not armed falls below −δ.
    Unresolved { time: f64, guard: usize, margin: f64 },
}

impl Watch {
    pub(super) fn new(space: &Space, tolerance: Tolerance) -> Self {
        let (guards, risen) = (Vec::new(), Vec::new());
        let sampled = Sampled { phases: vec![Phase::neutral(space); SAMPLES + 1], known: 0 };
        Self { space: space.clone(), tolerance, guards, risen, sampled }
    }

    /// The armed guards and their values.
    pub(super) fn armed(&self, flow: &mut dyn InMode, at: At<'_>) -> Vec<(usize, f64)> {
        let armed = self.guards.iter().filter(|watched| watched.margin.is_none());
        armed.map(|watched| (watched.guard, flow.guard(watched.guard, at))).collect()
    }

    /// Watches the guards of a mode that begins. Those that were armed before, with these values, and have not fired stay so
    /// unless the transition has taken them near zero. What those that have are worth is zero, as far as times are told.
    ///
    /// # Errors
    ///
    /// [`Wrong`].
    pub(super) fn enter(
        &mut self,
        flow: &mut dyn InMode,
        phase: &Phase,
        (armed, fired): (&[(usize, f64)], &[usize]),
    ) -> Result<(), Wrong> {
        let mut ids = Vec::new();
        flow.guards(&mut ids);
        let mut guards = Vec::with_capacity(ids.len());
        for guard in ids {
            let value = flow.guard(guard, phase.at());
            if !value.is_finite() {
                return Err(Wrong::Value { guard, value, time: phase.time });
            }
            let is_bound = flow.is_bound(guard);
            let before = armed.iter().find(|(other, _)| *other == guard).map(|(_, value)| *value);
            let has_fired = fired.contains(&guard);
            let margin = match before {
                Some(before) if !has_fired && value > 0.0 && value >= 0.5 * before => None,
                _ => {
                    let located = before.filter(|_| has_fired).map_or(0.0, f64::abs);
                    let margin = self.margin(flow, guard, (phase, value));
                    let margin = f64::max(margin, 2.0 * located);
                    if is_bound && value < -margin {
                        let phase = phase.clone().into();
                        return Err(Wrong::Negative { guard, value, margin, phase });
                    }
                    (value <= margin).then_some(margin)
                }
            };
            guards.push(Watched { guard, is_bound, margin });
        }
        self.guards = guards;
        Ok(())
    }

    /// δ at a phase where the guard has this value.
    fn margin(&self, flow: &mut dyn InMode, guard: usize, (phase, value): (&Phase, f64)) -> f64 {
        let (_, nv, nz) = self.space.dimensions();
        let mut allowed = vec![0.0; 2 * nv + nz + 1];
        let (of_phase, of_time) = allowed.split_at_mut(2 * nv + nz);
        self.tolerance.scale(&self.space, phase, &vec![0.0; 2 * nv + nz], of_phase);
        of_time[0] = self.tolerance.allowed(phase.time);
        let mut slopes = vec![0.0; allowed.len()];
        let known = flow.guard_derivatives(guard, phase.at(), &mut slopes);
        let sum = if known.is_some() {
            slopes.iter().zip(&allowed).map(|(slope, allowed)| (slope * allowed).abs()).sum::<f64>()
        } else {
            let changes = allowed.iter().enumerate().map(|(i, &by)| {
                let moved = moved(&self.space, phase, i, by);
                (flow.guard(guard, moved.at()) - value).abs()
            });
            changes.sum()
        };
        f64::max(sum, f64::MIN_POSITIVE)
    }

    /// What ends the mode first during a step, if anything does.
    ///
    /// # Errors
    ///
    /// [`Wrong`].
    pub(super) fn locate(
        &mut self,
        flow: &mut dyn InMode,
        dense: &Dense,
    ) -> Result<Option<Found>, Wrong> {
        let Self { guards, risen, sampled, .. } = self;
        risen.clear();
        sampled.known = 0;
        let (from, mut to) = (dense.start(), dense.end());
        let (mut crossings, mut unresolved) = (Vec::new(), None);
        for watched in &*guards {
            let mut value = |time| flow.guard(watched.guard, sampled.at(dense, time));
            let look = watched.look(&mut value, from, to, risen);
            match look.map_err(|error| Wrong::value(watched.guard, error))? {
                None => continue,
                Some(Look::Fires(crossing)) => {
                    to = f64::min(to, crossing.after + TOGETHER * ulp(crossing.after, 0.0));
                    crossings.push((watched.guard, crossing));
                }
                Some(Look::IsLost(time, margin)) => {
                    to = f64::min(to, time);
                    unresolved = Some((time, watched.guard, margin));
                }
            }
        }
        let found = first(&crossings, unresolved);
        let end = match &found {
            None => dense.end(),
            Some(Found::Fired { time, .. } | Found::Unresolved { time, .. }) => *time,
        };
        for watched in guards {
            let has_risen = |(guard, time): &(usize, f64)| *guard == watched.guard && *time <= end;
            watched.margin = watched.margin.filter(|_| !risen.iter().any(has_risen));
        }
        Ok(found)
    }
}

/// Why guards cannot be watched.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Wrong {
    /// One has no value.
    Value { guard: usize, value: f64, time: f64 },
    /// One is below zero where a mode begins.
    Negative { guard: usize, value: f64, margin: f64, phase: Box<Phase> },
    /// One cannot be followed.
    Motion(integrate::Error),
}

impl Wrong {
    fn value(guard: usize, error: integrate::Error) -> Self {
        match error {
            integrate::Error::Guard { time, value } => Self::Value { guard, value, time },
            error => Self::Motion(error),
        }
    }

    /// The failure of an automaton, with names.
    pub(super) fn named<A: Automaton>(self, automaton: &A, mode: &A::Mode) -> Failure<A> {
        let names = |guard| (automaton.guard_name(guard), automaton.mode_name(mode));
        let mode = mode.clone();
        match self {
            Self::Value { guard, value, time } => {
                let (guard, name) = names(guard);
                Failure::<A>::Guard { guard, value, time, mode, name }
            }
            Self::Negative { guard, value, margin, phase } => {
                let (guard, name) = names(guard);
                Failure::<A>::Negative { guard, value, margin, mode, name, phase }
            }
            Self::Motion(error) => error.into(),
        }
    }
}

/// How a guard ends the mode.
enum Look {
    Fires(Crossing),
    IsLost(f64, f64),
}

impl Watched {
    /// The first fall of the guard, if it is armed or has risen by then.
    fn look(
        &self,
        value: &mut impl FnMut(f64) -> f64,
        from: f64,
        to: f64,
        risen: &mut Vec<(usize, f64)>,
    ) -> Result<Option<Look>, integrate::Error> {
        let start = value(from);
        let Some(margin) = self.margin else {
            if start <= 0.0 {
                let kind = CrossingKind::Transversal;
                return Ok(Some(Look::Fires(Crossing { before: from, after: from, kind })));
            }
            return Ok(first_crossing(value, from, to)?.map(Look::Fires));
        };
        let rise = if start > margin {
            Some(from)
        } else {
            first_crossing(&mut |time| margin - value(time), from, to)?.map(|rise| rise.after)
        };
        if self.is_bound && start <= -margin {
            return Ok(Some(Look::IsLost(from, margin)));
        }
        if self.is_bound
            && let Some(loss) =
                first_crossing(&mut |time| margin + value(time), from, rise.unwrap_or(to))?
        {
            return Ok(Some(Look::IsLost(loss.after, margin)));
        }
        let Some(rise) = rise else { return Ok(None) };
        risen.push((self.guard, rise));
        Ok(first_crossing(value, rise, to)?.map(Look::Fires))
    }
}

/// The earliest crossing, with those that are as early.
fn first(crossings: &[(usize, Crossing)], unresolved: Option<(f64, usize, f64)>) -> Option<Found> {
    let after = |(_, crossing): &(usize, Crossing)| crossing.after;
    let earliest = crossings.iter().map(after).fold(f64::INFINITY, f64::min);
    if let Some((time, guard, margin)) = unresolved
        && time < earliest
    {
        return Some(Found::Unresolved { time, guard, margin });
    }
    let limit = earliest + TOGETHER * ulp(earliest, 0.0);
    let together = || crossings.iter().filter(|found| after(found) <= limit);
    let time = together().map(after).fold(f64::NEG_INFINITY, f64::max);
    let mut fired: Vec<Fired> =
        together().map(|(guard, crossing)| Fired { guard: *guard, kind: crossing.kind }).collect();
    fired.sort_by_key(|fired| fired.guard);
    (!fired.is_empty()).then_some(Found::Fired { time, fired })
}

/// A phase with one of its coordinates (δ, v, z, t) moved.
pub(super) fn moved(space: &Space, phase: &Phase, coordinate: usize, by: f64) -> Phase {
    let (_, nv, nz) = space.dimensions();
    let mut moved = phase.clone();
    if coordinate < nv {
        let mut direction = vec![0.0; nv];
        direction[coordinate] = 1.0;
        manifold::integrate(space.joints(), &direction, by, &mut moved.q);
    } else if coordinate < 2 * nv {
        moved.v[coordinate - nv] += by;
    } else if coordinate < 2 * nv + nz {
        moved.z[coordinate - 2 * nv] += by;
    } else {
        moved.time += by;
    }
    moved
}
