//! Stiffness from material, by Hertz.
//!
//! > F = 4/3 E* √R δ^{3/2},  1/E* = (1 − ν₁²)/E₁ + (1 − ν₂²)/E₂,  1/R = 1/R₁ + 1/R₂
//!
//! for smooth elastic solids whose contact is small beside their radii.
//!
//! # Source
//!
//! Hertz: Über die Berührung fester elastischer Körper (1882); Johnson: Contact Mechanics (1985), section 4.2.

use super::Spring;
use super::error::{Error, between, check};
use crate::contact::Range;

/// What a solid is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    young: f64,
    poisson: f64,
}

impl Material {
    /// With Young's modulus E > 0 in Pa and Poisson's ratio ν from −1 to ½.
    ///
    /// # Errors
    ///
    /// [`Error::Setup`] of E, [`Error::Between`] of ν.
    pub fn new(young: f64, poisson: f64) -> Result<Self, Error> {
        check("Young's modulus", young, Range::Positive)?;
        between("Poisson's ratio", poisson, [-1.0, 0.5])?;
        Ok(Self { young, poisson })
    }

    /// (1 − ν²)/E in 1/Pa.
    fn compliance(&self) -> f64 {
        (1.0 - self.poisson * self.poisson) / self.young
    }
}

impl Spring {
    /// Two spheres, or a sphere on a plane, whose radius is infinite; radii in m. Nothing is dissipated, unless by
    /// `rebound`: the share of its speed in m/s with which it springs back, and that speed, as
    /// [`hunt_crossley_rebounding`](Self::hunt_crossley_rebounding) has it.
    ///
    /// ```
    /// use jourdain::compliant::{Material, Spring};
    ///
    /// let (rubber, steel) = (Material::new(5e6, 0.5)?, Material::new(210e9, 0.3)?);
    /// let foot = Spring::hertz([rubber, steel], [0.02, f64::INFINITY], Some((0.6, 0.5)))?;
    /// assert!((foot.stiffness() - 1.257e6).abs() < 1e3);
    /// # Ok::<(), jourdain::compliant::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::Setup`] names what is out of its range; of two planes, their common radius.
    pub fn hertz(
        materials: [Material; 2],
        radii: [f64; 2],
        rebound: Option<(f64, f64)>,
    ) -> Result<Self, Error> {
        for radius in radii.into_iter().filter(|radius| *radius != f64::INFINITY) {
            check("radius", radius, Range::Positive)?;
        }
        let radius =
            check("radius", 1.0 / radii.map(f64::recip).iter().sum::<f64>(), Range::Positive)?;
        let modulus = 1.0 / materials.map(|of| of.compliance()).iter().sum::<f64>();
        let stiffness = 4.0 / 3.0 * modulus * libm::sqrt(radius);
        match rebound {
            Some(rebound) => Self::hunt_crossley_rebounding(stiffness, 1.5, rebound),
            None => Self::hunt_crossley(stiffness, 1.5, 0.0),
        }
    }
}
