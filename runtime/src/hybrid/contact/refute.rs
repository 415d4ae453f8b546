//! Why no accelerations were found: a proof that there are none, if there is one.
//!
//! Whatever forces there are, v̇ obeys G_h v̇ = g of constraints and n v̇ + ṅ v ≥ 0 of what touches. With y ≥ 0 and z such
//! that yᵀ N + zᵀ G_h = 0, −yᵀ Ṅ v + zᵀ g > 0 shows that none does (Farkas), and the parts with y > 0 contradict one another.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use super::error::ContactError;
use super::machine::Machine;
use crate::cone;
use crate::integrate::Phase;
use crate::qp::{self, Hessian, dual_active_set};
use crate::slices::{columns, largest};

/// Accelerations that would have to be so many times larger than what asks for them do not exist.
const IMPOSSIBLE: f64 = 1e9;
/// Of a multiplier, by the largest: what shows nothing.
const NO_SHARE: f64 = 1e-9;

impl Machine {
    /// The error of a problem of accelerations that was not solved.
    pub(super) fn refuted(&self, error: cone::Error, phase: &Phase) -> ContactError {
        let phase = Box::new(phase.clone());
        match self.contradiction() {
            Some(parts) => {
                let parts = parts.into_iter().map(|part| self.parts.name(part)).collect();
                ContactError::Inconsistent { parts, phase }
            }
            None => ContactError::Unsolved { error, phase },
        }
    }

    /// The parts that no accelerations keep together.
    fn contradiction(&self) -> Option<Vec<usize>> {
        let press = &self.press;
        let rows: Vec<&[f64]> = columns(press.jacobian(), self.table.nv).collect();
        let transposed = |rows: &[&[f64]]| -> Vec<f64> {
            (0..self.table.nv).flat_map(|j| rows.iter().map(move |row| row[j])).collect()
        };
        // What is asked of v̇ is what it is asked to differ by from the motion without what touches.
        let normals: Vec<&[f64]> = press.normals().map(|(_, row)| rows[row]).collect();
        let bounds: Vec<f64> = press.normals().map(|(_, row)| -press.b[row]).collect();
        let values: Vec<f64> = press.b[..self.table.nc].iter().map(|b| -b).collect();
        let no_force = vec![0.0; self.table.nv];
        let problem = qp::Problem {
            hessian: Hessian::Matrix(&self.mass_matrix),
            force: &no_force,
            inequalities: &transposed(&normals),
            bounds: &bounds,
            equations: &transposed(&rows[..self.table.nc]),
            values: &values,
        };
        let mut room =
            dual_active_set::Workspace::with_capacity(self.table.nv, bounds.len() + values.len());
        let Err(qp::Error::Infeasible { y, z, .. }) = dual_active_set::solve(&problem, &mut room)
        else {
            return None;
        };
        let asked = f64::max(largest(&bounds), largest(&values));
        (qp::farkas(&problem, &y, &z) > IMPOSSIBLE * asked).then(|| {
            let least = NO_SHARE * largest(&y);
            let parts = y.iter().zip(press.normals());
            parts.filter(|(y, _)| **y > least).map(|(_, (part, _))| part).collect()
        })
    }
}
