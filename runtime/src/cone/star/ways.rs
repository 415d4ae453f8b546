//! Ways to set up the linear problem of four contacts, by what all of them do.
//!
//! > δ = E (ρ − T Y γ),  E = (T B + C)⁻¹
//!
//! E is symmetric where nothing slides, and depends on no number of the modes where all stick: a processor that expects this
//! need not wait for them.

use super::super::Law;
use super::WIDEST;
use super::four::{Four, Given};
use super::modes::{Diagonal, Linear};
use super::quads::{Quads, cross, dot, load, products, turned};
use crate::arithmetic::Lanes;
use crate::kernel::Real;

/// A way, for contacts that do no more than it can.
pub(super) trait Way {
    /// Whether Yᵀ E T Y is.
    const IS_SYMMETRIC: bool;

    /// ρ in the modes of the contacts; sets the problem up unless it `is_known` already, and adds Yᵀ E T Y, column by
    /// column, of symmetric ones the entries from the diagonal on.
    fn set_up<A: Real>(
        four: &mut Four,
        given: Given<'_>,
        law: Law,
        is_known: bool,
        matrix: &mut [[A::Quad; WIDEST]; WIDEST],
    ) -> Quads<A>;
}

/// All stick.
pub(super) struct Sticking;
/// None slides.
pub(super) struct Held;
/// Any of them may slide.
pub(super) struct Sliding;

impl Way for Sticking {
    const IS_SYMMETRIC: bool = true;

    #[inline(always)]
    fn set_up<A: Real>(
        four: &mut Four,
        given: Given<'_>,
        _: Law,
        is_known: bool,
        matrix: &mut [[A::Quad; WIDEST]; WIDEST],
    ) -> Quads<A> {
        if !is_known {
            let (mut own, [x, y, z]) = (given.own::<A>(), load::<A>(&four.proximal));
            (own[0][0], own[1][1], own[2][2]) = (own[0][0] + x, own[1][1] + y, own[2][2] + z);
            let inverse = invert_symmetric::<A>(&own);
            four.keep::<A>(&inverse);
            four.couple::<A, true>(given, &inverse, matrix);
        }
        let [x, y, z] = load::<A>(&four.w);
        let none = A::Quad::splat(0.0);
        [none - x, none - y, none - z]
    }
}

impl Way for Held {
    const IS_SYMMETRIC: bool = true;

    #[inline(always)]
    fn set_up<A: Real>(
        four: &mut Four,
        given: Given<'_>,
        _: Law,
        is_known: bool,
        matrix: &mut [[A::Quad; WIDEST]; WIDEST],
    ) -> Quads<A> {
        let Diagonal { pull, test, compliance: [x, y, z] } = four.diagonal::<A>();
        if !is_known {
            let mut tested = given.own::<A>();
            tested.as_flattened_mut().iter_mut().for_each(|entry| *entry = test * *entry);
            let [xx, yy, zz] = [tested[0][0], tested[1][1], tested[2][2]];
            (tested[0][0], tested[1][1], tested[2][2]) = (xx + x, yy + y, zz + z);
            let mut inverse = invert_symmetric::<A>(&tested);
            four.keep::<A>(&inverse);
            inverse.as_flattened_mut().iter_mut().for_each(|entry| *entry = test * *entry);
            four.couple::<A, true>(given, &inverse, matrix);
        }
        pull
    }
}

impl Way for Sliding {
    const IS_SYMMETRIC: bool = false;

    #[inline(always)]
    fn set_up<A: Real>(
        four: &mut Four,
        given: Given<'_>,
        law: Law,
        _: bool,
        matrix: &mut [[A::Quad; WIDEST]; WIDEST],
    ) -> Quads<A> {
        let Linear { pull, test, compliance } = four.linearize::<A>(law);
        let (own, mut sum) = (given.own::<A>(), compliance);
        for (row, test) in sum.iter_mut().zip(&test) {
            for (entry, own) in row.iter_mut().zip(&own) {
                *entry = products::<A>(test, own, *entry);
            }
        }
        let inverse = invert::<A>(&sum);
        four.keep::<A>(&inverse);
        four.couple::<A, false>(given, &turned::<A>(&inverse, &test), matrix);
        pull
    }
}

/// M⁻¹, row by row, in lanes what [`threes`](super::threes) does for one.
#[inline(always)]
fn invert<A: Real>([x, y, z]: &[Quads<A>; 3]) -> [Quads<A>; 3] {
    let (yz, zx, xy) = (cross::<A>(y, z), cross::<A>(z, x), cross::<A>(x, y));
    let scale = A::Quad::splat(1.0) / dot::<A>(x, &yz);
    let mut inverse = [[scale; 3]; 3];
    for i in 0..3 {
        inverse[i] = [yz[i] * scale, zx[i] * scale, xy[i] * scale];
    }
    inverse
}

/// The same of a symmetric M.
#[inline(always)]
fn invert_symmetric<A: Real>(m: &[Quads<A>; 3]) -> [Quads<A>; 3] {
    let &[[xx, xy, xz], [_, yy, yz], [.., zz]] = m;
    let of_x = [yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy];
    let (of_yy, of_yz, of_zz) = (xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy);
    let scale = A::Quad::splat(1.0) / dot::<A>(&m[0], &of_x);
    let [a, b, c] = [of_x[0] * scale, of_x[1] * scale, of_x[2] * scale];
    let (d, e, f) = (of_yy * scale, of_yz * scale, of_zz * scale);
    [[a, b, c], [b, d, e], [c, e, f]]
}
