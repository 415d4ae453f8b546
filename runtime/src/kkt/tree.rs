//! Factorisation of a mass matrix that keeps the zeros of a branched mechanism.
//!
//! > M = Lᵀ L,  L lower triangular, Lᵢⱼ ≠ 0 only where j is i or an ancestor of i
//!
//! Eliminated from the leaves to the root, there is no fill-in: Mᵢⱼ = 0 where neither coordinate is an
//! ancestor of the other. The ancestors of a coordinate are walked by runs of consecutive coordinates,
//! each the parent of the next, so that loops are over contiguous numbers.
//!
//! # Source
//!
//! Featherstone: Rigid Body Dynamics Algorithms (2008), section 6.5.

use alloc::vec::Vec;
use core::iter::successors;
use core::ops::Range;

use super::slices::{copy, dot, scale, sqrt, subtract};

/// A factorised mass matrix and the room for it.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    /// Lᵀ: row k of L in column k.
    upper: Vec<f64>,
    /// 1 / Lₖₖ.
    inverse: Vec<f64>,
    /// The first of the consecutive ancestors that end in a coordinate.
    start: Vec<usize>,
    /// The parent of that one.
    next: Vec<Option<usize>>,
}

impl Tree {
    /// Factors M. Returns the smallest pivot, relative to its diagonal entry.
    ///
    /// # Errors
    ///
    /// The first coordinate, from the leaves, whose pivot is not above `least`.
    pub(super) fn factor(
        &mut self,
        mass: &[f64],
        parents: &[Option<usize>],
        n: usize,
        least: f64,
    ) -> Result<f64, usize> {
        self.find_runs(parents, n);
        copy(&mut self.upper, mass);
        self.inverse.clear();
        self.inverse.resize(n, 0.0);
        let mut smallest = 1.0;
        for k in (0..n).rev() {
            let pivot = self.upper[k * n + k];
            let ratio = pivot / mass[k * n + k];
            if !(ratio > least && pivot > 0.0) {
                return Err(k);
            }
            smallest = f64::min(smallest, ratio);
            self.eliminate(k, n, pivot);
        }
        Ok(smallest)
    }

    fn find_runs(&mut self, parents: &[Option<usize>], n: usize) {
        self.start.clear();
        self.next.clear();
        for i in 0..n {
            let parent = if parents.is_empty() { i.checked_sub(1) } else { parents[i] };
            let continues = parent.is_some_and(|parent| parent + 1 == i);
            let (start, next) =
                if continues { (self.start[i - 1], self.next[i - 1]) } else { (i, parent) };
            self.start.push(start);
            self.next.push(next);
        }
    }

    fn eliminate(&mut self, k: usize, n: usize, pivot: f64) {
        let inverse = 1.0 / sqrt(pivot);
        self.inverse[k] = inverse;
        let (left, right) = self.upper.split_at_mut(k * n);
        let row = &mut right[..k];
        for run in runs(&self.start, &self.next, k) {
            scale(&mut row[run.start..run.end.min(k)], inverse);
        }
        for run in runs(&self.start, &self.next, k) {
            for i in run.start..run.end.min(k) {
                let other = &mut left[i * n..i * n + n];
                for run in runs(&self.start, &self.next, i) {
                    subtract(&mut other[run.clone()], row[i], &row[run]);
                }
            }
        }
    }

    /// x ← L⁻ᵀ x, from the leaves to the root.
    pub(super) fn solve_transposed(&self, x: &mut [f64]) {
        let n = x.len();
        for k in (0..n).rev() {
            x[k] *= self.inverse[k];
            let (ancestors, value) = (&self.upper[k * n..k * n + k], x[k]);
            for run in self.ancestors(k) {
                subtract(&mut x[run.clone()], value, &ancestors[run]);
            }
        }
    }

    /// x ← L⁻¹ x, from the root to the leaves.
    pub(super) fn solve(&self, x: &mut [f64]) {
        let n = x.len();
        for k in 0..n {
            let row = &self.upper[k * n..k * n + k];
            let sum: f64 = self.ancestors(k).map(|run| dot(&row[run.clone()], &x[run])).sum();
            x[k] = (x[k] - sum) * self.inverse[k];
        }
    }

    /// X ← X L⁻¹ for the rows of X (m, n), which are zero outside of `support`, one range of rows a
    /// coordinate; it is widened by what reaches ancestors.
    pub(super) fn solve_rows(&self, x: &mut [f64], m: usize, support: &mut [Range<usize>]) {
        let n = support.len();
        for k in (0..n).rev() {
            let rows = support[k].clone();
            if rows.is_empty() {
                continue;
            }
            let (left, right) = x.split_at_mut(k * m);
            let column = &mut right[rows.clone()];
            scale(column, self.inverse[k]);
            for i in self.ancestors(k).flatten() {
                subtract(&mut left[i * m..][rows.clone()], self.upper[k * n + i], column);
                let wider = &mut support[i];
                *wider = if Range::is_empty(wider) {
                    rows.clone()
                } else {
                    wider.start.min(rows.start)..wider.end.max(rows.end)
                };
            }
        }
    }

    /// The ancestors of a coordinate, itself not among them, in runs from the nearest.
    fn ancestors(&self, k: usize) -> impl Iterator<Item = Range<usize>> {
        runs(&self.start, &self.next, k).map(move |run| run.start..run.end.min(k))
    }
}

/// The runs of a coordinate and its ancestors, the nearest first.
fn runs(start: &[usize], next: &[Option<usize>], k: usize) -> impl Iterator<Item = Range<usize>> {
    successors(Some(k), |&last| next[last]).map(|last| start[last]..last + 1)
}
