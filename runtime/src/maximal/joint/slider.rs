//! A slider.
//!
//! > Φ = (a_x · (x_b − x_a), a_y · (x_b − x_a), turn of b relative to a) = 0
//!
//! The coordinate that is left is d = a_z · (x_b − x_a). Its row is the force a_z at x_b on both: it does not
//! spare a the moment of a force that acts beside its centre of mass.

use super::super::row::Row;
use super::locked;
use super::seat::{Seat, along};

pub(super) fn rows(a: &Seat, b: &Seat) -> [Row; 5] {
    let [x, y, z] = locked::rows(a, b);
    [along(a, b, 0), along(a, b, 1), x, y, z]
}

pub(super) fn coordinate(a: &Seat, b: &Seat) -> Row {
    along(a, b, 2)
}
