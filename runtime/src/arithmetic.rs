//! The arithmetic that a generated kernel is written over.
//!
//! A kernel is emitted once, generic over [`Arithmetic`], and instantiated for each way of
//! computing: plain `f64`, `f64` with fused multiply-add, and later lanes or dual numbers. The
//! policy is a type without values; the numbers themselves are its `Scalar`, so that plain and
//! fused kernels work on the caller's `f64` slices without conversion.

use core::fmt::Debug;
use core::ops::{Add, Div, Mul, Neg, Sub};

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
pub trait Arithmetic {
    /// The numbers computed with.
    type Scalar: Scalar;

    /// The scalar nearest to `x`.
    fn literal(x: f64) -> Self::Scalar;

    /// a·b + c, rounded once or twice as the policy says.
    fn mul_add(a: Self::Scalar, b: Self::Scalar, c: Self::Scalar) -> Self::Scalar;

    /// The square root; NaN for a negative number.
    fn sqrt(x: Self::Scalar) -> Self::Scalar;

    /// The sines and the cosines of all angles of a kernel (radians) at once.
    fn sin_cos<const N: usize>(angles: [Self::Scalar; N])
    -> ([Self::Scalar; N], [Self::Scalar; N]);
}

/// `f64`, with the multiply-add rounded once (`FUSED`) or twice.
#[derive(Clone, Copy, Debug)]
pub enum Binary64<const FUSED: bool> {}

/// Every operation rounded on its own: the same bits on every machine whose sine is.
pub type Plain = Binary64<false>;

/// With fused multiply-add. Slow where the processor has no such instruction; the
/// [dispatcher](crate::kernel) chooses it only where it has.
pub type Fused = Binary64<true>;

impl<const FUSED: bool> Arithmetic for Binary64<FUSED> {
    type Scalar = f64;

    #[inline(always)]
    fn literal(x: f64) -> f64 {
        x
    }

    #[inline(always)]
    fn mul_add(a: f64, b: f64, c: f64) -> f64 {
        if FUSED { mul_add(a, b, c) } else { a * b + c }
    }

    #[inline(always)]
    fn sqrt(x: f64) -> f64 {
        sqrt(x)
    }

    #[inline(always)]
    fn sin_cos<const N: usize>(angles: [f64; N]) -> ([f64; N], [f64; N]) {
        sin_cos(angles)
    }
}

/// A plain loop on purpose: a mapping closure would be compiled without the caller's target
/// features.
#[inline(always)]
fn sin_cos<const N: usize>(angles: [f64; N]) -> ([f64; N], [f64; N]) {
    let (mut sines, mut cosines) = ([0.0; N], [0.0; N]);
    for k in 0..N {
        (sines[k], cosines[k]) = sin_cos_of(angles[k]);
    }
    (sines, cosines)
}

#[cfg(feature = "std")]
#[inline(always)]
fn sin_cos_of(x: f64) -> (f64, f64) {
    x.sin_cos()
}

#[cfg(not(feature = "std"))]
#[inline(always)]
fn sin_cos_of(x: f64) -> (f64, f64) {
    libm::sincos(x)
}

#[cfg(feature = "std")]
#[inline(always)]
pub(crate) fn sqrt(x: f64) -> f64 {
    x.sqrt()
}

#[cfg(not(feature = "std"))]
#[inline(always)]
pub(crate) fn sqrt(x: f64) -> f64 {
    libm::sqrt(x)
}

#[cfg(feature = "std")]
#[inline(always)]
fn mul_add(a: f64, b: f64, c: f64) -> f64 {
    a.mul_add(b, c)
}

#[cfg(not(feature = "std"))]
#[inline(always)]
fn mul_add(a: f64, b: f64, c: f64) -> f64 {
    libm::fma(a, b, c)
}
