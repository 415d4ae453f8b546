//! What friction can hold at rest is at rest, as [`rest`](super::super::rest) has it.

#[cfg(feature = "std")]
use alloc::vec::Vec;

use super::holding::HOLDING;
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
        self.may_rest && self.rubs && slip > near && self.friction * slip > n + near
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

    /// How many contacts slide that the convex law might hold.
    #[cfg(feature = "std")]
    pub(in crate::contact) fn asking(&self, near: f64) -> usize {
        self.contacts.iter().filter(|contact| contact.asks(near)).count()
    }

    /// Keeps the iterate, to go back to.
    #[cfg(feature = "std")]
    pub(in crate::contact) fn keep_found(&mut self) {
        self.found.contacts.clone_from(&self.contacts);
        self.found.singles.clone_from(&self.singles);
    }

    /// Goes back to the iterate that was kept.
    #[cfg(feature = "std")]
    pub(in crate::contact) fn take_found(&mut self) {
        self.contacts.clone_from(&self.found.contacts);
        self.singles.clone_from(&self.found.singles);
        (self.is_factored, self.holding) = (false, HOLDING);
    }

    /// Looks for a solution near that of the convex law, where what can rest does, with more effort if there is no other one. Returns how
    /// many iterations it took, or `None` if there is no convex law, or either is not found.
    #[cfg(feature = "std")]
    pub(in crate::contact) fn iterate_from_convex<A: Real>(
        &mut self,
        has_other: bool,
    ) -> Option<usize> {
        let laws: Vec<Friction> = self.contacts.iter().map(|of| of.law).collect();
        let convex: Option<Vec<Friction>> = laws.iter().map(|law| law.convex()).collect();
        for (of, law) in self.contacts.iter_mut().zip(convex?) {
            (of.law, of.reach, of.aim) = (law, of.rho, [0.0; 2]);
        }
        (self.is_factored, self.holding) = (false, HOLDING);
        let solved = self.iterate::<A>();
        for (of, law) in self.contacts.iter_mut().zip(laws) {
            (of.law, of.reach, of.aim) = (law, of.rho, [0.0; 2]);
        }
        (self.is_factored, self.holding) = (false, HOLDING);
        let solved = solved?;
        let found = if has_other { self.search::<A>() } else { self.iterate::<A>() };
        found.map(|found| solved + found)
    }

    /// As [`settle`](Self::settle), where the convex problem has to be solved.
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
