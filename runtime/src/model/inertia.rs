//! Whether a mass matrix is positive definite.

use alloc::vec::Vec;

use super::Table;
use crate::check;
use crate::error::ModelError;

/// The least pivot of a mass matrix, relative to its diagonal entry, that is more than rounding.
const LEAST: f64 = 1e-12;

/// Checks the mass matrix, (nv, nv), which is overwritten.
///
/// # Errors
///
/// The joint at which the factorisation breaks down.
pub(super) fn positive_definite(table: &Table, mass: &mut [f64]) -> Result<(), ModelError> {
    let diagonal: Vec<f64> = mass.iter().step_by(table.nv + 1).copied().collect();
    let mut bad = None;
    check::factor(mass, table.nv, |k, pivot, heaviest| {
        let relative = if diagonal[k] > 0.0 { pivot / diagonal[k] } else { 0.0 };
        let is_bad = relative.is_nan() || relative <= LEAST;
        bad = is_bad.then_some((k, relative, heaviest));
        !is_bad
    });
    let Some((k, pivot, heaviest)) = bad else { return Ok(()) };
    let beside = heaviest.and_then(|v| table.link_of(v));
    Err(ModelError::SingularMassMatrix { joint: table.joint_of(k), pivot, beside })
}
