//! Whether a run starts with contacts that penetrate, or beyond limits.
//!
//! What penetrates by some depth is put right within one step, by a displacement that is no motion: at the start of a
//! run that is a mistake, unless it is asked for, gives way, or is put right slowly by the formulation itself.

use crate::check::ROUNDING;
use crate::failure::SimulationError;

/// When nothing must penetrate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Apart {
    /// Now, in the first step from a state that was given.
    AtStart,
    /// In no step that comes before another state is given.
    Later,
    /// Never.
    Never,
}

impl Apart {
    /// Whether the next step is the first one from a state that was given, and nothing must penetrate there.
    pub(crate) fn is_due(self) -> bool {
        self == Self::AtStart
    }

    /// A state was given.
    pub(crate) fn enter(&mut self) {
        *self = if *self == Self::Never { Self::Never } else { Self::AtStart };
    }

    /// The first step is done.
    pub(crate) fn leave_start(&mut self) {
        *self = if *self == Self::Never { Self::Never } else { Self::Later };
    }
}

/// # Errors
///
/// [`SimulationError::Overlap`] and [`SimulationError::BeyondLimit`] with what is deepest, if rounding does not make it.
pub(crate) fn check(
    time: f64,
    penetrating: impl Iterator<Item = (&'static str, f64)>,
    beyond_limits: impl Iterator<Item = (&'static str, f64)>,
) -> Result<(), SimulationError> {
    if let Some((contact, depth)) = deepest(penetrating) {
        return Err(SimulationError::Overlap { time, contact, depth });
    }
    match deepest(beyond_limits) {
        Some((limit, excess)) => Err(SimulationError::BeyondLimit { time, limit, excess }),
        None => Ok(()),
    }
}

/// What is deepest, if rounding does not make it.
fn deepest(all: impl Iterator<Item = (&'static str, f64)>) -> Option<(&'static str, f64)> {
    all.filter(|(_, depth)| *depth > ROUNDING).max_by(|(_, a), (_, b)| a.total_cmp(b))
}
