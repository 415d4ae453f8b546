//! How accurate a motion on springs is.

use super::contacts::Contacts;
use super::error::Error;
use super::friction::Friction;
use crate::integrate::Tolerance;

/// How the tolerance is stated.
#[derive(Clone, Copy, Debug)]
pub(super) enum Accuracy {
    /// By one number, that of deflections by the longest that they can be.
    Share(f64),
    Whole(Tolerance),
}

impl Accuracy {
    pub(super) fn of(self, contacts: &Contacts) -> Result<Tolerance, Error> {
        match self {
            Self::Whole(tolerance) => Ok(tolerance),
            Self::Share(share) => {
                let longest = contacts.friction.iter().map(Friction::longest);
                let shortest = longest.fold(1.0, f64::min);
                Ok(Tolerance::of_robots(share)?.further(share * shortest)?)
            }
        }
    }
}
