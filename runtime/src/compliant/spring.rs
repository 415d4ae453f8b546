//! Normal forces: springs with dampers that press and never pull.
//!
//! > linear          F = k δ + c δ̇
//! > Hunt, Crossley  F = k δⁿ (1 + 3/2 a δ̇)
//!
//! where δ > 0 and F > 0, else 0; δ is the depth of penetration.
//!
//! # Smoothness
//!
//! With c > 0 the linear law jumps to c δ̇ where solids touch; that of Hunt and Crossley is continuous there, with
//! ⌈n⌉ − 1 derivatives. Both have a kink where they would begin to pull. A run stops its steps at all of these
//! places, and on either side goes on with the law of that side, which is analytic but for δⁿ at δ = 0, where error
//! control shortens the first step. Beyond δ = 0, where stages of a step may look, k δⁿ goes on as an odd function.
//!
//! # Source
//!
//! Hunt, Crossley: Coefficient of Restitution Interpreted as Damping in Vibroimpact, Journal of Applied Mechanics 42
//! (1975), with the factor 3/2 by which e = 1 − a v for small a v, whatever n.

use super::error::{Error, between, check};
use super::restitution;
use crate::contact::Range;

/// How two surfaces press on each other, or a joint on its end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    law: Law,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Law {
    Linear { stiffness: f64, damping: f64 },
    HuntCrossley { stiffness: f64, exponent: f64, dissipation: f64 },
}

impl Spring {
    /// F = k δ + c δ̇ with k > 0 in N/m and c ≥ 0 in N s/m; at a joint that turns in N m/rad and N m s/rad.
    ///
    /// # Errors
    ///
    /// [`Error::Setup`] names the parameter that is out of its range.
    pub fn linear(stiffness: f64, damping: f64) -> Result<Self, Error> {
        check("stiffness", stiffness, Range::Positive)?;
        check("damping", damping, Range::NotNegative)?;
        Ok(Self { law: Law::Linear { stiffness, damping } })
    }

    /// A linear spring on which a mass m in kg, that nothing else pushes, springs back with the share e of its speed,
    /// 0 < e ≤ 1.
    ///
    /// # Errors
    ///
    /// [`Error::Setup`] names the parameter that is out of its range.
    ///
    /// # Source
    ///
    /// Schwager, Pöschel: Coefficient of restitution and linear-dashpot model revisited, Granular Matter 9 (2007): contact
    /// ends where the force would pull, so that e = exp(−2 ζ acos ζ / √(1−ζ²)) with ζ = c / 2√(k m).
    pub fn linear_rebounding(stiffness: f64, mass: f64, restitution: f64) -> Result<Self, Error> {
        check("stiffness", stiffness, Range::Positive)?;
        check("mass", mass, Range::Positive)?;
        check("restitution", restitution, Range::Share)?;
        check("restitution", restitution, Range::Positive)?;
        let ratio = restitution::damping_ratio(restitution);
        Self::linear(stiffness, 2.0 * ratio * libm::sqrt(stiffness * mass))
    }

    /// F = k δⁿ (1 + 3/2 a δ̇) with k > 0 in N/mⁿ, 1 ≤ n ≤ 4 and a ≥ 0 in s/m.
    ///
    /// # Errors
    ///
    /// [`Error::Setup`] or, of n, [`Error::Between`] names the parameter that is out of its range.
    pub fn hunt_crossley(stiffness: f64, exponent: f64, dissipation: f64) -> Result<Self, Error> {
        check("stiffness", stiffness, Range::Positive)?;
        check("dissipation", dissipation, Range::NotNegative)?;
        between("exponent", exponent, [1.0, 4.0])?;
        Ok(Self { law: Law::HuntCrossley { stiffness, exponent, dissipation } })
    }

    /// Hunt and Crossley's law with the dissipation by which a body that arrives with `speed` in m/s springs back with
    /// the share e of it, 0 < e ≤ 1; neither its mass, k nor n matter. A body that arrives slower keeps a larger share.
    ///
    /// # Errors
    ///
    /// [`Error::Setup`] or [`Error::Between`] names the parameter that is out of its range.
    ///
    /// # Source
    ///
    /// Gonthier, McPhee, Lange, Piedbœuf: A Regularized Contact Model with Asymmetric Damping and Dwell-Time Dependent
    /// Friction, Multibody System Dynamics 11 (2004), for the relation, which here is solved without approximation.
    pub fn hunt_crossley_rebounding(
        stiffness: f64,
        exponent: f64,
        (restitution, speed): (f64, f64),
    ) -> Result<Self, Error> {
        check("restitution", restitution, Range::Share)?;
        check("restitution", restitution, Range::Positive)?;
        check("speed", speed, Range::Positive)?;
        let dissipation = restitution::dissipation(restitution) / speed;
        Self::hunt_crossley(stiffness, exponent, dissipation)
    }

    /// k, in N/m, N m/rad or N/mⁿ.
    pub fn stiffness(&self) -> f64 {
        match self.law {
            Law::Linear { stiffness, .. } | Law::HuntCrossley { stiffness, .. } => stiffness,
        }
    }

    /// F in N, or in N m at a joint that turns, at a depth δ in m or rad and its rate δ̇; never negative.
    pub fn force(&self, depth: f64, rate: f64) -> f64 {
        if depth > 0.0 { f64::max(self.pressing(depth, rate), 0.0) } else { 0.0 }
    }

    /// ∫ k δⁿ dδ, what is stored at a depth, in J.
    pub fn energy(&self, depth: f64) -> f64 {
        let depth = f64::max(depth, 0.0);
        match self.law {
            Law::Linear { stiffness, .. } => 0.5 * stiffness * depth * depth,
            Law::HuntCrossley { stiffness, exponent, .. } => {
                stiffness * libm::pow(depth, exponent + 1.0) / (exponent + 1.0)
            }
        }
    }

    /// F where it presses, and its continuation elsewhere.
    #[inline]
    pub(super) fn pressing(&self, depth: f64, rate: f64) -> f64 {
        match self.law {
            Law::Linear { stiffness, damping } => stiffness * depth + damping * rate,
            Law::HuntCrossley { stiffness, exponent, .. } => {
                let elastic = libm::copysign(libm::pow(depth.abs(), exponent), depth);
                stiffness * elastic * self.margin(depth, rate)
            }
        }
    }

    /// What is positive where F, at δ > 0, does not pull: F / k, or F / k δⁿ.
    #[inline]
    pub(super) fn margin(&self, depth: f64, rate: f64) -> f64 {
        match self.law {
            Law::Linear { stiffness, damping } => depth + damping / stiffness * rate,
            Law::HuntCrossley { dissipation, .. } => 1.0 + 1.5 * dissipation * rate,
        }
    }
}
