//! Slip of contacts.

use crate::slices::sqrt;

/// Slip that is none at the beginning, m/s.
const REST: f64 = 1e-6;

/// Whether what has this velocity, along normal and tangents, does not slide.
#[inline(always)]
pub(super) fn is_at_rest([_, x, y]: [f64; 3]) -> bool {
    x * x + y * y <= REST * REST
}

/// ‖x‖₂.
#[inline]
pub(super) fn norm(x: [f64; 2]) -> f64 {
    sqrt(x[0] * x[0] + x[1] * x[1])
}
