//! By what the rank of rows is decided beside the manifold of their constraints.
//!
//! > δ = max |hᵢ| / ‖Hᵢ‖
//!
//! Rows that depend on one another where h = 0 do so no longer at a distance δ from there: about δ of a row is
//! then at right angles to the others. To count such a row as independent would hold a motion that is free.
//! Hence a row must have more than a multiple of δ of its own. Far from the manifold δ says nothing of the
//! rows on it, and they are taken as they are.

use crate::lcp::worse;

/// How much of a dependent row may be at right angles to the others, by δ.
const TURN: f64 = 10.0;

/// δ above which a configuration is not beside the manifold.
const FAR: f64 = 1e-2;

/// What of a row must be its own for it to be independent: at a configuration where the errors of rows are
/// `errors`, (m), and their Jacobian is `jacobian`, (m, n) column by column. Zero on the manifold.
pub(crate) fn rank_threshold(jacobian: &[f64], errors: &[f64]) -> f64 {
    let columns = jacobian.chunks_exact(errors.len().max(1));
    let distance = |(i, error): (usize, &f64)| {
        let square: f64 = columns.clone().map(|column| column[i] * column[i]).sum();
        if square > 0.0 { error.abs() / nalgebra::ComplexField::sqrt(square) } else { 0.0 }
    };
    let missed = errors.iter().enumerate().filter(|(_, error)| **error != 0.0);
    match missed.map(distance).fold(0.0, worse) {
        distance if distance <= FAR => TURN * distance,
        _ => 0.0,
    }
}
