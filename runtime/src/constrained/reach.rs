//! ρ of rows, by which their errors are m or rad.
//!
//! What it is says [`distance`](super::distance). Without a Jacobian, that a projection from nearby has no time
//! for, it is estimated by how fast rows change along one motion,
//!
//! > |Hᵢ g| = ‖Hᵢ‖ ‖g‖ |cos ∠(Hᵢ, g)|,  Hᵢ g = ḣᵢ(q, v + g) − ḣᵢ(q, v)
//!
//! with a g along no direction that a mechanism would be built by, and entries of about 1.

use alloc::vec::Vec;

use crate::model::Robot;
use crate::slices::worse;

use super::distance::{known, reaches};
use super::held::Rows;

/// How much faster a generic motion is, so that rows that are not linear in v change by their slopes.
const FASTER: f64 = 1e-3;

impl Rows {
    /// Estimates ρ of all declared rows.
    pub(super) fn measure(&mut self, robot: Robot<'_>, (q, v): (&[f64], &[f64]), t: f64) {
        if !self.has_constraints() {
            return;
        }
        let mut faster = v.to_vec();
        for (k, v) in faster.iter_mut().enumerate() {
            let share = 2.0 * (0.618 * (k + 1) as f64 % 1.0) - 1.0;
            *v += FASTER * (share + if share < 0.0 { -0.5 } else { 0.5 });
        }
        let slow = &mut self.declared.rate;
        robot.constraint_rate_into(q, v, t, slow);
        robot.constraint_rate_into(q, &faster, t, &mut self.reaches);
        for constraint in robot.constraints {
            let rows = constraint.first..constraint.first + constraint.levels.len();
            let (slow, reaches) = (&slow[rows.clone()], &mut self.reaches[rows]);
            let changes = reaches.iter().zip(slow).map(|(fast, slow)| (fast - slow).abs());
            reaches.fill(known(changes.fold(0.0, worse) / FASTER));
        }
    }

    /// ρ of each row that holds; 1 of contacts and frames, whose errors are m and rad already.
    pub(super) fn reaches(&self) -> Vec<f64> {
        let mut lengths = Vec::new();
        let counts = self.active_constraints().map(|constraint| constraint.levels.len());
        reaches(counts, (self.held.error.len(), &self.held.jacobian), &mut lengths);
        lengths
    }
}
