//! Newtypes over the vector registers.
#![expect(unsafe_code, reason = "intrinsics need features that were detected before")]

use core::arch::x86_64::*;
use core::mem::transmute;
use core::ops::{Add, Div, Mul, Neg, Sub};

use super::super::Lanes;

macro_rules! operator {
    ($Register:ident, $Trait:ident, $method:ident, $intrinsic:ident) => {
        impl $Trait for $Register {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                // SAFETY: a kernel meets this type only where its features were detected.
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
        [$($lane:ident)*] => $sum:expr
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        #[repr(transparent)]
        pub(crate) struct $Register(pub(super) $register);

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
                let [$($lane),*] = x;
                Self::pack([$($lane as $scalar),*])
            }

            #[inline(always)]
            fn splat(x: $scalar) -> Self {
                // SAFETY: a kernel meets this type only where its features were detected.
                Self(unsafe { $splat(x) })
            }

            #[inline(always)]
            fn unpack(self) -> [$scalar; $K] {
                // SAFETY: both are that many numbers in the order of the lanes.
                unsafe { transmute::<$register, [$scalar; $K]>(self.0) }
            }

            #[inline(always)]
            fn sum(self) -> $scalar {
                let [$($lane),*] = self.unpack();
                $sum
            }

            #[inline(always)]
            fn mul_add(self, b: Self, c: Self) -> Self {
                // SAFETY: a kernel meets this type only where its features were detected.
                Self(unsafe { $mul_add(self.0, b.0, c.0) })
            }

            #[inline(always)]
            fn sqrt(self) -> Self {
                // SAFETY: a kernel meets this type only where its features were detected.
                Self(unsafe { $sqrt(self.0) })
            }
        }
    };
}

register! {
    /// Two `f64` (SSE2, FMA).
    Xmm64(__m128d) = [f64; 2],
    _mm_add_pd _mm_sub_pd _mm_mul_pd _mm_div_pd _mm_fmadd_pd _mm_sqrt_pd _mm_set1_pd,
    [a b] => a + b
}

register! {
    /// Four `f64` (AVX2, FMA).
    Ymm64(__m256d) = [f64; 4],
    _mm256_add_pd _mm256_sub_pd _mm256_mul_pd _mm256_div_pd _mm256_fmadd_pd _mm256_sqrt_pd _mm256_set1_pd,
    [a b c d] => (a + c) + (b + d)
}

register! {
    /// Eight `f32` (AVX2, FMA).
    Ymm32(__m256) = [f32; 8],
    _mm256_add_ps _mm256_sub_ps _mm256_mul_ps _mm256_div_ps _mm256_fmadd_ps _mm256_sqrt_ps _mm256_set1_ps,
    [a b c d e f g h] => ((a + e) + (c + g)) + ((b + f) + (d + h))
}

register! {
    /// Eight `f64` (AVX-512F).
    Zmm64(__m512d) = [f64; 8],
    _mm512_add_pd _mm512_sub_pd _mm512_mul_pd _mm512_div_pd _mm512_fmadd_pd _mm512_sqrt_pd _mm512_set1_pd,
    [a b c d e f g h] => ((a + e) + (c + g)) + ((b + f) + (d + h))
}

register! {
    /// Sixteen `f32` (AVX-512F).
    Zmm32(__m512) = [f32; 16],
    _mm512_add_ps _mm512_sub_ps _mm512_mul_ps _mm512_div_ps _mm512_fmadd_ps _mm512_sqrt_ps _mm512_set1_ps,
    [a b c d e f g h i j k l m n o p] => (((a + i) + (e + m)) + ((c + k) + (g + o)))
        + (((b + j) + (f + n)) + ((d + l) + (h + p)))
}
