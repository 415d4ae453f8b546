//! Fused arithmetic in the registers of x86-64.
//!
//! Intrinsics rather than arrays or `core::simd`: they become one instruction whatever features the
//! crate is compiled with, as soon as they are inlined into a
//! [trampoline](crate::kernel) that has the features. The types cannot be named outside the crate,
//! and a kernel sees them only behind that trampoline.
#![expect(unsafe_code, reason = "intrinsics need features that were detected before")]

use core::arch::x86_64::*;
use core::mem::transmute;
use core::ops::{Add, Div, Mul, Neg, Sub};

use super::binary64::{self, Fused};
use super::register::Register;
use super::sin_cos::sin_cos;
use super::{Arithmetic, Lanes};

/// `f64` with AVX2 and fused multiply-add. Only a trampoline that has detected both may run a
/// kernel with it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Avx2 {}

impl Arithmetic for Avx2 {
    type Scalar = f64;
    type Pair = F64x2;
    type Quad = F64x4;

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

    #[inline(always)]
    fn sin_cos<const N: usize>(angles: [f64; N]) -> ([f64; N], [f64; N]) {
        let (mut sines, mut cosines) = ([0.0; N], [0.0; N]);
        let (fours, rest) = angles.as_chunks::<4>();
        for (k, &four) in fours.iter().enumerate() {
            let ([sine], [cosine]) = sin_cos([F64x4::pack(four)]);
            sines[4 * k..4 * k + 4].copy_from_slice(&sine.unpack());
            cosines[4 * k..4 * k + 4].copy_from_slice(&cosine.unpack());
        }
        if !rest.is_empty() {
            let mut four = [0.0; 4];
            four[..rest.len()].copy_from_slice(rest);
            let ([sine], [cosine]) = sin_cos([F64x4::pack(four)]);
            sines[N - rest.len()..].copy_from_slice(&sine.unpack()[..rest.len()]);
            cosines[N - rest.len()..].copy_from_slice(&cosine.unpack()[..rest.len()]);
        }
        (sines, cosines)
    }
}

macro_rules! operator {
    ($Register:ident, $Trait:ident, $method:ident, $intrinsic:ident) => {
        impl $Trait for $Register {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                // SAFETY: the module is reached only where its features were detected.
                Self(unsafe { $intrinsic(self.0, other.0) })
            }
        }
    };
}

/// A newtype over one register, with the intrinsics in the order: +, −, ×, ÷, multiply-add, square
/// root, all lanes equal.
macro_rules! register {
    (
        $(#[$doc:meta])* $Register:ident($register:ident) = [$scalar:ident; $K:literal],
        $add:ident $sub:ident $mul:ident $div:ident $mul_add:ident $sqrt:ident $splat:ident,
        $lanes:pat => $sum:expr
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        #[repr(transparent)]
        pub(crate) struct $Register($register);

        operator!($Register, Add, add, $add);
        operator!($Register, Sub, sub, $sub);
        operator!($Register, Mul, mul, $mul);
        operator!($Register, Div, div, $div);

        impl Neg for $Register {
            type Output = Self;

            /// The compiler turns −0 − x into the change of sign, and joins that with a
            /// multiply-add.
            #[inline(always)]
            fn neg(self) -> Self {
                Self::splat(-0.0) - self
            }
        }

        impl Lanes<$K> for $Register {
            type Scalar = $scalar;

            #[inline(always)]
            fn pack(x: [$scalar; $K]) -> Self {
                // SAFETY: both are that many numbers in the order of the lanes.
                Self(unsafe { transmute::<[$scalar; $K], $register>(x) })
            }

            #[inline(always)]
            fn literal(x: [f64; $K]) -> Self {
                Self::pack(x)
            }

            #[inline(always)]
            fn splat(x: $scalar) -> Self {
                // SAFETY: the module is reached only where its features were detected.
                Self(unsafe { $splat(x) })
            }

            #[inline(always)]
            fn unpack(self) -> [$scalar; $K] {
                // SAFETY: both are that many numbers in the order of the lanes.
                unsafe { transmute::<$register, [$scalar; $K]>(self.0) }
            }

            #[inline(always)]
            fn sum(self) -> $scalar {
                let $lanes = self.unpack();
                $sum
            }

            #[inline(always)]
            fn mul_add(self, b: Self, c: Self) -> Self {
                // SAFETY: the module is reached only where its features were detected.
                Self(unsafe { $mul_add(self.0, b.0, c.0) })
            }

            #[inline(always)]
            fn sqrt(self) -> Self {
                // SAFETY: the module is reached only where its features were detected.
                Self(unsafe { $sqrt(self.0) })
            }
        }
    };
}

register! {
    /// Two `f64` in an SSE register.
    F64x2(__m128d) = [f64; 2],
    _mm_add_pd _mm_sub_pd _mm_mul_pd _mm_div_pd _mm_fmadd_pd _mm_sqrt_pd _mm_set1_pd,
    [a, b] => a + b
}

register! {
    /// Four `f64` in an AVX register.
    F64x4(__m256d) = [f64; 4],
    _mm256_add_pd _mm256_sub_pd _mm256_mul_pd _mm256_div_pd _mm256_fmadd_pd _mm256_sqrt_pd _mm256_set1_pd,
    [a, b, c, d] => (a + c) + (b + d)
}

impl Register<4> for F64x4 {
    #[inline(always)]
    fn all_below(self, limit: f64) -> bool {
        // SAFETY: the module is reached only where its features were detected.
        unsafe {
            let size = _mm256_andnot_pd(_mm256_set1_pd(-0.0), self.0);
            _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_LT_OQ>(size, _mm256_set1_pd(limit))) == 0b1111
        }
    }

    #[inline(always)]
    fn by_parity(counter: Self, even: Self, odd: Self) -> Self {
        // SAFETY: the module is reached only where its features were detected.
        unsafe {
            let parity = _mm256_slli_epi64::<63>(_mm256_castpd_si256(counter.0));
            Self(_mm256_blendv_pd(even.0, odd.0, _mm256_castsi256_pd(parity)))
        }
    }

    #[inline(always)]
    fn turned(self, counter: Self) -> Self {
        // SAFETY: the module is reached only where its features were detected.
        unsafe {
            let second = _mm256_slli_epi64::<62>(_mm256_castpd_si256(counter.0));
            let sign = _mm256_and_pd(_mm256_castsi256_pd(second), _mm256_set1_pd(-0.0));
            Self(_mm256_xor_pd(self.0, sign))
        }
    }
}
