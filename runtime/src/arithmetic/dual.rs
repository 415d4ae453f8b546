//! Dual numbers, over which a kernel gives its exact derivatives.
//!
//! > x + Σ xₖ εₖ,  εᵢ εⱼ = 0
//!
//! The xₖ are the slopes of a quantity x along several directions at once, so that one pass over a kernel finds x once and as
//! many derivatives as a few registers hold. Their operations are called and not inlined: a kernel of thousands of them
//! would take the compiler long otherwise, and a call costs less than the eight slopes that it is for.
//!
//! # Source
//!
//! Griewank, Walther: Evaluating Derivatives (2nd edition, 2008), sections 3.1 and 13.1.

use core::ops::{Add, Div, Mul, Neg, Sub};

use super::{Arithmetic, Array, Baseline};

/// How many directions there are.
pub(crate) const DIRECTIONS: usize = 8;

/// The arithmetic of dual numbers.
pub(crate) enum Differentiate {}

/// A number with its slopes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dual {
    pub(crate) value: f64,
    pub(crate) slopes: [f64; DIRECTIONS],
}

impl Dual {
    /// A number that is the same along all directions.
    pub(crate) const fn constant(value: f64) -> Self {
        Self { value, slopes: [0.0; DIRECTIONS] }
    }

    /// a times the number, a being the same along all directions.
    pub(crate) fn times(self, a: f64) -> Self {
        self.chain(a * self.value, a)
    }

    /// f of the number, with its derivative there.
    fn chain(self, f: f64, derivative: f64) -> Self {
        Self { value: f, slopes: self.slopes.map(|slope| derivative * slope) }
    }

    /// f of two numbers, with its derivatives by them.
    fn join(self, other: Self, f: f64, [by_self, by_other]: [f64; 2]) -> Self {
        let mut slopes = self.slopes;
        for (slope, other) in slopes.iter_mut().zip(&other.slopes) {
            *slope = by_self * *slope + by_other * other;
        }
        Self { value: f, slopes }
    }
}

impl Add for Dual {
    type Output = Self;

    fn add(self, b: Self) -> Self {
        self.join(b, self.value + b.value, [1.0, 1.0])
    }
}

impl Sub for Dual {
    type Output = Self;

    fn sub(self, b: Self) -> Self {
        self.join(b, self.value - b.value, [1.0, -1.0])
    }
}

impl Mul for Dual {
    type Output = Self;

    fn mul(self, b: Self) -> Self {
        self.join(b, self.value * b.value, [b.value, self.value])
    }
}

impl Div for Dual {
    type Output = Self;

    fn div(self, b: Self) -> Self {
        let quotient = self.value / b.value;
        self.join(b, quotient, [1.0 / b.value, -quotient / b.value])
    }
}

impl Neg for Dual {
    type Output = Self;

    fn neg(self) -> Self {
        self.chain(-self.value, -1.0)
    }
}

impl Arithmetic for Differentiate {
    type Scalar = Dual;
    type Pair = Array<Self, 2>;
    type Quad = Array<Self, 4>;

    fn literal(x: f64) -> Dual {
        Dual::constant(x)
    }

    fn mul_add(a: Dual, b: Dual, c: Dual) -> Dual {
        a * b + c
    }

    fn sqrt(x: Dual) -> Dual {
        let root = crate::slices::sqrt(x.value);
        x.chain(root, 0.5 / root)
    }

    fn sin_cos<const N: usize>(angles: [Dual; N]) -> ([Dual; N], [Dual; N]) {
        let (sines, cosines) = Baseline::sin_cos(angles.map(|angle| angle.value));
        let (mut s, mut c) = (angles, angles);
        for k in 0..N {
            s[k] = angles[k].chain(sines[k], cosines[k]);
            c[k] = angles[k].chain(cosines[k], -sines[k]);
        }
        (s, c)
    }
}
