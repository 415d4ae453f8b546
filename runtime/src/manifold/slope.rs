//! Slopes of functions of a difference of configurations.
//!
//! > Dᵀ x,  D = ∂((q₁ ⊕ δ) ⊖ q₀) / ∂δ
//!
//! With the slope x of a function of d = q₁ ⊖ q₀, Dᵀ x is its slope by the motion of q₁. D is 1 for a `Vector`.
//! For a rotation vector w = log R, D = J(w)⁻ᵀ where J(w)⁻¹ p = p − ½ w × p + c w × (w × p),
//! c = (1 − ½ θ cot ½θ) / θ², θ = |w|. A pose has u = J(w)⁻¹ p besides, with p the way in the first frame:
//!
//! > ∂u/∂p = J(w)⁻¹,  (∂u/∂w)ᵀ y = ½ y × p + c ((w·p) y + (w·y) p − 2 (p·y) w) + (c′/θ) (w × (w × p))·y w
//!
//! # Source
//!
//! Barfoot: State Estimation for Robotics (2017), section 7.1.5.

use nalgebra::Vector3;

use super::{logarithm, part, part_mut, pose, quaternion, retreat, rotate, twist, vector};
use crate::description::{Chart, Joint};

/// Dᵀ x in place: `x` holds nv numbers, `q0` and `q1` hold nq each.
pub fn pull_back(joints: &[Joint], q0: &[f64], q1: &[f64], x: &mut [f64]) {
    for joint in joints {
        let (Some(q0), Some(q1), Some(x)) = (
            part(q0, joint.q, joint.nq),
            part(q1, joint.q, joint.nq),
            part_mut(x, joint.v, joint.nv),
        ) else {
            continue;
        };
        match joint.chart {
            Chart::Vector => {}
            Chart::Quaternion => {
                if let (Some(r0), Some(r1), Some(y)) = (quaternion(q0), quaternion(q1), vector(x)) {
                    let w = logarithm(&(r0.conjugate() * r1));
                    x.copy_from_slice(retreat(&w, &y).as_slice());
                }
            }
            Chart::Pose => {
                if let (Some((p0, r0)), Some((p1, r1)), Some((y, z))) =
                    (pose(q0), pose(q1), twist(x))
                {
                    let (r0, r1) = (r0.normalize(), r1.normalize());
                    let w = logarithm(&(r0.conjugate() * r1));
                    let p = rotate(&r0.conjugate(), &(p1 - p0));
                    let along = rotate(&(r0.conjugate() * r1).conjugate(), &retreat(&-w, &y));
                    x[..3].copy_from_slice(along.as_slice());
                    x[3..].copy_from_slice(retreat(&w, &(z + turned(&w, &p, &y))).as_slice());
                }
            }
        }
    }
}

/// (∂u/∂w)ᵀ y.
fn turned(w: &Vector3<f64>, p: &Vector3<f64>, y: &Vector3<f64>) -> Vector3<f64> {
    let (square, slope) = coefficients(w.norm());
    let curved = w.dot(p) * y + w.dot(y) * p - 2.0 * p.dot(y) * w;
    0.5 * y.cross(p) + square * curved + slope * w.cross(&w.cross(p)).dot(y) * w
}

/// c and c′/θ.
fn coefficients(angle: f64) -> (f64, f64) {
    let x = angle * angle;
    if angle < 0.1 {
        let square = 1.0 / 12.0 + x * (1.0 / 720.0 + x * (1.0 / 30_240.0 + x / 1_209_600.0));
        return (square, 1.0 / 360.0 + x * (1.0 / 7560.0 + x / 201_600.0));
    }
    let (sine, cosine) = libm::sincos(0.5 * angle);
    let square = (1.0 - 0.5 * angle * cosine / sine) / x;
    // c′ = −(½ cot ½θ − ¼ θ / sin² ½θ) / θ² − 2c / θ.
    let change = 0.5 * cosine / sine - 0.25 * angle / (sine * sine);
    (square, -(change / angle + 2.0 * square) / x)
}
