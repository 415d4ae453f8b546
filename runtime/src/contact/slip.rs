//! Slip of contacts at the beginning of a step.

/// Slip that is none at the beginning, m/s.
const REST: f64 = 1e-6;

/// Whether what has this velocity, along normal and tangents, does not slide.
#[inline(always)]
pub(super) fn is_at_rest([_, x, y]: [f64; 3]) -> bool {
    x * x + y * y <= REST * REST
}
