//! How an angular velocity turns a quaternion.
//!
//! - infinitesimal: Q⁺ = Q + ½ (0, h ω) Q, normalised: the tangent, so that a body turns by 2 atan(h |ω|/2);
//! - finite: Q⁺ = exp(½ h ω) Q: by h |ω|, whatever that is.
//!
//! # Source
//!
//! Smith: Open Dynamics Engine, user guide, `dBodySetFiniteRotationMode`, for the names; derived here.

use nalgebra::{Quaternion, UnitQuaternion, Vector3};

/// How orientations follow angular velocities.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Orientation {
    /// Along the tangent, without sine and cosine; turns too little by about (h ω)³/12.
    Infinitesimal,
    /// By the exponential.
    #[default]
    Finite,
}

impl Orientation {
    /// `rotation` turned by `angle` = h ω, both in world axes.
    pub fn turned(
        self,
        rotation: &UnitQuaternion<f64>,
        angle: &Vector3<f64>,
    ) -> UnitQuaternion<f64> {
        let turn = match self {
            Self::Infinitesimal => {
                UnitQuaternion::new_normalize(Quaternion::from_parts(1.0, 0.5 * angle))
            }
            Self::Finite => UnitQuaternion::from_scaled_axis(*angle),
        };
        // Rounding errors of many products would add up.
        UnitQuaternion::new_normalize((turn * rotation).into_inner())
    }
}
