//! Contacts of one body, by whole steps of Newton's method.

use super::blocks::Columns;
use super::blocks::Factors;
use super::contacts::Friction;
use super::four::Four;
use super::lanes::{LANES, Shared, WIDEST};
use super::matrix::Star;
use super::modes::Errors;
use super::projected::Projected;
use super::quads::Sums;
use super::ways::{Held, Sliding, Sticking, Way};
use super::whole::{self, End, Whole, gathered, sums_of_triangle, sums_over_lanes};
use crate::arithmetic::Lanes;
use crate::cone::Law;
use crate::cone::view::Measure;
use crate::kernel::{Computation, Real, compute_with};

/// Contacts of one body, and room for them.
pub(super) struct OfOne<'a, 'm> {
    pub(super) fours: &'a mut [Four],
    /// Those of W⁻¹ + Yᵀ E T Y of the linear problem that was set up last.
    factors: Option<Factors>,
    pub(super) star: &'a Star<'m>,
    pub(super) friction: Friction<'a>,
    /// Whether the body may be [brought to rest](super::alone), once.
    pub(super) may_rest: bool,
}

impl Whole for OfOne<'_, '_> {
    #[inline(always)]
    fn fours(&mut self) -> &mut [Four] {
        self.fours
    }

    const IS_ONE: bool = true;

    #[inline(always)]
    fn measure<A: Real>(&mut self) -> Measure {
        let Self { fours, star, friction, .. } = self;
        let mut sums = [A::Quad::splat(0.0); WIDEST];
        for (four, given) in fours.iter().zip(star.each()) {
            four.add_impulse::<A>(given, &mut sums);
        }
        let mut response = gathered::<A>(&sums);
        for (to, weight) in response.iter_mut().zip(star.weights) {
            *to *= weight;
        }
        let mut errors = Errors::<A>::none();
        for (four, given) in fours.iter_mut().zip(star.each()) {
            four.respond::<A>(given, &response);
            four.measure::<A>(*friction, &mut errors);
        }
        errors.measure()
    }

    #[inline(always)]
    fn hold<A: Real>(&mut self) {
        for (four, given) in self.fours.iter_mut().zip(self.star.each()) {
            four.hold_limbs::<A>(given);
        }
    }

    #[inline(always)]
    fn step<A: Real>(&mut self, _: bool) -> bool {
        let is_known = whole::find_modes::<A>(self.fours, self.friction);
        if self.fours.iter().all(Four::all_stick::<A>) {
            let may_rest = core::mem::take(&mut self.may_rest);
            (may_rest && self.rest::<A>()) || self.step_by::<A, Sticking>(is_known)
        } else if self.fours.iter().any(Four::slides) {
            match self.friction.law {
                Law::Coulomb => self.step_by::<A, Sliding>(false),
                // A function of its own: steps of the convex law are rarer.
                Law::Convex => compute_with::<A, _>(Convex(self)),
            }
        } else {
            self.step_by::<A, Held>(is_known)
        }
    }
}

struct Convex<'w, 'a, 'm>(&'w mut OfOne<'a, 'm>);

impl Computation for Convex<'_, '_, '_> {
    type Output = bool;

    #[inline(always)]
    fn run<A: Real>(self) -> bool {
        self.0.step_by::<A, Projected>(false)
    }
}

impl<'a, 'm> OfOne<'a, 'm> {
    #[inline(always)]
    pub(super) fn new(fours: &'a mut [Four], star: &'a Star<'m>, friction: Friction<'a>) -> Self {
        Self { fours, factors: None, star, friction, may_rest: false }
    }

    #[inline(always)]
    pub(super) fn solve<A: Real>(mut self, accepted: f64) -> End {
        self.weigh::<A>();
        let friction = self.friction;
        whole::solve::<A, _>(&mut self, friction, accepted)
    }

    /// Finds what does not change with impulses.
    #[inline(always)]
    pub(super) fn weigh<A: Real>(&mut self) {
        let together = self.fours.len() as f64;
        self.may_rest = true;
        for (four, given) in self.fours.iter_mut().zip(self.star.each()) {
            let shared = given.through::<A>(self.star.weights);
            four.weigh::<A>(given, shared, together);
            self.may_rest &= four.are_alone;
        }
    }

    /// Goes to the solution of the linear problem, which `is_known` if it was set up before.
    #[inline(always)]
    fn step_by<A: Real, W: Way>(&mut self, is_known: bool) -> bool {
        let Self { fours, factors, star, .. } = self;
        let is_known = is_known && factors.is_some();
        let mut sums = [A::Quad::splat(0.0); WIDEST];
        let mut matrix = [[A::Quad::splat(0.0); WIDEST]; WIDEST];
        for (four, given) in fours.iter_mut().zip(star.each()) {
            let pull = W::set_up::<A>((&mut *four, given), is_known, &mut matrix);
            four.add_right::<A>(given, &pull, &mut sums);
        }
        let right = gathered::<A>(&sums);
        let gamma = match factors {
            Some(known) if is_known => known.solve::<A>(&right),
            _ => {
                let fresh = factor::<A, W>(&star.inertia(), &matrix);
                let gamma = fresh.solve::<A>(&right);
                if W::IS_KEPT {
                    *factors = Some(fresh);
                }
                gamma
            }
        };
        let Some(gamma) = gamma else {
            return false;
        };
        for four in fours.iter_mut() {
            four.step::<A>(&gamma);
        }
        true
    }
}

/// Factors W⁻¹ + Yᵀ E T Y from its sums over contacts, or those from its diagonal on.
#[inline(always)]
fn factor<A: Real, W: Way>(inertia: &Shared, sums: &Sums<A>) -> Factors {
    if W::IS_SYMMETRIC {
        let mut triangle = sums_of_triangle::<A>(sums);
        for k in 0..WIDEST {
            triangle[k][k] += inertia[k];
        }
        return Factors::of_symmetric::<A>(&triangle);
    }
    let mut columns = Columns::default();
    for k in 0..WIDEST {
        columns[k] = sums_over_lanes::<A>(&sums[k]);
        columns[k][k / LANES][k % LANES] += inertia[k];
    }
    Factors::new::<A>(&columns)
}
