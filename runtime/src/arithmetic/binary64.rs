//! `f64` on any processor.

use super::sin_cos::sin_cos;
use super::{Arithmetic, Array, Lanes};

/// `f64`, with the multiply-add rounded once (`FUSED`) or twice.
#[derive(Clone, Copy, Debug)]
pub enum Binary64<const FUSED: bool> {}

/// Every operation rounded on its own: the same bits on every machine whose sine is.
pub type Plain = Binary64<false>;

/// With fused multiply-add. Slow where the processor has no such instruction; the
/// [dispatcher](crate::kernel) chooses it only where it has, and on x86-64 a form of it that
/// computes with registers.
pub type Fused = Binary64<true>;

impl<const FUSED: bool> Arithmetic for Binary64<FUSED> {
    type Scalar = f64;
    type Pair = Array<Self, 2>;
    type Quad = Array<Self, 4>;

    #[inline(always)]
    fn literal(x: f64) -> f64 {
        x
    }

    #[inline(always)]
    fn mul_add(a: f64, b: f64, c: f64) -> f64 {
        if FUSED { mul_add(a, b, c) } else { a * b + c }
    }

    #[inline(always)]
    fn sqrt(x: f64) -> f64 {
        sqrt(x)
    }

    #[inline(always)]
    fn sin_cos<const N: usize>(angles: [f64; N]) -> ([f64; N], [f64; N]) {
        if FUSED { fused_sin_cos(angles) } else { library_sin_cos(angles) }
    }
}

#[inline(always)]
fn fused_sin_cos<const N: usize>(angles: [f64; N]) -> ([f64; N], [f64; N]) {
    let mut lanes = [Array::splat(0.0); N];
    for k in 0..N {
        lanes[k] = Array::<Fused, 1>::pack([angles[k]]);
    }
    let (sines, cosines) = sin_cos(lanes);
    let (mut s, mut c) = (angles, angles);
    for k in 0..N {
        (s[k], c[k]) = (sines[k].lane::<0>(), cosines[k].lane::<0>());
    }
    (s, c)
}

/// One after the other: without fused multiply-add, the library is as fast.
#[inline(always)]
fn library_sin_cos<const N: usize>(angles: [f64; N]) -> ([f64; N], [f64; N]) {
    let (mut sines, mut cosines) = (angles, angles);
    for k in 0..N {
        (sines[k], cosines[k]) = sin_cos_of(angles[k]);
    }
    (sines, cosines)
}

#[cfg(feature = "std")]
#[inline(always)]
fn sin_cos_of(x: f64) -> (f64, f64) {
    x.sin_cos()
}

#[cfg(not(feature = "std"))]
#[inline(always)]
fn sin_cos_of(x: f64) -> (f64, f64) {
    libm::sincos(x)
}

#[cfg(feature = "std")]
#[inline(always)]
pub(super) fn sqrt(x: f64) -> f64 {
    x.sqrt()
}

#[cfg(not(feature = "std"))]
#[inline(always)]
pub(super) fn sqrt(x: f64) -> f64 {
    libm::sqrt(x)
}

#[cfg(feature = "std")]
#[inline(always)]
pub(super) fn mul_add(a: f64, b: f64, c: f64) -> f64 {
    a.mul_add(b, c)
}

#[cfg(not(feature = "std"))]
#[inline(always)]
pub(super) fn mul_add(a: f64, b: f64, c: f64) -> f64 {
    libm::fma(a, b, c)
}
