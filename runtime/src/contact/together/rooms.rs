//! The two kinds of problems of contacts side by side, and their solvers: on a star, and on bodies that carry several contacts.

use crate::cone::{self, Contacts, Friction, Hubs, Rows, Star};
use crate::contact::dynamics::Tree;
use crate::contact::formulation::Formulation;
use crate::kernel::{Real, compute_with};

/// A problem of contacts.
#[derive(Clone, Copy, Debug)]
pub(super) enum Problem<'a> {
    Star(Star<'a>),
    Hubs(Hubs<'a>),
}

/// A law, and the largest error of its solutions.
pub(super) type Law<'a> = (Friction<'a>, f64);

/// What is found of contacts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) iterations: usize,
    /// Whether another solution may stay at rest.
    pub(super) may_rest: bool,
    /// Whether it is by the convex law instead of Coulomb's.
    pub(super) is_relaxed: bool,
}

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

    /// Finds λ of the contacts. If these do not act `alone` and nothing is found by Coulomb's law, the solution of the convex law is
    /// taken: what acts beside them may still change.
    #[inline(always)]
    pub(super) fn find<A: Real>(
        &mut self,
        tree: &Tree,
        of: Problem<'_>,
        law: Law<'_>,
        (formulation, alone): (&Formulation, bool),
        contacts: &mut [Contacts],
    ) -> Option<Found> {
        let friction = formulation.friction();
        let Some(iterations) = self.solve::<A>(of, law, contacts) else {
            let may_relax = !alone && friction.has_another_convex();
            return if may_relax { self.relax::<A>(of, law, contacts) } else { None };
        };
        // Of what shares nothing each body is asked alone, elsewhere.
        let asks = alone && friction.has_convex() && tree.shares();
        let stays = self.are_dual::<A>(of, law)
            || !friction.asks_for_rest(|| !tree.has_rest())
            || (asks && self.stays::<A>(of, law));
        Some(Found { iterations, may_rest: !stays, is_relaxed: false })
    }

    /// Finds λ by the convex law.
    #[inline(never)]
    fn relax<A: Real>(
        &mut self,
        of: Problem<'_>,
        (friction, accepted): Law<'_>,
        contacts: &mut [Contacts],
    ) -> Option<Found> {
        let iterations = self.solve::<A>(of, (friction.convex(), accepted), contacts)?;
        Some(Found { iterations, may_rest: false, is_relaxed: true })
    }

    /// Finds λ of the contacts; how many iterations that took, unless it is not found.
    #[inline(always)]
    fn solve<A: Real>(
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
    fn are_dual<A: Real>(&self, of: Problem<'_>, (friction, accepted): Law<'_>) -> bool {
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
