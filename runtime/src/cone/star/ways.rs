//! Ways to set up the linear problem of four contacts, by what all of them do.
//!
//! > δ = E (ρ − T Y γ),  E = (T B + C)⁻¹
//!
//! E is symmetric where nothing slides, and depends on no number of the modes where all stick: a processor that expects this
//! need not wait for them. What slides under the convex law has a way of its own, in [`projected`](super::projected).

use super::four::Four;
use super::matrix::Given;
use super::modes::{Diagonal, Linear};
use super::quads::{Quads, Sums, invert, invert_symmetric, load, products, turned};
use crate::arithmetic::Lanes;
use crate::kernel::Real;

/// Four contacts and their matrices.
pub(super) type Of<'f, 'g> = (&'f mut Four, Given<'g>);

/// A way, for contacts that do no more than it can.
pub(super) trait Way {
    /// Whether Yᵀ E T Y is.
    const IS_SYMMETRIC: bool;
    /// Whether a body alone keeps the factors for a further step.
    const IS_KEPT: bool;

    /// ρ in the modes of the contacts; sets the problem up unless it `is_known` already, and adds Yᵀ E T Y, of symmetric
    /// ones the entries from the diagonal on.
    fn set_up<A: Real>(of: Of<'_, '_>, is_known: bool, to: &mut Sums<A>) -> Quads<A>;
}

/// All stick.
pub(super) struct Sticking;
/// None slides.
pub(super) struct Held;
/// Any of them may slide, by Coulomb's law.
pub(super) struct Sliding;

impl Way for Sticking {
    const IS_SYMMETRIC: bool = true;
    const IS_KEPT: bool = true;

    #[inline(always)]
    fn set_up<A: Real>((four, given): Of<'_, '_>, is_known: bool, to: &mut Sums<A>) -> Quads<A> {
        if !is_known {
            let (mut own, [x, y, z]) = (given.own::<A>(), load::<A>(&four.proximal));
            (own[0][0], own[1][1], own[2][2]) = (own[0][0] + x, own[1][1] + y, own[2][2] + z);
            let inverse = invert_symmetric::<A>(&own);
            four.keep::<A>(&inverse);
            four.couple::<A, true>(given, &inverse, to);
        }
        let [x, y, z] = load::<A>(&four.w);
        let none = A::Quad::splat(0.0);
        [none - x, none - y, none - z]
    }
}

impl Way for Held {
    const IS_SYMMETRIC: bool = true;
    const IS_KEPT: bool = true;

    #[inline(always)]
    fn set_up<A: Real>((four, given): Of<'_, '_>, is_known: bool, to: &mut Sums<A>) -> Quads<A> {
        let Diagonal { pull, test, compliance: [x, y, z] } = four.diagonal::<A>();
        if !is_known {
            let mut tested = given.own::<A>();
            tested.as_flattened_mut().iter_mut().for_each(|entry| *entry = test * *entry);
            let [xx, yy, zz] = [tested[0][0], tested[1][1], tested[2][2]];
            (tested[0][0], tested[1][1], tested[2][2]) = (xx + x, yy + y, zz + z);
            let mut inverse = invert_symmetric::<A>(&tested);
            four.keep::<A>(&inverse);
            inverse.as_flattened_mut().iter_mut().for_each(|entry| *entry = test * *entry);
            four.couple::<A, true>(given, &inverse, to);
        }
        pull
    }
}

impl Way for Sliding {
    const IS_SYMMETRIC: bool = false;
    const IS_KEPT: bool = false;

    #[inline(always)]
    fn set_up<A: Real>((four, given): Of<'_, '_>, is_known: bool, to: &mut Sums<A>) -> Quads<A> {
        let Linear { pull, test, compliance } = four.linearize::<A>();
        if !is_known {
            let (own, mut sum) = (given.own::<A>(), compliance);
            for (row, test) in sum.iter_mut().zip(&test) {
                for (entry, own) in row.iter_mut().zip(&own) {
                    *entry = products::<A>(test, own, *entry);
                }
            }
            let inverse = invert::<A>(&sum);
            four.keep::<A>(&inverse);
            four.couple::<A, false>(given, &turned::<A>(&inverse, &test), to);
        }
        pull
    }
}
