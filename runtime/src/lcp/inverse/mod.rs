//! The inverse of a square submatrix, kept up to date while rows and columns come and go.
//!
//! > G = K⁻¹,  K = M_RC,  |R| = |C| = k
//!
//! A pivot of a complementarity problem changes one row or one column of K, or one of each, and G by a
//! matrix of rank one: with u = G M_Rj, vᵀ = M_iC G and the pivot p = M_ij − M_iC u,
//!
//! > row i and column j come: \[G + u vᵀ/p, −u/p; −vᵀ/p, 1/p\];  row r and column c go: G − G_:r G_c: / G_cr;
//! > column j instead of c: G − (u − e_c) G_c: / u_c;  row i instead of r: G − G_:r (v − e_r)ᵀ / v_r
//!
//! so that a pivot costs k² operations, a factorisation k³. Updates drift: whoever solves with G looks at
//! what is left over, corrects the solution by it, or builds G anew.
//!
//! # Source
//!
//! Hager: Updating the Inverse of a Matrix (1989).

mod independent;

use alloc::vec::Vec;

pub(in crate::lcp) use self::independent::Symmetry;
use crate::lu::Lu;
use crate::slices::{combine, copy, dot, filled, zeros};

/// A matrix whose submatrices are inverted.
#[derive(Clone, Copy, Debug)]
pub(in crate::lcp) struct Columns<'a> {
    /// Column by column.
    pub entries: &'a [f64],
    /// Length of a column.
    pub rows: usize,
}

impl<'a> Columns<'a> {
    pub(in crate::lcp) fn column(self, j: usize) -> &'a [f64] {
        &self.entries[j * self.rows..][..self.rows]
    }

    fn entry(self, i: usize, j: usize) -> f64 {
        self.entries[j * self.rows + i]
    }
}

/// G, and of which rows R and columns C it is the inverse.
#[derive(Clone, Debug, Default)]
pub(in crate::lcp) struct Inverse {
    rows: Vec<usize>,
    columns: Vec<usize>,
    /// From one column of G to the next.
    stride: usize,
    /// G column by column: a column for each of R, with an entry for each of C.
    entries: Vec<f64>,
    u: Vec<f64>,
    v: Vec<f64>,
    /// M_iC.
    row: Vec<f64>,
    lu: Lu,
}

impl Inverse {
    /// Room for submatrices of up to `n` rows.
    pub(in crate::lcp) fn with_capacity(n: usize) -> Self {
        Self {
            rows: Vec::with_capacity(n),
            columns: Vec::with_capacity(n),
            stride: filled(n),
            entries: Vec::with_capacity(filled(n) * n),
            u: Vec::with_capacity(n),
            v: Vec::with_capacity(n),
            row: Vec::with_capacity(n),
            lu: Lu::with_capacity(n),
        }
    }

    /// The inverse of nothing, with room for `n` rows.
    pub(in crate::lcp) fn clear(&mut self, n: usize) {
        self.rows.clear();
        self.columns.clear();
        self.stride = filled(n);
        if self.entries.len() < self.stride * n {
            self.entries.resize(self.stride * n, 0.0);
        }
    }

    /// R, in the order in which right-hand sides are given.
    pub(in crate::lcp) fn rows(&self) -> &[usize] {
        &self.rows
    }

    /// C, in the order of solutions.
    pub(in crate::lcp) fn columns(&self) -> &[usize] {
        &self.columns
    }

    /// x += K⁻¹ b · factor.
    pub(in crate::lcp) fn add_solution(
        &self,
        factor: f64,
        b: impl Iterator<Item = f64>,
        x: &mut [f64],
    ) {
        let (k, columns) = (x.len(), self.entries.chunks_exact(self.stride.max(1)));
        combine(x, columns.zip(b).map(|(column, b)| (factor * b, &column[..k])));
    }

    /// G_cr for the column `c` and the row `r` of the matrix; zero if K has not both.
    pub(in crate::lcp) fn entry(&self, c: usize, r: usize) -> f64 {
        match (place(&self.columns, c), place(&self.rows, r)) {
            (Some(c), Some(r)) => self.entries[r * self.stride + c],
            _ => 0.0,
        }
    }

    /// Lets row `i` and column `j` come, for which K u = M_Rj has been solved. Returns the pivot; nothing changes
    /// if it is zero.
    pub(in crate::lcp) fn border(&mut self, m: Columns<'_>, i: usize, j: usize, u: &[f64]) -> f64 {
        copy(&mut self.u, u);
        self.prepare_row(m, i);
        self.extend(m, i, j)
    }

    /// M_ij − M_iC u.
    fn pivot(&self, m: Columns<'_>, i: usize, j: usize) -> f64 {
        let row = self.columns.iter().map(|&c| m.entry(i, c));
        m.entry(i, j) - row.zip(&self.u).map(|(a, u)| a * u).sum::<f64>()
    }

    /// Lets row `i` and column `j` come, whose u and v are prepared.
    fn extend(&mut self, m: Columns<'_>, i: usize, j: usize) -> f64 {
        let (pivot, k) = (self.pivot(m, i, j), self.rows.len());
        if pivot == 0.0 {
            return pivot;
        }
        self.update(1.0 / pivot);
        for (r, v) in self.v.iter().enumerate() {
            self.entries[r * self.stride + k] = -v / pivot;
        }
        let last = &mut self.entries[k * self.stride..][..=k];
        last[..k].iter_mut().zip(&self.u).for_each(|(g, u)| *g = -u / pivot);
        last[k] = 1.0 / pivot;
        self.rows.push(i);
        self.columns.push(j);
        pivot
    }

    /// Lets row `i` and column `j` go. Returns the pivot G_cr; nothing changes if it is zero.
    pub(in crate::lcp) fn remove(&mut self, i: usize, j: usize) -> f64 {
        let (Some(r), Some(c)) = (place(&self.rows, i), place(&self.columns, j)) else {
            return 0.0;
        };
        let pivot = self.copy_cross(r, c);
        if pivot == 0.0 {
            return pivot;
        }
        self.update(-1.0 / pivot);
        let last = self.rows.len() - 1;
        for column in self.entries.chunks_exact_mut(self.stride).take(last + 1) {
            column.swap(c, last);
        }
        let (kept, moved) = self.entries.split_at_mut(last * self.stride);
        if r < last {
            kept[r * self.stride..][..last].copy_from_slice(&moved[..last]);
        }
        self.rows.swap_remove(r);
        self.columns.swap_remove(c);
        pivot
    }

    /// Lets column `j` come instead of `old`, for which K u = M_Rj has been solved. Returns the pivot u_c; nothing
    /// changes if it is zero.
    pub(in crate::lcp) fn replace_column(&mut self, old: usize, j: usize, u: &[f64]) -> f64 {
        let Some(c) = place(&self.columns, old) else { return 0.0 };
        copy(&mut self.u, u);
        let pivot = self.u[c];
        if pivot == 0.0 {
            return pivot;
        }
        self.u[c] -= 1.0;
        let row = self.entries.iter().skip(c).step_by(self.stride).take(self.rows.len());
        self.v.clear();
        self.v.extend(row);
        self.update(-1.0 / pivot);
        self.columns[c] = j;
        pivot
    }

    /// Lets row `i` come instead of `old`. Returns the pivot v_r; nothing changes if it is zero.
    pub(in crate::lcp) fn replace_row(&mut self, m: Columns<'_>, old: usize, i: usize) -> f64 {
        let Some(r) = place(&self.rows, old) else { return 0.0 };
        self.prepare_row(m, i);
        let pivot = self.v[r];
        if pivot == 0.0 {
            return pivot;
        }
        self.v[r] -= 1.0;
        self.u.clear();
        self.u.extend_from_slice(&self.entries[r * self.stride..][..self.columns.len()]);
        self.update(-1.0 / pivot);
        self.rows[r] = i;
        pivot
    }

    /// Computes G for the given rows and as many columns. Returns the smallest pivot of the factorisation
    /// by its largest; zero if K is singular, and then G is of no use.
    pub(in crate::lcp) fn build(
        &mut self,
        m: Columns<'_>,
        rows: &[usize],
        columns: impl Iterator<Item = usize>,
    ) -> f64 {
        self.clear(m.rows);
        self.rows.extend_from_slice(rows);
        self.columns.extend(columns);
        let entries = self.columns.iter().flat_map(|&j| rows.iter().map(move |&i| m.entry(i, j)));
        let quality = self.lu.factor(rows.len(), entries);
        if quality > 0.0 {
            let columns = self.entries.chunks_exact_mut(self.stride.max(1)).take(rows.len());
            for (r, column) in columns.enumerate() {
                let column = &mut column[..rows.len()];
                column.fill(0.0);
                column[r] = 1.0;
                self.lu.solve(column);
            }
        }
        quality
    }

    /// u = G M_Rj.
    fn prepare_column(&mut self, m: Columns<'_>, j: usize) {
        let mut u = core::mem::take(&mut self.u);
        let column = m.column(j);
        self.add_solution(
            1.0,
            self.rows.iter().map(|&i| column[i]),
            zeros(&mut u, self.rows.len()),
        );
        self.u = u;
    }

    /// vᵀ = M_iC G.
    fn prepare_row(&mut self, m: Columns<'_>, i: usize) {
        let k = self.rows.len();
        let row = &mut self.row;
        row.clear();
        row.extend(self.columns.iter().map(|&c| m.entry(i, c)));
        let columns = self.entries.chunks_exact(self.stride.max(1)).take(k);
        self.v.clear();
        self.v.extend(columns.map(|column| dot(&column[..k], row)));
    }

    /// u = G_:r, v = G_c:; returns G_cr.
    fn copy_cross(&mut self, r: usize, c: usize) -> f64 {
        let k = self.rows.len();
        self.u.clear();
        self.u.extend_from_slice(&self.entries[r * self.stride..][..k]);
        self.v.clear();
        self.v.extend(self.entries.iter().skip(c).step_by(self.stride).take(k));
        self.u[c]
    }

    /// G += factor · u vᵀ.
    fn update(&mut self, factor: f64) {
        let k = self.u.len();
        for (column, v) in self.entries.chunks_exact_mut(self.stride.max(1)).zip(&self.v) {
            if *v != 0.0 {
                let a = factor * v;
                column[..k].iter_mut().zip(&self.u).for_each(|(g, u)| *g += a * u);
            }
        }
    }
}

fn place(of: &[usize], index: usize) -> Option<usize> {
    of.iter().position(|&i| i == index)
}
