//! The numbers that kernels are run on, each at the best level of the processor.

use alloc::vec::Vec;
use core::fmt::Debug;

use super::level::HasFused;
use super::{F32x16, F64x8, Input, Kernel, LaneArray, evaluate_with};
use crate::arithmetic::{Baseline, Binary32};

#[cfg(target_arch = "x86_64")]
use super::trampoline::{fused_f32, fused_f32x16, fused_f64, fused_f64x8};
#[cfg(not(target_arch = "x86_64"))]
use by_functions::{fused_f32, fused_f32x16, fused_f64, fused_f64x8};

mod sealed {
    pub trait Sealed {}
}

/// What a kernel can be run on at the process's [`level`](fn@super::level): `f64`, `f32`, or one of
/// several states at once, [`F64x8`] and [`F32x16`].
pub trait Number: Copy + Debug + Default + Send + Sync + sealed::Sealed + 'static {
    /// The numbers of as many states as are computed at once.
    type Lanes: Number<Lanes = Self::Lanes>;
    /// How many of these numbers `Lanes` holds.
    const COUNT: usize;

    /// The number nearest to `x`, for every state.
    fn nearest(x: f64) -> Self;

    /// Lays rows of as many numbers as there are `lanes` side by side: number k of each into lane
    /// array k. Of fewer rows than `COUNT`, the last one is repeated; `rows` holds one at least.
    fn pack(rows: &[Self], lanes: &mut [Self::Lanes]);

    /// Lays them one after the other again, as many rows as `rows` holds.
    fn unpack(lanes: &[Self::Lanes], rows: &mut [Self]);

    /// Runs a kernel.
    fn evaluate<K: Kernel>(input: &Input<'_, Self>, output: &mut [Self]);
}

impl sealed::Sealed for f64 {}
impl sealed::Sealed for f32 {}
impl sealed::Sealed for F64x8 {}
impl sealed::Sealed for F32x16 {}

impl Number for f64 {
    type Lanes = F64x8;
    const COUNT: usize = 8;

    fn pack(rows: &[f64], lanes: &mut [F64x8]) {
        F64x8::pack_rows(rows, lanes);
    }

    fn unpack(lanes: &[F64x8], rows: &mut [f64]) {
        F64x8::unpack_rows(lanes, rows);
    }

    #[inline]
    fn nearest(x: f64) -> Self {
        x
    }

    #[inline]
    fn evaluate<K: Kernel>(input: &Input<'_, f64>, output: &mut [f64]) {
        if !cfg!(debug_assertions)
            && let Some(fused) = HasFused::at_this_level()
        {
            fused_f64::<K>(fused, input, output);
        } else {
            evaluate_with::<K, Baseline>(input, output);
        }
    }
}

impl Number for f32 {
    type Lanes = F32x16;
    const COUNT: usize = 16;

    fn pack(rows: &[f32], lanes: &mut [F32x16]) {
        F32x16::pack_rows(rows, lanes);
    }

    fn unpack(lanes: &[F32x16], rows: &mut [f32]) {
        F32x16::unpack_rows(lanes, rows);
    }

    #[inline]
    fn nearest(x: f64) -> Self {
        x as f32
    }

    #[inline]
    fn evaluate<K: Kernel>(input: &Input<'_, f32>, output: &mut [f32]) {
        if !cfg!(debug_assertions)
            && let Some(fused) = HasFused::at_this_level()
        {
            fused_f32::<K>(fused, input, output);
        } else {
            evaluate_with::<K, Binary32<false>>(input, output);
        }
    }
}

impl Number for F64x8 {
    type Lanes = Self;
    const COUNT: usize = 1;

    fn pack(rows: &[Self], lanes: &mut [Self]) {
        for (lanes, number) in lanes.iter_mut().zip(rows) {
            *lanes = *number;
        }
    }

    fn unpack(lanes: &[Self], rows: &mut [Self]) {
        for (number, lanes) in rows.iter_mut().zip(lanes) {
            *number = *lanes;
        }
    }

    #[inline]
    fn nearest(x: f64) -> Self {
        Self::splat(x)
    }

    #[inline]
    fn evaluate<K: Kernel>(input: &Input<'_, Self>, output: &mut [Self]) {
        if !cfg!(debug_assertions)
            && let Some(fused) = HasFused::at_this_level()
        {
            fused_f64x8::<K>(fused, input, output);
        } else {
            lane_by_lane::<K, Self>(input, output);
        }
    }
}

impl Number for F32x16 {
    type Lanes = Self;
    const COUNT: usize = 1;

    fn pack(rows: &[Self], lanes: &mut [Self]) {
        for (lanes, number) in lanes.iter_mut().zip(rows) {
            *lanes = *number;
        }
    }

    fn unpack(lanes: &[Self], rows: &mut [Self]) {
        for (number, lanes) in rows.iter_mut().zip(lanes) {
            *number = *lanes;
        }
    }

    #[inline]
    fn nearest(x: f64) -> Self {
        Self::splat(x as f32)
    }

    #[inline]
    fn evaluate<K: Kernel>(input: &Input<'_, Self>, output: &mut [Self]) {
        if !cfg!(debug_assertions)
            && let Some(fused) = HasFused::at_this_level()
        {
            fused_f32x16::<K>(fused, input, output);
        } else {
            lane_by_lane::<K, Self>(input, output);
        }
    }
}

/// One state after the other by the kernel of one state: where there are no registers for all of
/// them, that is as fast, and compiles nothing anew.
#[inline(never)]
fn lane_by_lane<K: Kernel, L: LaneArray>(input: &Input<'_, L>, output: &mut [L]) {
    let (mut fields, mut q, mut v, mut a) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut results = Vec::new();
    for lane in 0..L::LANES {
        let state = Input {
            fields: take(input.fields, lane, &mut fields),
            q: take(input.q, lane, &mut q),
            v: take(input.v, lane, &mut v),
            a: take(input.a, lane, &mut a),
        };
        let results = take(output, lane, &mut results);
        L::Real::evaluate::<K>(&state, results);
        for (number, &result) in output.iter_mut().zip(results.iter()) {
            number[lane] = result;
        }
    }
}

/// Copies the numbers of one lane.
fn take<'a, L: LaneArray>(
    numbers: &[L],
    lane: usize,
    buffer: &'a mut Vec<L::Real>,
) -> &'a mut [L::Real] {
    buffer.clear();
    buffer.extend(numbers.iter().map(|number| number[lane]));
    buffer
}

/// Processors whose features are those of the build.
#[cfg(not(target_arch = "x86_64"))]
mod by_functions {
    use super::{F32x16, F64x8, HasFused, Input, Kernel, evaluate_with, lane_by_lane};
    use crate::arithmetic::{Binary32, Fused};

    pub(super) fn fused_f64<K: Kernel>(_: HasFused, input: &Input<'_, f64>, output: &mut [f64]) {
        evaluate_with::<K, Fused>(input, output);
    }

    pub(super) fn fused_f32<K: Kernel>(_: HasFused, input: &Input<'_, f32>, output: &mut [f32]) {
        evaluate_with::<K, Binary32<true>>(input, output);
    }

    pub(super) fn fused_f64x8<K: Kernel>(
        _: HasFused,
        input: &Input<'_, F64x8>,
        output: &mut [F64x8],
    ) {
        lane_by_lane::<K, F64x8>(input, output);
    }

    pub(super) fn fused_f32x16<K: Kernel>(
        _: HasFused,
        input: &Input<'_, F32x16>,
        output: &mut [F32x16],
    ) {
        lane_by_lane::<K, F32x16>(input, output);
    }
}
