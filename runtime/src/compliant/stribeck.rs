//! Coefficients of friction that fall with speed.
//!
//! > μ(w) = μ_d + (μ_s − μ_d) exp(−|w|²/w_s²)
//!
//! # Source
//!
//! Stribeck: Die wesentlichen Eigenschaften der Gleit- und Rollenlager (1902); Armstrong-Hélouvry, Dupont, Canudas de
//! Wit: A survey of models, analysis tools and compensation methods for the control of machines with friction,
//! Automatica 30 (1994), for this form.

use super::error::{Error, check};
use crate::contact::Range;

/// The coefficient of friction by the speed of sliding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stribeck {
    at_rest: f64,
    sliding: f64,
    speed: f64,
}

impl Stribeck {
    /// From the coefficient μ_s at rest to μ_d when sliding, 0 ≤ μ_d ≤ μ_s; w_s > 0 in m/s is the speed at which 1/e of
    /// the difference is left.
    ///
    /// # Errors
    ///
    /// [`Error::Setup`] names what is out of its range, [`Error::Coefficients`] that friction would grow with speed.
    pub fn new(at_rest: f64, sliding: f64, speed: f64) -> Result<Self, Error> {
        check("friction at rest", at_rest, Range::NotNegative)?;
        check("friction when sliding", sliding, Range::NotNegative)?;
        check("Stribeck's speed", speed, Range::Positive)?;
        if sliding > at_rest {
            return Err(Error::Coefficients { at_rest, sliding });
        }
        Ok(Self { at_rest, sliding, speed })
    }

    /// The same coefficient at every speed: Coulomb's.
    ///
    /// # Errors
    ///
    /// [`Error::Setup`] unless it is finite and not negative.
    pub fn constant(friction: f64) -> Result<Self, Error> {
        Self::new(friction, friction, 1.0)
    }

    /// μ_s.
    pub fn at_rest(&self) -> f64 {
        self.at_rest
    }

    /// μ_d.
    pub fn sliding(&self) -> f64 {
        self.sliding
    }

    /// μ at a speed whose square is given, in m²/s².
    #[inline]
    pub fn at_square(&self, square: f64) -> f64 {
        let fall = self.at_rest - self.sliding;
        if fall > 0.0 {
            self.sliding + fall * libm::exp(-square / (self.speed * self.speed))
        } else {
            self.sliding
        }
    }
}
