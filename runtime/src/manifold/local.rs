//! Local coordinates about a configuration, in which motion is an ordinary differential equation.
//!
//! > q = q₀ ⊞ θ,  θ̇ = D(q₀, θ) v where q̇ = N(q) v
//!
//! θ is q − q₀ for a `Vector` and for the position of a `Pose`, in the world's axes, and the rotation vector w of
//! r₀⁻¹ r for quaternions. So
//!
//! > ẇ = J(w)⁻¹ ω = ω + ½ w × ω + c w × (w × ω),  ṗ = R(r) u,  c = (1 − ½ θ cot ½θ) / θ², θ = |w| < 2π.
//!
//! # Source
//!
//! Munthe-Kaas: High order Runge–Kutta methods on manifolds, Applied Numerical Mathematics 29 (1999);
//! J(w)⁻¹, that of the right Jacobian of SO(3), from Barfoot: State Estimation for Robotics (2017), section 7.1.5.

use nalgebra::{Matrix3, Vector3};

use super::{part, part_mut, pose, quaternion, retreat, rotate, turned, twist, vector};
use crate::description::{Chart, Joint};

/// q₀ ⊞ θ, written to `q` (nq); quaternions come out with unit length. `q0` holds nq numbers, `theta` nv.
pub(crate) fn place(joints: &[Joint], q0: &[f64], theta: &[f64], q: &mut [f64]) {
    for joint in joints {
        let (Some(q0), Some(theta), Some(q)) = (
            part(q0, joint.q, joint.nq),
            part(theta, joint.v, joint.nv),
            part_mut(q, joint.q, joint.nq),
        ) else {
            continue;
        };
        match joint.chart {
            Chart::Vector => add(q0, theta, q),
            Chart::Quaternion => place_rotation(q0, theta, q),
            Chart::Pose => {
                if let ([x, y, z, r0 @ ..], [dx, dy, dz, w @ ..], [px, py, pz, r @ ..]) =
                    (q0, theta, q)
                {
                    (*px, *py, *pz) = (x + dx, y + dy, z + dz);
                    place_rotation(r0, w, r);
                }
            }
        }
    }
}

/// θ̇, written to `rate` (nv), at q = q₀ ⊞ θ with the velocity `v` (nv).
pub(crate) fn local_rate(joints: &[Joint], q: &[f64], theta: &[f64], v: &[f64], rate: &mut [f64]) {
    for joint in joints {
        let (Some(q), Some(theta), Some(v), Some(rate)) = (
            part(q, joint.q, joint.nq),
            part(theta, joint.v, joint.nv),
            part(v, joint.v, joint.nv),
            part_mut(rate, joint.v, joint.nv),
        ) else {
            continue;
        };
        match joint.chart {
            Chart::Vector => rate.copy_from_slice(v),
            Chart::Quaternion => {
                if let (Some(w), Some(omega)) = (vector(theta), vector(v)) {
                    rate.copy_from_slice(retreat(&-w, &omega).as_slice());
                }
            }
            Chart::Pose => {
                if let (Some((_, r)), Some((_, w)), Some((u, omega))) =
                    (pose(q), twist(theta), twist(v))
                {
                    rate[..3].copy_from_slice(rotate(&r, &u).as_slice());
                    rate[3..].copy_from_slice(retreat(&-w, &omega).as_slice());
                }
            }
        }
    }
}

/// The derivatives of θ̇ at θ = 0, written to the first nv rows of the (n, n) matrix of the derivatives by \[θ | v | …\];
/// what it holds of derivatives by q ⊕ δ in its first nv columns becomes those by θ.
pub(crate) fn local_derivatives(
    joints: &[Joint],
    q: &[f64],
    v: &[f64],
    n: usize,
    matrix: &mut [f64],
) {
    let nv = v.len();
    for joint in joints {
        let (Some(q), Some(own)) = (part(q, joint.q, joint.nq), part(v, joint.v, joint.nv)) else {
            continue;
        };
        let (by_place, by_speed) = (joint.v, nv + joint.v);
        for k in 0..joint.nv {
            matrix[(by_speed + k) * n + joint.v + k] = 1.0;
        }
        match joint.chart {
            Chart::Vector => {}
            Chart::Quaternion => {
                if let Some(omega) = vector(own) {
                    write_block(matrix, n, (joint.v, by_place), &(-0.5 * omega.cross_matrix()));
                }
            }
            Chart::Pose => {
                if let (Some((_, r)), Some((u, omega))) = (pose(q), twist(own)) {
                    let turn = Matrix3::from_columns(
                        &[Vector3::x(), Vector3::y(), Vector3::z()].map(|axis| rotate(&r, &axis)),
                    );
                    turn_columns(matrix, n, by_place, &turn);
                    write_block(matrix, n, (joint.v, by_speed), &turn);
                    write_block(matrix, n, (joint.v, by_place + 3), &(-turn * u.cross_matrix()));
                    let spin = -0.5 * omega.cross_matrix();
                    write_block(matrix, n, (joint.v + 3, by_place + 3), &spin);
                }
            }
        }
    }
}

fn write_block(matrix: &mut [f64], n: usize, (row, column): (usize, usize), block: &Matrix3<f64>) {
    for (k, values) in block.column_iter().enumerate() {
        let start = (column + k) * n + row;
        matrix[start..start + 3].copy_from_slice(values.as_slice());
    }
}

/// Three columns times Rᵀ.
fn turn_columns(matrix: &mut [f64], n: usize, first: usize, turn: &Matrix3<f64>) {
    for row in 0..n {
        let entry = |k: usize| (first + k) * n + row;
        let old = Vector3::from_fn(|k, _| matrix[entry(k)]);
        let new = turn * old;
        (0..3).for_each(|k| matrix[entry(k)] = new[k]);
    }
}

/// The largest angular velocity of a quaternion, in rad/s; NaN if one is.
pub(crate) fn fastest_turn(joints: &[Joint], v: &[f64]) -> f64 {
    let turning = |joint: &Joint| {
        let v = part(v, joint.v, joint.nv)?;
        match joint.chart {
            Chart::Vector => None,
            Chart::Quaternion => vector(v),
            Chart::Pose => twist(v).map(|(_, w)| w),
        }
    };
    let speeds = joints.iter().filter_map(turning).map(|w: Vector3<f64>| w.norm());
    speeds.fold(0.0, crate::slices::worse)
}

fn add(q0: &[f64], theta: &[f64], q: &mut [f64]) {
    q.iter_mut().zip(q0.iter().zip(theta)).for_each(|(q, (q0, theta))| *q = q0 + theta);
}

fn place_rotation(r0: &[f64], w: &[f64], r: &mut [f64]) {
    if let (Some(r0), Some(w)) = (quaternion(r0), vector(w)) {
        super::write_quaternion(&turned(&r0, &w), r);
    }
}
