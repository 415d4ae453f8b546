//! Contacts of a body alone, which have nothing of their own, where all stick.
//!
//! > γ = −(Yᵀ Y)⁻¹ Yᵀ w,  δ = Y (Yᵀ Y)⁻¹ W⁻¹ γ
//!
//! If a motion γ of the body undoes w, w + Y γ = 0, then δ with W⁻¹ γ = Yᵀ δ is the least change of impulses, by Euclid's
//! norm, that makes it. Steps with a proximal term lead to such a change too as that vanishes, to the least one by s; its
//! rounding mostly asks for a second step. If no motion undoes w, then not all contacts stick: γ is the nearest one, and
//! other steps go on from there. Bodies that joints couple [come to rest](super::hubs) likewise, where some of their contacts
//! may be open.

use super::blocks::Factors;
use super::four::Four;
use super::lanes::{Shared, WIDEST};
use super::matrix::Given;
use super::one::OfOne;
use super::quads::{Quads, Sums, add_products, dot, load, store, sum};
use super::slip::Modes;
use super::whole::{gathered, sums_of_triangle};
use crate::arithmetic::Lanes;
use crate::kernel::Real;

/// What brings a body to rest. All its contacts stick if `ALL`, else some may be open.
pub(super) struct Rest<const ALL: bool> {
    /// Of Yᵀ Y.
    factors: Factors,
    /// γ.
    pub(super) motion: Shared,
    /// Yᵀ λ of contacts that are open, which they lose.
    lost: Shared,
}

impl<const ALL: bool> Rest<ALL> {
    /// By contacts of one body, of which none slides; none unless those that stick hold it.
    #[inline(always)]
    pub(super) fn new<'f, 'g, A: Real>(
        contacts: impl Iterator<Item = (&'f Four, Given<'g>)>,
    ) -> Option<Self> {
        let (mut right, mut lost) = ([A::Quad::splat(0.0); WIDEST], [A::Quad::splat(0.0); WIDEST]);
        let mut matrix = [[A::Quad::splat(0.0); WIDEST]; WIDEST];
        for (four, given) in contacts {
            four.add_normal::<A, ALL>(given, &mut matrix, &mut right);
            if !ALL {
                four.add_lost::<A>(given, &mut lost);
            }
        }
        let factors = Factors::of_symmetric::<A>(&sums_of_triangle::<A>(&matrix));
        if matches!(factors, Factors::Whole(_)) {
            return None;
        }
        let motion = factors.solve::<A>(&gathered::<A>(&right))?;
        Some(Self { factors, motion, lost: gathered::<A>(&lost) })
    }

    /// y of impulses λ + Y y that have this sum beside what is lost.
    #[inline(always)]
    pub(super) fn share<A: Real>(&self, momentum: &Shared) -> Option<Shared> {
        let mut all = *momentum;
        if !ALL {
            all.iter_mut().zip(&self.lost).for_each(|(to, lost)| *to += lost);
        }
        self.factors.solve::<A>(&all)
    }
}

impl OfOne<'_, '_> {
    /// Goes there, if all contacts stick and hold the body: never where they share fewer than six coordinates.
    #[inline(always)]
    pub(super) fn rest<A: Real>(&mut self) -> bool {
        let Self { fours, star, .. } = self;
        // Divisions come first, since they need not wait for the motion.
        let inertia = star.inertia();
        let Some(rest) = Rest::<true>::new::<A>(fours.iter().zip(star.each())) else {
            return false;
        };
        let mut momentum = rest.motion;
        momentum.iter_mut().zip(&inertia).for_each(|(of, by)| *of *= by);
        let Some(by) = rest.share::<A>(&momentum) else { return false };
        for (four, given) in fours.iter_mut().zip(star.each()) {
            four.press::<A, true>(given, &by);
        }
        true
    }
}

/// Adds a column of Yᵀ Y of those that are held, from its diagonal on.
#[inline(always)]
fn add_square<A: Real>(held: A::Quad, given: Given<'_>, matrix: &mut Sums<A>, k: usize) {
    let column = scaled::<A>(held, &load::<A>(&given.shared[k]));
    add_products::<A>(&mut matrix[k], given.shared, &column, k);
}

/// a x.
#[inline(always)]
fn scaled<A: Real>(a: A::Quad, x: &Quads<A>) -> Quads<A> {
    [a * x[0], a * x[1], a * x[2]]
}

impl Four {
    /// 1 of those that stick, which `ALL` may do.
    #[inline(always)]
    fn held<A: Real, const ALL: bool>(&self) -> A::Quad {
        if ALL { A::Quad::splat(1.0) } else { A::Quad::pack(self.modes.stick) }
    }

    /// Adds Yᵀ Y, column by column from the diagonal on, and −Yᵀ w, of those that stick.
    #[inline(always)]
    fn add_normal<A: Real, const ALL: bool>(
        &self,
        given: Given<'_>,
        matrix: &mut Sums<A>,
        right: &mut [A::Quad; WIDEST],
    ) {
        let held = self.held::<A, ALL>();
        let w = scaled::<A>(held, &load::<A>(&self.w));
        for (right, shared) in right.iter_mut().zip(given.shared) {
            *right = *right - dot::<A>(&load::<A>(shared), &w);
        }
        add_square::<A>(held, given, matrix, 0);
        add_square::<A>(held, given, matrix, 1);
        add_square::<A>(held, given, matrix, 2);
        add_square::<A>(held, given, matrix, 3);
        add_square::<A>(held, given, matrix, 4);
        add_square::<A>(held, given, matrix, 5);
    }

    /// Adds Yᵀ λ of those that are open.
    #[inline(always)]
    fn add_lost<A: Real>(&self, given: Given<'_>, lost: &mut [A::Quad; WIDEST]) {
        let lambda = scaled::<A>(A::Quad::pack(self.modes.open), &load::<A>(&self.lambda));
        given.add_through::<A>(&lambda, lost);
    }

    /// λ + Y y of those that stick, and none of others. No linear problem of modes is set up then.
    #[inline(always)]
    pub(super) fn press<A: Real, const ALL: bool>(&mut self, given: Given<'_>, by: &Shared) {
        let mut lambda = load::<A>(&self.lambda);
        for (shared, &by) in given.shared.iter().zip(by) {
            lambda = sum::<A>(lambda, A::Quad::splat(by), &load::<A>(shared));
        }
        let held = self.held::<A, ALL>();
        store::<A>(&mut self.lambda, scaled::<A>(held, &lambda));
        self.modes = Modes::default();
    }
}
