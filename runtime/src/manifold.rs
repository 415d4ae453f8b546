//! The configuration manifold: a product of lines, unit quaternions and poses.

use crate::description::Joint;
use crate::error::ModelError;

/// q ⊕ t v, in place.
pub fn integrate(_joints: &[Joint], _v: &[f64], _time: f64, _q: &mut [f64]) {}

/// The velocity that leads from `q0` to `q1` in one second.
pub fn difference(_joints: &[Joint], _q0: &[f64], _q1: &[f64], _v: &mut [f64]) {}

/// Zeros and unit quaternions.
pub fn neutral(_joints: &[Joint], _q: &mut [f64]) {}

/// q̇ = N(q) v.
pub fn rate(_joints: &[Joint], _q: &[f64], _v: &[f64], _rate: &mut [f64]) {}

/// # Errors
///
/// Names the joint whose quaternion is not of unit length, to 1e-6.
pub fn check_quaternions(_joints: &[Joint], _q: &[f64]) -> Result<(), ModelError> {
    Ok(())
}
