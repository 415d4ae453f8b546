//! Comparing lanes and changing their signs, as sine and cosine need.
#![expect(unsafe_code, reason = "intrinsics need features that were detected before")]

use core::arch::x86_64::*;

use super::super::register::Register;
use super::super::{Call, Ordered};
use super::enter;
use super::register::{Ymm32, Ymm64, Zmm32, Zmm64};

/// Registers of 256 bits: a mask is a register whose sign bits count.
macro_rules! bits_of_256 {
    (
        $Register:ident, $scalar:ident, $K:literal, $andnot:ident $and:ident $xor:ident $compare:ident
        $signs:ident $blend:ident $shift:ident::<$to_sign:literal> $splat:ident $to_bits:ident $from_bits:ident
    ) => {
        impl Register<$K> for $Register {
            #[inline(always)]
            fn all_below(self, limit: $scalar) -> bool {
                // SAFETY: a kernel meets this type only where its features were detected.
                unsafe {
                    let size = $andnot($splat(-0.0), self.0);
                    $signs($compare::<_CMP_LT_OQ>(size, $splat(limit))) == (1 << $K) - 1
                }
            }

            #[inline(always)]
            fn by_parity(counter: Self, even: Self, odd: Self) -> Self {
                // SAFETY: a kernel meets this type only where its features were detected.
                unsafe {
                    let parity = $shift::<$to_sign>($to_bits(counter.0));
                    Self($blend(even.0, odd.0, $from_bits(parity)))
                }
            }

            #[inline(always)]
            fn enter(call: impl Call) {
                enter::avx2(call);
            }

            #[inline(always)]
            fn turned(self, counter: Self) -> Self {
                // SAFETY: a kernel meets this type only where its features were detected.
                unsafe {
                    let second = $shift::<{ $to_sign - 1 }>($to_bits(counter.0));
                    Self($xor(self.0, $and($from_bits(second), $splat(-0.0))))
                }
            }
        }
    };
}

bits_of_256!(
    Ymm64, f64, 4, _mm256_andnot_pd _mm256_and_pd _mm256_xor_pd _mm256_cmp_pd
    _mm256_movemask_pd _mm256_blendv_pd _mm256_slli_epi64::<63> _mm256_set1_pd
    _mm256_castpd_si256 _mm256_castsi256_pd
);
bits_of_256!(
    Ymm32, f32, 8, _mm256_andnot_ps _mm256_and_ps _mm256_xor_ps _mm256_cmp_ps
    _mm256_movemask_ps _mm256_blendv_ps _mm256_slli_epi32::<31> _mm256_set1_ps
    _mm256_castps_si256 _mm256_castsi256_ps
);

impl Ordered<4> for Ymm64 {
    #[inline(always)]
    fn abs(self) -> Self {
        // SAFETY: a kernel meets this type only where its features were detected.
        unsafe { Self(_mm256_andnot_pd(_mm256_set1_pd(-0.0), self.0)) }
    }

    #[inline(always)]
    fn maximum(self, other: Self) -> Self {
        // SAFETY: as above.
        unsafe { Self(_mm256_max_pd(self.0, other.0)) }
    }

    #[inline(always)]
    fn select_at_most(self, other: Self, then: Self, otherwise: Self) -> Self {
        // SAFETY: as above.
        unsafe {
            let mask = _mm256_cmp_pd::<_CMP_LE_OQ>(self.0, other.0);
            Self(_mm256_blendv_pd(otherwise.0, then.0, mask))
        }
    }

    #[inline(always)]
    fn are_at_most(self, other: Self) -> bool {
        // SAFETY: as above.
        unsafe { _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_LE_OQ>(self.0, other.0)) == 0b1111 }
    }
}

/// Registers of 512 bits: a mask is a number with one bit a lane.
macro_rules! bits_of_512 {
    (
        $Register:ident, $scalar:ident, $K:literal, $abs:ident $compare:ident $test:ident $blend:ident
        $shift:ident::<$to_sign:literal> $splat:ident $splat_bits:ident $to_bits:ident $from_bits:ident
    ) => {
        impl Register<$K> for $Register {
            #[inline(always)]
            fn all_below(self, limit: $scalar) -> bool {
                // SAFETY: a kernel meets this type only where its features were detected.
                unsafe { $compare::<_CMP_LT_OQ>($abs(self.0), $splat(limit)).count_zeros() == 0 }
            }

            #[inline(always)]
            fn by_parity(counter: Self, even: Self, odd: Self) -> Self {
                // SAFETY: a kernel meets this type only where its features were detected.
                unsafe {
                    let parity = $test($to_bits(counter.0), $splat_bits(1));
                    Self($blend(parity, even.0, odd.0))
                }
            }

            #[inline(always)]
            fn enter(call: impl Call) {
                enter::avx512(call);
            }

            #[inline(always)]
            fn turned(self, counter: Self) -> Self {
                // SAFETY: a kernel meets this type only where its features were detected.
                unsafe {
                    let second = $shift::<{ $to_sign - 1 }>($to_bits(counter.0));
                    let sign = _mm512_and_si512(second, $splat_bits(1 << $to_sign));
                    Self($from_bits(_mm512_xor_si512($to_bits(self.0), sign)))
                }
            }
        }
    };
}

bits_of_512!(
    Zmm64, f64, 8, _mm512_abs_pd _mm512_cmp_pd_mask _mm512_test_epi64_mask _mm512_mask_blend_pd
    _mm512_slli_epi64::<63> _mm512_set1_pd _mm512_set1_epi64 _mm512_castpd_si512 _mm512_castsi512_pd
);
bits_of_512!(
    Zmm32, f32, 16, _mm512_abs_ps _mm512_cmp_ps_mask _mm512_test_epi32_mask _mm512_mask_blend_ps
    _mm512_slli_epi32::<31> _mm512_set1_ps _mm512_set1_epi32 _mm512_castps_si512 _mm512_castsi512_ps
);
