//! Modes: what touches, and how.

use alloc::vec;
use alloc::vec::Vec;

/// How a contact touches.
#[derive(Clone, Copy, Debug)]
pub enum Touch {
    /// Not at all.
    Open,
    /// Not at all, below what it would touch, or on its way there: it is [let through](super::HybridSimulation::passing).
    Passing,
    /// Without slip.
    Stick,
    /// With slip, or without friction.
    Slide {
        /// Unit vector along the contact's tangents of the slip, or of the slip to come where it begins. Modes that
        /// differ in nothing else are equal.
        along: [f64; 2],
    },
}

impl Touch {
    /// Whether it touches at all.
    pub fn is_closed(&self) -> bool {
        !matches!(self, Touch::Open | Touch::Passing)
    }
}

impl PartialEq for Touch {
    fn eq(&self, other: &Self) -> bool {
        core::mem::discriminant(self) == core::mem::discriminant(other)
    }
}

/// What touches: which contacts stick, slide or are open, and which limits are reached. Declared constraints hold in
/// all modes.
#[derive(Clone, Debug, PartialEq)]
pub struct Mode {
    pub(super) contacts: Vec<Touch>,
    /// Of ends of coordinates, then of declared limits.
    pub(super) limits: Vec<bool>,
    /// Whose forces accelerations leave undetermined, contacts first.
    pub(super) undetermined: Vec<bool>,
}

impl Mode {
    pub(super) fn open(contacts: usize, limits: usize) -> Self {
        Self {
            contacts: vec![Touch::Open; contacts],
            limits: vec![false; limits],
            undetermined: vec![false; contacts + limits],
        }
    }

    /// How many contacts and limits it is of.
    pub(super) fn parts(&self) -> [usize; 2] {
        [self.contacts.len(), self.limits.len()]
    }

    /// Takes another's, in storage that is kept.
    pub(super) fn copy(&mut self, other: &Self) {
        self.contacts.clone_from(&other.contacts);
        self.limits.clone_from(&other.limits);
        self.undetermined.clone_from(&other.undetermined);
    }

    /// Closes a part: a contact as it is to touch, or a limit.
    pub(super) fn close(&mut self, part: usize, touch: Touch) {
        let contacts = self.contacts.len();
        if let Some(contact) = self.contacts.get_mut(part) {
            *contact = touch;
        } else if let Some(limit) = self.limits.get_mut(part - contacts) {
            *limit = touch.is_closed();
        }
    }

    /// How each contact touches, in the order of [`CONTACTS`](crate::Model::CONTACTS).
    pub fn contacts(&self) -> &[Touch] {
        &self.contacts
    }

    /// Which limits are reached: ends of coordinates in their order, the lower one first, then declared
    /// [`LIMITS`](crate::Model::LIMITS).
    pub fn limits(&self) -> &[bool] {
        &self.limits
    }

    /// Whether accelerations do not determine the forces of all that touches, as those of four feet of a table: then
    /// forces are small ones of those that feet can exert.
    pub fn is_redundant(&self) -> bool {
        self.undetermined.contains(&true)
    }

    /// Whether accelerations do not determine the forces of a contact, or of a limit counted behind these.
    pub(super) fn is_undetermined(&self, part: usize) -> bool {
        self.undetermined.get(part) == Some(&true)
    }

    /// Whether a contact, or a limit counted behind these, touches.
    pub(super) fn is_closed(&self, part: usize) -> bool {
        match self.contacts.get(part) {
            Some(touch) => touch.is_closed(),
            None => self.limits.get(part - self.contacts.len()).copied().unwrap_or(false),
        }
    }

    /// Whether a contact is let through what it would touch.
    pub(super) fn is_passing(&self, part: usize) -> bool {
        matches!(self.contacts.get(part), Some(Touch::Passing))
    }

    /// Whether nothing touches.
    pub(super) fn is_free(&self) -> bool {
        !self.contacts.iter().any(Touch::is_closed) && !self.limits.contains(&true)
    }

    /// Whether directions of slip are the same too.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let along = |touch: &Touch| match touch {
            Touch::Slide { along } => *along,
            _ => [0.0; 2],
        };
        self == other && self.contacts.iter().map(along).eq(other.contacts.iter().map(along))
    }
}
