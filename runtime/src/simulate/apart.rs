//! Whether a run starts with solids that overlap.
//!
//! What overlaps by some depth is put right within one step, at the speed of that depth by the step: at the start of a
//! run that is a mistake, unless it is asked for and done slowly.

use super::{Simulation, SimulationError};
use crate::contact::PairImpulse;
use crate::model::Model;

/// An overlap that rounding makes, m.
const ROUNDING: f64 = 1e-6;

/// When solids must not overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Apart {
    /// Now, in the first step from a state that was given.
    AtStart,
    /// In no step that comes before another state is given.
    Later,
    /// Never.
    Never,
}

impl Apart {
    /// A state was given.
    pub(super) fn enter(&mut self) {
        *self = if *self == Self::Never { Self::Never } else { Self::AtStart };
    }

    /// The first step is done.
    pub(super) fn leave_start(&mut self) {
        *self = if *self == Self::Never { Self::Never } else { Self::Later };
    }
}

impl<M: Model> Simulation<M> {
    /// The deepest penetration of a contact at the beginning of the last step, m; 0 if there is none.
    pub(super) fn penetration(&self) -> f64 {
        let deepest = self.deepest().map_or(0.0, |point| -point.gap);
        self.stepper.gaps().iter().fold(deepest, |deepest: f64, gap| deepest.max(-gap))
    }

    /// Of the points of solids in the last step the one that overlaps most.
    fn deepest(&self) -> Option<&PairImpulse> {
        let overlapping = self.impulse().pairs.iter().filter(|point| point.gap < 0.0);
        overlapping.min_by(|a, b| a.gap.total_cmp(&b.gap))
    }

    /// # Errors
    ///
    /// [`SimulationError::Overlap`] in the first step from a state where solids overlap.
    pub(super) fn check_overlap(&self) -> Result<(), SimulationError> {
        let deepest = self.deepest().filter(|point| point.gap < -ROUNDING);
        match (self.apart, deepest) {
            (Apart::AtStart, Some(point)) => {
                let pair = point.name::<M>().unwrap_or_default();
                Err(SimulationError::Overlap { time: self.state.time, pair, depth: -point.gap })
            }
            _ => Ok(()),
        }
    }
}
