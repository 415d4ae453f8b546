//! Contacts side by side, and their law of friction.

use super::lanes::LANES;
use super::quads::{Each, Rows};
use super::sides::Sides;
use crate::cone::problem::{Block, Law};

/// Four contacts side by side: what is given of them, λ to start from, and λ when it is found. Lanes without a contact
/// have zeros.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Contacts {
    pub(crate) b: Rows,
    pub(crate) friction: Each,
    pub(crate) lambda: Rows,
    /// How they slip before the impulses act; zero where that is not known.
    pub(crate) slip: [Each; 2],
    /// The place of their polygons, if friction is by polygons.
    pub(crate) polygons: usize,
}

/// The law of friction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Friction<'p> {
    pub(crate) law: Law,
    /// What friction is within for a normal impulse of 1/μ, in place of a disc.
    pub(crate) polygons: Option<&'p [Sides]>,
}

impl<'p> Friction<'p> {
    /// On round cones.
    pub(crate) fn round(law: Law) -> Self {
        Self { law, polygons: None }
    }

    /// The convex law with the same cones.
    #[inline(always)]
    pub(crate) fn convex(self) -> Self {
        Self { law: Law::Convex, ..self }
    }

    /// The polygons of that place.
    #[inline(always)]
    pub(super) fn of(&self, place: usize) -> Option<&'p Sides> {
        self.polygons.map(|polygons| &polygons[place])
    }
}

impl Contacts {
    /// Those of blocks from the `first` on.
    pub(super) fn read(b: &[f64], blocks: &[Block], start: &[f64], first: usize) -> Self {
        let mut contacts = Self::default();
        for lane in 0..LANES.min(blocks.len() - first) {
            let contact = first + lane;
            for axis in 0..3 {
                contacts.b[axis][lane] = b[3 * contact + axis];
                contacts.lambda[axis][lane] = start.get(3 * contact + axis).copied().unwrap_or(0.0);
            }
            if let Block::Contact { friction, .. } = blocks[contact] {
                contacts.friction[lane] = friction;
            }
        }
        contacts
    }
}
