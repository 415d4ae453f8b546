//! What impulses change of velocities, where rigid constraints hold, dampers resist and servos without bounds follow.
//!
//! > (M + δ) Δv = p + Hᵀ y,  H Δv = 0

use alloc::vec;

use nalgebra::{DMatrix, DVector, Dyn, SVD};

use super::motion::Motion;
use crate::constrained::Rows;
use crate::contact::conditions::Conditions;
use crate::contact::limit;
use crate::contact::motor::Row;
use crate::contact::yielding::Yielding;
use crate::model::{Robot, Table};

/// The smallest singular value, by the largest, that is no zero.
const RANK: f64 = 1e-13;

/// How often a solution is refined: singular values are found to about 10⁻⁷ of the largest, where some are that much smaller.
const REFINEMENTS: usize = 3;

/// The equations of Δv and y, factored.
pub(super) struct Response {
    matrix: DMatrix<f64>,
    /// None where an entry is NaN or infinite, on which the decomposition might not end.
    factors: Option<SVD<f64, Dyn, Dyn>>,
    /// Number of equations, and of coordinates.
    size: usize,
    nv: usize,
}

impl Response {
    /// That of a step, with the rows of declared constraints: those that give way are no part of it.
    pub(super) fn new(
        robot: Robot<'_>,
        step: &Motion<'_>,
        (rows, yielding): (Option<&Rows>, &Yielding),
    ) -> Self {
        let (nv, nc) = (robot.nv, robot.nc);
        let mut mass = vec![f64::NAN; nv * nv];
        robot.mass_matrix_into(step.q, &mut mass);
        let [inertia, _] = step.conditions.formulation.normal().implicit();
        let mut matrix = DMatrix::zeros(nv + nc, nv + nc);
        for i in 0..nv {
            (0..nv).for_each(|j| matrix[(i, j)] = mass[nv * j + i]);
            matrix[(i, i)] += inertia;
            let Some(rows) = rows else { continue };
            let rigid = |k: &usize| yielding.demand(*k, step.step_size).1 == 0.0;
            for k in (0..nc).filter(rigid) {
                let entry = rows.held.jacobian[nc * i + k];
                (matrix[(nv + k, i)], matrix[(i, nv + k)]) = (entry, entry);
            }
        }
        for (i, of) in robot.coordinate_parameters().iter().enumerate() {
            matrix[(i, i)] += step.step_size * of.damping;
        }
        for (i, row) in implicit_rows(&robot, step.q, step.step_size, step.conditions) {
            matrix[(i, i)] += 1.0 / row.softness;
        }
        let is_finite = matrix.iter().all(|entry| entry.is_finite());
        let factors = is_finite.then(|| matrix.clone().svd(true, true));
        Self { matrix, factors, size: nv + nc, nv }
    }

    /// Δv by a generalised impulse, (nv), with y behind it; NaN if it is none.
    pub(super) fn to(&self, p: impl Fn(usize) -> f64) -> DVector<f64> {
        let p = DVector::from_fn(self.size, |i, _| if i < self.nv { p(i) } else { 0.0 });
        let solve = |factors: &SVD<f64, Dyn, Dyn>| {
            let least = RANK * factors.singular_values.amax();
            let mut solution = factors.solve(&p, least).ok()?;
            let mut missing = &p - &self.matrix * &solution;
            for _ in 0..REFINEMENTS {
                let next = &solution + factors.solve(&missing, least).ok()?;
                let left = &p - &self.matrix * &next;
                if left.norm() >= missing.norm() {
                    break;
                }
                (solution, missing) = (next, left);
            }
            Some(solution)
        };
        let solution = self.factors.as_ref().and_then(solve);
        solution.unwrap_or_else(|| DVector::from_element(self.size, f64::NAN))
    }

    /// The diagonal entry of A that is of a row, (nv).
    pub(super) fn along(&self, row: impl Fn(usize) -> f64) -> f64 {
        let change = self.to(&row);
        (0..self.nv).map(|i| row(i) * change[i]).sum()
    }
}

/// The velocity coordinates with motors that are part of the motion without impulses, and their rows.
#[inline]
fn implicit_rows(
    table: &Table,
    q: &[f64],
    h: f64,
    conditions: &Conditions,
) -> impl Iterator<Item = (usize, Row)> {
    conditions.motors.iter().filter_map(move |&(v, motor)| {
        let position = limit::motor_place(table.joints, q, v)?;
        motor.row(position, h).filter(Row::is_implicit).map(|row| (v, row))
    })
}
