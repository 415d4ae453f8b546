//! Which of four contacts are open, stick and slide, and how they slide.

use super::quads::Each;
use crate::arithmetic::{Lanes, Ordered};
use crate::kernel::Real;

/// What four contacts do: a number of each says whether, 1 or 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Modes {
    pub(super) open: Each,
    pub(super) stick: Each,
    pub(super) slide: Each,
}

/// What slides: 1 of those that do, μ, 1 of those that do with friction, e, and κ, which is s without friction: there is no
/// across then, and what is left of λₜ is undone. All are zero of what does not slide.
pub(super) struct Slide<A: Real> {
    pub(super) slides: A::Quad,
    /// μ.
    pub(super) friction: A::Quad,
    pub(super) across: A::Quad,
    pub(super) direction: [A::Quad; 2],
    pub(super) kappa: A::Quad,
}

/// Where contacts slide on their polygons: zero of what does not slide.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Facing {
    /// ν: friction along the direction by the normal impulse.
    pub(super) friction: Each,
    /// The normal of an edge, or a corner.
    pub(super) direction: [Each; 2],
    /// 1 of those on edges.
    pub(super) across: Each,
}

impl Facing {
    /// How contacts slide, with s.
    #[inline(always)]
    pub(super) fn sliding<A: Real>(&self, slides: A::Quad, s: A::Quad) -> Slide<A> {
        let across = A::Quad::pack(self.across);
        Slide {
            slides,
            friction: A::Quad::pack(self.friction),
            across,
            direction: [A::Quad::pack(self.direction[0]), A::Quad::pack(self.direction[1])],
            kappa: (slides - across) * s,
        }
    }

    /// By how much it is another one.
    #[inline(always)]
    pub(super) fn change<A: Real>(&self, other: &Self) -> A::Quad {
        let [x, y] = self.direction;
        let [u, v] = other.direction;
        let turned = (A::Quad::pack(x) - A::Quad::pack(u)).abs();
        let turned = (A::Quad::pack(y) - A::Quad::pack(v)).abs().maximum(turned);
        (A::Quad::pack(self.across) - A::Quad::pack(other.across)).abs().maximum(turned)
    }
}

/// μ ℓₙ, which is none where nothing presses, also without bound of friction.
#[inline(always)]
pub(super) fn radius<A: Real>(friction: A::Quad, normal: A::Quad) -> A::Quad {
    let none = A::Quad::splat(0.0);
    normal.select_at_most(none, none, friction * normal)
}
