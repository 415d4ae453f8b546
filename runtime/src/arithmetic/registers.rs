//! A register as the scalar of a kernel: as many states at once as it has lanes.

use core::fmt::Debug;
use core::marker::PhantomData;
use core::ops::{Add, Div, Mul, Neg, Sub};

use super::lane_program::{LaneProgram, lane_by_lane};
use super::register::Register;
use super::sin_cos::{Angle, sin_cos};
use super::{Arithmetic, Array, Call, Lanes, Scalar};

/// The arithmetic of registers of K lanes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Registers<R, const K: usize>(PhantomData<R>);

impl<const K: usize, R: Register<K, Scalar: Angle>> Arithmetic for Registers<R, K> {
    type Scalar = R;
    type Pair = Array<Self, 2>;
    type Quad = Array<Self, 4>;

    #[inline(always)]
    fn literal(x: f64) -> R {
        R::literal([x; K])
    }

    #[inline(always)]
    fn mul_add(a: R, b: R, c: R) -> R {
        a.mul_add(b, c)
    }

    #[inline(always)]
    fn sqrt(x: R) -> R {
        x.sqrt()
    }

    #[inline(always)]
    fn sin_cos<const N: usize>(angles: [R; N]) -> ([R; N], [R; N]) {
        sin_cos(angles)
    }

    #[inline(always)]
    fn call(call: impl Call) {
        R::enter(call);
    }

    #[inline(always)]
    fn pairs<P, const S: usize, const I: usize, const O: usize, const N: usize>(
        uniform: &[R; S],
        varying: &[Self::Pair; I],
        output: &mut [R; N],
    ) -> [Self::Pair; O]
    where
        P: LaneProgram<Self, 2, S, I, O, N>,
    {
        lane_by_lane::<Self, P, 2, S, I, O, N>(uniform, varying, output)
    }

    #[inline(always)]
    fn quads<P, const S: usize, const I: usize, const O: usize, const N: usize>(
        uniform: &[R; S],
        varying: &[Self::Quad; I],
        output: &mut [R; N],
    ) -> [Self::Quad; O]
    where
        P: LaneProgram<Self, 4, S, I, O, N>,
    {
        lane_by_lane::<Self, P, 4, S, I, O, N>(uniform, varying, output)
    }
}

/// Two registers for twice the lanes.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Two<R>(R, R);

impl<R: Scalar> Add for Two<R> {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0, self.1 + other.1)
    }
}

impl<R: Scalar> Sub for Two<R> {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0, self.1 - other.1)
    }
}

impl<R: Scalar> Mul for Two<R> {
    type Output = Self;

    #[inline]
    fn mul(self, other: Self) -> Self {
        Self(self.0 * other.0, self.1 * other.1)
    }
}

impl<R: Scalar> Div for Two<R> {
    type Output = Self;

    #[inline]
    fn div(self, other: Self) -> Self {
        Self(self.0 / other.0, self.1 / other.1)
    }
}

impl<R: Scalar> Neg for Two<R> {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self(-self.0, -self.1)
    }
}

/// `Two` registers of $half lanes each.
macro_rules! two {
    ($half:literal, $K:literal: [$($low:literal)*] [$($high:literal)*]) => {
        impl<R: Lanes<$half>> Lanes<$K> for Two<R> {
            type Scalar = R::Scalar;

            #[inline]
            fn pack(x: [R::Scalar; $K]) -> Self {
                Self(R::pack([$(x[$low]),*]), R::pack([$(x[$high]),*]))
            }

            #[inline]
            fn literal(x: [f64; $K]) -> Self {
                Self(R::literal([$(x[$low]),*]), R::literal([$(x[$high]),*]))
            }

            #[inline]
            fn splat(x: R::Scalar) -> Self {
                Self(R::splat(x), R::splat(x))
            }

            #[inline]
            fn unpack(self) -> [R::Scalar; $K] {
                let (low, high) = (self.0.unpack(), self.1.unpack());
                [$(low[$low],)* $(high[$high - $half]),*]
            }

            #[inline]
            fn sum(self) -> R::Scalar {
                (self.0 + self.1).sum()
            }

            #[inline]
            fn mul_add(self, b: Self, c: Self) -> Self {
                Self(self.0.mul_add(b.0, c.0), self.1.mul_add(b.1, c.1))
            }

            #[inline]
            fn sqrt(self) -> Self {
                Self(self.0.sqrt(), self.1.sqrt())
            }
        }

        impl<R: Register<$half>> Register<$K> for Two<R> {
            #[inline(always)]
            fn all_below(self, limit: R::Scalar) -> bool {
                self.0.all_below(limit) & self.1.all_below(limit)
            }

            #[inline(always)]
            fn by_parity(counter: Self, even: Self, odd: Self) -> Self {
                Self(
                    R::by_parity(counter.0, even.0, odd.0),
                    R::by_parity(counter.1, even.1, odd.1),
                )
            }

            #[inline(always)]
            fn enter(call: impl Call) {
                R::enter(call);
            }

            #[inline(always)]
            fn turned(self, counter: Self) -> Self {
                Self(self.0.turned(counter.0), self.1.turned(counter.1))
            }
        }
    };
}

two!(2, 4: [0 1] [2 3]);
two!(4, 8: [0 1 2 3] [4 5 6 7]);
two!(8, 16: [0 1 2 3 4 5 6 7] [8 9 10 11 12 13 14 15]);
