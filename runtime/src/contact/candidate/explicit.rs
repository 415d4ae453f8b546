//! What of a robot's candidates has rows of its own.

use super::source::Source;
use crate::contact::declared::Declared;
use crate::contact::pairs::Pairs;
use crate::contact::springs::Springs;
use crate::contact::turning::Turning;
use crate::contact::yielding::Yielding;

/// What is computed as rows of Jacobians in each step.
#[derive(Clone, Debug)]
pub(in crate::contact) struct Explicit {
    pub(in crate::contact) declared: Declared,
    pub(in crate::contact) pairs: Pairs,
    pub(in crate::contact) turning: Turning,
    pub(in crate::contact) yielding: Yielding,
    pub(in crate::contact) springs: Springs,
}

impl Explicit {
    /// Whether there is nothing of it in this step of `h` seconds.
    #[inline(always)]
    pub(in crate::contact) fn is_empty(&self, h: f64) -> bool {
        let Self { declared, pairs, yielding, springs, .. } = self;
        declared.value.is_empty()
            && pairs.points.is_empty()
            && yielding.rows().next().is_none()
            && springs.acting(h).next().is_none()
    }

    /// ω of what resists turning, about its normal and its tangents.
    pub(super) fn turning(&self, source: Source, v: &[f64]) -> [f64; 3] {
        match source {
            Source::Contact(i) => self.turning.velocity(i, v),
            Source::Pair(i) => self.pairs.turning(i, v),
            _ => [0.0; 3],
        }
    }
}
