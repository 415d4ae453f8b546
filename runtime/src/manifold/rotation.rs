//! Exponentials and logarithms of rotations and of motions.

use nalgebra::{Quaternion, Vector3};

use super::rotate;
use crate::slices::sqrt;

/// Squares of angles up to this are small, rad²: what is turned about in a step.
const SMALL: f64 = 1.0 / 32.0;

/// exp(w/2), of unit length.
#[inline(always)]
pub(super) fn exponential(w: &Vector3<f64>) -> Quaternion<f64> {
    let square = w.norm_squared();
    let [cosine, sine] = if square < SMALL { half_by_series(0.25 * square) } else { half(square) };
    Quaternion::from_parts(cosine, sine * w)
}

/// cos ½θ and sin(½θ)/θ, by x = θ²/4. The next terms are below x⁵/10! < 1e-17, far below rounding.
#[inline(always)]
fn half_by_series(x: f64) -> [f64; 2] {
    let cosine =
        1.0 - x * (1.0 / 2.0 - x * (1.0 / 24.0 - x * (1.0 / 720.0 - x * (1.0 / 40_320.0))));
    let sine =
        1.0 - x * (1.0 / 6.0 - x * (1.0 / 120.0 - x * (1.0 / 5040.0 - x * (1.0 / 362_880.0))));
    [cosine, 0.5 * sine]
}

/// The same by θ².
#[cold]
fn half(square: f64) -> [f64; 2] {
    let angle = sqrt(square);
    let (sine, cosine) = libm::sincos(0.5 * angle);
    [cosine, sine / angle]
}

/// With unit length.
#[inline(always)]
pub(super) fn unit(rotation: &Quaternion<f64>) -> Quaternion<f64> {
    rotation * inverse_length(rotation)
}

/// One by the length of a quaternion.
#[inline(always)]
pub(super) fn inverse_length(rotation: &Quaternion<f64>) -> f64 {
    let square = rotation.norm_squared();
    let excess = square - 1.0;
    // What was of unit length before it was turned is so but for rounding, and 3/8 excess² is below that.
    if excess.abs() < 1e-8 { 1.0 - 0.5 * excess } else { 1.0 / sqrt(square) }
}

/// The rotation vector, at most π long, of a quaternion of any length.
pub(crate) fn logarithm(rotation: &Quaternion<f64>) -> Vector3<f64> {
    let shortest = if rotation.w < 0.0 { -rotation } else { *rotation };
    let (sine, cosine) = (shortest.imag().norm(), shortest.w);
    let scale = if sine > 1e-10 * cosine || sine.is_nan() {
        2.0 * libm::atan2(sine, cosine) / sine
    } else {
        2.0 / cosine
    };
    scale * shortest.imag()
}

/// 1 − atan(a)/a, by a², of a half angle a below one.
#[inline(always)]
pub(crate) fn excess_of_tangent(square: f64) -> f64 {
    if square < 1e-3 {
        square
            * (1.0 / 3.0
                - square
                    * (1.0 / 5.0 - square * (1.0 / 7.0 - square * (1.0 / 9.0 - square / 11.0))))
    } else {
        let tangent = sqrt(square);
        1.0 - libm::atan(tangent) / tangent
    }
}

/// The rotation vector of a quaternion of any length, of less than half a turn.
#[inline(always)]
pub(crate) fn vector_of(turn: &Quaternion<f64>) -> Vector3<f64> {
    let tangent = turn.imag() * (1.0 / turn.w);
    2.0 * (1.0 - excess_of_tangent(tangent.norm_squared())) * tangent
}

/// x turned by a quaternion of any length.
#[inline(always)]
pub(crate) fn rotate_by_any(turn: &Quaternion<f64>, x: &Vector3<f64>) -> Vector3<f64> {
    let axis = turn.imag();
    let once = axis.cross(x);
    x + (2.0 / turn.norm_squared()) * (turn.w * once + axis.cross(&once))
}

/// x turned by exp(w).
pub(crate) fn turn(w: &Vector3<f64>, x: &Vector3<f64>) -> Vector3<f64> {
    rotate(&exponential(w), x)
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
pub(crate) fn retreat(w: &Vector3<f64>, p: &Vector3<f64>) -> Vector3<f64> {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// From far below rounding to several turns, with the last small angles and the first large ones.
    fn sizes() -> impl Iterator<Item = f64> {
        let edge = sqrt(SMALL);
        let near = [edge * (1.0 - 1e-9), edge * (1.0 + 1e-9)];
        (-40..=8).map(|k| libm::exp2(0.5 * f64::from(k))).chain([0.0, 1e-200]).chain(near)
    }

    #[test]
    fn exponentials_of_all_sizes_are_sines_and_cosines() {
        let direction = Vector3::new(2.0, -3.0, 6.0) / 7.0;
        for angle in sizes() {
            let rotation = exponential(&(angle * direction));
            let (sine, cosine) = libm::sincos(0.5 * angle);
            // An angle is known to rounding of its own.
            let rounding = 4e-16 * angle.max(1.0);
            assert!((rotation.w - cosine).abs() <= rounding, "{angle}: {rotation:?}");
            let error = (rotation.imag() - sine * direction).amax();
            assert!(error <= rounding * angle.min(1.0), "{angle}: {rotation:?}");
            assert!((rotation.norm() - 1.0).abs() <= 4e-16, "{angle}: {rotation:?}");
        }
    }

    #[test]
    fn quaternions_of_all_lengths_get_unit_length() {
        let rotation = Quaternion::new(0.5, -0.1, 0.7, 0.5);
        for excess in [0.0, 1e-16, -3e-12, 4e-9, 6e-9, -1e-8, 1e-6, -0.5, 10.0] {
            let scaled = rotation * ((1.0 + excess) / rotation.norm());
            let (found, expected) = (unit(&scaled), rotation.normalize());
            assert!((found - expected).norm() <= 4e-16, "{excess}: {found:?}");
        }
        assert!(unit(&Quaternion::new(0.0, 0.0, 0.0, 0.0)).w.is_nan());
    }
}
