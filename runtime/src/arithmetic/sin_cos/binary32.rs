//! Sine and cosine of `f32`, to 0.9 units in the last place below 2²⁰.

use super::super::register::Register;
use super::Angle;

/// 1.5 · 2²³: adding it rounds to an integer, which stands in the lowest bits.
const COUNTER: f32 = 12582912.0;

/// π/2 in parts of 24 bits, each below what is left.
const QUARTER_TURN: [f32; 3] = [f32::from_bits(0x3fc9_0fda), 7.5497894e-8, 5.3903025e-15];

/// Coefficients of (r − sin r)/r³ in r²: of all polynomials for |r| < 0.83, that with the smallest
/// largest error of sin r relative to it, 2⁻²⁷; by Remez exchange.
const SINE: [f32; 3] = [0.1666665, -0.008331838, 0.0001947334];

/// Coefficients of (cos r − 1 + r²/2)/r⁴ in r², found likewise; error below 2⁻³².
const COSINE: [f32; 3] = [0.041666638, -0.0013886951, 2.4392224e-5];

impl Angle for f32 {
    const LIMIT: f32 = 1048576.0;
    const LIMIT_SQUARED: f32 = Self::LIMIT * Self::LIMIT;

    #[inline(always)]
    fn near<const K: usize, R: Register<K, Scalar = f32>>(x: R) -> (R, R) {
        let counter = x.mul_add(R::splat(core::f32::consts::FRAC_2_PI), R::splat(COUNTER));
        let (r, excess) = reduce(x, counter - R::splat(COUNTER));
        let (s, c) = polynomials(r, excess);
        let sine = R::by_parity(counter, s, c).turned(counter);
        let cosine = R::by_parity(counter, c, s).turned(counter + R::splat(1.0));
        (sine, cosine)
    }

    fn is_near(self) -> bool {
        self.abs() < Self::LIMIT
    }

    fn library(self) -> (f32, f32) {
        libm::sincosf(self)
    }
}

/// x − kπ/2 as a difference r − excess, where the excess is below the last place of r. That of ±0 is
/// +0, so that the sine of −0 is −0.
///
/// The first difference is exact. The product with the second part is kept in two numbers, and so is
/// its difference (D. E. Knuth, *The Art of Computer Programming*, volume 2, section 4.2.2).
#[inline(always)]
fn reduce<const K: usize, R: Register<K, Scalar = f32>>(x: R, k: R) -> (R, R) {
    let [high, middle, low] = QUARTER_TURN;
    let first = (-k).mul_add(R::splat(high), x);
    let product = k * R::splat(middle);
    let product_error = k.mul_add(R::splat(middle), -product);
    let r = first - product;
    let part = r - first;
    let error = (first - (r - part)) - (product + part);
    (r, k.mul_add(R::splat(low), product_error - error))
}

/// Sine and cosine of r − excess for |r| < 0.83.
#[inline(always)]
fn polynomials<const K: usize, R: Register<K, Scalar = f32>>(r: R, excess: R) -> (R, R) {
    let z = r * r;
    let (one, minus_half) = (R::splat(1.0), R::splat(-0.5));
    let about_cosine = z.mul_add(minus_half, one);
    let rounding = z.mul_add(minus_half, one - about_cosine);
    let cubic = (r * z).mul_add(polynomial(z, SINE), excess * about_cosine);
    let quartic = (z * z).mul_add(polynomial(z, COSINE), r * excess);
    (r - cubic, about_cosine + (rounding + quartic))
}

#[inline(always)]
fn polynomial<const K: usize, R: Register<K, Scalar = f32>>(z: R, c: [f32; 3]) -> R {
    z.mul_add(z.mul_add(R::splat(c[2]), R::splat(c[1])), R::splat(c[0]))
}
