//! A hinge.
//!
//! > Φ = (E_aᵀ (x_b − x_a), a_x · b_z, a_y · b_z) = 0
//!
//! a ball, and b's axis at right angles to the two of a that are at right angles to the hinge. The coordinate that
//! is left is the angle from a_x to b_x about a_z, whose row is a couple about a_z where the hinge is together.

use super::super::row::Row;
use super::ball;
use super::seat::{Seat, angle, cosine};

pub(super) fn rows(a: &Seat, b: &Seat) -> [Row; 5] {
    let [x, y, z] = ball::rows(a, b);
    [x, y, z, cosine((a, 0), (b, 2)), cosine((a, 1), (b, 2))]
}

pub(super) fn coordinate(a: &Seat, b: &Seat, near: f64) -> Row {
    angle((&a.axis(0), &a.axis(1)), &b.axis(0), near)
}
