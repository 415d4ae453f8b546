//! Entering functions with target features that were detected before.
//!
//! A kernel is inlined into a function that has the features, generic and not itself inlined; the
//! arithmetic over registers becomes single instructions there.
#![expect(unsafe_code, reason = "a function with target features is entered after detecting them")]

use core::slice;

use super::level::{HasFused, has_avx512};
use super::{F32x16, F64x8, Input, Kernel};
use crate::arithmetic::{
    Arithmetic, Avx2, Avx2F32x16, Avx2F64x8, Avx512, Avx512F32x16, Avx512F64x8, Binary32,
};

#[target_feature(enable = "avx2,fma")]
fn avx2<K: Kernel, A: Arithmetic>(input: &Input<'_, A::Scalar>, output: &mut [A::Scalar]) {
    K::run::<A>(input, output);
}

#[target_feature(enable = "avx512f,avx512vl,avx2,fma")]
fn avx512<K: Kernel, A: Arithmetic>(input: &Input<'_, A::Scalar>, output: &mut [A::Scalar]) {
    K::run::<A>(input, output);
}

#[inline(always)]
pub(super) fn fused_f64<K: Kernel>(_: HasFused, input: &Input<'_, f64>, output: &mut [f64]) {
    // SAFETY: the processor has the features of each branch.
    unsafe {
        if K::IS_WIDE && has_avx512() {
            avx512::<K, Avx512>(input, output);
        } else {
            avx2::<K, Avx2>(input, output);
        }
    }
}

#[inline(always)]
pub(super) fn fused_f32<K: Kernel>(_: HasFused, input: &Input<'_, f32>, output: &mut [f32]) {
    // SAFETY: the processor has the features.
    unsafe { avx2::<K, Binary32<true>>(input, output) }
}

#[inline(always)]
pub(super) fn fused_f64x8<K: Kernel>(_: HasFused, input: &Input<'_, F64x8>, output: &mut [F64x8]) {
    // SAFETY: the processor has the features of each branch, and one register or two in a row hold
    // the eight numbers in their order.
    unsafe {
        if has_avx512() {
            avx512::<K, Avx512F64x8>(&registers_of(input), registers_mut(output));
        } else {
            avx2::<K, Avx2F64x8>(&registers_of(input), registers_mut(output));
        }
    }
}

#[inline(always)]
pub(super) fn fused_f32x16<K: Kernel>(
    _: HasFused,
    input: &Input<'_, F32x16>,
    output: &mut [F32x16],
) {
    // SAFETY: the processor has the features of each branch, and one register or two in a row hold
    // the sixteen numbers in their order.
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
            t: registers(input.t),
            holds: registers(input.holds),
            asked: registers(input.asked),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::Lanes;

    /// Every operation of an arithmetic, on the six numbers of `q`.
    enum Everything {}

    impl Kernel for Everything {
        #[inline(always)]
        fn run<A: Arithmetic>(input: &Input<'_, A::Scalar>, output: &mut [A::Scalar]) {
            let (Some(&[a, b, c, d, e, f]), Some(output)) =
                (input.q.first_chunk(), output.first_chunk_mut::<12>())
            else {
                return;
            };
            let ([s, t, ..], [.., u, w]) = A::sin_cos([a, b, c, d, e]);
            let pair = A::Pair::pack([a, b]).mul_add(A::Pair::splat(c), A::Pair::pack([d, e]));
            let quad = -A::Quad::pack([a, b, c, d]) / A::Quad::pack([b, c, d, e]);
            let root = A::sqrt(A::mul_add(a, a, A::literal(0.1)));
            let sum = (quad * quad).sqrt().sum();
            let [first, second] = pair.unpack();
            *output = [
                s,
                t,
                u,
                w,
                a + b,
                a - c,
                d * e,
                f / b,
                root,
                sum,
                first - second,
                quad.lane::<2>(),
            ];
        }
    }

    /// Eight f64 or sixteen f32 in each of six rows: small, large, negative, and not a number.
    fn numbers<const K: usize>() -> [[f64; K]; 6] {
        core::array::from_fn(|row| {
            core::array::from_fn(|lane| match (row, lane) {
                (3, 5) => f64::NAN,
                (1, 6) => 1e9,
                _ => (row as f64 - 2.3) * (1.7 + lane as f64) + 0.01,
            })
        })
    }

    #[test]
    fn registers_of_both_widths_give_the_bits_of_single_numbers() {
        let Some(fused) = HasFused::of_this_processor() else { return };
        let rows = numbers::<8>();
        let q = rows.map(F64x8);
        let input = Input { q: &q, ..Input::default() };
        let (mut two, mut one) = ([F64x8::default(); 12], [F64x8::default(); 12]);
        let (registers, out) =
            (&unsafe { registers_of(&input) }, unsafe { registers_mut(&mut two) });
        // SAFETY: both features were found.
        unsafe { avx2::<Everything, Avx2F64x8>(registers, out) };
        for lane in 0..8 {
            let mut expected = [0.0; 12];
            let q = rows.map(|row| row[lane]);
            fused_f64::<Everything>(fused, &Input { q: &q, ..Input::default() }, &mut expected);
            assert_eq!(two.map(|x| x[lane].to_bits()), expected.map(f64::to_bits), "{lane}");
            if has_avx512() {
                let mut more = [0.0; 12];
                let input = Input { q: &q, ..Input::default() };
                // SAFETY: all features were found.
                unsafe { avx512::<Everything, Avx512>(&input, &mut more) };
                assert_eq!(more.map(f64::to_bits), expected.map(f64::to_bits), "{lane}");
            }
        }
        if has_avx512() {
            fused_f64x8::<Everything>(fused, &input, &mut one);
            assert_eq!(one.map(|x| x.0.map(f64::to_bits)), two.map(|x| x.0.map(f64::to_bits)));
        }
    }

    #[test]
    fn registers_of_both_widths_agree_in_single_precision() {
        let Some(fused) = HasFused::of_this_processor() else { return };
        let q = numbers::<16>().map(|row| F32x16(row.map(|x| x as f32)));
        let input = Input { q: &q, ..Input::default() };
        let (mut two, mut one) = ([F32x16::default(); 12], [F32x16::default(); 12]);
        let (registers, out) =
            (&unsafe { registers_of(&input) }, unsafe { registers_mut(&mut two) });
        // SAFETY: both features were found.
        unsafe { avx2::<Everything, Avx2F32x16>(registers, out) };
        for lane in 0..16 {
            let mut expected = [0.0; 12];
            let q = q.map(|row| row[lane]);
            fused_f32::<Everything>(fused, &Input { q: &q, ..Input::default() }, &mut expected);
            for (found, expected) in two.map(|x| x[lane]).into_iter().zip(expected) {
                let near = (found - expected).abs() <= 2e-6 * expected.abs().max(1.0);
                assert!(near || found.is_nan() && expected.is_nan(), "{lane}: {found} {expected}");
            }
        }
        if has_avx512() {
            fused_f32x16::<Everything>(fused, &input, &mut one);
            assert_eq!(one.map(|x| x.0.map(f32::to_bits)), two.map(|x| x.0.map(f32::to_bits)));
        }
    }
}
