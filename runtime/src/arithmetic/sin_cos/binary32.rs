//! Sine and cosine of `f32`, to 0.9 units in the last place below 2²⁰.

use super::super::register::Register;
use super::Angle;

/// π/2 in parts of 24 bits, each below what is left.
const QUARTER_TURN: [f32; 3] = [f32::from_bits(0x3fc9_0fda), 7.5497894e-8, 5.3903025e-15];

/// Coefficients of (r − sin r)/r³ in r²: of all polynomials for |r| < 0.83, that with the smallest
/// largest error of sin r relative to it, 2⁻²⁷; by Remez exchange.
const SINE: [f32; 3] = [0.1666665, -0.008331838, 0.0001947334];

/// Coefficients of (cos r − 1 + r²/2)/r⁴ in r², found likewise; error below 2⁻³².
const COSINE: [f32; 3] = [0.041666638, -0.0013886951, 2.4392224e-5];

impl Angle for f32 {
    const LIMIT: Self = 1048576.0;
    const LIMIT_SQUARED: Self = Self::LIMIT * Self::LIMIT;
    /// 1.5 · 2²³.
    const COUNTER: Self = 12582912.0;

    /// The first difference is exact. The product with the second part is kept in two numbers, and
    /// so is its difference (D. E. Knuth, *The Art of Computer Programming*, volume 2, section
    /// 4.2.2).
    #[inline(always)]
    fn reduce<const K: usize, R: Register<K, Scalar = Self>>(x: R, k: R) -> (R, R) {
        let [high, middle, low] = QUARTER_TURN;
        let first = (-k).mul_add(R::splat(high), x);
        let product = k * R::splat(middle);
        let product_error = k.mul_add(R::splat(middle), -product);
        let r = first - product;
        let part = r - first;
        let error = (first - (r - part)) - (product + part);
        (r, k.mul_add(R::splat(low), product_error - error))
    }

    #[inline(always)]
    fn cubic<const K: usize, R: Register<K, Scalar = Self>>(z: R) -> R {
        polynomial(z, SINE)
    }

    #[inline(always)]
    fn quartic<const K: usize, R: Register<K, Scalar = Self>>(z: R) -> R {
        polynomial(z, COSINE)
    }

    fn is_near(self) -> bool {
        self.abs() < Self::LIMIT
    }

    fn library(self) -> (Self, Self) {
        libm::sincosf(self)
    }
}

#[inline(always)]
fn polynomial<const K: usize, R: Register<K, Scalar = f32>>(z: R, c: [f32; 3]) -> R {
    z.mul_add(z.mul_add(R::splat(c[2]), R::splat(c[1])), R::splat(c[0]))
}
