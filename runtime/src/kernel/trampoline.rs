//! Entering functions with target features that were detected before.
//!
//! A kernel is inlined into a function that has the features, generic and not itself inlined; the
//! arithmetic over registers becomes single instructions there.
#![expect(unsafe_code, reason = "a function with target features is entered after detecting them")]

use core::slice;

use super::level::has_avx512;
use super::{F32x16, F64x8, Input, Kernel};
use crate::arithmetic::{
    Arithmetic, Avx2, Avx2F32x16, Avx2F64x8, Avx512F32x16, Avx512F64x8, Binary32,
};

#[target_feature(enable = "avx2,fma")]
fn avx2<K: Kernel, A: Arithmetic>(input: &Input<'_, A::Scalar>, output: &mut [A::Scalar]) {
    K::run::<A>(input, output);
}

#[target_feature(enable = "avx512f,avx2,fma")]
fn avx512<K: Kernel, A: Arithmetic>(input: &Input<'_, A::Scalar>, output: &mut [A::Scalar]) {
    K::run::<A>(input, output);
}

// SAFETY of all that follow: they are called at `Level::Fused` only, which `fix_level` and `decide`
// store only where avx2 and fma were found, and `has_avx512` has found avx512f.

#[inline(always)]
pub(super) fn fused_f64<K: Kernel>(input: &Input<'_, f64>, output: &mut [f64]) {
    // SAFETY: see above.
    unsafe { avx2::<K, Avx2>(input, output) }
}

#[inline(always)]
pub(super) fn fused_f32<K: Kernel>(input: &Input<'_, f32>, output: &mut [f32]) {
    // SAFETY: see above.
    unsafe { avx2::<K, Binary32<true>>(input, output) }
}

#[inline(always)]
pub(super) fn fused_f64x8<K: Kernel>(input: &Input<'_, F64x8>, output: &mut [F64x8]) {
    // SAFETY: see above; a register, or two in a row, holds the eight numbers in their order.
    unsafe {
        if has_avx512() {
            avx512::<K, Avx512F64x8>(&registers_of(input), registers_mut(output));
        } else {
            avx2::<K, Avx2F64x8>(&registers_of(input), registers_mut(output));
        }
    }
}

#[inline(always)]
pub(super) fn fused_f32x16<K: Kernel>(input: &Input<'_, F32x16>, output: &mut [F32x16]) {
    // SAFETY: see above; a register, or two in a row, holds the sixteen numbers in their order.
    unsafe {
        if has_avx512() {
            avx512::<K, Avx512F32x16>(&registers_of(input), registers_mut(output));
        } else {
            avx2::<K, Avx2F32x16>(&registers_of(input), registers_mut(output));
        }
    }
}

/// The same numbers as registers.
///
/// # Safety
///
/// Every `T` must be a valid `R`.
unsafe fn registers_of<'a, T, R>(input: &Input<'a, T>) -> Input<'a, R> {
    // SAFETY: as the caller promises.
    unsafe {
        Input {
            fields: registers(input.fields),
            q: registers(input.q),
            v: registers(input.v),
            a: registers(input.a),
        }
    }
}

/// # Safety
///
/// Every `T` must be a valid `R`.
unsafe fn registers<T, R>(numbers: &[T]) -> &[R] {
    const { assert!(size_of::<T>() == size_of::<R>() && align_of::<T>() >= align_of::<R>()) };
    // SAFETY: the size and the alignment fit, and the values as the caller promises.
    unsafe { slice::from_raw_parts(numbers.as_ptr().cast(), numbers.len()) }
}

/// # Safety
///
/// Every `T` must be a valid `R` and the other way round.
unsafe fn registers_mut<T, R>(numbers: &mut [T]) -> &mut [R] {
    const { assert!(size_of::<T>() == size_of::<R>() && align_of::<T>() >= align_of::<R>()) };
    // SAFETY: the size and the alignment fit, and the values as the caller promises.
    unsafe { slice::from_raw_parts_mut(numbers.as_mut_ptr().cast(), numbers.len()) }
}
