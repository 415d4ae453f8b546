//! Rows and columns of R registers.

use crate::arithmetic::Lanes;
use crate::cone::star::quads::Each;
use crate::kernel::Real;

#[inline(always)]
pub(super) fn load<A: Real, const R: usize>(from: &[Each; R]) -> [A::Quad; R] {
    let mut registers = [A::Quad::splat(0.0); R];
    for r in 0..R {
        registers[r] = A::Quad::pack(from[r]);
    }
    registers
}

#[inline(always)]
pub(super) fn store<A: Real, const R: usize>(to: &mut [Each; R], registers: &[A::Quad; R]) {
    for r in 0..R {
        to[r] = registers[r].unpack();
    }
}

/// x += a y.
#[inline(always)]
pub(super) fn add<A: Real, const R: usize>(x: &mut [A::Quad; R], a: f64, y: &[A::Quad; R]) {
    let a = A::Quad::splat(a);
    for r in 0..R {
        x[r] = a.mul_add(y[r], x[r]);
    }
}
