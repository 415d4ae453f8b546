//! Rows that vanish at a configuration.
//!
//! Where all bars of a linkage are in line, a row of its closure is zero; what is computed there is rounding,
//! such as sin π = 1.2e-16, and its direction means nothing. How small a row is does not tell: rows may be in
//! any units. How much it changes with the configuration does, in the same units:
//!
//! > ‖Hᵢ(q)‖ ≤ ε sᵢ,  sᵢ = ‖Hᵢ(q ⊕ δ) − Hᵢ(q)‖ / ‖δ‖∞
//!
//! with the ε by which rows count as dependent on one another, 1e-8 or more beside the manifold. Such a row
//! is made zero; it then depends on the others. Since H(q ⊕ δ) takes time, only rows much smaller than one, or than others, are looked at.

use alloc::vec::Vec;

use crate::description::Chart;
use crate::manifold;
use crate::model::{Robot, Table};

use super::held::Rows;
use super::rank_threshold;

/// Rows smaller than this, or than so much of the largest, may vanish.
const SMALL: f64 = 1e-6;

/// ε on the manifold of the constraints.
const VANISHED: f64 = 1e-8;

/// ‖δ‖∞, rad or m.
const STEP: f64 = 1e-3;

impl Rows {
    /// Makes rows zero that vanish at (q, v).
    pub(super) fn clear_vanished(&mut self, robot: Robot<'_>, (q, v): (&[f64], &[f64]), t: f64) {
        // All contacts and frames move with a floating base, if that is all that hangs on the world.
        let floats = robot.joints.first().is_some_and(|joint| joint.chart == Chart::Pose);
        let alone = robot.links.iter().filter(|link| link.parent.is_none()).count() == 1;
        if floats && alone && !self.has_constraints() {
            return;
        }
        let rows = self.held.error.len();
        squares(&self.held.jacobian, None, rows, &mut self.sizes);
        let largest = self.sizes.iter().fold(1.0, |most: f64, size| most.max(*size));
        let is_small = |size: &f64| *size > 0.0 && *size < SMALL * SMALL * largest;
        if !self.sizes.iter().any(is_small) {
            return;
        }
        let small: Vec<bool> = self.sizes.iter().map(is_small).collect();
        let here = core::mem::take(&mut self.held);
        self.evaluate_all(robot, (&nearby(&robot, q), v), t);
        let there = core::mem::replace(&mut self.held, here);
        let mut changes = Vec::new();
        squares(&self.held.jacobian, Some(&there.jacobian), rows, &mut changes);
        let mut errors = self.held.error.clone();
        errors.iter_mut().zip(&small).filter(|(_, small)| **small).for_each(|(h, _)| *h = 0.0);
        let least = rank_threshold(&self.held.jacobian, &errors).max(VANISHED) / STEP;
        for i in (0..rows).filter(|&i| small[i]) {
            if self.sizes[i] <= least * least * changes[i] {
                self.held.jacobian.iter_mut().skip(i).step_by(rows).for_each(|entry| *entry = 0.0);
            }
        }
    }
}

/// ‖Hᵢ‖² of so many rows, or ‖Hᵢ − Gᵢ‖².
fn squares(h: &[f64], g: Option<&[f64]>, rows: usize, squares: &mut Vec<f64>) {
    squares.clear();
    squares.resize(rows, 0.0);
    for (k, column) in h.chunks_exact(rows.max(1)).enumerate() {
        let other = g.and_then(|g| g.chunks_exact(rows.max(1)).nth(k));
        for (i, (square, entry)) in squares.iter_mut().zip(column).enumerate() {
            let change = entry - other.map_or(0.0, |other| other[i]);
            *square += change * change;
        }
    }
}

/// q ⊕ δ, along no direction that a mechanism would be built by.
fn nearby(table: &Table, q: &[f64]) -> Vec<f64> {
    let share = |k: usize| 2.0 * (0.618 * (k + 1) as f64 % 1.0) - 1.0;
    let change: Vec<f64> = (0..table.nv).map(|k| STEP * share(k)).collect();
    let mut near = q.to_vec();
    manifold::integrate(table.joints, &change, 1.0, &mut near);
    near
}
