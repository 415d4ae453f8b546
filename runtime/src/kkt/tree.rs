//! Factorisation of a mass matrix that keeps the zeros of a branched mechanism.
//!
//! > M = Lᵀ L,  L lower triangular, Lᵢⱼ ≠ 0 only where j is i or an ancestor of i
//!
//! Eliminated from the leaves to the root, there is no fill-in: Mᵢⱼ = 0 where neither coordinate is an
//! ancestor of the other.
//!
//! # Source
//!
//! Featherstone: Rigid Body Dynamics Algorithms (2008), section 6.5.

use alloc::vec::Vec;
use core::iter::successors;

use crate::slices::{BLOCK, Block, sqrt, sum, zeros};

/// A factorised mass matrix and the room for it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    n: usize,
    /// Blocks from one column to the next.
    stride: usize,
    /// Lᵀ: row k of L in column k.
    upper: Vec<Block>,
    /// 1 / Lₖₖ.
    inverse: Vec<f64>,
    parents: Vec<Option<usize>>,
    /// The ancestors of all coordinates, the nearest first, and where those of each begin.
    ancestors: Vec<usize>,
    begins: Vec<usize>,
}

impl Tree {
    /// Factors M. Returns the smallest pivot, relative to its diagonal entry.
    ///
    /// # Errors
    ///
    /// The first coordinate, from the leaves, whose pivot is not above `least`.
    pub(crate) fn factor(
        &mut self,
        mass: &[f64],
        parents: &[Option<usize>],
        n: usize,
        least: f64,
    ) -> Result<f64, usize> {
        if self.n != n || self.parents != parents {
            self.find_ancestors(parents, n);
        }
        self.upper.clear();
        self.upper.resize(n * self.stride, [0.0; BLOCK]);
        let columns = self.upper.chunks_exact_mut(self.stride.max(1));
        for (column, of) in columns.zip(mass.chunks_exact(n.max(1))) {
            column.as_flattened_mut()[..n].copy_from_slice(of);
        }
        zeros(&mut self.inverse, n);
        let mut smallest = 1.0;
        for k in (0..n).rev() {
            let pivot = self.row(k)[k];
            let ratio = pivot / mass[k * n + k];
            if !(ratio > least && pivot > 0.0) {
                return Err(k);
            }
            smallest = f64::min(smallest, ratio);
            self.eliminate(k, pivot);
        }
        Ok(smallest)
    }

    fn find_ancestors(&mut self, parents: &[Option<usize>], n: usize) {
        (self.n, self.stride) = (n, n.div_ceil(BLOCK));
        self.parents.clear();
        self.parents.extend_from_slice(parents);
        self.ancestors.clear();
        self.begins.clear();
        let parent = |&i: &usize| if parents.is_empty() { i.checked_sub(1) } else { parents[i] };
        for i in 0..n {
            self.begins.push(self.ancestors.len());
            self.ancestors.extend(successors(parent(&i), parent));
        }
        self.begins.push(self.ancestors.len());
    }

    /// The ancestors of a coordinate, the nearest first.
    #[inline]
    fn ancestors(&self, k: usize) -> &[usize] {
        &self.ancestors[self.begins[k]..self.begins[k + 1]]
    }

    /// Row k of L, filled up.
    #[inline]
    fn row(&self, k: usize) -> &[f64] {
        self.upper[k * self.stride..(k + 1) * self.stride].as_flattened()
    }

    /// One step of the elimination. Whole blocks are computed; what is below the diagonal of Lᵀ is never
    /// read, and what belongs to no ancestor is zero.
    #[inline]
    fn eliminate(&mut self, k: usize, pivot: f64) {
        let inverse = 1.0 / sqrt(pivot);
        self.inverse[k] = inverse;
        let (left, right) = self.upper.split_at_mut(k * self.stride);
        let row = &mut right[..k / BLOCK + 1];
        row.iter_mut().for_each(|block| *block = sum([0.0; BLOCK], inverse, *block));
        for &i in &self.ancestors[self.begins[k]..self.begins[k + 1]] {
            let (factor, first) = (row.as_flattened()[i], i * self.stride);
            let column = &mut left[first..first + i / BLOCK + 1];
            column.iter_mut().zip(&*row).for_each(|(x, row)| *x = sum(*x, -factor, *row));
        }
    }

    /// x ← L⁻ᵀ x, from the leaves to the root.
    pub(crate) fn solve_transposed(&self, x: &mut [f64]) {
        for k in (0..self.n).rev() {
            x[k] *= self.inverse[k];
            let (row, value) = (self.row(k), x[k]);
            self.ancestors(k).iter().for_each(|&i| x[i] -= row[i] * value);
        }
    }

    /// x ← L⁻¹ x, from the root to the leaves.
    pub(crate) fn solve(&self, x: &mut [f64]) {
        for k in 0..self.n {
            let row = self.row(k);
            let sum: f64 = self.ancestors(k).iter().map(|&i| row[i] * x[i]).sum();
            x[k] = (x[k] - sum) * self.inverse[k];
        }
    }

    /// x ← L⁻ᵀ x for a block of vectors, (n). What is zero is passed over, so that only ancestors of what is
    /// not are reached.
    #[inline]
    pub(super) fn solve_transposed_block(&self, x: &mut [Block]) {
        for k in (0..self.n).rev() {
            if x[k] == [0.0; BLOCK] {
                continue;
            }
            let value = sum([0.0; BLOCK], self.inverse[k], x[k]);
            x[k] = value;
            let row = self.row(k);
            self.ancestors(k).iter().for_each(|&i| x[i] = sum(x[i], -row[i], value));
        }
    }
}
