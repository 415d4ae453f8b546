//! Vectors of four contacts in registers.
//!
//! What computes with registers is called by name, and not within closures: those are not always inlined, and what is
//! not lacks the features of the processor.

use super::lanes::{LANES, WIDEST};
use crate::arithmetic::{Arithmetic, Lanes};
pub(super) use crate::fours::load_rows as load;
use crate::kernel::Real;

/// A number of each contact.
pub(crate) type Each = [f64; LANES];
/// Along normal and tangents.
pub(crate) type Rows = [Each; 3];
/// The same in registers.
pub(super) type Quads<A> = [<A as Arithmetic>::Quad; 3];
/// A matrix of what is shared, column by column, summed over contacts lane by lane.
pub(super) type Sums<A> = [[<A as Arithmetic>::Quad; WIDEST]; WIDEST];

#[inline(always)]
pub(super) fn store<A: Real>(rows: &mut Rows, [x, y, z]: Quads<A>) {
    *rows = [x.unpack(), y.unpack(), z.unpack()];
}

/// x₀ y₀ + x₁ y₁ + x₂ y₂ + c.
#[inline(always)]
pub(super) fn products<A: Real>(x: &Quads<A>, y: &Quads<A>, c: A::Quad) -> A::Quad {
    x[0].mul_add(y[0], x[1].mul_add(y[1], x[2].mul_add(y[2], c)))
}

/// Adds Yᵀ x to a column, from an entry on. Told with a constant, it is unrolled; loops of unequal lengths within a loop are not.
#[inline(always)]
pub(super) fn add_products<A: Real>(
    to: &mut [A::Quad; WIDEST],
    y: &[Rows; WIDEST],
    x: &Quads<A>,
    first: usize,
) {
    for j in first..WIDEST {
        to[j] = products::<A>(&load::<A>(&y[j]), x, to[j]);
    }
}

/// x · y.
#[inline(always)]
pub(super) fn dot<A: Real>(x: &Quads<A>, y: &Quads<A>) -> A::Quad {
    x[0].mul_add(y[0], x[1].mul_add(y[1], x[2] * y[2]))
}

/// M x, with M row by row.
#[inline(always)]
pub(super) fn times<A: Real>(m: &[Quads<A>; 3], x: &Quads<A>) -> Quads<A> {
    [dot::<A>(&m[0], x), dot::<A>(&m[1], x), dot::<A>(&m[2], x)]
}

/// L M, both row by row.
#[inline(always)]
pub(super) fn turned<A: Real>(l: &[Quads<A>; 3], m: &[Quads<A>; 3]) -> [Quads<A>; 3] {
    let mut product = *l;
    for i in 0..3 {
        for k in 0..3 {
            product[i][k] = dot::<A>(&l[i], &[m[0][k], m[1][k], m[2][k]]);
        }
    }
    product
}

/// x + a y.
#[inline(always)]
pub(super) fn sum<A: Real>(x: Quads<A>, a: A::Quad, y: &Quads<A>) -> Quads<A> {
    [y[0].mul_add(a, x[0]), y[1].mul_add(a, x[1]), y[2].mul_add(a, x[2])]
}

/// x + y.
#[inline(always)]
pub(super) fn both<A: Real>([x, y]: &[Quads<A>; 2]) -> Quads<A> {
    [x[0] + y[0], x[1] + y[1], x[2] + y[2]]
}

/// x × y.
#[inline(always)]
pub(super) fn cross<A: Real>(x: &Quads<A>, y: &Quads<A>) -> Quads<A> {
    [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]]
}

/// M⁻¹, row by row, in lanes what [`threes`](super::threes) does for one.
#[inline(always)]
pub(super) fn invert<A: Real>([x, y, z]: &[Quads<A>; 3]) -> [Quads<A>; 3] {
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
pub(super) fn invert_symmetric<A: Real>(m: &[Quads<A>; 3]) -> [Quads<A>; 3] {
    let &[[xx, xy, xz], [_, yy, yz], [.., zz]] = m;
    let of_x = [yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy];
    let (of_yy, of_yz, of_zz) = (xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy);
    let scale = A::Quad::splat(1.0) / dot::<A>(&m[0], &of_x);
    let [a, b, c] = [of_x[0] * scale, of_x[1] * scale, of_x[2] * scale];
    let (d, e, f) = (of_yy * scale, of_yz * scale, of_zz * scale);
    [[a, b, c], [b, d, e], [c, e, f]]
}
