//! The arithmetic that a generated kernel is written over.
//!
//! A kernel is emitted once, generic over [`Arithmetic`], and instantiated for each way of
//! computing: plain `f64`, `f64` with fused multiply-add, single precision, several states at once,
//! and whatever a user supplies, such as dual numbers. The policy is a type without values; the
//! numbers themselves are its `Scalar`, so that plain and fused kernels work on the caller's `f64`
//! slices without conversion. Repeated limbs are computed at once in its `Pair` and `Quad`.

mod array;
mod binary32;
mod binary64;
mod dual;
mod lane_program;
mod ordered;
mod register;
#[cfg(target_arch = "x86_64")]
mod registers;
mod sin_cos;
#[cfg(target_arch = "x86_64")]
mod x86_64;

use core::fmt::Debug;
use core::ops::{Add, Div, Mul, Neg, Sub};

use lane_program::at_once;

pub use array::Array;
pub use binary32::Binary32;
#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
pub(crate) use binary64::Plain as Baseline;
pub use binary64::{Binary64, Fused, Plain};
pub(crate) use dual::{DIRECTIONS, Differentiate, Dual};
pub use lane_program::{LaneProgram, Varying};
pub(crate) use ordered::Ordered;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) use x86_64::Sse2 as Baseline;
#[cfg(target_arch = "x86_64")]
pub(crate) use x86_64::{Avx2, Avx2F32x16, Avx2F64x8, Avx512, Avx512F32x16, Avx512F64x8};

/// A number that generated code can add, subtract, multiply, divide and negate.
pub trait Scalar:
    Copy
    + Debug
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
}

impl<T> Scalar for T where
    T: Copy
        + Debug
        + Add<Output = T>
        + Sub<Output = T>
        + Mul<Output = T>
        + Div<Output = T>
        + Neg<Output = T>
{
}

/// One way of computing a kernel.
pub trait Arithmetic: Sized {
    /// The numbers computed with.
    type Scalar: Scalar;
    /// Two numbers that are computed with at once.
    type Pair: Lanes<2, Scalar = Self::Scalar>;
    /// Four numbers that are computed with at once.
    type Quad: Lanes<4, Scalar = Self::Scalar>;

    /// The scalar nearest to `x`.
    fn literal(x: f64) -> Self::Scalar;

    /// a·b + c, rounded once or twice as the policy says.
    fn mul_add(a: Self::Scalar, b: Self::Scalar, c: Self::Scalar) -> Self::Scalar;

    /// The square root; NaN for a negative number.
    fn sqrt(x: Self::Scalar) -> Self::Scalar;

    /// The sines and the cosines of all angles of a kernel (radians) at once.
    fn sin_cos<const N: usize>(angles: [Self::Scalar; N])
    -> ([Self::Scalar; N], [Self::Scalar; N]);

    /// Makes a call that is not inlined, to a function that has the features of the processor which
    /// this arithmetic computes with.
    #[inline(always)]
    fn call(call: impl Call) {
        call.call_apart();
    }

    /// Runs what a kernel does alike in two lanes: at once, unless the arithmetic has a better way.
    #[inline(always)]
    fn pairs<P, const S: usize, const I: usize, const R: usize, const N: usize>(
        uniform: &[Self::Scalar; S],
        varying: &[Self::Pair; I],
        output: &mut [Self::Scalar; N],
    ) -> [Self::Pair; R]
    where
        P: LaneProgram<Self, 2, S, I, R, N>,
    {
        at_once::<Self, _, P, 2, S, I, R, N>(uniform, varying, output)
    }

    /// Runs what a kernel does alike in four lanes.
    #[inline(always)]
    fn quads<P, const S: usize, const I: usize, const R: usize, const N: usize>(
        uniform: &[Self::Scalar; S],
        varying: &[Self::Quad; I],
        output: &mut [Self::Scalar; N],
    ) -> [Self::Quad; R]
    where
        P: LaneProgram<Self, 4, S, I, R, N>,
    {
        at_once::<Self, _, P, 4, S, I, R, N>(uniform, varying, output)
    }
}

/// A function with its arguments.
///
/// The functions that are not inlined are methods of this trait. The compiler puts methods into the codegen unit of their type, so
/// that large ones are compiled in parallel.
pub trait Call: Sized {
    /// Calls it. Always to be inlined.
    fn call(self);

    /// Calls it, not inlined.
    #[inline(never)]
    fn call_apart(self) {
        self.call();
    }
}

/// K numbers that are computed with at once, operation by operation and lane by lane.
pub trait Lanes<const K: usize>: Scalar {
    /// One of the numbers.
    type Scalar: Scalar;

    /// The numbers in the order of the lanes.
    fn pack(x: [Self::Scalar; K]) -> Self;

    /// The scalars nearest to `x`.
    fn literal(x: [f64; K]) -> Self;

    /// `x` in every lane.
    fn splat(x: Self::Scalar) -> Self;

    /// The numbers in the order of the lanes.
    fn unpack(self) -> [Self::Scalar; K];

    /// Writes the numbers in the order of the lanes. Registers do so whole: of single numbers LLVM makes wider ones where it may,
    /// and these take longer to be put together than they save.
    #[inline(always)]
    fn write(self, to: &mut [Self::Scalar; K]) {
        *to = self.unpack();
    }

    /// Writes the numbers from a place on, if there are so many.
    #[inline(always)]
    fn put<const N: usize>(self, output: &mut [Self::Scalar; N], place: usize) {
        if let Some(to) = output.get_mut(place..).and_then(<[_]>::first_chunk_mut) {
            self.write(to);
        }
    }

    /// The number in one lane. A lane that does not exist is refused by the compiler.
    #[inline(always)]
    fn lane<const LANE: usize>(self) -> Self::Scalar {
        const { assert!(LANE < K, "no such lane") };
        self.unpack()[LANE]
    }

    /// The sum over the lanes: the halves are added lane by lane until one is left.
    fn sum(self) -> Self::Scalar;

    /// self·b + c in each lane, rounded once or twice as the policy says.
    fn mul_add(self, b: Self, c: Self) -> Self;

    /// The square root of each lane; NaN for a negative number.
    fn sqrt(self) -> Self;
}
