//! Calls to functions with target features, from code that was inlined into such a function.
#![expect(unsafe_code, reason = "functions with features that were detected before")]

use super::super::Call;

#[target_feature(enable = "avx2,fma")]
fn with_avx2(call: impl Call) {
    call.call();
}

#[target_feature(enable = "avx512f,avx512vl,avx2,fma")]
fn with_avx512(call: impl Call) {
    call.call();
}

/// For kernels on registers of 256 bits only.
#[inline(always)]
pub(super) fn avx2(call: impl Call) {
    // SAFETY: a kernel meets such registers only where AVX2 and FMA were detected.
    unsafe { with_avx2(call) }
}

/// For kernels on registers of 512 bits, or on more than sixteen of 256 bits, only.
#[inline(always)]
pub(super) fn avx512(call: impl Call) {
    // SAFETY: a kernel meets such registers only where AVX-512F, and its instructions on 256 bits, were detected.
    unsafe { with_avx512(call) }
}
