//! How contacts lie in registers.

/// So many contacts lie side by side.
pub(crate) const LANES: usize = 4;
/// The most coordinates that contacts share.
pub(crate) const WIDEST: usize = 6;
/// A number of each coordinate that is shared.
pub(super) type Shared = [f64; WIDEST];
