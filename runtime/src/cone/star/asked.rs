//! Whether a solution of Coulomb's law stays where the convex law may hold what slides.
//!
//! > w_n ≥ μ ‖w_t‖ of all contacts
//!
//! with the support function of a polygon in place of the norm where friction is by polygons,
//! makes it one of the convex law too, whose w is the only one. Else that is solved from there: if what it was asked for moves
//! under load all the same, no impulses within the cones bring it to rest, and the solution stays. What is at rest instead is
//! left to those who know which bodies touch.

use alloc::vec::Vec;

use super::contacts::Friction;
use super::four::Four;
use super::quads::{Rows, load};
use super::whole::{self, Whole};
use crate::arithmetic::{Lanes, Ordered};
use crate::kernel::{Computation, Real};

/// A velocity up to so many times the largest error of a solution counts as none.
pub(crate) const NO_MOTION: f64 = 16.0;

/// The question, asked of contacts whose solution is in their room. It is a computation of its own beside the search of that:
/// both in one would need more than the stack of a thread where it is not optimised.
pub(super) struct Asked<'w, W> {
    pub(super) whole: &'w mut W,
    pub(super) friction: Friction<'w>,
    pub(super) accepted: f64,
    /// λ of the last answer, from which the next one is looked for, as w is the same from anywhere.
    pub(super) answer: &'w mut Vec<Rows>,
}

impl<W: Whole> Computation for Asked<'_, W> {
    type Output = bool;

    /// Whether the solution stays.
    #[inline(always)]
    fn run<A: Real>(self) -> bool {
        let Self { whole, friction, accepted, answer } = self;
        let near = NO_MOTION * accepted;
        let is_known = answer.len() == whole.fours().len();
        answer.resize(whole.fours().len(), Rows::default());
        for (four, last) in whole.fours().iter_mut().zip(&*answer) {
            four.ask::<A>(friction, near);
            four.lambda = if is_known { *last } else { four.lambda };
        }
        let end = whole::solve::<A, W>(whole, friction, accepted);
        let fours = whole.fours();
        if !end.solved {
            answer.clear();
            return false;
        }
        answer.iter_mut().zip(&*fours).for_each(|(last, four)| *last = four.lambda);
        match W::IS_ONE {
            true => fours.iter().any(|four| four.moves(near).contains(&true)),
            false => fours.iter().all(|four| {
                four.asked.iter().zip(four.moves(near)).all(|(asked, moves)| !asked || moves)
            }),
        }
    }
}

/// Whether w of all contacts is in the dual cones, by a solution with this largest error.
#[inline(always)]
pub(super) fn are_dual<A: Real>(fours: &[Four], friction: Friction<'_>, accepted: f64) -> bool {
    // Not by `all`, whose closure would be compiled without the processor's features.
    for four in fours {
        if !four.are_held && !four.is_dual::<A>(friction, NO_MOTION * accepted) {
            return false;
        }
    }
    true
}

impl Four {
    /// The squares of μ times the slip and of how fast contacts part: w is in the dual cones where the first is no larger.
    #[inline(always)]
    fn squares<A: Real>(&self, friction: Friction<'_>, near: f64) -> [A::Quad; 2] {
        let ([n, x, y], mu) = (load::<A>(&self.w), A::Quad::pack(self.friction));
        let parts = n + A::Quad::splat(near);
        let slip = match friction.of(self.polygons) {
            None => x.mul_add(x, y * y),
            Some(sides) => {
                let slip = sides.support([-x, -y]);
                slip * slip
            }
        };
        [mu * mu * slip, parts * parts]
    }

    /// Whether w of all is in the dual cones.
    #[inline(always)]
    fn is_dual<A: Real>(&self, friction: Friction<'_>, near: f64) -> bool {
        let [slip, parts] = self.squares::<A>(friction, near);
        slip.are_at_most(parts)
    }

    /// Finds whose w is not in the dual cone.
    #[inline(always)]
    fn ask<A: Real>(&mut self, friction: Friction<'_>, near: f64) {
        let [slip, parts] = self.squares::<A>(friction, near).map(Lanes::unpack);
        self.asked = core::array::from_fn(|lane| slip[lane] > parts[lane]);
    }

    /// Which contacts move under load.
    fn moves(&self, near: f64) -> [bool; super::LANES] {
        let [n, x, y] = &self.w;
        core::array::from_fn(|lane| {
            let slip = x[lane] * x[lane] + y[lane] * y[lane];
            self.mobility[lane] * self.lambda[0][lane] > near
                && (n[lane].abs() > near || slip > near * near)
        })
    }
}

#[cfg(test)]
mod tests;
