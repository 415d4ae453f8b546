//! A hinge.
//!
//! > Φ = (E_aᵀ (x_b − x_a), a_x · b_z, a_y · b_z) = 0
//!
//! a ball, and b's axis at right angles to the two of a that are at right angles to the hinge. The coordinate that
//! is left is the angle from a_x to b_x about a_z,
//!
//! > θ = atan2(s, c),  c = a_x · b_x,  s = a_y · b_x,
//! > θ̇ = (c ṡ − s ċ)/(c² + s²) = (ω_b − ω_a) · (b_x × (c a_y − s a_x))/(c² + s²),
//!
//! whose axis is a_z where the hinge is together.

use super::{Row, Seat, ball, cosine};

pub(super) fn rows(a: &Seat, b: &Seat) -> [Row; 5] {
    let [x, y, z] = ball::rows(a, b);
    [x, y, z, cosine((a, 0), (b, 2)), cosine((a, 1), (b, 2))]
}

pub(super) fn coordinate(a: &Seat, b: &Seat) -> Row {
    let (x, y, turned) = (a.axis(0), a.axis(1), b.axis(0));
    let (c, s) = (x.dot(&turned), y.dot(&turned));
    let square = c * c + s * s;
    // Where the axes are at right angles there is no angle, and no motion changes it.
    let scale = if square > 0.0 { 1.0 / square } else { 0.0 };
    Row::about(libm::atan2(s, c), &(scale * turned.cross(&(c * y - s * x))))
}
