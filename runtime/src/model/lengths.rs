//! How many there are of what the constants of a model do not count.

use super::Model;

/// Number of contacts whose normals turn.
pub(crate) fn turning<M: Model>() -> usize {
    M::CONTACTS.iter().filter(|contact| contact.turns).count()
}

/// Number of constraints that tie two frames.
pub(crate) fn tying<M: Model>() -> usize {
    M::CONSTRAINTS.iter().filter(|constraint| constraint.links.is_some()).count()
}
