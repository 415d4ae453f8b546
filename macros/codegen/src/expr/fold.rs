//! Arithmetic on constants.

/// Distance in radians below which a constant angle is read as a multiple of π/2.
const ANGLE_SNAP: f64 = 1e-10;

/// Sum of two constants; rounding residue of a cancellation is zero.
pub(crate) fn fold_sum(x: f64, y: f64) -> f64 {
    let (sum, larger) = (x + y, x.abs().max(y.abs()));
    let ulp = larger.next_up() - larger;
    let residue = x.signum() != y.signum() && ulp.is_finite() && sum.abs() < 4.0 * ulp;
    if residue { 0.0 } else { sum }
}

/// Sine and cosine of a constant angle. Near kπ/2 one of them is as small as the distance from it.
pub(crate) fn fold_sin_cos(x: f64) -> (f64, f64) {
    let (sin, cos) = x.sin_cos();
    if sin.abs() <= ANGLE_SNAP {
        (0.0, cos.signum())
    } else if cos.abs() <= ANGLE_SNAP {
        (sin.signum(), 0.0)
    } else {
        (sin, cos)
    }
}
