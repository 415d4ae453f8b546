//! Coulomb's friction, made smooth at rest.
//!
//! > f = −N μ(w) w / √(|w|² + w_r²)
//!
//! for the velocity w of sliding. It is analytic. Nothing sticks: under a tangential load T < μ N it creeps at
//! w_r T / √(μ²N² − T²). It takes the power N μ |w|²/√(|w|² + w_r²) ≥ 0.
//!
//! # Source
//!
//! Marques, Flores, Claro, Lankarani: A survey and comparison of several friction force models for dynamic analysis of
//! multibody mechanical systems, Nonlinear Dynamics 86 (2016), for such laws.

use super::Stribeck;
use super::error::{Error, check};
use crate::contact::Range;

/// Smooth friction that creeps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Regularised {
    curve: Stribeck,
    speed: f64,
}

impl Regularised {
    /// With coefficients, and the speed w_r > 0 in m/s below which friction grows with speed. Where coefficients fall
    /// with speed, let it be far below Stribeck's.
    ///
    /// # Errors
    ///
    /// [`Error::Setup`] unless it is finite and greater than zero.
    pub fn new(curve: Stribeck, speed: f64) -> Result<Self, Error> {
        check("speed of regularisation", speed, Range::Positive)?;
        Ok(Self { curve, speed })
    }

    /// f/N at the velocity w, m/s.
    #[inline]
    pub(super) fn traction(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let square = x * x + y * y;
        let scale = self.curve.at_square(square) / libm::sqrt(square + self.speed * self.speed);
        [-scale * x, -scale * y]
    }
}
