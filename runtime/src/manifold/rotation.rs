//! Exponentials and logarithms of rotations and of motions.

use nalgebra::{Quaternion, Vector3};

/// exp(w/2), of unit length.
pub(super) fn exponential(w: &Vector3<f64>) -> Quaternion<f64> {
    let angle = w.norm();
    let (half_sine, half_cosine) = libm::sincos(0.5 * angle);
    Quaternion::from_parts(half_cosine, ratio(half_sine, angle, 0.5) * w)
}

/// The rotation vector, at most π long, of a quaternion of any length.
pub(super) fn logarithm(rotation: &Quaternion<f64>) -> Vector3<f64> {
    let shortest = if rotation.w < 0.0 { -rotation } else { *rotation };
    let (sine, cosine) = (shortest.imag().norm(), shortest.w);
    let scale = if sine > 1e-10 * cosine || sine.is_nan() {
        2.0 * libm::atan2(sine, cosine) / sine
    } else {
        2.0 / cosine
    };
    scale * shortest.imag()
}

/// V(w) u: how far a body comes, in its first frame, with the constant velocity \[u | w\].
pub(super) fn advance(w: &Vector3<f64>, u: &Vector3<f64>) -> Vector3<f64> {
    let angle = w.norm();
    let half = ratio(libm::sin(0.5 * angle), angle, 0.5);
    let cubic = if angle < 0.03 {
        let x = angle * angle;
        1.0 / 6.0 - x * (1.0 / 120.0 - x * (1.0 / 5040.0 - x / 362_880.0))
    } else {
        (1.0 - libm::sin(angle) / angle) / angle / angle
    };
    let turn = w.cross(u);
    u + 2.0 * half * half * turn + cubic * w.cross(&turn)
}

/// V(w)⁻¹ p, |w| ≤ π: the linear velocity that comes as far as p while turning by w.
pub(super) fn retreat(w: &Vector3<f64>, p: &Vector3<f64>) -> Vector3<f64> {
    let angle = w.norm();
    let square = if angle < 0.03 {
        let x = angle * angle;
        1.0 / 12.0 + x * (1.0 / 720.0 + x * (1.0 / 30_240.0 + x / 1_209_600.0))
    } else {
        let (sine, cosine) = libm::sincos(0.5 * angle);
        (1.0 - 0.5 * angle * cosine / sine) / (angle * angle)
    };
    let turn = w.cross(p);
    p - 0.5 * turn + square * w.cross(&turn)
}

/// a/b, or its limit where b is zero.
fn ratio(a: f64, b: f64, limit: f64) -> f64 {
    if b == 0.0 { limit } else { a / b }
}
