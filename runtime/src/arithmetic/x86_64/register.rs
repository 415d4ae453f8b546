//! Newtypes over the vector registers.
#![expect(unsafe_code, reason = "intrinsics need features that were detected before")]

use core::arch::x86_64::*;
use core::mem::transmute;
use core::ops::{Add, Div, Mul, Neg, Sub};

use super::super::Lanes;

/// An operator by a function of the register.
macro_rules! operator {
    ($Register:ident, $Trait:ident, $method:ident, $function:ident) => {
        impl $Trait for $Register {
            type Output = Self;

            #[inline]
            fn $method(self, other: Self) -> Self {
                // SAFETY: a kernel meets this type only where its features were detected.
                unsafe { Self::$function(&self, &other) }
            }
        }
    };
}

/// A newtype over one register, with the feature and the intrinsics in the order: +, −, ×, ÷,
/// multiply-add, square root, all lanes equal.
///
/// An intrinsic takes its operands in memory until LLVM has inlined it, in a time that grows with the
/// square of the number of operations. In a function of exactly its feature rustc inlines it before.
/// Nothing here is always to be inlined: LLVM then simplifies an operation before it copies it to each of
/// the thousands of places that call it, and not in each of them.
macro_rules! register {
    (
        $(#[$doc:meta])* $Register:ident($register:ident) = [$scalar:ident; $K:literal],
        $feature:literal $add:ident $sub:ident $mul:ident $div:ident $sqrt:ident $splat:ident,
        $fused:literal $mul_add:ident,
        [$($lane:ident)*] => $sum:expr
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        #[repr(transparent)]
        pub(crate) struct $Register(pub(super) $register);

        impl $Register {
            #[inline]
            #[target_feature(enable = $feature)]
            fn plus(&self, other: &Self) -> Self {
                Self($add(self.0, other.0))
            }

            #[inline]
            #[target_feature(enable = $feature)]
            fn minus(&self, other: &Self) -> Self {
                Self($sub(self.0, other.0))
            }

            #[inline]
            #[target_feature(enable = $feature)]
            fn times(&self, other: &Self) -> Self {
                Self($mul(self.0, other.0))
            }

            #[inline]
            #[target_feature(enable = $feature)]
            fn over(&self, other: &Self) -> Self {
                Self($div(self.0, other.0))
            }

            /// The compiler turns −0 − x into the change of sign, and joins that with a
            /// multiply-add.
            #[inline]
            #[target_feature(enable = $feature)]
            fn negative(&self) -> Self {
                Self($sub($splat(-0.0), self.0))
            }

            #[inline]
            #[target_feature(enable = $fused)]
            fn fused(&self, b: &Self, c: &Self) -> Self {
                Self($mul_add(self.0, b.0, c.0))
            }

            #[inline]
            #[target_feature(enable = $feature)]
            fn root(&self) -> Self {
                Self($sqrt(self.0))
            }

            #[inline]
            #[target_feature(enable = $feature)]
            fn all(x: $scalar) -> Self {
                Self($splat(x))
            }
        }

        operator!($Register, Add, add, plus);
        operator!($Register, Sub, sub, minus);
        operator!($Register, Mul, mul, times);
        operator!($Register, Div, div, over);

        impl Neg for $Register {
            type Output = Self;

            #[inline]
            fn neg(self) -> Self {
                // SAFETY: a kernel meets this type only where its features were detected.
                unsafe { self.negative() }
            }
        }

        impl Lanes<$K> for $Register {
            type Scalar = $scalar;

            #[inline]
            fn pack(x: [$scalar; $K]) -> Self {
                // SAFETY: both are that many numbers in the order of the lanes.
                Self(unsafe { transmute::<[$scalar; $K], $register>(x) })
            }

            #[inline]
            fn literal(x: [f64; $K]) -> Self {
                let [$($lane),*] = x;
                Self::pack([$($lane as $scalar),*])
            }

            #[inline]
            fn splat(x: $scalar) -> Self {
                // SAFETY: a kernel meets this type only where its features were detected.
                unsafe { Self::all(x) }
            }

            #[inline]
            fn unpack(self) -> [$scalar; $K] {
                // SAFETY: both are that many numbers in the order of the lanes.
                unsafe { transmute::<$register, [$scalar; $K]>(self.0) }
            }

            #[inline]
            fn write(self, to: &mut [$scalar; $K]) {
                // SAFETY: there is room for that many numbers.
                unsafe { core::ptr::from_mut(to).cast::<$register>().write_unaligned(self.0) }
            }

            #[inline]
            fn sum(self) -> $scalar {
                let [$($lane),*] = self.unpack();
                $sum
            }

            #[inline]
            fn mul_add(self, b: Self, c: Self) -> Self {
                // SAFETY: a kernel meets this type only where its features were detected.
                unsafe { self.fused(&b, &c) }
            }

            #[inline]
            fn sqrt(self) -> Self {
                // SAFETY: a kernel meets this type only where its features were detected.
                unsafe { self.root() }
            }
        }
    };
}

/// a·b + c, rounded twice.
#[inline]
#[target_feature(enable = "sse2")]
fn mul_then_add(a: __m128d, b: __m128d, c: __m128d) -> __m128d {
    _mm_add_pd(_mm_mul_pd(a, b), c)
}

register! {
    /// Two `f64` without fused multiply-add (SSE2).
    Xmm64Plain(__m128d) = [f64; 2],
    "sse2" _mm_add_pd _mm_sub_pd _mm_mul_pd _mm_div_pd _mm_sqrt_pd _mm_set1_pd,
    "sse2" mul_then_add,
    [a b] => a + b
}

register! {
    /// Two `f64` (SSE2, FMA).
    Xmm64(__m128d) = [f64; 2],
    "sse2" _mm_add_pd _mm_sub_pd _mm_mul_pd _mm_div_pd _mm_sqrt_pd _mm_set1_pd,
    "fma" _mm_fmadd_pd,
    [a b] => a + b
}

register! {
    /// Four `f64` (AVX2, FMA).
    Ymm64(__m256d) = [f64; 4],
    "avx" _mm256_add_pd _mm256_sub_pd _mm256_mul_pd _mm256_div_pd _mm256_sqrt_pd _mm256_set1_pd,
    "fma" _mm256_fmadd_pd,
    [a b c d] => (a + c) + (b + d)
}

register! {
    /// Eight `f32` (AVX2, FMA).
    Ymm32(__m256) = [f32; 8],
    "avx" _mm256_add_ps _mm256_sub_ps _mm256_mul_ps _mm256_div_ps _mm256_sqrt_ps _mm256_set1_ps,
    "fma" _mm256_fmadd_ps,
    [a b c d e f g h] => ((a + e) + (c + g)) + ((b + f) + (d + h))
}

register! {
    /// Eight `f64` (AVX-512F).
    Zmm64(__m512d) = [f64; 8],
    "avx512f" _mm512_add_pd _mm512_sub_pd _mm512_mul_pd _mm512_div_pd _mm512_sqrt_pd _mm512_set1_pd,
    "avx512f" _mm512_fmadd_pd,
    [a b c d e f g h] => ((a + e) + (c + g)) + ((b + f) + (d + h))
}

register! {
    /// Sixteen `f32` (AVX-512F).
    Zmm32(__m512) = [f32; 16],
    "avx512f" _mm512_add_ps _mm512_sub_ps _mm512_mul_ps _mm512_div_ps _mm512_sqrt_ps _mm512_set1_ps,
    "avx512f" _mm512_fmadd_ps,
    [a b c d e f g h i j k l m n o p] => (((a + i) + (e + m)) + ((c + k) + (g + o)))
        + (((b + j) + (f + n)) + ((d + l) + (h + p)))
}
