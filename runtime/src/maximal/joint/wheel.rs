//! A wheel: two hinges at any angle, such as an axle and its steering.
//!
//! > Φ = (E_aᵀ (x_b − x_a), φ − θ) = 0,  φ = atan2(|a_z × b_z|, a_z · b_z)
//! > φ̇ = (ω_b − ω_a) · n,  n = a_z × b_z/|a_z × b_z|
//!
//! φ is an angle, in rad, and so n is a unit vector, which a_z × b_z by itself is only at a right angle. Where
//! the axes have become parallel, n is any vector at right angles to them.
//!
//! Out of a's axes, those of b come by a turn of θ₁ about z, of φ about x and of θ₂ about z; so
//!
//! > b_z = (sin φ sin θ₁, −sin φ cos θ₁, cos φ) in a's axes,  a_z = (sin φ sin θ₂, sin φ cos θ₂, cos φ) in b's,
//!
//! and the coordinates that are left are θ₁, from −a_y to b_z as seen along a_z, and θ₂, from a_z to b_y along b_z.

use super::super::row::Row;
use super::ball;
use super::seat::{Seat, angle};

/// Axes with a smaller sine between them are parallel.
const PARALLEL: f64 = 1e-9;

pub(super) fn rows(a: &Seat, b: &Seat, angle: f64) -> [Row; 4] {
    let [x, y, z] = ball::rows(a, b);
    let (first, second) = (a.axis(2), b.axis(2));
    let normal = first.cross(&second);
    let (sine, cosine) = (normal.norm(), first.dot(&second));
    let unit = if sine > PARALLEL { normal / sine } else { a.axis(0) };
    [x, y, z, Row::about(libm::atan2(sine, cosine) - angle, &unit)]
}

pub(super) fn coordinates(a: &Seat, b: &Seat, near: [f64; 2]) -> [Row; 2] {
    let second = angle((&b.axis(1), &b.axis(0)), &a.axis(2), near[1]);
    // This angle is that of a's axis as seen from b: its turn is the reverse of b's.
    let [of_a, of_b] = second.jacobian;
    let second = Row { jacobian: [of_b, of_a], ..second };
    [angle((&-a.axis(1), &a.axis(0)), &b.axis(2), near[0]), second]
}
