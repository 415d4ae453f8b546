//! A = Y Yᵀ + diag(σ), never formed; the linear problem of modes solved in the space of velocities.
//!
//! > (T (Y Yᵀ + σ) F + C) x = p − T (A λ₀ + b)
//! > D = T σ F + C,  (1 + Q D⁻¹ P) y = Q D⁻¹ r,  x = D⁻¹ (r − P y),  P = T Y,  Q = Yᵀ F
//!
//! D has a block for each block of rows, so that the work grows as the number of rows, and the only matrix is
//! as large as Y is wide. D must be regular, for which there is the proximal term; and not too small, since
//! of r − P y only what is as small as D remains.
//!
//! # Source
//!
//! Woodbury's identity: Golub, Van Loan: Matrix Computations (4th edition), section 2.1.4.

use alloc::vec::Vec;

use super::elimination::{self, TRUSTED};
use super::modes::{Modes, Unknown};
use super::operator::Operator;
use super::vector::{add, dot};
use super::view::View;
use super::Matrix;
use crate::kernel::Real;
use crate::lu::Lu;

/// Pivots by the largest one, below which a matrix counts as singular.
const SINGULAR: f64 = 1e-15;
/// The least proximal term.
pub(super) const PROXIMAL: f64 = 1e-5;

/// Room for factored problems.
#[derive(Clone, Debug, Default)]
pub(super) struct Room {
    /// Yᵀ λ, (nv).
    velocity: Vec<f64>,
    /// 1 + Q D⁻¹ P, (nv, nv), column by column, and the same for elimination with exchanges.
    matrix: Vec<f64>,
    spare: Vec<f64>,
    diagonal: Vec<f64>,
    /// Q D⁻¹ r, then y.
    y: Vec<f64>,
    /// A λ₀ + b.
    w: Vec<f64>,
    lu: Lu,
}
