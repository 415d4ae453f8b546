//! What acts along the tangents of a contact.

use super::bristles::Bristles;
use super::error::Error;
use super::regularised::Regularised;
use super::stribeck::Stribeck;

/// 1/m and s/m: critically damped under weight.
const BRISTLES: [f64; 2] = [1e4, 60.0];

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
    /// Bristles with the described coefficient; none without friction.
    pub(super) fn described(coefficient: f64) -> Result<Self, Error> {
        if coefficient == 0.0 {
            return Ok(Self::None);
        }
        let [stiffness, damping] = BRISTLES;
        Ok(Bristles::new(Stribeck::constant(coefficient)?, stiffness, damping)?.into())
    }

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
