//! The equations of one motion, their solution by elimination, and by a method of the library.
//!
//! > K (v̇, −λ) = (f, −b_I),  K = \[M H_Iᵀ; H_I 0\]
//!
//! for a largest set I of independent rows of length one, by L U. Errors of v̇ and Hᵀ λ are relative to the
//! largest entry, or that of the motion and the force without constraints, whichever is larger, and to the
//! condition of K.

use fastrand::Rng;
use jourdain::kkt::{Error, Method, Problem, Solver};
use jourdain_codegen::derive::{self, symbols};
use nalgebra::{DMatrix, DVector};

use super::rows::{Rows, independent, scaled};
use crate::law::Case;

/// The equations of one motion.
pub(super) struct Equations {
    parents: Vec<Option<usize>>,
    mass: DMatrix<f64>,
    /// M⁻¹ by forward dynamics.
    inverse: DMatrix<f64>,
    jacobian: DMatrix<f64>,
    force: DVector<f64>,
    target: DVector<f64>,
}

/// v̇ and Hᵀ λ.
pub(super) type Solution = [DVector<f64>; 2];

impl Equations {
    /// With so many sums of rows as further rows.
    pub(super) fn new(case: &Case<'_>, rows: &Rows<'_>, further: usize, rng: &mut Rng) -> Self {
        let jacobian = case.square(rows.jacobian.clone());
        let count = jacobian.nrows();
        let sums = DMatrix::from_fn(count + further, count, |i, j| match i.checked_sub(count) {
            None => f64::from(u8::from(i == j)),
            Some(_) => 2.0 * rng.f64() - 1.0,
        });
        Self {
            parents: case.mechanism.coordinate_parents(),
            mass: case.square(case.form.mass_matrix()),
            inverse: inverse(case),
            jacobian: &sums * jacobian,
            force: case.a() - case.vector(&case.form.bias_force()),
            target: sums * -case.vector(&rows.bias),
        }
    }

    pub(super) fn rows(&self) -> usize {
        self.target.len()
    }

    /// What to compare with; none where it is unclear which rows are independent.
    pub(super) fn expected(&self) -> Option<Expected> {
        let (jacobian, target) = scaled(&self.jacobian, &self.target)?;
        let chosen = independent(&jacobian)?;
        let (n, rank) = (self.force.len(), chosen.len());
        let held = jacobian.select_rows(&chosen);
        let matrix = bordered(&self.mass, &held);
        let sizes = matrix.symmetric_eigenvalues().abs();
        let mut side = self.force.clone().resize_vertically(n + rank, 0.0);
        side.rows_mut(n, rank).copy_from(&target.select_rows(&chosen));
        let found = matrix.lu().solve(&side)?;
        let (v_dot, force) = (found.rows(0, n).into_owned(), -held.tr_mul(&found.rows(n, rank)));
        let violation = (&jacobian * &v_dot - &target).amax();
        assert!(violation <= 1e-9 * (1.0 + v_dot.amax()), "no solution: {violation:e}");
        let free = self.mass.clone().cholesky()?.solve(&self.force);
        let scales = [free.amax().max(v_dot.amax()), self.force.amax().max(force.amax())];
        let condition = sizes.max() / sizes.min();
        Some(Expected { solution: [v_dot, force], scales, condition, rank })
    }

    /// By a method.
    pub(super) fn solve(&self, method: Method) -> Result<Solution, Error> {
        let accelerate = |force: &[f64], acceleration: &mut [f64]| {
            let force = DVector::from_column_slice(force);
            acceleration.copy_from_slice((&self.inverse * force).as_slice());
        };
        let (mass, jacobian) = (self.mass.as_slice(), self.jacobian.as_slice());
        let problem = Problem::new(mass, jacobian, self.force.as_slice(), self.target.as_slice())
            .parents(&self.parents)
            .accelerate(&accelerate);
        let mut v_dot = DVector::zeros(self.force.len());
        let mut lambda = DVector::zeros(self.target.len());
        Solver::new(method).solve(&problem, v_dot.as_mut_slice(), lambda.as_mut_slice())?;
        Ok([v_dot, self.jacobian.tr_mul(&lambda)])
    }
}

/// K.
pub(super) fn bordered(mass: &DMatrix<f64>, rows: &DMatrix<f64>) -> DMatrix<f64> {
    let (rank, n) = rows.shape();
    let mut matrix = DMatrix::zeros(n + rank, n + rank);
    matrix.view_mut((0, 0), (n, n)).copy_from(mass);
    matrix.view_mut((n, 0), (rank, n)).copy_from(rows);
    matrix.view_mut((0, n), (n, rank)).copy_from(&rows.transpose());
    matrix
}

/// Accelerations from rest, a column for each unit force.
fn inverse(case: &Case<'_>) -> DMatrix<f64> {
    let nv = case.v().len();
    let outputs = case.form.forward_dynamics(derive::Solver::ArticulatedBodies);
    let still = case.with(symbols::V, vec![0.0; nv]);
    let weight = still.vector(&case.form.bias_force());
    let response = |k: usize| {
        let mut tau = weight.clone();
        tau[k] += 1.0;
        still.with(symbols::A, tau.as_slice().to_vec()).vector(&outputs)
    };
    DMatrix::from_columns(&(0..nv).map(response).collect::<Vec<_>>())
}

/// A solution, what its errors are relative to, and the rank of H.
pub(super) struct Expected {
    solution: Solution,
    scales: [f64; 2],
    condition: f64,
    pub(super) rank: usize,
}

impl Expected {
    /// Of v̇ and of Hᵀ λ.
    pub(super) fn errors(&self, found: &Solution) -> [f64; 2] {
        let relative = |k: usize| (&found[k] - &self.solution[k]).amax() / self.scales[k];
        [0, 1].map(|k| relative(k) / self.condition)
    }
}
