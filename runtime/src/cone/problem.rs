//! What is to be solved: w = A λ + b in blocks of rows, and the law between w and λ.

use super::matrix::Matrix;
use super::{Error, Star};
use crate::slices::sqrt;

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
    /// Six rows: those of a contact with torsional friction, and moments about both tangents, by which it resists rolling.
    Rolling {
        /// μ ≥ 0: ‖λₜ‖ ≤ μ λₙ.
        friction: f64,
        /// ν ≥ 0 in metres: |λ_τ| ≤ ν λₙ.
        torsion: f64,
        /// ϱ ≥ 0 in metres: ‖λ_ϱ‖ ≤ ϱ λₙ of the last two rows.
        rolling: f64,
    },
    /// Two rows, the normal and the tangent of a contact in a plane, in the same units.
    Planar {
        /// μ ≥ 0: |λₜ| ≤ μ λₙ.
        friction: f64,
    },
    /// Three rows along orthogonal axes, in the same units: ‖λ‖ ≤ radius, w = 0 within, and λ = −radius w / ‖w‖ where
    /// w ≠ 0. Dry friction of a ball joint is one.
    Ball {
        /// r ≥ 0, N s or N m s.
        radius: f64,
    },
}

/// Most rows of a block.
pub(crate) const BLOCK_ROWS: usize = 6;

/// How large the friction of a contact is at most, by its normal impulse.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Coefficients {
    /// μ.
    pub(crate) friction: f64,
    /// ν and ϱ, m: zero where there are no such rows.
    pub(crate) torsion: f64,
    pub(crate) rolling: f64,
}

impl Coefficients {
    /// As a block; coefficients of moments that are zero have no rows.
    #[inline(always)]
    pub(crate) fn block(self) -> Block {
        let Self { friction, torsion, rolling } = self;
        if rolling > 0.0 {
            Block::Rolling { friction, torsion, rolling }
        } else {
            Block::Contact { friction, torsion: (torsion > 0.0).then_some(torsion) }
        }
    }

    /// μ ‖wₜ‖ + ν |w_τ| + ϱ ‖w_ϱ‖: the speed at which a contact that moves so opens under the convex law.
    #[inline(always)]
    pub(crate) fn opens(self, w: &[f64; BLOCK_ROWS]) -> f64 {
        let Self { friction, torsion, rolling } = self;
        let [_, x, y, spin, p, q] = *w;
        let turning = if rolling > 0.0 { rolling * sqrt(p * p + q * q) } else { 0.0 };
        friction * sqrt(x * x + y * y) + torsion * spin.abs() + turning
    }

    /// How many rows that has.
    #[inline(always)]
    pub(crate) fn rows(self) -> usize {
        match self {
            Self { rolling, .. } if rolling > 0.0 => 6,
            Self { torsion, .. } if torsion > 0.0 => 4,
            _ => 3,
        }
    }
}

impl Block {
    /// μ, ν and ϱ, if it is a contact.
    #[inline(always)]
    pub(crate) fn coefficients(&self) -> Option<Coefficients> {
        let of = |friction, torsion, rolling| Some(Coefficients { friction, torsion, rolling });
        match *self {
            Block::Row { .. } | Block::Ball { .. } => None,
            Block::Contact { friction, torsion } => of(friction, torsion.unwrap_or(0.0), 0.0),
            Block::Rolling { friction, torsion, rolling } => of(friction, torsion, rolling),
            Block::Planar { friction } => of(friction, 0.0, 0.0),
        }
    }

    /// How many rows it has.
    #[inline]
    pub fn rows(&self) -> usize {
        match self {
            Block::Row { .. } => 1,
            Block::Planar { .. } => 2,
            Block::Contact { torsion: None, .. } | Block::Ball { .. } => 3,
            Block::Contact { torsion: Some(_), .. } => 4,
            Block::Rolling { .. } => BLOCK_ROWS,
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
            Block::Planar { friction } => not_negative("friction", friction),
            Block::Ball { radius } => not_negative("radius", radius),
            Block::Contact { friction, torsion } => {
                not_negative("friction", friction)?;
                not_negative("torsion", torsion.unwrap_or(0.0))
            }
            Block::Rolling { friction, torsion, rolling } => {
                not_negative("friction", friction)?;
                not_negative("torsion", torsion)?;
                not_negative("rolling", rolling)
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
    /// [`Error::Shape`], [`Error::Parameter`], [`Error::Damping`] and [`Error::Star`].
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
            Matrix::Star(Star { contacts, .. }) => {
                let contact = |block: &Block| matches!(block, Block::Contact { torsion: None, .. });
                match self.blocks.iter().position(|block| !contact(block)) {
                    Some(block) => Err(Error::Star { block }),
                    None => shape("arms", contacts, self.blocks.len()),
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
            Matrix::Star(star) => first("weights", star.weights).or_else(|| {
                let (index, value) = star.not_finite()?;
                Some(Error::NotFinite { what: "arms", index, value })
            }),
        };
        in_matrix.or_else(|| first("b", self.b))
    }
}

#[inline]
fn shape(what: &'static str, length: usize, expected: usize) -> Result<(), Error> {
    if length == expected { Ok(()) } else { Err(Error::Shape { what, length, expected }) }
}
