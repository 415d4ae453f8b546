//! Fischer and Burmeister's function of a pair, and of a pair between two bounds.
//!
//! > φ(x, y) = √(x² + y²) − x − y, zero exactly where x ≥ 0, y ≥ 0 and x y = 0
//!
//! A row is φ(λ − lo, φ(hi − λ, −w)); with hi → ∞ it is φ(λ − lo, w), with lo → −∞ −φ(hi − λ, −w), and −w with
//! both.
//!
//! # Source
//!
//! Fischer: A Special Newton-Type Optimization Method (1992). Billups (1995), section 3.2.

use crate::slices::sqrt;

/// A row of Φ: its value, and −∂/∂λ and −∂/∂w of it, neither of which is negative.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Row {
    pub(super) value: f64,
    pub(super) by_lambda: f64,
    pub(super) by_w: f64,
}

impl Row {
    pub(super) fn of(lambda: f64, w: f64, lo: f64, hi: f64) -> Self {
        let upper = if hi < f64::INFINITY {
            let (value, by_gap, by_w) = fischer_burmeister(hi - lambda, -w);
            Self { value, by_lambda: by_gap, by_w }
        } else {
            Self { value: w, by_lambda: 0.0, by_w: -1.0 }
        };
        if lo > f64::NEG_INFINITY {
            let (value, by_gap, by_upper) = fischer_burmeister(lambda - lo, upper.value);
            let (by_lambda, by_w) = (by_upper * upper.by_lambda - by_gap, by_upper * upper.by_w);
            Self { value, by_lambda, by_w }
        } else {
            Self { value: -upper.value, by_lambda: -upper.by_lambda, by_w: -upper.by_w }
        }
    }
}

/// φ and its derivatives, which are in [−2, 0]; at the corner those along the diagonal.
fn fischer_burmeister(x: f64, y: f64) -> (f64, f64, f64) {
    let length = sqrt(x * x + y * y);
    if length == 0.0 {
        let slope = core::f64::consts::FRAC_1_SQRT_2 - 1.0;
        return (0.0, slope, slope);
    }
    // Where both are positive, the difference of near numbers is a quotient instead.
    let value = if x + y > 0.0 { -2.0 * x * y / (length + x + y) } else { length - x - y };
    (value, x / length - 1.0, y / length - 1.0)
}
