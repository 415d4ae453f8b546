//! Where the numbers of a contact lie among those of a step; the runtime has the same places.

/// So many contacts lie side by side.
pub(crate) const LANES: usize = 4;

/// J v, J (α + c), φ and Y.
pub(super) const VELOCITY: usize = 0;
pub(super) const RATE: usize = 3;
pub(super) const GAP: usize = 6;
pub(super) const COLUMNS: usize = 7;

/// The velocities of a body that carries contacts.
pub(super) const WIDTH: usize = 6;
