//! Rows that give way: error reduction and constraint force mixing.
//!
//! > w = n v⁺ + γ φ/h + (K/h) Λ  where φ < 0, or for either sign of a declared constraint's error
//!
//! A share γ of a penetration is put right in each step, and a force f makes the row slip by K f. Together
//! they are a spring and damper, implicit in both: k = γ/(h K), d = (1 − γ)/K.
//!
//! # Source
//!
//! Smith: Open Dynamics Engine, user guide, on ERP and CFM; Catto: Soft Constraints (2011), for the spring.

use super::parameter;
use super::range::Range;
use super::{Approach, Error};

/// How a row gives way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Softness {
    /// γ, from 0 to 1.
    pub(super) reduction: f64,
    /// K, in (m/s)/N or (rad/s)/(N m).
    pub(super) mixing: f64,
}

impl Default for Softness {
    /// Hard, and put right within one step.
    fn default() -> Self {
        Self { reduction: 1.0, mixing: 0.0 }
    }
}

impl Softness {
    /// With the share γ ∈ \[0, 1\] of an error that a step puts right, and the velocity K ≥ 0 that a force of
    /// one makes.
    ///
    /// # Errors
    ///
    /// [`Error::Parameter`] names the one that is out of its range.
    pub fn new(reduction: f64, mixing: f64) -> Result<Self, Error> {
        parameter::check("reduction", reduction, Range::Share)?;
        parameter::check("mixing", mixing, Range::NotNegative)?;
        Ok(Self { reduction, mixing })
    }

    /// As a spring of stiffness k > 0 and a damper d ≥ 0 for steps of `h` seconds: γ = h k/(h k + d),
    /// K = 1/(h k + d).
    ///
    /// # Errors
    ///
    /// [`Error::Parameter`] names the one that is out of its range.
    pub fn spring(stiffness: f64, damping: f64, h: f64) -> Result<Self, Error> {
        parameter::check("stiffness", stiffness, Range::Positive)?;
        parameter::check("damping", damping, Range::NotNegative)?;
        parameter::check("step_size", h, Range::Positive)?;
        let gain = h * stiffness + damping;
        Self::new(h * stiffness / gain, 1.0 / gain)
    }

    /// Hard, with the share γ of an error that a step puts right.
    #[inline]
    pub(super) fn recovering(share: f64) -> Self {
        Self { reduction: share, mixing: 0.0 }
    }

    /// γ.
    pub fn reduction(&self) -> f64 {
        self.reduction
    }

    /// K.
    pub fn mixing(&self) -> f64 {
        self.mixing
    }

    /// Whether a force makes the row slip.
    pub fn is_soft(&self) -> bool {
        self.mixing > 0.0
    }

    /// The approach with the error that is put right in this step.
    pub(super) fn reduce(&self, approach: &Approach) -> Approach {
        let share = if approach.gap < 0.0 { self.reduction } else { 1.0 };
        Approach { gap: share * approach.gap, ..*approach }
    }
}
