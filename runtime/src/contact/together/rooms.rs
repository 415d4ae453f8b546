//! The two kinds of problems of contacts side by side, and their solvers: on a star, and on bodies that carry several contacts.

use crate::cone::{self, Contacts, Friction, Hubs, Rows, Star};
use crate::kernel::{Real, compute_with};

/// A problem of contacts.
#[derive(Clone, Copy, Debug)]
pub(super) enum Problem<'a> {
    Star(Star<'a>),
    Hubs(Hubs<'a>),
}

/// A law, and the largest error of its solutions.
pub(super) type Law<'a> = (Friction<'a>, f64);

/// Room for both, with what was found last.
#[derive(Clone, Debug, Default)]
pub(super) struct Rooms {
    star: cone::Room,
    hubs: cone::HubsRoom,
}

impl Rooms {
    pub(super) fn forget(&mut self) {
        self.star.forget();
        self.hubs.forget();
    }

    /// Finds λ of the contacts; how many iterations that took, unless it is not found.
    #[inline(always)]
    pub(super) fn solve<A: Real>(
        &mut self,
        of: Problem<'_>,
        (friction, accepted): Law<'_>,
        contacts: &mut [Contacts],
    ) -> Option<usize> {
        match of {
            Problem::Star(star) => {
                let room = &mut self.star;
                compute_with::<A, _>(cone::SideBySide { star, friction, accepted, contacts, room })
            }
            Problem::Hubs(hubs) => {
                let room = &mut self.hubs;
                compute_with::<A, _>(cone::OnHubs { hubs, friction, accepted, contacts, room })
            }
        }
    }

    /// Whether w of what was found last is in the dual cones.
    #[inline(always)]
    pub(super) fn are_dual<A: Real>(&self, of: Problem<'_>, (friction, accepted): Law<'_>) -> bool {
        match of {
            Problem::Star(_) => self.star.are_dual::<A>(friction, accepted),
            Problem::Hubs(_) => self.hubs.are_dual::<A>(friction, accepted),
        }
    }

    /// Whether what was found last stays, by the convex law.
    #[inline(always)]
    pub(super) fn stays<A: Real>(
        &mut self,
        of: Problem<'_>,
        (friction, accepted): Law<'_>,
    ) -> bool {
        match of {
            Problem::Star(star) => {
                let room = &mut self.star;
                compute_with::<A, _>(cone::Stays { star, friction, accepted, room })
            }
            Problem::Hubs(hubs) => {
                let room = &mut self.hubs;
                compute_with::<A, _>(cone::StaysOnHubs { hubs, friction, accepted, room })
            }
        }
    }

    /// λ of the convex law, where it was [asked](Self::stays) last.
    pub(super) fn answer(&self, of: Problem<'_>) -> &[Rows] {
        match of {
            Problem::Star(_) => self.star.answer(),
            Problem::Hubs(_) => self.hubs.answer(),
        }
    }
}
