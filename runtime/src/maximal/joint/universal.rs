//! A universal joint: two hinges at a right angle.
//!
//! > Φ = (E_aᵀ (x_b − x_a), a_z · b_z) = 0

use super::super::row::Row;
use super::ball;
use super::seat::{Seat, cosine};

pub(super) fn rows(a: &Seat, b: &Seat) -> [Row; 4] {
    let [x, y, z] = ball::rows(a, b);
    [x, y, z, cosine((a, 2), (b, 2))]
}
