//! What is to be solved: w = A λ + b in blocks of rows, and the law between w and λ.

use alloc::vec::Vec;

use super::Error;
use super::vector::{add, dot};
use crate::kernel::Real;
use crate::slices;

/// What holds between the velocity w and the impulse λ of a contact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Law {
    /// Coulomb's: 0 ≤ λₙ ⟂ wₙ ≥ 0, and the friction λₜ is the one in the disc of radius μ λₙ that dissipates
    /// most, so that it opposes the slip wₜ. Has a solution where some motion opens or keeps all contacts;
    /// there may be several.
    #[default]
    Coulomb,
    /// The associated one: λ lies in the cone K of its friction, w in the dual cone K*, and λᵀ w = 0. A
    /// contact that slides at wₜ also opens at μ ‖wₜ‖. The problem is a convex quadratic program.
    Convex,
}

/// Consecutive rows of a problem.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Block {
    /// One row, lower ≤ λ ≤ upper in N s (N m s): w ≥ 0 where λ is at its lower bound, w ≤ 0 at its upper
    /// one, w = 0 in between. A joint limit has (0, ∞), a constraint (−∞, ∞), a motor or dry friction two
    /// finite bounds.
    Row {
        /// Lower bound, or −∞.
        lower: f64,
        /// Upper bound, or ∞.
        upper: f64,
    },
    /// Three rows, the normal and two tangents, orthogonal and in the same units; a fourth about the normal if
    /// there is torsional friction.
    Contact {
        /// μ ≥ 0: ‖λₜ‖ ≤ μ λₙ.
        friction: f64,
        /// ν ≥ 0 in metres, if the fourth row is there: |λ_τ| ≤ ν λₙ.
        torsion: Option<f64>,
    },
}

impl Block {
    /// How many rows it has.
    #[inline]
    pub fn rows(&self) -> usize {
        match self {
            Block::Row { .. } => 1,
            Block::Contact { torsion: None, .. } => 3,
            Block::Contact { torsion: Some(_), .. } => 4,
        }
    }

    /// # Errors
    ///
    /// [`Error::Parameter`].
    #[inline]
    fn check(&self, block: usize) -> Result<(), Error> {
        let not_negative = |what, value: f64| match value >= 0.0 && value.is_finite() {
            true => Ok(()),
            false => Err(Error::Parameter { what, block, value }),
        };
        match *self {
            Block::Row { lower, upper }
                if lower.is_nan() || lower == f64::INFINITY || lower > upper =>
            {
                Err(Error::Parameter { what: "lower", block, value: lower })
            }
            Block::Row { upper, .. } if upper.is_nan() || upper == f64::NEG_INFINITY => {
                Err(Error::Parameter { what: "upper", block, value: upper })
            }
            Block::Row { .. } => Ok(()),
            Block::Contact { friction, torsion } => {
                not_negative("friction", friction)?;
                not_negative("torsion", torsion.unwrap_or(0.0))
            }
        }
    }
}

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
    /// A = Y W Yᵀ + diag(B₁, B₂, …), of contacts without torsional rows that share six coordinates at most. Time and
    /// memory grow as n.
    Star {
        /// Y of each contact, (3, 6), column by column; zero where there is no coordinate.
        shared: &'a [[[f64; 3]; 6]],
        /// The diagonal of W > 0; 1 where there is no coordinate.
        weights: &'a [f64; 6],
        /// B of each contact, (3, 3) symmetric: xx, xy, xz, yy, yz, zz.
        own: &'a [[f64; 6]],
    },
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
            Matrix::Star { shared, weights, own } if n > MANY * width && are_diagonal(own) => {
                product.clear();
                let roots = weights.map(|weight| A::sqrt(weight));
                for columns in shared {
                    for axis in 0..3 {
                        let row = columns.iter().zip(roots);
                        product.extend(row.map(|(column, root)| root * column[axis]));
                    }
                }
                product.extend(own.iter().flat_map(|own| [own[0], own[3], own[5]]));
                let (rows, damping) = product.split_at(n * width);
                Form::Factor { rows, damping }
            }
            Matrix::Factor { rows, damping } if n > width && width > 0 => {
                Form::Factor { rows, damping }
            }
            Matrix::Delassus(entries) => Form::Delassus(entries),
            _ => {
                product.clear();
                product.extend((0..n * n).map(|k| self.entry::<A>((n, width), k % n, k / n)));
                Form::Delassus(product)
            }
        }
    }

    /// How wide Y is; none for a matrix that is given by its entries.
    pub(super) fn width(&self, n: usize) -> usize {
        match *self {
            Matrix::Factor { rows, .. } if n > 0 => rows.len() / n,
            Matrix::Star { weights, .. } => weights.len(),
            _ => 0,
        }
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
            Matrix::Star { shared, weights, own } => {
                let columns = shared[i / 3].iter().zip(&shared[j / 3]).zip(weights);
                let products = columns.map(|((x, y), weight)| weight * x[i % 3] * y[j % 3]);
                let of_contact =
                    if i / 3 == j / 3 { own[i / 3][TRIANGLE[i % 3][j % 3]] } else { 0.0 };
                products.sum::<f64>() + of_contact
            }
        }
    }
}

/// Whether the contacts' own matrices are.
fn are_diagonal(own: &[[f64; 6]]) -> bool {
    own.iter().all(|[_, xy, xz, _, yz, _]| [*xy, *xz, *yz] == [0.0; 3])
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

/// Find λ with w = A λ + b and, block by block, the law between w and λ.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    /// A.
    pub matrix: Matrix<'a>,
    /// b, (n): the velocities (m/s, rad/s) without impulses, with what a formulation adds to them.
    pub b: &'a [f64],
    /// The rows' blocks in order; n rows altogether.
    pub blocks: &'a [Block],
    /// The law of all contacts.
    pub law: Law,
}

impl Problem<'_> {
    /// # Errors
    ///
    /// [`Error::Shape`] and [`Error::Parameter`].
    #[inline]
    pub(super) fn check(&self) -> Result<(), Error> {
        let n = self.b.len();
        let mut rows = 0_usize;
        for (index, block) in self.blocks.iter().enumerate() {
            block.check(index)?;
            rows += block.rows();
        }
        shape("blocks", rows, n)?;
        match self.matrix {
            Matrix::Delassus(a) => shape("matrix", a.len(), n.saturating_mul(n)),
            Matrix::Factor { rows, damping } => {
                shape("damping", damping.len(), n)?;
                let width = self.matrix.width(n);
                shape("matrix", rows.len(), n.saturating_mul(width))?;
                match damping.iter().position(|&sigma| sigma < 0.0) {
                    Some(row) => Err(Error::Damping { row, value: damping[row] }),
                    None => Ok(()),
                }
            }
            Matrix::Star { shared, weights, own } => {
                shape("shared", shared.len(), self.blocks.len())?;
                shape("own", own.len(), self.blocks.len())?;
                if let Some(index) = weights.iter().position(|&weight| weight <= 0.0) {
                    return Err(Error::Weight { index, value: weights[index] });
                }
                let contact = |block: &Block| matches!(block, Block::Contact { torsion: None, .. });
                match self.blocks.iter().position(|block| !contact(block)) {
                    Some(block) => Err(Error::Star { block }),
                    None => Ok(()),
                }
            }
        }
    }

    /// The first number that is NaN or infinite.
    pub(super) fn not_finite(&self) -> Option<Error> {
        let first = |what, values: &[f64]| {
            let index = values.iter().position(|x| !x.is_finite())?;
            Some(Error::NotFinite { what, index, value: values[index] })
        };
        let in_matrix = match self.matrix {
            Matrix::Delassus(a) => first("matrix", a),
            Matrix::Factor { rows, damping } => {
                first("matrix", rows).or_else(|| first("damping", damping))
            }
            Matrix::Star { shared, weights, own } => {
                let shared = shared.as_flattened().as_flattened();
                let of_star =
                    [("shared", shared), ("weights", weights), ("own", own.as_flattened())];
                of_star.into_iter().find_map(|(what, values)| first(what, values))
            }
        };
        in_matrix.or_else(|| first("b", self.b))
    }
}

#[inline]
fn shape(what: &'static str, length: usize, expected: usize) -> Result<(), Error> {
    if length == expected { Ok(()) } else { Err(Error::Shape { what, length, expected }) }
}
