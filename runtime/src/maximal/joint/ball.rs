//! A ball in its socket.
//!
//! > Φ = E_aᵀ (x_b − x_a) = 0
//!
//! three rows, along the axes E_a of a's frame: written in axes of a, and not of the world, Φ is no matter of
//! where both bodies are, and its impulses have no moment even if the anchors are apart.

use super::super::row::Row;
use super::seat::{Seat, along};

pub(super) fn rows(a: &Seat, b: &Seat) -> [Row; 3] {
    [0, 1, 2].map(|k| along(a, b, k))
}
