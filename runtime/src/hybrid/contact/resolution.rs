//! What is told from zero.
//!
//! | | is zero |
//! |---|---|
//! | a speed along a row | below a hundred tolerances, to which errors of many steps add up |
//! | a gap | below δ = Σ |nᵢ| (a + r |qᵢ|), by which it changes at most if every coordinate errs by the tolerances |
//! | a flight | that is no higher than δ, at a speed below √(2 δ φ̈) |
//!
//! Below δ the guard of a gap is not armed either, so that nothing that is near is missed by both.

use alloc::vec::Vec;

use super::machine::Machine;
use super::mode::Mode;
use crate::integrate::{Phase, Space, Tolerance};
use crate::model::Table;
use crate::slices::{sqrt, zeros};

/// A speed that is none, by the tolerance.
const STILL: f64 = 100.0;
/// What is near is less than so many δ away: more than one, since guards compute theirs by differences.
const NEAR: f64 = 2.0;
/// Flights that are not resolved are no higher than so many δ: what holds does not make them faster than free fall.
const FLIGHT: f64 = 4.0;

/// What coordinates may err by, and so the gaps of all parts.
#[derive(Clone, Debug)]
pub(super) struct Resolution {
    pub(super) tolerance: Tolerance,
    pub(super) space: Space,
    /// Of coordinates and their velocities, (2 nv).
    allowed: Vec<f64>,
    change: Vec<f64>,
    row: Vec<f64>,
    /// δ of each part.
    heights: Vec<f64>,
}

impl Resolution {
    pub(super) fn new(table: &Table, tolerance: Tolerance) -> Self {
        let [allowed, change, row, heights] = [const { Vec::new() }; 4];
        Self { tolerance, space: Space::new(table.joints, 0), allowed, change, row, heights }
    }

    /// The tolerance of what is zero.
    pub(super) fn absolute(&self) -> f64 {
        self.tolerance.allowed(0.0)
    }
}

impl Machine {
    /// The speed in m/s or rad/s below which what touches neither approaches nor parts, and does not slip.
    pub(super) fn still(&self) -> f64 {
        STILL * self.resolution.absolute()
    }

    /// As [`Automaton::scale`](crate::hybrid::Automaton::scale).
    pub(super) fn scale(&self, mode: &Mode) -> f64 {
        // Friction turns with a slip that is hardly told from rest.
        if self.slides(mode) { self.still() } else { f64::INFINITY }
    }

    /// Whether a part touches at the state that was looked at last, as far as is told.
    pub(super) fn is_near(&self, part: usize) -> bool {
        self.gaps[part] <= NEAR * self.resolution.heights[part]
    }

    /// Whether a part is passed at that state, beyond what is told from touching.
    pub(super) fn is_below(&self, part: usize) -> bool {
        self.gaps[part] < -NEAR * self.resolution.heights[part]
    }

    /// The speed in m/s or rad/s below which a part that leaves with these accelerations comes back without having been told
    /// from what touches.
    pub(super) fn slowest_flight(&self, part: usize, v_dot: &[f64]) -> f64 {
        let along = self.parts.velocity(part, 0, v_dot);
        let fall = along + self.parts.bias(part, 0);
        sqrt(2.0 * FLIGHT * self.resolution.heights[part] * fall.abs())
    }

    /// Evaluates δ of all gaps, where rows were evaluated last.
    pub(super) fn resolve_gaps(&mut self, phase: &Phase) {
        let Self { resolution, parts, .. } = self;
        let Resolution { tolerance, space, allowed, change, row, heights } = resolution;
        let count = 2 * self.table.nv;
        let (change, allowed) = (zeros(change, count), zeros(allowed, count));
        tolerance.scale(space, phase, change, allowed);
        heights.clear();
        for part in 0..parts.count() {
            row.clear();
            parts.push_row(part, 0, row);
            let errors = row.iter().zip(&*allowed).map(|(n, allowed)| (n * allowed).abs());
            heights.push(errors.sum());
        }
    }
}
