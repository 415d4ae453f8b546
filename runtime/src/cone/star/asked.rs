//! Whether a solution of Coulomb's law stays where the convex law may hold what slides.
//!
//! > w_n ≥ μ ‖w_t‖ of all contacts
//!
//! makes it one of the convex law too, whose w is the only one. Else that is solved from there: if what it was asked for moves
//! under load all the same, no impulses within the cones bring it to rest, and the solution stays. What is at rest instead is
//! left to those who know which bodies touch.

use alloc::vec::Vec;

use super::four::Four;
use super::quads::{Rows, load};
use super::whole::{self, Whole};
use crate::arithmetic::{Lanes, Ordered};
use crate::kernel::{Computation, Real, compute_with};

/// What is no motion, by the largest error of a solution.
const NEAR: f64 = 4.0;

/// Of four contacts λ of the last answer, from which the next one is looked for, as w is the same from anywhere; and λ of
/// Coulomb's law meanwhile.
pub(super) type Answer = [Rows; 2];

/// Whether the solution that was found does, by Coulomb's law with this largest error.
#[inline(always)]
pub(super) fn stays<A: Real, W: Whole>(
    whole: &mut W,
    accepted: f64,
    answers: &mut Vec<Answer>,
) -> bool {
    let near = NEAR * accepted;
    whole.fours().iter().all(|four| four.is_dual::<A>(near))
        || compute_with::<A, _>(Asked { whole, accepted, answers })
}

/// The question, as a computation of its own.
struct Asked<'w, W> {
    whole: &'w mut W,
    accepted: f64,
    answers: &'w mut Vec<Answer>,
}

impl<W: Whole> Computation for Asked<'_, W> {
    type Output = bool;

    #[inline(always)]
    fn run<A: Real>(self) -> bool {
        let Self { whole, accepted, answers } = self;
        let near = NEAR * accepted;
        answers.resize(whole.fours().len(), Answer::default());
        let is_first = answers.iter().all(|[last, _]| *last == Rows::default());
        for (four, [last, kept]) in whole.fours().iter_mut().zip(&mut *answers) {
            four.ask(near);
            *kept = four.lambda;
            four.lambda = if is_first { *kept } else { *last };
        }
        whole.relax();
        let end = whole::solve::<A, W>(whole, accepted);
        let fours = whole.fours();
        let stays = end.solved
            && match W::IS_ONE {
                true => fours.iter().any(|four| four.moves(near).contains(&true)),
                false => fours.iter().all(|four| {
                    four.asked.iter().zip(four.moves(near)).all(|(asked, moves)| !asked || moves)
                }),
            };
        for (four, [last, kept]) in fours.iter_mut().zip(answers) {
            *last = if end.solved { four.lambda } else { Rows::default() };
            four.lambda = *kept;
        }
        stays
    }
}

impl Four {
    /// Whether w of all is in the dual cones.
    #[inline(always)]
    fn is_dual<A: Real>(&self, near: f64) -> bool {
        let ([n, x, y], mu) = (load::<A>(&self.w), A::Quad::pack(self.friction));
        let (parts, slip) = (n + A::Quad::splat(near), x.mul_add(x, y * y));
        (mu * mu * slip).are_at_most(parts * parts)
    }

    /// Finds whose w is not in the dual cone.
    fn ask(&mut self, near: f64) {
        let [n, x, y] = &self.w;
        for (lane, asked) in self.asked.iter_mut().enumerate() {
            let (mu, parts) = (self.friction[lane], n[lane] + near);
            let slip = x[lane] * x[lane] + y[lane] * y[lane];
            *asked = mu * mu * slip > parts * parts;
        }
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
