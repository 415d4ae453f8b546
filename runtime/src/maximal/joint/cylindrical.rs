//! A cylindrical joint.
//!
//! > Φ = (a_x · (x_b − x_a), a_y · (x_b − x_a), a_x · b_z, a_y · b_z) = 0
//!
//! a hinge that slides along its axis. The coordinates that are left are those of a hinge and of a slider, θ and d.

use super::super::row::Row;
use super::hinge;
use super::seat::{Seat, along, cosine};

pub(super) fn rows(a: &Seat, b: &Seat) -> [Row; 4] {
    [along(a, b, 0), along(a, b, 1), cosine((a, 0), (b, 2)), cosine((a, 1), (b, 2))]
}

pub(super) fn coordinates(a: &Seat, b: &Seat, near: f64) -> [Row; 2] {
    [hinge::coordinate(a, b, near), along(a, b, 2)]
}
