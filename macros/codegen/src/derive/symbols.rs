//! The sets of symbols that equations are written in.

/// The struct's fields.
pub const FIELD: u8 = 0;
/// Configuration.
pub const Q: u8 = 1;
/// Velocity.
pub const V: u8 = 2;
/// Acceleration, or generalised force; of what follows from contact dynamics, y₀ or a change of velocity.
pub const A: u8 = 3;
/// Time, one symbol.
pub const TIME: u8 = 4;
/// Of each row that may hold, 1 if it does, 0 if not; of what follows from contact dynamics, its numbers.
pub const HOLDS: u8 = 5;
/// What each of these rows is asked for beyond what it asks for itself; of contact dynamics, what is added to
/// the inertia of each coordinate; of the response to contacts, the impulse of each, (3).
pub const ASKED: u8 = 6;
/// Where a contact is relative to what it touches, (3); no quantity is left with it.
pub const PLACE: u8 = 7;
/// How fast that changes, (3); likewise.
pub const MOTION: u8 = 8;
