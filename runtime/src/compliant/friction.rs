//! What acts along the tangents of a contact.

use super::{Bristles, Regularised};

/// A law of friction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Friction {
    /// None.
    None,
    /// Smooth, and creeping.
    Regularised(Regularised),
    /// By elastic bristles, whose deflection is a state of its own.
    Bristles(Bristles),
}

impl Friction {
    /// Number of further states.
    pub(super) fn states(&self) -> usize {
        match self {
            Self::None | Self::Regularised(_) => 0,
            Self::Bristles(_) => 2,
        }
    }

    /// How long deflections can be, m; infinite where there are none.
    pub(super) fn longest(&self) -> f64 {
        match self {
            Self::None | Self::Regularised(_) => f64::INFINITY,
            Self::Bristles(law) => law.longest(),
        }
    }

    /// f/N and the rate of the deflection, which is `deflection` and none but of bristles.
    #[inline]
    pub(super) fn traction(&self, w: [f64; 2], deflection: &[f64]) -> ([f64; 2], [f64; 2]) {
        match (self, deflection) {
            (Self::Regularised(law), _) => (law.traction(w), [0.0; 2]),
            (Self::Bristles(law), &[x, y]) => law.traction(w, [x, y]),
            _ => ([0.0; 2], [0.0; 2]),
        }
    }
}

impl From<Regularised> for Friction {
    fn from(law: Regularised) -> Self {
        Self::Regularised(law)
    }
}

impl From<Bristles> for Friction {
    fn from(law: Bristles) -> Self {
        Self::Bristles(law)
    }
}
