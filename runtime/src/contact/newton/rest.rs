//! What friction can hold at rest is at rest, as [`rest`](super::super::rest) has it.

#[cfg(feature = "std")]
use alloc::vec::Vec;

use super::iterate::HOLDING;
use super::law::Friction;
use super::singles::Singles;
use super::{Answer, Contact, Newton, System};
use crate::kernel::Real;
use crate::slices::sqrt;

impl Friction {
    /// The convex law with the same cone, if it has one.
    fn convex(self) -> Option<Self> {
        match self {
            Self::Coulomb | Self::Convex => Some(Self::Convex),
            Self::Polygon(sides) | Self::Pyramid(sides) => Some(Self::Pyramid(sides)),
            Self::Sticking => None,
        }
    }
}

impl Contact {
    /// Whether it slides, and parts more slowly than the convex law would have it.
    fn asks(&self, near: f64) -> bool {
        let [n, x, y] = self.w;
        let slip = match self.law {
            Friction::Coulomb | Friction::Sticking => sqrt(x * x + y * y),
            Friction::Polygon(sides) => sides.support([x, y]),
            Friction::Convex | Friction::Pyramid(_) => return false,
        };
        self.rubs && slip > near && self.friction * slip > n + near
    }

    /// Whether it moves under load. Without friction its tangents may.
    fn moves(&self, near: f64) -> bool {
        self.rubs && self.lambda[0] > near * self.rho && self.w.iter().any(|w| w.abs() > near)
    }
}

impl<S: System> Newton<S> {
    /// Takes the solution of the convex law for each group that this holds at rest. What acts on the same root is one group.
    /// Returns false if there is no convex law, or its problem is not solved. `near` is the largest velocity that counts as rest.
    #[inline(always)]
    pub(in crate::contact) fn settle<A: Real>(&mut self, near: f64) -> bool {
        !self.contacts.iter().any(|contact| contact.asks(near)) || self.ask::<A>(near)
    }

    /// Begins with the solution of the convex law, if there is one and it is found: what rests there rests under its own law too, and what
    /// moves has a start. Returns how many iterations it took.
    #[cfg(feature = "std")]
    pub(in crate::contact) fn begin_convex<A: Real>(&mut self) -> usize {
        let laws: Vec<Friction> = self.contacts.iter().map(|of| of.law).collect();
        if laws.iter().any(|law| law.convex().is_none()) {
            return 0;
        }
        let before = (self.contacts.clone(), self.singles.clone());
        for contact in &mut self.contacts {
            contact.law = contact.law.convex().unwrap_or(contact.law);
        }
        let solved = self.iterate::<A>();
        if solved.is_some() {
            self.answer.contacts.clone_from(&self.contacts);
            self.answer.singles.clone_from(&self.singles);
        } else {
            (self.contacts, self.singles) = before;
        }
        for (of, law) in self.contacts.iter_mut().zip(laws) {
            (of.law, of.reach, of.aim) = (law, of.rho, [0.0; 2]);
        }
        (self.is_factored, self.holding) = (false, HOLDING);
        solved.unwrap_or(0)
    }

    /// The same, where the convex problem has to be solved.
    #[inline(never)]
    fn ask<A: Real>(&mut self, near: f64) -> bool {
        let Self { contacts, singles, found, answer, .. } = self;
        found.contacts.clone_from(contacts);
        found.singles.clone_from(singles);
        for contact in &mut *contacts {
            let Some(law) = contact.law.convex() else { return false };
            contact.law = law;
        }
        if answer.is_of(contacts, singles) {
            contacts.iter_mut().zip(&answer.contacts).for_each(|(of, last)| of.begin(last.lambda));
            singles.begin(&answer.singles);
        }
        self.holding = HOLDING;
        if self.iterate::<A>().is_none() {
            self.answer.clear();
            return false;
        }
        let Self { contacts, singles, found, answer, held, .. } = self;
        answer.contacts.clone_from(contacts);
        answer.singles.clone_from(singles);
        held.fill(false);
        for contact in found.contacts.iter().filter(|contact| contact.asks(near)) {
            held[contact.root] = true;
        }
        for contact in contacts.iter().filter(|contact| contact.moves(near)) {
            held[contact.root] = false;
        }
        for (of, found) in contacts.iter_mut().zip(&found.contacts) {
            if held[of.root] {
                of.law = found.law;
            } else {
                of.clone_from(found);
            }
        }
        singles.restore(&found.singles, held);
        // The factors are those of the convex problem.
        self.is_factored = false;
        true
    }
}

impl Answer {
    /// Whether it is of these contacts and coordinates.
    fn is_of(&self, contacts: &[Contact], singles: &Singles) -> bool {
        self.contacts.iter().map(|of| of.contact).eq(contacts.iter().map(|of| of.contact))
            && self.singles.are_like(singles)
    }

    /// Forgets it.
    pub(super) fn clear(&mut self) {
        self.contacts.clear();
        self.singles.clear();
    }
}
