//! A plane of one body on that of another.
//!
//! > Φ = (a_z · (x_b − x_a), a_x · b_z, a_y · b_z) = 0
//!
//! The coordinates that are left are the place of b's anchor along a_x and a_y, and the angle of a hinge.

use super::super::row::Row;
use super::hinge;
use super::seat::{Seat, along, cosine};

pub(super) fn rows(a: &Seat, b: &Seat) -> [Row; 3] {
    [along(a, b, 2), cosine((a, 0), (b, 2)), cosine((a, 1), (b, 2))]
}

pub(super) fn coordinates(a: &Seat, b: &Seat, near: f64) -> [Row; 3] {
    [along(a, b, 0), along(a, b, 1), hinge::coordinate(a, b, near)]
}
