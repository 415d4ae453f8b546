//! Numbers of several states side by side.

use core::array;
use core::fmt::Debug;
use core::ops::{Index, IndexMut};

use super::Number;

/// One number of each of several states.
pub(crate) trait LaneArray: Number + IndexMut<usize, Output = Self::Real> {
    /// One of the numbers.
    type Real: Number;
    /// How many there are.
    const LANES: usize;
}

macro_rules! lane_array {
    ($(#[$doc:meta])* $Lanes:ident = [$real:ident; $K:literal]) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        #[repr(C, align(64))]
        pub struct $Lanes(pub [$real; $K]);

        impl $Lanes {
            /// `x` for every state.
            #[inline]
            pub const fn splat(x: $real) -> Self {
                Self([x; $K])
            }

            /// Written array by array, so that each is stored once.
            pub(super) fn pack_rows(rows: &[$real], lanes: &mut [Self]) {
                let width = lanes.len();
                let Some(last) = rows.len().checked_div(width).and_then(|n| n.checked_sub(1))
                else {
                    return;
                };
                let rows: [&[$real]; $K] = array::from_fn(|row| {
                    let start = row.min(last) * width;
                    &rows[start..start + width]
                });
                for (k, lanes) in lanes.iter_mut().enumerate() {
                    *lanes = Self(array::from_fn(|row| rows[row][k]));
                }
            }

            pub(super) fn unpack_rows(lanes: &[Self], rows: &mut [$real]) {
                let rows = rows.chunks_exact_mut(lanes.len().max(1)).take($K);
                for (row, numbers) in rows.enumerate() {
                    for (number, lanes) in numbers.iter_mut().zip(lanes) {
                        *number = lanes[row];
                    }
                }
            }
        }

        impl From<[$real; $K]> for $Lanes {
            #[inline]
            fn from(x: [$real; $K]) -> Self {
                Self(x)
            }
        }

        impl Index<usize> for $Lanes {
            type Output = $real;

            #[inline]
            fn index(&self, lane: usize) -> &$real {
                &self.0[lane]
            }
        }

        impl IndexMut<usize> for $Lanes {
            #[inline]
            fn index_mut(&mut self, lane: usize) -> &mut $real {
                &mut self.0[lane]
            }
        }

        impl LaneArray for $Lanes {
            type Real = $real;
            const LANES: usize = $K;
        }
    };
}

lane_array! {
    /// One number of each of eight states, in a cache line of its own.
    F64x8 = [f64; 8]
}

lane_array! {
    /// One number of each of sixteen states in single precision, in a cache line of its own.
    F32x16 = [f32; 16]
}
