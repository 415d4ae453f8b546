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

/// A number of one state: its lane array, and how a kernel is run on it. Without optimisation only
/// the plain kernel is compiled: of the other, each operation would be a call.
macro_rules! single {
    ($real:ident, $Lanes:ident, $fused:ident, $Plain:ty) => {
        impl sealed::Sealed for $real {}

        impl Number for $real {
            type Lanes = $Lanes;
            const COUNT: usize = $Lanes::LANES;

            fn pack(rows: &[Self], lanes: &mut [$Lanes]) {
                $Lanes::pack_rows(rows, lanes);
            }

            fn unpack(lanes: &[$Lanes], rows: &mut [Self]) {
                $Lanes::unpack_rows(lanes, rows);
            }

            #[inline]
            fn nearest(x: f64) -> Self {
                x as Self
            }

            #[inline]
            fn evaluate<K: Kernel>(input: &Input<'_, Self>, output: &mut [Self]) {
                if !cfg!(debug_assertions)
                    && let Some(fused) = HasFused::at_this_level()
                {
                    $fused::<K>(fused, input, output);
                } else {
                    evaluate_with::<K, $Plain>(input, output);
                }
            }
        }
    };
}

single!(f64, F64x8, fused_f64, Baseline);
single!(f32, F32x16, fused_f32, Binary32<false>);

/// Numbers of several states, which are their own lane array.
macro_rules! several {
    ($Lanes:ident, $real:ident, $fused:ident) => {
        impl sealed::Sealed for $Lanes {}

        impl Number for $Lanes {
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
                Self::splat(x as $real)
            }

            #[inline]
            fn evaluate<K: Kernel>(input: &Input<'_, Self>, output: &mut [Self]) {
                if !cfg!(debug_assertions)
                    && let Some(fused) = HasFused::at_this_level()
                {
                    $fused::<K>(fused, input, output);
                } else {
                    lane_by_lane::<K, Self>(input, output);
                }
            }
        }
    };
}

several!(F64x8, f64, fused_f64x8);
several!(F32x16, f32, fused_f32x16);

/// One state after the other by the kernel of one state: where there are no registers for all of
/// them, that is as fast, and compiles nothing anew.
#[inline(never)]
fn lane_by_lane<K: Kernel, L: LaneArray>(input: &Input<'_, L>, output: &mut [L]) {
    let [mut fields, mut q, mut v, mut a, mut t, mut holds, mut asked] = [const { Vec::new() }; 7];
    let mut results = Vec::new();
    for lane in 0..L::LANES {
        let state = Input {
            fields: take(input.fields, lane, &mut fields),
            q: take(input.q, lane, &mut q),
            v: take(input.v, lane, &mut v),
            a: take(input.a, lane, &mut a),
            t: take(input.t, lane, &mut t),
            holds: take(input.holds, lane, &mut holds),
            asked: take(input.asked, lane, &mut asked),
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
