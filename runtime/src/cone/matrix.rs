//! The matrix of a problem, as it is given and as it is computed with.

use alloc::vec::Vec;

use super::vector::{add, dot};
use super::{LANES, Star};
use crate::arithmetic::Baseline;
use crate::kernel::Real;
use crate::slices;

/// A, (n, n), symmetric positive semidefinite.
#[derive(Clone, Copy, Debug)]
pub enum Matrix<'a> {
    /// Its n² entries, column by column.
    Delassus(&'a [f64]),
    /// A = Y Yᵀ + diag(σ). With M = L Lᵀ and the rows J of the problem, Yᵀ = L⁻¹ Jᵀ. Time and memory then grow
    /// as n where n is larger than Y is wide.
    Factor {
        /// Y, (n, nv), row by row.
        rows: &'a [f64],
        /// σ ≥ 0, (n).
        damping: &'a [f64],
    },
    /// A = Y W Yᵀ + diag(B₁, B₂, …), of contacts without torsional rows that share six coordinates at most, from their
    /// [`Arms`](super::Arms). Time and memory grow as n.
    Star(Star<'a>),
}

/// The place of (i, j) in the triangle of a symmetric matrix.
pub(super) const TRIANGLE: [[usize; 3]; 3] = [[0, 1, 2], [1, 3, 4], [2, 4, 5]];
/// So many times more rows than coordinates are many: factors of A are then better than A. One body on nine points, 4.5
/// times, is solved faster without them, on sixteen, 8 times, with them.
pub(crate) const MANY: usize = 6;

impl Matrix<'_> {
    /// The matrix as it is computed with: factors that have no more rows than columns are multiplied, and a star's
    /// parts, unless it has many rows, and its factors are to be had.
    #[inline(always)]
    pub(super) fn form<'a, A: Real>(&'a self, n: usize, product: &'a mut Vec<f64>) -> Form<'a> {
        let width = self.width(n);
        match *self {
            Matrix::Star(Star { shared, weights, own, .. })
                if self.has_many(n) && are_diagonal(own, n) =>
            {
                product.clear();
                let roots = weights.map(|weight| A::sqrt(weight));
                let place = |row: usize| (row / 3 / LANES, row % 3, row / 3 % LANES);
                for (four, axis, lane) in (0..n).map(place) {
                    let row = shared[four].iter().zip(roots);
                    product.extend(row.map(|(column, root)| root * column[axis][lane]));
                }
                let diagonal = (0..n).map(place);
                product.extend(
                    diagonal.map(|(four, axis, lane)| own[four][TRIANGLE[axis][axis]][lane]),
                );
                let (rows, damping) = product.split_at(n * width);
                Form::Factor { rows, damping }
            }
            Matrix::Factor { rows, damping } if self.has_many(n) => Form::Factor { rows, damping },
            Matrix::Delassus(entries) => Form::Delassus(entries),
            _ => {
                product.clear();
                product.extend((0..n * n).map(|k| self.entry::<A>((n, width), k % n, k / n)));
                Form::Delassus(product)
            }
        }
    }

    /// Whether it has so many rows that factors, if there are any, are better than A.
    #[inline(always)]
    pub(super) fn has_many(&self, n: usize) -> bool {
        let width = self.width(n);
        match *self {
            Matrix::Delassus(_) => false,
            Matrix::Factor { .. } => n > width && width > 0,
            Matrix::Star(_) => n > MANY * width,
        }
    }

    /// How wide Y is; none for a matrix that is given by its entries.
    pub(super) fn width(&self, n: usize) -> usize {
        match *self {
            Matrix::Factor { rows, .. } if n > 0 => rows.len() / n,
            Matrix::Star(Star { weights, .. }) => weights.len(),
            _ => 0,
        }
    }

    /// How many columns A has, or the factor that it is given by.
    pub(crate) fn columns(&self, n: usize) -> usize {
        if let Matrix::Delassus(_) = self { n } else { self.width(n) }
    }

    /// Whether a column of A, or of its factor, has something in a row of n.
    pub(crate) fn couples(&self, n: usize, row: usize, column: usize) -> bool {
        match *self {
            Matrix::Delassus(a) => a[column * n + row] != 0.0,
            Matrix::Factor { rows, .. } => rows[row * self.width(n) + column] != 0.0,
            Matrix::Star(Star { shared, .. }) => {
                shared[row / 3 / LANES][column][row % 3][row / 3 % LANES] != 0.0
            }
        }
    }

    /// The diagonal entry of a row of n.
    pub(crate) fn diagonal(&self, n: usize, row: usize) -> f64 {
        self.entry::<Baseline>((n, self.width(n)), row, row)
    }

    /// The entry in row i and column j of n, where rows of Y are so wide.
    #[inline(always)]
    pub(super) fn entry<A: Real>(&self, (n, width): (usize, usize), i: usize, j: usize) -> f64 {
        match *self {
            Matrix::Delassus(a) => a[j * n + i],
            Matrix::Factor { rows, damping } => {
                let row = |i: usize| &rows[i * width..][..width];
                dot::<A>(row(i), row(j)) + if i == j { damping[i] } else { 0.0 }
            }
            Matrix::Star(Star { shared, weights, own, .. }) => {
                let [(four, lane), (other, beside)] =
                    [i, j].map(|row| (row / 3 / LANES, row / 3 % LANES));
                let columns = shared[four].iter().zip(&shared[other]).zip(weights);
                let products =
                    columns.map(|((x, y), weight)| weight * x[i % 3][lane] * y[j % 3][beside]);
                let is_own = i / 3 == j / 3;
                let own = if is_own { own[four][TRIANGLE[i % 3][j % 3]][lane] } else { 0.0 };
                products.sum::<f64>() + own
            }
        }
    }
}

/// Whether the own matrices of contacts with so many rows are.
fn are_diagonal(own: &[[[f64; LANES]; 6]], n: usize) -> bool {
    let is_none = |x: [f64; 3]| x == [0.0; 3];
    let of = |i: usize| own[i / LANES].map(|each| each[i % LANES]);
    (0..n / 3).all(|i| matches!(of(i), [_, xy, xz, _, yz, _] if is_none([xy, xz, yz])))
}

/// A as it is computed with.
#[derive(Clone, Copy, Debug)]
pub(super) enum Form<'a> {
    /// Its n² entries, column by column.
    Delassus(&'a [f64]),
    /// Y and σ of Y Yᵀ + diag(σ).
    Factor { rows: &'a [f64], damping: &'a [f64] },
}

impl Form<'_> {
    /// w = A λ + b, with the length `n` of all three; `velocity` is room for Yᵀ λ.
    #[inline(always)]
    pub(super) fn apply<A: Real>(
        &self,
        lambda: &[f64],
        b: &[f64],
        w: &mut [f64],
        velocity: &mut [f64],
    ) {
        match *self {
            Form::Delassus(a) => super::vector::affine::<A>(a, lambda, b, w),
            Form::Factor { rows, damping } => {
                let width = velocity.len();
                velocity.fill(0.0);
                for (row, &x) in slices::columns(rows, width).zip(lambda) {
                    add::<A>(velocity, x, row);
                }
                for (i, w) in w.iter_mut().enumerate() {
                    let row = &rows[i * width..][..width];
                    *w = b[i] + A::mul_add(damping[i], lambda[i], dot::<A>(row, velocity));
                }
            }
        }
    }
}
