//! Fused arithmetic in the registers of x86-64.
//!
//! Intrinsics rather than arrays or `core::simd`: they become one instruction whatever features the
//! crate is compiled with, as soon as they are inlined into a [trampoline](crate::kernel) that has
//! the features. The types cannot be named outside the crate, and a kernel sees them only behind
//! that trampoline.

mod bits;
mod enter;
mod register;

use super::binary64::{self, Fused, Plain};
use super::registers::{Registers, Two};
use super::sin_cos::sin_cos;
use super::{Arithmetic, Call, Lanes, Ordered};

use register::{Xmm64, Xmm64Plain, Ymm32, Ymm64, Zmm32, Zmm64};

/// Eight `f64` with AVX2 and fused multiply-add.
pub(crate) type Avx2F64x8 = Registers<Two<Ymm64>, 8>;
/// Sixteen `f32` with AVX2 and fused multiply-add.
pub(crate) type Avx2F32x16 = Registers<Two<Ymm32>, 16>;
/// Eight `f64` with AVX-512F.
pub(crate) type Avx512F64x8 = Registers<Zmm64, 8>;
/// Sixteen `f32` with AVX-512F.
pub(crate) type Avx512F32x16 = Registers<Zmm32, 16>;

/// [`Plain`], bit by bit, with lanes in the registers that every build for x86-64 may use unless it
/// does without floating-point registers altogether.
#[cfg(target_feature = "sse2")]
#[derive(Clone, Copy, Debug)]
pub(crate) enum Sse2 {}

#[cfg(target_feature = "sse2")]
impl Arithmetic for Sse2 {
    type Scalar = f64;
    type Pair = Xmm64Plain;
    type Quad = Two<Xmm64Plain>;

    #[inline(always)]
    fn literal(x: f64) -> f64 {
        x
    }

    #[inline(always)]
    fn mul_add(a: f64, b: f64, c: f64) -> f64 {
        Plain::mul_add(a, b, c)
    }

    #[inline(always)]
    fn sqrt(x: f64) -> f64 {
        Plain::sqrt(x)
    }

    #[inline(always)]
    fn sin_cos<const N: usize>(angles: [f64; N]) -> ([f64; N], [f64; N]) {
        Plain::sin_cos(angles)
    }
}

#[cfg(target_feature = "sse2")]
impl Ordered<4> for Two<Xmm64Plain> {}

/// `f64` with AVX2 and fused multiply-add; with twice as many registers if it `HAS_AVX512`. Only a trampoline that has
/// detected all of these may run a kernel with it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Ymm<const HAS_AVX512: bool> {}

pub(crate) type Avx2 = Ymm<false>;
pub(crate) type Avx512 = Ymm<true>;

impl<const HAS_AVX512: bool> Arithmetic for Ymm<HAS_AVX512> {
    type Scalar = f64;
    type Pair = Xmm64;
    type Quad = Ymm64;

    #[inline(always)]
    fn literal(x: f64) -> f64 {
        x
    }

    #[inline(always)]
    fn mul_add(a: f64, b: f64, c: f64) -> f64 {
        Fused::mul_add(a, b, c)
    }

    #[inline(always)]
    fn sqrt(x: f64) -> f64 {
        binary64::sqrt(x)
    }

    /// Four at a time, the last four filled up with zeros.
    #[inline(always)]
    fn sin_cos<const N: usize>(angles: [f64; N]) -> ([f64; N], [f64; N]) {
        let (mut sines, mut cosines) = ([0.0; N], [0.0; N]);
        let (fours, rest) = angles.as_chunks::<4>();
        for (k, &four) in fours.iter().enumerate() {
            let ([sine], [cosine]) = sin_cos([Ymm64::pack(four)]);
            sines[4 * k..4 * k + 4].copy_from_slice(&sine.unpack());
            cosines[4 * k..4 * k + 4].copy_from_slice(&cosine.unpack());
        }
        if !rest.is_empty() {
            let mut four = [0.0; 4];
            four[..rest.len()].copy_from_slice(rest);
            let ([sine], [cosine]) = sin_cos([Ymm64::pack(four)]);
            sines[N - rest.len()..].copy_from_slice(&sine.unpack()[..rest.len()]);
            cosines[N - rest.len()..].copy_from_slice(&cosine.unpack()[..rest.len()]);
        }
        (sines, cosines)
    }

    #[inline(always)]
    fn call(call: impl Call) {
        if HAS_AVX512 {
            enter::avx512(call);
        } else {
            enter::avx2(call);
        }
    }
}
