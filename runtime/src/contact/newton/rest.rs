//! What friction can hold at rest is at rest, as [`rest`](super::super::rest) has it.

use super::iterate::HOLDING;
use super::law::Friction;
use super::{Contact, Newton};
use crate::kernel::Real;
use crate::slices::sqrt;

impl Friction {
    /// The convex law with the same cone, if it is another one.
    fn convex(self) -> Option<Self> {
        match self {
            Self::Coulomb => Some(Self::Convex),
            Self::Polygon(sides) => Some(Self::Pyramid(sides)),
            _ => None,
        }
    }
}

impl Contact {
    /// Whether it slides, and parts more slowly than the convex law would have it.
    fn asks(&self, near: f64) -> bool {
        let [n, x, y] = self.w;
        let slip = match self.law {
            Friction::Coulomb => sqrt(x * x + y * y),
            Friction::Polygon(sides) => sides.support([x, y]),
            _ => return false,
        };
        self.rubs && slip > near && self.friction * slip > n + near
    }

    /// Whether it moves under load.
    fn moves(&self, near: f64) -> bool {
        self.lambda[0] > near * self.rho && self.w.iter().any(|w| w.abs() > near)
    }
}

impl Newton {
    /// Whether the convex law holds nothing that moves; `near` is the largest velocity that is none. Where it holds something, which
    /// of several impulses these are is a question for rows.
    #[inline(always)]
    pub(super) fn settles<A: Real, const W: usize>(&mut self, near: f64) -> bool {
        !self.contacts.iter().any(|contact| contact.asks(near)) || self.moves::<A, W>(near)
    }

    /// Whether all that is asked of moves by the convex law too.
    #[inline(never)]
    fn moves<A: Real, const W: usize>(&mut self, near: f64) -> bool {
        self.moving.0.clone_from(&self.contacts);
        self.moving.1.clone_from(&self.singles);
        for contact in &mut self.contacts {
            contact.law = contact.law.convex().unwrap_or(contact.law);
        }
        if self.iterate::<A, W>(HOLDING).is_none() {
            return false;
        }
        let mut both = self.moving.0.iter().zip(&self.contacts);
        let all_move = both.all(|(moving, convex)| !moving.asks(near) || convex.moves(near));
        core::mem::swap(&mut self.contacts, &mut self.moving.0);
        core::mem::swap(&mut self.singles, &mut self.moving.1);
        all_move
    }
}
