//! The articulated method.
//!
//! > xᶠ = M⁻¹ f,  V = M⁻¹ Jᵀ,  J V λ = g − J xᶠ,  x = M⁻¹ (f + Jᵀ λ)
//!
//! where each M⁻¹ is one pass of the robot's own forward dynamics: the columns of V are its responses to
//! unit constraint forces. M is not needed; if it is given, the solution is checked against it.
//!
//! Class: as that of the range-space method.
//!
//! # Source
//!
//! Kokkevis: Practical Physics for Articulated Characters (2004).

use alloc::vec::Vec;

use super::delassus::Delassus;
use super::dense::{Dense, Orthogonal};
use super::factorisation::{Factorisation, Pivots, SINGULAR};
use super::problem::{Accelerate, check_finite};
use super::{Error, Problem};
use crate::slices::{columns, copy, multiply, multiply_transposed, zeros};

/// Room for the method.
#[derive(Clone, Debug, Default)]
pub(super) struct Articulated {
    dense: Dense,
    response: Vec<f64>,
    force: Vec<f64>,
    row: Vec<f64>,
    delassus: Delassus,
}

impl Articulated {
    pub(super) fn choose(&mut self, dense: Dense) -> &mut Self {
        self.dense = dense;
        self
    }

    /// The lower triangle of J M⁻¹ Jᵀ, a column for each response.
    fn assemble(
        &mut self,
        problem: &Problem<'_>,
        accelerate: &Accelerate<'_>,
    ) -> Result<(), Error> {
        let m = problem.rows();
        let (a, stride) = self.delassus.reset(m);
        for k in 0..m {
            self.force.clear();
            self.force.extend(columns(problem.jacobian, m).map(|column| column[k]));
            let response = zeros(&mut self.response, problem.coordinates());
            accelerate(&self.force, response);
            check_finite("acceleration", response)?;
            let column = zeros(&mut self.row, m);
            multiply(column, problem.jacobian, response);
            a[k * stride + k..][..m - k].copy_from_slice(&column[k..]);
        }
        Ok(())
    }
}

impl Factorisation for Articulated {
    fn factor(&mut self, problem: &Problem<'_>, rows: &Orthogonal) -> Result<Pivots, Error> {
        let m = problem.rows();
        let accelerate = problem.accelerate.ok_or(Error::NoForwardDynamics)?;
        self.assemble(problem, accelerate)?;
        let rank = if self.dense.takes_singular() { rows.rank() } else { m };
        let deficient = |rank| Error::RankDeficient { rank, rows: m };
        let least = self.delassus.factor(self.dense, rank, SINGULAR.1).map_err(deficient)?;
        Ok(Pivots { rank, condition: 1.0 / least })
    }

    fn solve(
        &mut self,
        problem: &Problem<'_>,
        _: &mut Orthogonal,
        (force, target): (&[f64], &[f64]),
        (x, lambda): (&mut [f64], &mut [f64]),
    ) -> Result<(), Error> {
        let accelerate = problem.accelerate.ok_or(Error::NoForwardDynamics)?;
        x.fill(0.0);
        accelerate(force, x);
        check_finite("acceleration", x)?;
        lambda.fill(0.0);
        multiply(lambda, problem.jacobian, x);
        lambda.iter_mut().zip(target).for_each(|(b, target)| *b = target - *b);
        self.delassus.solve(lambda);
        let whole = copy(&mut self.force, force);
        multiply_transposed(whole, problem.jacobian, lambda);
        x.fill(0.0);
        accelerate(whole, x);
        check_finite("acceleration", x)
    }
}
