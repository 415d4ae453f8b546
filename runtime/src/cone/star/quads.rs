//! Vectors of four contacts in registers.
//!
//! What computes with registers is called by name, and not within closures: those are not always inlined, and what is
//! not lacks the features of the processor.

use super::four::Rows;
use crate::arithmetic::{Arithmetic, Lanes};
use crate::kernel::Real;

/// Numbers along normal and tangents, of four contacts, in registers.
pub(super) type Quads<A> = [<A as Arithmetic>::Quad; 3];

#[inline(always)]
pub(super) fn load<A: Real>(rows: &Rows) -> Quads<A> {
    [A::Quad::pack(rows[0]), A::Quad::pack(rows[1]), A::Quad::pack(rows[2])]
}

#[inline(always)]
pub(super) fn store<A: Real>(rows: &mut Rows, [x, y, z]: Quads<A>) {
    *rows = [x.unpack(), y.unpack(), z.unpack()];
}

/// x₀ y₀ + x₁ y₁ + x₂ y₂ + c.
#[inline(always)]
pub(super) fn products<A: Real>(x: &Quads<A>, y: &Quads<A>, c: A::Quad) -> A::Quad {
    x[0].mul_add(y[0], x[1].mul_add(y[1], x[2].mul_add(y[2], c)))
}

/// M x, with M row by row.
#[inline(always)]
pub(super) fn times<A: Real>(m: &[Quads<A>; 3], x: &Quads<A>) -> Quads<A> {
    let none = A::Quad::splat(0.0);
    [products::<A>(&m[0], x, none), products::<A>(&m[1], x, none), products::<A>(&m[2], x, none)]
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
