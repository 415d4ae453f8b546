//! Calls to functions with target features, from code that was inlined into such a function.
#![expect(unsafe_code, reason = "functions with features that were detected before")]

use super::super::Call;

/// A call with target features.
trait WithFeatures: Call {
    /// # Safety
    ///
    /// The processor must have AVX2 and FMA.
    #[target_feature(enable = "avx2,fma")]
    unsafe fn with_avx2(self) {
        self.call();
    }

    /// # Safety
    ///
    /// The processor must have AVX-512F and AVX-512VL too.
    #[target_feature(enable = "avx512f,avx512vl,avx2,fma")]
    unsafe fn with_avx512(self) {
        self.call();
    }
}

impl<C: Call> WithFeatures for C {}

/// For kernels on registers of 256 bits only.
#[inline(always)]
pub(super) fn avx2(call: impl Call) {
    // SAFETY: a kernel meets such registers only where AVX2 and FMA were detected.
    unsafe { call.with_avx2() }
}

/// For kernels on registers of 512 bits, or on more than sixteen of 256 bits, only.
#[inline(always)]
pub(super) fn avx512(call: impl Call) {
    // SAFETY: a kernel meets such registers only where AVX-512F, and its instructions on 256 bits, were detected.
    unsafe { call.with_avx512() }
}
