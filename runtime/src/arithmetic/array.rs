//! Lanes as an array of scalars, for policies that have no registers of their own.
//!
//! The operations are written out lane by lane: a loop in each of a kernel's thousands of
//! operations would multiply the compiler's time.

use core::fmt;
use core::ops::{Add, Div, Mul, Neg, Sub};

use super::{Arithmetic, Lanes};

/// K numbers of a policy, computed one after the other.
pub struct Array<A: Arithmetic, const K: usize>(pub(super) [A::Scalar; K]);

impl<A: Arithmetic, const K: usize> Clone for Array<A, K> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<A: Arithmetic, const K: usize> Copy for Array<A, K> {}

impl<A: Arithmetic, const K: usize> fmt::Debug for Array<A, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0).finish()
    }
}

macro_rules! operator {
    ($Trait:ident, $method:ident, $operator:tt, $K:literal: $($k:literal)*) => {
        impl<A: Arithmetic> $Trait for Array<A, $K> {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self([$(self.0[$k] $operator other.0[$k]),*])
            }
        }
    };
}

macro_rules! lanes {
    ($K:literal: $($k:literal)*, $lanes:pat => $sum:expr) => {
        operator!(Add, add, +, $K: $($k)*);
        operator!(Sub, sub, -, $K: $($k)*);
        operator!(Mul, mul, *, $K: $($k)*);
        operator!(Div, div, /, $K: $($k)*);

        impl<A: Arithmetic> Neg for Array<A, $K> {
            type Output = Self;

            #[inline(always)]
            fn neg(self) -> Self {
                Self([$(-self.0[$k]),*])
            }
        }

        impl<A: Arithmetic> Lanes<$K> for Array<A, $K> {
            type Scalar = A::Scalar;

            #[inline(always)]
            fn pack(x: [A::Scalar; $K]) -> Self {
                Self(x)
            }

            #[inline(always)]
            fn literal(x: [f64; $K]) -> Self {
                Self([$(A::literal(x[$k])),*])
            }

            #[inline(always)]
            fn splat(x: A::Scalar) -> Self {
                Self([x; $K])
            }

            #[inline(always)]
            fn unpack(self) -> [A::Scalar; $K] {
                self.0
            }

            #[inline(always)]
            fn sum(self) -> A::Scalar {
                let $lanes = self.0;
                $sum
            }

            #[inline(always)]
            fn mul_add(self, b: Self, c: Self) -> Self {
                Self([$(A::mul_add(self.0[$k], b.0[$k], c.0[$k])),*])
            }

            #[inline(always)]
            fn sqrt(self) -> Self {
                Self([$(A::sqrt(self.0[$k])),*])
            }
        }
    };
}

lanes!(1: 0, [a] => a);
lanes!(2: 0 1, [a, b] => a + b);
lanes!(4: 0 1 2 3, [a, b, c, d] => (a + c) + (b + d));
