//! Rows and columns that come only if they do not depend on those that are there.

use super::{Columns, Inverse};
use crate::slices::{combine, copy, dot};

/// Whether row i of a matrix is its column i.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::lcp) enum Symmetry {
    Symmetric,
    #[default]
    Unsymmetric,
}

impl Symmetry {
    pub(in crate::lcp) fn of(m: Columns<'_>) -> Self {
        let mirrored = |j: usize| (0..j).all(|i| m.entry(i, j) == m.entry(j, i));
        if (0..m.rows).all(mirrored) { Self::Symmetric } else { Self::Unsymmetric }
    }
}

impl Inverse {
    /// Lets row and column `i` come, unless they depend on those that are there: the pivot is \[−u; 1\]ᵀ M
    /// \[−u; 1\] if M is symmetric, and must be more than `least` times the square of that vector's length.
    /// As little is left of M here, u and v are corrected once. Returns whether they came.
    pub(in crate::lcp) fn border_independent(
        &mut self,
        m: Columns<'_>,
        i: usize,
        (symmetry, least): (Symmetry, f64),
    ) -> bool {
        self.prepare_column(m, i);
        self.correct_column(m, i);
        if symmetry == Symmetry::Symmetric {
            copy(&mut self.v, &self.u);
        } else {
            self.prepare_row(m, i);
            self.correct_row(m, i);
        }
        let length = 1.0 + dot(&self.u, &self.u).max(dot(&self.v, &self.v));
        self.pivot(m, i, i).abs() > least * length && self.extend(m, i, i) != 0.0
    }

    /// u += G (M_Rj − K u).
    fn correct_column(&mut self, m: Columns<'_>, j: usize) {
        let Self { rows, columns, u, row: left_over, .. } = self;
        copy(left_over, m.column(j));
        combine(left_over, columns.iter().zip(&*u).map(|(&c, u)| (-u, m.column(c))));
        let k = rows.len();
        let inverse = self.entries.chunks_exact(self.stride.max(1));
        let terms = inverse.zip(&*rows).map(|(column, &i)| (left_over[i], &column[..k]));
        combine(u, terms);
    }

    /// vᵀ += (M_iC − vᵀ K) G.
    fn correct_row(&mut self, m: Columns<'_>, i: usize) {
        let (rows, v) = (&self.rows, &self.v);
        let left_over = |c: usize| {
            let product = rows.iter().zip(v).map(|(&r, v)| m.entry(r, c) * v);
            m.entry(i, c) - product.sum::<f64>()
        };
        self.row.clear();
        self.row.extend(self.columns.iter().map(|&c| left_over(c)));
        let columns = self.entries.chunks_exact(self.stride.max(1));
        for (v, column) in self.v.iter_mut().zip(columns) {
            *v += dot(&column[..self.row.len()], &self.row);
        }
    }
}
