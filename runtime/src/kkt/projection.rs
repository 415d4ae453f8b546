//! The inertia that a constraint meets, and what it leaves of the motion.
//!
//! > Λ_c = (J M⁻¹ Jᵀ)⁺,  N = 1 − M⁻¹ Jᵀ Λ_c J
//!
//! so that J N = 0, and with the projected forces and the constraint's own,
//!
//! > M x = Nᵀ f + Jᵀ Λ_c g
//!
//! are the equations of motion without multipliers. Column k of Λ_c and of M⁻¹ Jᵀ Λ_c is the solution for
//! f = 0 and the target that is 1 in row k, which says what they are where M has no inverse.
//!
//! # Source
//!
//! Khatib: A Unified Approach for Motion and Force Control of Robot Manipulators (1987).

use super::problem::check_length;
use super::{Error, Problem, Report, Solver};
use crate::slices::{check_equal, columns, dot, multiply_transposed, subtract, zeros};

impl Solver {
    /// Writes the contact inertia Λ_c, (m, m), and the null-space projector N, (n, n). The problem's
    /// force and target do not matter.
    ///
    /// The report is that of the row with the largest residual; every violation is that of a unit target.
    ///
    /// # Errors
    ///
    /// [`Error`], with `inertia` and `projector` as they were.
    pub fn project(
        &mut self,
        problem: &Problem<'_>,
        inertia: &mut [f64],
        projector: &mut [f64],
    ) -> Result<Report, Error> {
        let (n, m) = (problem.coordinates(), problem.rows());
        check_length("inertia", inertia, m.saturating_mul(m))?;
        check_length("projector", projector, n.saturating_mul(n))?;
        let report = self.respond(problem)?;
        let (responses, forces) = &self.responses;
        for j in 0..m {
            for i in 0..m {
                inertia[j * m + i] = 0.5 * (forces[j * m + i] + forces[i * m + j]);
            }
        }
        projector.fill(0.0);
        projector.iter_mut().step_by(n + 1).for_each(|x| *x = 1.0);
        let of_rows = columns(problem.jacobian, m).zip(projector.chunks_exact_mut(n.max(1)));
        for (row_entries, column) in of_rows {
            for (&entry, response) in row_entries.iter().zip(columns(responses, n)) {
                subtract(column, entry, response);
            }
        }
        Ok(report)
    }

    /// Solves for each unit target.
    fn respond(&mut self, problem: &Problem<'_>) -> Result<Report, Error> {
        let (n, m) = (problem.coordinates(), problem.rows());
        let (mut force, mut target) = core::mem::take(&mut self.unit);
        zeros(&mut force, n);
        let found = self.factored(problem, |solver, factored| {
            let mut worst = solver.untried(factored);
            let (responses, forces) = &mut solver.responses;
            zeros(responses, n * m);
            zeros(forces, m * m);
            for k in 0..m {
                zeros(&mut target, m)[k] = 1.0;
                let unit = Problem { force: &force, target: &target, ..*problem };
                let report = solver.refine(factored, &unit)?;
                solver.responses.0[k * n..(k + 1) * n].copy_from_slice(&solver.x);
                solver.responses.1[k * m..(k + 1) * m].copy_from_slice(&solver.lambda);
                if k == 0 || report.residual > worst.residual {
                    worst = report;
                }
            }
            Ok(worst)
        });
        self.unit = (force, target);
        found
    }
}

/// Writes the projected force Nᵀ f, (n), for a projector, (n, n), and a force, (n): what of the force a
/// constraint does not bear.
///
/// # Panics
///
/// If a slice has not the length that that of the force asks for, with both lengths.
#[track_caller]
pub fn projected_force(projector: &[f64], force: &[f64], projected: &mut [f64]) {
    let (function, n) = ("projected_force", force.len());
    check_equal(function, "projector", projector.len(), n.saturating_mul(n));
    check_equal(function, "projected", projected.len(), n);
    projected.fill(0.0);
    multiply_transposed(projected, projector, force);
}

/// Adds the force Jᵀ Λ_c g, (n), by which a constraint with the Jacobian J, (m, n), and the inertia Λ_c,
/// (m, m), makes its rows accelerate by g, (m): what the projected equations have on their right-hand side
/// besides Nᵀ f.
///
/// # Panics
///
/// If a slice has not the length that those of the target and the force ask for, with both lengths.
#[track_caller]
pub fn constraint_force(jacobian: &[f64], inertia: &[f64], target: &[f64], force: &mut [f64]) {
    let (function, m) = ("constraint_force", target.len());
    check_equal(function, "jacobian", jacobian.len(), m.saturating_mul(force.len()));
    check_equal(function, "inertia", inertia.len(), m.saturating_mul(m));
    for (entries, force) in columns(jacobian, m).zip(force) {
        for (&entry, column) in entries.iter().zip(columns(inertia, m)) {
            *force += entry * dot(column, target);
        }
    }
}

/// The energy that a plastic impact takes, ½ (J v⁻)ᵀ Λ_c (J v⁻) in J, from the contact inertia, (m, m), and
/// the velocity of the rows before it, (m): what M (v⁺ − v⁻) = Jᵀ Λ with J v⁺ = 0 loses. It is never negative
/// but for rounding.
///
/// # Panics
///
/// If the inertia has not the length that that of the velocity asks for, with both lengths.
#[track_caller]
pub fn impact_loss(inertia: &[f64], velocity: &[f64]) -> f64 {
    let m = velocity.len();
    check_equal("impact_loss", "inertia", inertia.len(), m.saturating_mul(m));
    let columns = columns(inertia, velocity.len());
    0.5 * columns.zip(velocity).map(|(column, v)| v * dot(column, velocity)).sum::<f64>()
}
