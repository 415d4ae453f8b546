//! A screw.
//!
//! > Φ = (the rows of a cylindrical joint, d − p θ) = 0
//!
//! with θ and d as there and the pitch p, in m/rad. The coordinate that is left is θ.

use super::super::row::Row;
use super::cylindrical;
use super::seat::Seat;

pub(super) fn rows(a: &Seat, b: &Seat, pitch: f64, near: f64) -> [Row; 5] {
    let [x, y, first, second] = cylindrical::rows(a, b);
    let [turn, slide] = cylindrical::coordinates(a, b, near);
    [x, y, first, second, slide.plus(-pitch, &turn)]
}
