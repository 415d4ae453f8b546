//! The proximal method.
//!
//! > (M + Jᵀ W J) xₖ₊₁ = f + Jᵀ (λₖ + W g),  λₖ₊₁ = λₖ + W (g − J xₖ₊₁),  W = diag(1 / μᵢ)
//!
//! Each step is the solution of the constraint softened by μ, whose multiplier is held near the last one;
//! the factorised matrix is positive definite whatever the rank of J, and no pivot is judged small. The
//! error shrinks by 1 / (1 + σ) a step, σ being the smallest eigenvalue of W J M⁻¹ Jᵀ that is not zero; with
//! μᵢ = 1e-6 ‖Jᵢ‖² / ‖M‖ it is below 1e-6 times the square of the condition of J, its rows scaled to one.
//!
//! Class: J of any rank, M positive definite on the null space of J; rows and masses whose sizes differ by
//! up to about 1e4. Beyond, the steps that are allowed do not suffice, which is an error.
//!
//! # Source
//!
//! Carpentier, Budhiraja, Mansard: Proximal and Sparse Resolution of Constrained Dynamic Equations
//! (Robotics: Science and Systems, 2021), section IV, in the primal form of its augmented Lagrangian.

use alloc::vec::Vec;

use super::dense::{Cholesky, Orthogonal};
use super::factorisation::{Factorisation, Pivots};
use super::null_space::NullSpace;
use super::{Error, Problem};
use crate::slices::{add, columns, copy, dot, largest, multiply, multiply_transposed, zeros};

/// μᵢ by ‖Jᵢ‖² / ‖M‖.
const SOFTNESS: f64 = 1e-6;

/// Pivots below may be rounding.
const DOUBTFUL: f64 = 1e-13;

const MAX_STEPS: usize = 100;

/// The last step changes λ by so little of it, or not less than the one before: steps from what is left
/// of the equations then do better than more of the same.
const CONVERGED: f64 = 1e-10;

/// Room for the method.
#[derive(Clone, Debug, Default)]
pub(super) struct Proximal {
    /// W.
    weights: Vec<f64>,
    /// M + Jᵀ W J.
    augmented: Cholesky,
    room: Vec<f64>,
    velocity: Vec<f64>,
    /// Names what has no inertia.
    null_space: NullSpace,
}

impl Proximal {
    fn assemble(&mut self, problem: &Problem<'_>) {
        let (n, m) = (problem.coordinates(), problem.rows());
        let stiffness = match largest(problem.mass) {
            0.0 => 1.0,
            mass => mass / SOFTNESS,
        };
        let squares = zeros(&mut self.weights, m);
        for column in columns(problem.jacobian, m) {
            squares.iter_mut().zip(column).for_each(|(sum, x)| *sum += x * x);
        }
        squares.iter_mut().for_each(|x| *x = if *x > 0.0 { stiffness / *x } else { stiffness });
        let (matrix, stride) = self.augmented.reset(n);
        for (column, of) in matrix.chunks_exact_mut(stride.max(1)).zip(columns(problem.mass, n)) {
            column[..n].copy_from_slice(of);
        }
        for (j, column) in columns(problem.jacobian, m).enumerate() {
            let weighted = copy(&mut self.room, column);
            weighted.iter_mut().zip(&self.weights).for_each(|(x, weight)| *x *= weight);
            for (i, other) in columns(problem.jacobian, m).enumerate().skip(j) {
                matrix[j * stride + i] += dot(weighted, other);
            }
        }
    }

    /// One step. Returns the change of λ.
    fn step(
        &mut self,
        jacobian: &[f64],
        (force, target): (&[f64], &[f64]),
        (x, lambda): (&mut [f64], &mut [f64]),
    ) -> f64 {
        let pull = copy(&mut self.room, target);
        for ((pull, weight), lambda) in pull.iter_mut().zip(&self.weights).zip(&*lambda) {
            *pull = *pull * weight + lambda;
        }
        x.copy_from_slice(force);
        multiply_transposed(x, jacobian, pull);
        self.augmented.solve(x);
        let change = copy(&mut self.room, target);
        let velocity = zeros(&mut self.velocity, target.len());
        multiply(velocity, jacobian, x);
        for ((change, weight), velocity) in change.iter_mut().zip(&self.weights).zip(velocity) {
            *change = (*change - *velocity) * weight;
        }
        add(lambda, 1.0, change);
        largest(change)
    }
}

impl Factorisation for Proximal {
    fn factor(&mut self, problem: &Problem<'_>, rows: &Orthogonal) -> Result<Pivots, Error> {
        self.assemble(problem);
        if self.augmented.factor(DOUBTFUL).is_err() {
            // What is softened little hides in rounding whether the rest has inertia.
            self.null_space.factor(problem, rows)?;
            self.assemble(problem);
            let condition = 1.0 / f64::EPSILON;
            self.augmented.factor(0.0).map_err(|_| Error::IllConditioned { condition })?;
        }
        Ok(Pivots { rank: rows.rank(), condition: super::rows::condition(rows) })
    }

    fn solve(
        &mut self,
        problem: &Problem<'_>,
        _: &mut Orthogonal,
        side: (&[f64], &[f64]),
        (x, lambda): (&mut [f64], &mut [f64]),
    ) -> Result<(), Error> {
        lambda.fill(0.0);
        let mut last = f64::INFINITY;
        for _ in 0..MAX_STEPS {
            let change = self.step(problem.jacobian, side, (x, lambda));
            if change <= CONVERGED * largest(lambda) || change >= last {
                return Ok(());
            }
            last = change;
        }
        let residual = last / largest(lambda);
        Err(Error::NotConverged { residual, iterations: MAX_STEPS })
    }
}
