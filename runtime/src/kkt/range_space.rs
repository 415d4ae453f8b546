//! The range-space method.
//!
//! > M = Lᵀ L,  X = J L⁻¹,  y = L⁻ᵀ f,  X Xᵀ λ = g − X y,  x = L⁻¹ (y + Xᵀ λ)
//!
//! with L sparse by the mechanism's branches. A row of X is zero but at the ancestors of what its row of
//! J acts on; since rows that act on the same limb mostly stand together, the rows that a column has
//! entries in are kept as one range.
//!
//! Class: M positive definite; J of full rank with [`Dense::Lu`] and [`Dense::Cholesky`], of any rank
//! with the others. A squares the condition of J: rows that differ from a combination of others by less
//! than about 1e-6 of their length are beyond it.
//!
//! # Source
//!
//! Featherstone: Rigid Body Dynamics Algorithms (2008), sections 6.5 and 8.5.

use alloc::vec::Vec;
use core::ops::Range;

use super::delassus::Delassus;
use super::dense::{Dense, Orthogonal};
use super::factorisation::{Factorisation, Pivots};
use super::slices::{add, columns, copy, multiply, multiply_transposed};
use super::tree::Tree;
use super::{Error, Problem};

/// Room for the method.
#[derive(Clone, Debug, Default)]
pub(super) struct RangeSpace {
    dense: Dense,
    least: (f64, f64),
    tree: Tree,
    /// X, (m, n).
    x: Vec<f64>,
    /// In which rows X has entries, a range for each coordinate.
    support: Vec<Range<usize>>,
    delassus: Delassus,
    y: Vec<f64>,
}

impl RangeSpace {
    /// The dense solver, and the least pivots of M and of A, each relative to its diagonal entry.
    pub(super) fn choose(&mut self, dense: Dense, least: (f64, f64)) -> &mut Self {
        (self.dense, self.least) = (dense, least);
        self
    }

    /// X = J L⁻¹.
    fn transform(&mut self, problem: &Problem<'_>) {
        let m = problem.rows();
        self.support.clear();
        let extent = |column: &[f64]| match column.iter().position(|&x| x != 0.0) {
            Some(first) => first..column.iter().rposition(|&x| x != 0.0).map_or(m, |last| last + 1),
            None => 0..0,
        };
        self.support.extend(columns(problem.jacobian, m).map(extent));
        self.support.resize(problem.coordinates(), 0..0);
        copy(&mut self.x, problem.jacobian);
        self.tree.solve_rows(&mut self.x, m, &mut self.support);
    }

    /// A = X Xᵀ, its lower triangle.
    fn assemble(&mut self, m: usize) {
        let a = self.delassus.reset(m);
        for (column, rows) in columns(&self.x, m).zip(&self.support) {
            let column = &column[..rows.end];
            for j in rows.clone() {
                add(&mut a[j * m..][j..rows.end], column[j], &column[j..]);
            }
        }
    }
}

impl Factorisation for RangeSpace {
    fn factor(&mut self, problem: &Problem<'_>, rows: &Orthogonal) -> Result<Pivots, Error> {
        let (n, m) = (problem.coordinates(), problem.rows());
        let singular = |coordinate| Error::SingularMass { coordinate };
        let mass = self.tree.factor(problem.mass, problem.parents, n, self.least.0);
        mass.map_err(singular)?;
        self.transform(problem);
        self.assemble(m);
        let rank = if self.dense.takes_singular() { rows.rank() } else { m };
        let deficient = |rank| Error::RankDeficient { rank, rows: m };
        let least = self.delassus.factor(self.dense, rank, self.least.1).map_err(deficient)?;
        Ok(Pivots { rank, condition: 1.0 / least })
    }

    fn solve(
        &mut self,
        _: &Problem<'_>,
        _: &mut Orthogonal,
        (force, target): (&[f64], &[f64]),
        (x, lambda): (&mut [f64], &mut [f64]),
    ) -> Result<(), Error> {
        let y = copy(&mut self.y, force);
        self.tree.solve_transposed(y);
        lambda.fill(0.0);
        multiply(lambda, &self.x, y);
        lambda.iter_mut().zip(target).for_each(|(b, target)| *b = target - *b);
        self.delassus.solve(lambda);
        multiply_transposed(y, &self.x, lambda);
        x.copy_from_slice(y);
        self.tree.solve(x);
        Ok(())
    }
}
