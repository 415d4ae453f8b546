//! How far from the manifold of its constraints a configuration is.
//!
//! An error h is in whatever units its row is in; ρ, the length ‖Hᵢ‖ of the longest row of the same constraint,
//! is in these by m or rad of the coordinates. So |h| / ρ is how far coordinates have to move at least, for a
//! constraint and for a thousand times it. The longest row, since one may vanish where others do not.
//!
//! Beside the manifold, the rank of rows is decided by
//!
//! > δ = max |hᵢ| / ‖Hᵢ‖
//!
//! Rows that depend on one another where h = 0 do so no longer at a distance δ from there: about δ of a row is
//! then at right angles to the others. To count such a row as independent would hold a motion that is free.
//! Hence a row must have more than a multiple of δ of its own. Far from the manifold δ says nothing of the
//! rows on it, and they are taken as they are.

use alloc::vec;
use alloc::vec::Vec;

use crate::check::ROUNDING;
use crate::model::{Robot, Table};
use crate::slices::worse;

/// How much of a dependent row may be at right angles to the others, by δ.
const TURN: f64 = 10.0;

/// δ above which a configuration is not beside the manifold.
const FAR: f64 = 1e-2;

/// What of a row must be its own for it to be independent: at a configuration where the errors of rows are
/// `errors`, (m), and their Jacobian is `jacobian`, (m, n) column by column. Zero on the manifold.
pub(crate) fn rank_threshold(jacobian: &[f64], errors: &[f64]) -> f64 {
    let distance = |(i, error): (usize, &f64)| match length(jacobian, errors.len(), i) {
        length if length > 0.0 => error.abs() / length,
        _ => 0.0,
    };
    let missed = errors.iter().enumerate().filter(|(_, error)| **error != 0.0);
    match missed.map(distance).fold(0.0, worse) {
        distance if distance <= FAR => TURN * distance,
        _ => 0.0,
    }
}

/// Writes ρ of so many rows, whose Jacobian is given column by column: first those of constraints of so many
/// rows each, then others, whose errors are m and rad already.
pub(crate) fn reaches(
    constraints: impl Iterator<Item = usize>,
    (rows, jacobian): (usize, &[f64]),
    reaches: &mut Vec<f64>,
) {
    reaches.clear();
    for count in constraints {
        let own = reaches.len()..reaches.len() + count;
        let longest = own.clone().map(|i| length(jacobian, rows, i)).fold(0.0, worse);
        reaches.extend(own.map(|_| known(longest)));
    }
    reaches.resize(rows, 1.0);
}

/// The first constraint whose configuration is not on it at time `t`, to a micrometre or a microradian, and how far
/// coordinates have to move at least.
pub(crate) fn violated(
    robot: Robot<'_>,
    (q, v): (&[f64], &[f64]),
    t: f64,
) -> Option<(&'static str, f64)> {
    let (nv, nc) = (robot.nv, robot.nc);
    let (mut errors, mut jacobian) = (vec![f64::NAN; nc], vec![f64::NAN; nc * nv]);
    robot.constraint_into(q, t, &mut errors);
    robot.constraint_jacobian_into(q, v, t, &mut jacobian);
    first_missed(&robot, |i| errors[i].abs(), &jacobian, ROUNDING)
}

/// The first constraint of which more than `allowed` is missing, and how much, in m or rad of the coordinates, or in these a
/// second: by what each row misses, and the Jacobian, column by column.
pub(crate) fn first_missed(
    table: &Table,
    missing: impl Fn(usize) -> f64,
    jacobian: &[f64],
    allowed: f64,
) -> Option<(&'static str, f64)> {
    let mut lengths = Vec::new();
    let counts = table.constraints.iter().map(|constraint| constraint.levels.len());
    reaches(counts, (table.nc, jacobian), &mut lengths);
    let distance = |i: usize| missing(i) / lengths[i];
    let mut errors = table.constraints.iter().map(|constraint| {
        let rows = constraint.first..constraint.first + constraint.levels.len();
        (constraint.name, rows.map(distance).fold(0.0, worse))
    });
    errors.find(|(_, error)| error.is_nan() || *error > allowed)
}

/// ρ where the longest row has this length: 1 where all rows vanish, NaN where one is not finite, lest its
/// error count for nothing.
pub(super) fn known(longest: f64) -> f64 {
    match longest {
        0.0 => 1.0,
        _ if longest.is_finite() => longest,
        _ => f64::NAN,
    }
}

/// ‖Hᵢ‖ of so many rows.
fn length(jacobian: &[f64], rows: usize, i: usize) -> f64 {
    let entries = jacobian.iter().skip(i).step_by(rows.max(1));
    nalgebra::ComplexField::sqrt(entries.map(|entry| entry * entry).sum::<f64>())
}
