//! A wheel: two hinges at any angle, such as an axle and its steering.
//!
//! > Φ = (E_aᵀ (x_b − x_a), φ − θ) = 0,  φ = atan2(|a_z × b_z|, a_z · b_z)
//! > φ̇ = (ω_b − ω_a) · n,  n = a_z × b_z/|a_z × b_z|
//!
//! φ is an angle, in rad, and so n is a unit vector, which a_z × b_z by itself is only at a right angle. Where
//! the axes have become parallel, n is any vector at right angles to them.

use super::{Row, Seat, ball};

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
