//! No turn of one body relative to another.
//!
//! > Q = E_a⁻¹ E_b = (w, q),  Φ = 2 q sign(w) = 0
//!
//! twice the vector part of the quaternion from b's to a's axes: the rotation vector, for small angles, and
//! monotonous in the angle up to half a turn. With ω = E_aᵀ (ω_b − ω_a), Q̇ = ½ (0, ω) Q, so
//!
//! > Φ̇ = sign(w) (w ω − q × ω),  row k: (ω_b − ω_a) · E_a (w e_k + q × e_k) sign(w)

use nalgebra::{Rotation3, UnitQuaternion, Vector3};

use super::super::row::Row;
use super::seat::Seat;

pub(super) fn rows(a: &Seat, b: &Seat) -> [Row; 3] {
    let relative = Rotation3::from_matrix_unchecked(a.axes.transpose() * b.axes);
    let turn = UnitQuaternion::from_rotation_matrix(&relative);
    let sign = if turn.w < 0.0 { -1.0 } else { 1.0 };
    let (scalar, vector) = (sign * turn.w, sign * turn.imag());
    [0, 1, 2].map(|k| {
        let unit = Vector3::ith(k, 1.0);
        Row::about(2.0 * vector[k], &(a.axes * (scalar * unit + vector.cross(&unit))))
    })
}
