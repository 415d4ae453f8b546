//! Infinitely many transitions in a finite time: Zeno's sequences.
//!
//! > tₖ₊₁ − tₖ = r (tₖ − tₖ₋₁), r < 1:  t∞ = tₖ + (tₖ − tₖ₋₁) r / (1 − r)
//!
//! A point that bounces on the ground with restitution e is one, with r = e. Intervals are those of one guard, from
//! firing to firing, whatever fires in between; where r only tends to a constant, the formula is Aitken's, whose error
//! vanishes with the intervals. The phases after the transitions tend to x∞ = xₖ + (xₖ − xₖ₋₁) r / (1 − r) likewise, but
//! for what shrinks with r², which is as small as what is not resolved.
//!
//! Intervals are followed down as far as the tolerance resolves them: until a guard returns to zero without having been
//! clearly positive. Only then is it asked whether there is an end to them; what was resolved is never left out.
//!
//! # Source
//!
//! Zhang, Johansson, Lygeros, Sastry: Zeno hybrid systems, International Journal of Robust and Nonlinear Control 11
//! (2001); Aitken: On Bernoulli's numerical solution of algebraic equations, Proceedings of the Royal Society of
//! Edinburgh 46 (1927).

use alloc::vec;
use alloc::vec::Vec;

use super::{Cause, Event};
use crate::description::Chart;
use crate::integrate::{Phase, Space, ulp};
use crate::manifold::{self, chord};

/// What the transitions of guards tend to.
#[derive(Clone, Debug, PartialEq)]
pub struct Accumulation {
    /// The guards that fire, in ascending order.
    pub guards: Vec<usize>,
    /// When there are no more transitions, in seconds.
    pub time: f64,
    /// An estimate of how wrong that is, in seconds.
    pub error: f64,
    /// r, by which the last interval was shorter than the one before; none where too few were resolved to tell.
    pub ratio: Option<f64>,
}

/// An accumulation, and what modes and phases tend to.
pub(super) struct Limit<M> {
    pub(super) mode: M,
    pub(super) phase: Phase,
    pub(super) accumulation: Accumulation,
}

impl<M: Clone + PartialEq> Limit<M> {
    /// Of the transitions in which a guard fires, if the last three have a limit and the next one is due before `now`.
    pub(super) fn of(space: &Space, events: &[Event<M>], guard: usize, now: f64) -> Option<Self> {
        let is_resolved = |event: &&Event<M>| matches!(event.cause, Cause::Guards(_));
        let recent = || events.iter().rev().take_while(is_resolved);
        let mut firings = recent().filter(|event| event.has_fired(guard));
        let (last, second, third) = (firings.next()?, firings.next()?, firings.next()?);
        // A flight that is not resolved lasts up to (1 + √2)/2 of one that just is, down to where it is found out.
        let is_over = now - last.time() > 2.0 * (last.time() - second.time());
        if is_over || last.mode_after != second.mode_after {
            return None;
        }
        let (time, ratio) = aitken([third.time(), second.time(), last.time()])?;
        let earlier =
            firings.next().and_then(|first| aitken([first.time(), third.time(), second.time()]));
        let rounding = 8.0 * ulp(time, 0.0) / ((1.0 - ratio) * (1.0 - ratio));
        let change = earlier.map_or(time - last.time(), |(earlier, _)| (time - earlier).abs());
        let error = f64::max(change, rounding);
        let since = recent().take_while(|event| event.time() > second.time());
        let mut guards: Vec<usize> = since.flat_map(Event::guards).collect();
        guards.sort_unstable();
        guards.dedup();
        let phases = (&second.phase_after, &last.phase_after);
        let phase = extrapolated(space, phases, ratio / (1.0 - ratio), time);
        let accumulation = Accumulation { guards, time, error, ratio: Some(ratio) };
        Some(Self { mode: last.mode_after.clone(), phase, accumulation })
    }

    /// Whether intervals have shrunk so regularly that the end is known.
    pub(super) fn is_regular(&self, last: f64) -> bool {
        self.accumulation.error <= 0.1 * (self.accumulation.time - last)
    }
}

/// t∞ and r.
fn aitken([a, b, c]: [f64; 3]) -> Option<(f64, f64)> {
    let ratio = (c - b) / (b - a);
    (ratio < 1.0).then(|| (c + (c - b) * ratio / (1.0 - ratio), ratio))
}

/// x + factor (x − x₋), with velocities compared in the same axes, and turned with these.
fn extrapolated(space: &Space, (before, last): (&Phase, &Phase), factor: f64, time: f64) -> Phase {
    let mut phase = last.clone();
    let (joints, mut back) = (space.joints(), vec![0.0; last.v.len()]);
    manifold::difference(joints, &last.q, &before.q, &mut back);
    manifold::integrate(joints, &back, -factor, &mut phase.q);
    // Flight is straight, whatever turns.
    for place in joints.iter().filter(|joint| joint.chart == Chart::Pose).map(|joint| joint.q) {
        for k in place..place + 3 {
            phase.q[k] = last.q[k] + factor * (last.q[k] - before.q[k]);
        }
    }
    let mut earlier = before.v.clone();
    chord::turn(joints, &before.q, &last.q, &mut earlier);
    let straight = phase.v.iter_mut().chain(&mut phase.z);
    let earlier = earlier.iter().chain(&before.z);
    straight.zip(earlier).for_each(|(x, earlier)| *x += factor * (*x - earlier));
    chord::turn(joints, &last.q, &phase.q, &mut phase.v);
    phase.time = time;
    phase
}
