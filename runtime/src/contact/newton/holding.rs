//! How far the law of what holds is made stiff, κ, as [laws](super::law) have it.

/// κ where modes may change, and where they are those of the last step. The larger one takes fewer iterations if no mode changes, and
/// more if one does.
pub(super) const HOLDING: f64 = 1e5;
pub(super) const RIGID: f64 = 1e7;

/// Up to which it may grow where a search gains little.
pub(super) const STIFFEST: f64 = 1e9;
