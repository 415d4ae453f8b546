//! Dense solvers for the symmetric systems inside the methods.

mod cholesky;
mod orthogonal;
mod qr;
mod small;
mod svd;

pub(crate) use self::cholesky::Cholesky;
pub(crate) use self::orthogonal::Orthogonal;

use self::svd::Svd;
use crate::lu::Lu;
use crate::slices::columns;

/// How a dense symmetric system is solved.
///
/// The first two are for regular systems, the constraint's rows independent of one another; the others
/// find Moore and Penrose's solution where rows depend on others. None allocates after the first
/// solution of a size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dense {
    /// L U with partial pivoting.
    Lu,
    /// L Lᵀ; of the indefinite matrix of [`Method::Direct`](super::Method::Direct), L Σ Lᵀ with signs
    /// Σ = ±1, for which M must be positive definite.
    #[default]
    Cholesky,
    /// Householder's Q R with column pivoting, completed from the right.
    PivotedQr,
    /// Singular values, by one-sided rotations.
    Svd,
}

impl Dense {
    /// Whether a singular system is in its class.
    pub(super) fn takes_singular(self) -> bool {
        matches!(self, Dense::PivotedQr | Dense::Svd)
    }
}

/// Room for a system, solved in any of the ways.
#[derive(Clone, Debug, Default)]
pub(super) struct Linear {
    dense: Dense,
    cholesky: Cholesky,
    lu: Lu,
    orthogonal: Orthogonal,
    svd: Svd,
}

impl Linear {
    /// Factors a symmetric (n, n) matrix of the given rank, which for [`Dense::Cholesky`] has `positive`
    /// positive eigenvalues, in its leading block, and n − `positive` negative ones. Returns the
    /// smallest pivot by the largest.
    ///
    /// # Errors
    ///
    /// The place of a pivot that is not above `least`: the matrix is outside of the class.
    pub(super) fn factor(
        &mut self,
        dense: Dense,
        (n, positive, rank): (usize, usize, usize),
        matrix: &[f64],
        least: f64,
    ) -> Result<f64, usize> {
        self.dense = dense;
        let ratio = match dense {
            Dense::Lu => self.lu.factor(n, matrix.iter().copied()),
            Dense::Cholesky => {
                let (lower, stride) = self.cholesky.reset(n);
                for (column, of) in lower.chunks_exact_mut(stride.max(1)).zip(columns(matrix, n)) {
                    column[..n].copy_from_slice(of);
                }
                self.cholesky.factor_signed(positive, least)?
            }
            Dense::PivotedQr => {
                self.orthogonal.factor_of_rank((n, n), matrix, rank);
                if self.orthogonal.rank() < rank { 0.0 } else { 1.0 / self.orthogonal.condition() }
            }
            Dense::Svd => self.svd.factor(n, matrix, rank),
        };
        if ratio > least { Ok(ratio) } else { Err(n) }
    }

    /// Solves A x = b in place.
    pub(super) fn solve(&mut self, b: &mut [f64]) {
        match self.dense {
            Dense::Lu => self.lu.solve(b),
            Dense::Cholesky => self.cholesky.solve(b),
            Dense::PivotedQr => self.orthogonal.solve(b),
            Dense::Svd => self.svd.solve(b),
        }
    }
}
