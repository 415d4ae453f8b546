//! Contacts of a body alone, which have nothing of their own, where all stick.
//!
//! > γ = −(Yᵀ Y)⁻¹ Yᵀ w,  δ = Y (Yᵀ Y)⁻¹ W⁻¹ γ
//!
//! If a motion γ of the body undoes w, w + Y γ = 0, then δ with W⁻¹ γ = Yᵀ δ is the least change of impulses, by Euclid's
//! norm, that makes it. Steps with a proximal term lead to such a change too as that vanishes, to the least one by s; its
//! rounding mostly asks for a second step. If no motion undoes w, then not all contacts stick: γ is the nearest one, and other
//! steps go on from there.

use super::blocks::Factors;
use super::four::{Four, Given};
use super::modes::Modes;
use super::one::OfOne;
use super::quads::{Sums, add_products, dot, load, store, sum};
use super::whole::{gathered, sums_of_triangle};
use super::{Shared, WIDEST};
use crate::arithmetic::Lanes;
use crate::kernel::Real;

impl OfOne<'_, '_> {
    /// Goes there, if the contacts hold the body: never where they share fewer than six coordinates.
    #[inline(always)]
    pub(super) fn rest<A: Real>(&mut self) -> bool {
        let Self { fours, star, .. } = self;
        let mut right = [A::Quad::splat(0.0); WIDEST];
        let mut matrix = [[A::Quad::splat(0.0); WIDEST]; WIDEST];
        for (four, given) in fours.iter().zip(star.each()) {
            four.add_normal::<A>(given, &mut matrix, &mut right);
        }
        let factors = Factors::of_symmetric::<A>(&sums_of_triangle::<A>(&matrix));
        if matches!(factors, Factors::Whole(_)) {
            return false;
        }
        let Some(mut momentum) = factors.solve::<A>(&gathered::<A>(&right)) else { return false };
        momentum.iter_mut().zip(star.weights).for_each(|(of, weight)| *of /= weight);
        let Some(by) = factors.solve::<A>(&momentum) else { return false };
        for (four, given) in fours.iter_mut().zip(star.each()) {
            four.press::<A>(given, &by);
        }
        true
    }
}

/// Adds a column of Yᵀ Y from its diagonal on.
#[inline(always)]
fn add_square<A: Real>(given: Given<'_>, matrix: &mut Sums<A>, k: usize) {
    add_products::<A>(&mut matrix[k], given.shared, &load::<A>(&given.shared[k]), k);
}

impl Four {
    /// Adds Yᵀ Y, column by column from the diagonal on, and −Yᵀ w.
    #[inline(always)]
    fn add_normal<A: Real>(
        &self,
        given: Given<'_>,
        matrix: &mut Sums<A>,
        right: &mut [A::Quad; WIDEST],
    ) {
        let w = load::<A>(&self.w);
        for (right, shared) in right.iter_mut().zip(given.shared) {
            *right = *right - dot::<A>(&load::<A>(shared), &w);
        }
        add_square::<A>(given, matrix, 0);
        add_square::<A>(given, matrix, 1);
        add_square::<A>(given, matrix, 2);
        add_square::<A>(given, matrix, 3);
        add_square::<A>(given, matrix, 4);
        add_square::<A>(given, matrix, 5);
    }

    /// λ + Y y. No linear problem of modes is set up then.
    #[inline(always)]
    fn press<A: Real>(&mut self, given: Given<'_>, by: &Shared) {
        let mut lambda = load::<A>(&self.lambda);
        for (shared, &by) in given.shared.iter().zip(by) {
            lambda = sum::<A>(lambda, A::Quad::splat(by), &load::<A>(shared));
        }
        store::<A>(&mut self.lambda, lambda);
        self.modes = Modes::default();
    }
}
