//! Scaling by powers of two, which rounds nothing.

/// The power of two next below `x`; one for zero.
pub(super) fn power_of_two(x: f64) -> f64 {
    if x > 0.0 { libm::exp2(libm::floor(libm::log2(x)).clamp(-1000.0, 1000.0)) } else { 1.0 }
}
