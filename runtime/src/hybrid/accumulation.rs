//! Infinitely many transitions in a finite time: Zeno's sequences.
//!
//! > tₖ₊₁ − tₖ = r (tₖ − tₖ₋₁), r < 1:  t∞ = tₖ + (tₖ − tₖ₋₁) r / (1 − r)
//!
//! A point that bounces on the ground with restitution e is one, with r = e. Intervals are those of one guard, from
//! firing to firing, whatever fires in between; where r only tends to a constant, the formula is Aitken's, whose error
//! vanishes with the intervals.
//!
//! Intervals are followed down as far as the tolerance resolves them: until a guard returns to zero without having been
//! clearly positive. Only then is it asked whether there is an end to them; what was resolved is never left out. The motion
//! goes on from there and then: what bounces is at rest but for what is not resolved, and all else moves, and is watched, as
//! before. So t∞ is something to know of the motion, and no step of it.
//!
//! # Source
//!
//! Zhang, Johansson, Lygeros, Sastry: Zeno hybrid systems, International Journal of Robust and Nonlinear Control 11
//! (2001); Aitken: On Bernoulli's numerical solution of algebraic equations, Proceedings of the Royal Society of
//! Edinburgh 46 (1927).

use alloc::vec::Vec;

use super::{Cause, Event};
use crate::integrate::ulp;

/// So many intervals are followed, if their end is known.
const MOST_LEFT: f64 = 1e5;

/// What the transitions of guards tend to.
#[derive(Clone, Debug, PartialEq)]
pub struct Accumulation {
    /// The guards that fire, in ascending order.
    pub guards: Vec<usize>,
    /// When there are no more transitions, in seconds: a little later than they are resolved.
    pub time: f64,
    /// An estimate of how wrong that is, in seconds.
    pub error: f64,
    /// r, by which the last interval was shorter than the one before; none where too few were resolved to tell.
    pub ratio: Option<f64>,
}

impl Accumulation {
    /// Of the transitions in which a guard fires, if the last three have a limit and the next one is due before `now`.
    pub(super) fn of<M: PartialEq>(events: &[Event<M>], guard: usize, now: f64) -> Option<Self> {
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
        Some(Self { guards, time, error, ratio: Some(ratio) })
    }

    /// Whether intervals shrink so regularly, and so fast, that the end is near: after `last`, less than 10⁵ of them are left
    /// that are longer than time is resolved.
    pub(super) fn is_near(&self, last: f64) -> bool {
        let (rest, ratio) = (self.time - last, self.ratio.unwrap_or(f64::NAN));
        let left = libm::log(ulp(self.time, 0.0) / (rest * (1.0 - ratio))) / libm::log(ratio);
        self.error <= 0.1 * rest && left < MOST_LEFT
    }
}

/// t∞ and r.
fn aitken([a, b, c]: [f64; 3]) -> Option<(f64, f64)> {
    let ratio = (c - b) / (b - a);
    (ratio < 1.0).then(|| (c + (c - b) * ratio / (1.0 - ratio), ratio))
}
