//! How deep a step sees what overlaps, as [`overlap`](super::overlap) has it.

/// Depths up to this are rounding, m or rad.
pub(super) const NONE: f64 = 1e-10;

/// φ̂, in m or rad, of a gap with this rate at the beginning of a step of `h` seconds; a gap that is not negative itself.
#[inline(always)]
pub(super) fn seen(gap: f64, rate: f64, h: f64) -> f64 {
    let came = h * rate;
    let came = if came < 0.0 { came } else { 0.0 };
    // What is rounding is put right as it is: a displacement knows no friction, and what stands would creep by many.
    if gap < came && gap < -NONE { came } else { gap }
}
