//! Complete orthogonal decomposition.
//!
//! > A = Q₁ Wᵀ,  W Π₂ = Q₂ T,  A⁺ = Q₂ T⁻ᵀ Π₂ᵀ Q₁ᵀ
//!
//! with A (rows, columns) of numerical rank r, Q₁ (rows, r) and Q₂ (columns, r) with orthonormal
//! columns, W (columns, r), T (r, r) upper triangular. Q₁ and r come from a QR factorisation of A with
//! its columns divided by their lengths, so that the rank does not depend on the units of columns; W is
//! then multiplied by the lengths, so that A⁺ is Moore and Penrose's inverse of A itself.
//!
//! Class: all matrices.
//!
//! # Source
//!
//! Golub, Van Loan: Matrix Computations (4th edition), section 5.4.7.

use alloc::vec::Vec;

use super::qr::Qr;
use crate::slices::{norm, scale, zeros};

/// A factorised matrix and the room for it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Orthogonal {
    columns: usize,
    rank: usize,
    left: Qr,
    right: Qr,
    /// The lengths of the columns; 1 for a column of zeros.
    lengths: Vec<f64>,
    scaled: Vec<f64>,
    /// W.
    factor: Vec<f64>,
    room: Vec<f64>,
}

impl Orthogonal {
    /// Factors a (rows, columns) matrix. Its rank is that of the columns, divided by their lengths, of
    /// which less than `least` lies in the span of others that come first in order of pivoting.
    pub(crate) fn factor(&mut self, (rows, columns): (usize, usize), matrix: &[f64], least: f64) {
        self.scale(rows, columns, matrix);
        self.rank = self.left.factor(rows, columns, &self.scaled, least);
        self.factor_right();
    }

    /// The same with a given rank, or less where pivots are zero.
    pub(in crate::kkt) fn factor_of_rank(
        &mut self,
        (rows, columns): (usize, usize),
        matrix: &[f64],
        rank: usize,
    ) {
        self.scale(rows, columns, matrix);
        self.rank = self.left.factor(rows, columns, &self.scaled, 0.0).min(rank);
        self.factor_right();
    }

    fn scale(&mut self, rows: usize, columns: usize, matrix: &[f64]) {
        self.columns = columns;
        self.lengths.clear();
        self.scaled.clear();
        self.scaled.extend_from_slice(matrix);
        for column in self.scaled.chunks_exact_mut(rows.max(1)) {
            let length = norm(column);
            let length = if length > 0.0 { length } else { 1.0 };
            column.iter_mut().for_each(|x| *x /= length);
            self.lengths.push(length);
        }
        self.lengths.resize(columns, 1.0);
    }

    /// Q₂ and T, where W is not square; a square W is R itself, but for scales and order.
    fn factor_right(&mut self) {
        let (columns, rank) = (self.columns, self.rank);
        if rank == columns {
            return;
        }
        let w = zeros(&mut self.factor, columns * rank);
        for k in 0..columns {
            let column = self.left.column(k);
            for i in 0..rank.min(k + 1) {
                w[i * columns + column] = self.left.r(i, k) * self.lengths[column];
            }
        }
        self.right.factor(columns, rank, &self.factor, 0.0);
    }

    /// Moves the columns of A beyond the rank, which are rows of `transposed`, into the span of the others.
    pub(in crate::kkt) fn truncate(&mut self, transposed: &mut [f64]) {
        let (columns, rows) = (self.columns, transposed.len() / self.columns.max(1));
        for k in self.rank..columns {
            let column = self.left.column(k);
            let entries = zeros(&mut self.room, rows);
            for (i, entry) in entries[..self.rank].iter_mut().enumerate() {
                *entry = self.left.r(i, k) * self.lengths[column];
            }
            self.left.apply(entries);
            let row = transposed.iter_mut().skip(column).step_by(columns);
            row.zip(entries).for_each(|(x, entry)| *x = *entry);
        }
    }

    /// The numerical rank.
    pub(in crate::kkt) fn rank(&self) -> usize {
        self.rank
    }

    /// The first pivot by the last that counts.
    pub(in crate::kkt) fn condition(&self) -> f64 {
        match self.rank {
            0 => 1.0,
            rank => (self.left.r(0, 0) / self.left.r(rank - 1, rank - 1)).abs(),
        }
    }

    /// b ← Qᵀ b, (rows): the first r entries are those along the columns of A, the others at right
    /// angles to all of them.
    pub(in crate::kkt) fn apply_transposed(&self, b: &mut [f64]) {
        self.left.apply_transposed(b);
    }

    /// b ← Q b, (rows).
    pub(in crate::kkt) fn apply(&self, b: &mut [f64]) {
        self.left.apply(b);
    }

    /// The smallest x (columns) with Wᵀ x = b, (r).
    pub(in crate::kkt) fn smallest(&mut self, b: &[f64], x: &mut [f64]) {
        let (rank, room) = (self.rank, zeros(&mut self.room, self.rank));
        if rank == self.columns {
            room.copy_from_slice(&b[..rank]);
            self.left.solve_upper(room);
            for (k, value) in room.iter().enumerate() {
                let column = self.left.column(k);
                x[column] = value / self.lengths[column];
            }
            return;
        }
        for (k, value) in room.iter_mut().enumerate() {
            *value = b[self.right.column(k)];
        }
        self.right.solve_upper_transposed(room);
        x.fill(0.0);
        x[..rank].copy_from_slice(room);
        self.right.apply(x);
    }

    /// The x (r) that brings W x nearest to `b`, (columns), which is overwritten.
    pub(in crate::kkt) fn nearest(&mut self, b: &mut [f64], x: &mut [f64]) {
        let rank = self.rank;
        if rank == self.columns {
            for (k, x) in x[..rank].iter_mut().enumerate() {
                let column = self.left.column(k);
                *x = b[column] / self.lengths[column];
            }
            self.left.solve_upper_transposed(&mut x[..rank]);
            return;
        }
        self.right.apply_transposed(b);
        self.right.solve_upper(&mut b[..rank]);
        for k in 0..rank {
            x[self.right.column(k)] = b[k];
        }
    }

    /// b ← Q₂ Q₂ᵀ b, (columns): its part in the span of the rows of A.
    pub(in crate::kkt) fn project(&self, b: &mut [f64]) {
        if self.rank < self.columns {
            self.right.apply_transposed(b);
            scale(&mut b[self.rank..], 0.0);
            self.right.apply(b);
        }
    }

    /// b ← A⁺ b for a square A.
    pub(crate) fn solve(&mut self, b: &mut [f64]) {
        self.left.apply_transposed(b);
        let mut along = core::mem::take(&mut self.scaled);
        zeros(&mut along, self.rank).copy_from_slice(&b[..self.rank]);
        self.smallest(&along, b);
        self.scaled = along;
    }
}
