//! Linear complementarity problems.
//!
//! > find z with  w = M z + q,  w ≥ 0,  z ≥ 0,  wᵀ z = 0
//!
//! Matrices are dense, (n, n), stored column by column. A solver is believed only as far as the
//! [`residual`] of what it returns.
//!
//! # Source
//!
//! Cottle, Pang, Stone: The Linear Complementarity Problem (1992).

pub mod lemke;

use crate::slices::worse;

/// The natural residual ‖min(z, M z + q)‖∞, zero exactly at the solutions; NaN if a number is NaN
/// or the shapes do not agree: `m` holds n² numbers, `q` and `z` hold n.
pub fn residual(m: &[f64], q: &[f64], z: &[f64]) -> f64 {
    let n = q.len();
    if z.len() != n || Some(m.len()) != n.checked_mul(n) {
        return f64::NAN;
    }
    let mut largest = 0.0;
    for i in 0..n {
        let w = (0..n).fold(q[i], |sum, j| sum + m[j * n + i] * z[j]);
        largest = worse(largest, natural(z[i], w));
    }
    largest
}

/// |min(z, w)|; NaN if one of them is.
pub(crate) fn natural(z: f64, w: f64) -> f64 {
    if z.is_nan() {
        z
    } else if z < w {
        z.abs()
    } else {
        w.abs()
    }
}
