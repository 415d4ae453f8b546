//! Two bodies as one.
//!
//! > Φ = (E_aᵀ (x_b − x_a), turn of b relative to a) = 0

use super::super::row::Row;
use super::seat::Seat;
use super::{ball, locked};

pub(super) fn rows(a: &Seat, b: &Seat) -> [Row; 6] {
    let [x, y, z] = ball::rows(a, b);
    let [roll, pitch, yaw] = locked::rows(a, b);
    [x, y, z, roll, pitch, yaw]
}
