//! The range-space method.
//!
//! > M = Lᵀ L,  X = J L⁻¹,  y = L⁻ᵀ f,  X Xᵀ λ = g − X y,  x = L⁻¹ (y + Xᵀ λ)
//!
//! with L sparse by the mechanism's branches. A row of X is zero but at the ancestors of what its row of
//! J acts on. Rows are taken in blocks, since those that act on the same limb mostly stand together.
//!
//! Class: M positive definite; J of full rank with [`Dense::Lu`] and [`Dense::Cholesky`], of any rank
//! with the others. A squares the condition of J: rows that differ from a combination of others by less
//! than about 1e-6 of their length are beyond it.
//!
//! # Source
//!
//! Featherstone: Rigid Body Dynamics Algorithms (2008), sections 6.5 and 8.5.

use alloc::vec::Vec;

use super::delassus::Delassus;
use super::dense::{Dense, Orthogonal};
use super::factorisation::{Factorisation, Pivots};
use super::tree::Tree;
use super::{Error, Problem};
use crate::slices::{BLOCK, Block, columns, copy, dot, sum};

/// Room for the method.
#[derive(Clone, Debug, Default)]
pub(super) struct RangeSpace {
    dense: Dense,
    least: (f64, f64),
    tree: Tree,
    /// X, (m, n): for each block of rows, its n columns.
    x: Vec<Block>,
    /// The columns that are not zero, of all blocks, and where those of each begin.
    active: Vec<usize>,
    begins: Vec<usize>,
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
        let (n, m) = (problem.coordinates(), problem.rows());
        self.x.clear();
        self.x.resize(m.div_ceil(BLOCK) * n, [0.0; BLOCK]);
        for (k, column) in columns(problem.jacobian, m).enumerate() {
            let (blocks, rest) = column.as_chunks::<BLOCK>();
            blocks.iter().enumerate().for_each(|(b, rows)| self.x[b * n + k] = *rows);
            if !rest.is_empty() {
                self.x[blocks.len() * n + k][..rest.len()].copy_from_slice(rest);
            }
        }
        self.active.clear();
        self.begins.clear();
        for rows in self.x.chunks_exact_mut(n.max(1)) {
            self.tree.solve_transposed_block(rows);
            self.begins.push(self.active.len());
            self.active.extend((0..n).filter(|&k| rows[k] != [0.0; BLOCK]));
        }
        self.begins.push(self.active.len());
    }

    /// A = X Xᵀ, its lower triangle, block by block. Those on the diagonal are computed whole.
    fn assemble(&mut self, n: usize, m: usize) {
        let (a, stride) = self.delassus.reset(m);
        let blocks = || self.x.chunks_exact(n.max(1)).enumerate();
        for (j, right) in blocks() {
            let active = &self.active[self.begins[j]..self.begins[j + 1]];
            for (i, left) in blocks().skip(j) {
                let product = outer(left, right, active);
                let columns = a[j * BLOCK * stride..].chunks_exact_mut(stride).zip(product);
                columns.for_each(|(column, of)| column.as_chunks_mut().0[i] = of);
            }
        }
    }
}

/// X Yᵀ, column by column, where Y has entries in some columns only.
#[inline]
fn outer(x: &[Block], y: &[Block], active: &[usize]) -> [Block; BLOCK] {
    let mut product = [[0.0; BLOCK]; BLOCK];
    for &column in active {
        let (x, y) = (x[column], y[column]);
        for k in 0..BLOCK {
            product[k] = sum(product[k], y[k], x);
        }
    }
    product
}

impl Factorisation for RangeSpace {
    fn factor(&mut self, problem: &Problem<'_>, rows: &Orthogonal) -> Result<Pivots, Error> {
        let (n, m) = (problem.coordinates(), problem.rows());
        let singular = |coordinate| Error::SingularMass { coordinate };
        let mass = self.tree.factor(problem.mass, problem.parents, n, self.least.0);
        mass.map_err(singular)?;
        self.transform(problem);
        self.assemble(n, m);
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
        let blocks = self.x.chunks_exact(x.len().max(1));
        for ((lambda, target), x) in lambda.chunks_mut(BLOCK).zip(target.chunks(BLOCK)).zip(blocks)
        {
            let free = x.iter().zip(&*y).fold([0.0; BLOCK], |total, (&x, &y)| sum(total, y, x));
            let rows = lambda.iter_mut().zip(target).zip(free);
            rows.for_each(|((lambda, target), free)| *lambda = target - free);
        }
        self.delassus.solve(lambda);
        for (lambda, x) in lambda.chunks(BLOCK).zip(self.x.chunks_exact(x.len().max(1))) {
            y.iter_mut().zip(x).for_each(|(y, x)| *y += dot(&x[..lambda.len()], lambda));
        }
        x.copy_from_slice(y);
        self.tree.solve(x);
        Ok(())
    }
}
