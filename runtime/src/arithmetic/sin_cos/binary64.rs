//! Sine and cosine of `f64`, to 0.82 units in the last place below 2²⁰.

use super::super::register::Register;
use super::Angle;

/// 1.5 · 2⁵²: adding it rounds to an integer, which stands in the lowest bits.
const COUNTER: f64 = 6755399441055744.0;

/// Coefficients of (r − sin r)/r³ in r², FreeBSD's `msun/src/k_sin.c`; error below 2⁻⁵⁸.
const SINE: [f64; 6] = [
    0.16666666666666632,
    -0.00833333333332249,
    0.0001984126982985795,
    -2.7557313707070068e-6,
    2.5050760253406863e-8,
    -1.58969099521155e-10,
];

/// Coefficients of (cos r − 1 + r²/2)/r⁴ in r², FreeBSD's `msun/src/k_cos.c`; error below 2⁻⁵⁸.
const COSINE: [f64; 6] = [
    0.0416666666666666,
    -0.001388888888887411,
    2.480158728947673e-5,
    -2.7557314351390663e-7,
    2.087572321298175e-9,
    -1.1359647557788195e-11,
];

impl Angle for f64 {
    const LIMIT: f64 = 1048576.0;
    const LIMIT_SQUARED: f64 = Self::LIMIT * Self::LIMIT;

    #[inline(always)]
    fn near<const K: usize, R: Register<K, Scalar = f64>>(x: R) -> (R, R) {
        let counter = x.mul_add(R::splat(core::f64::consts::FRAC_2_PI), R::splat(COUNTER));
        let (r, excess) = reduce(x, counter - R::splat(COUNTER));
        let (s, c) = polynomials(r, excess);
        let sine = R::by_parity(counter, s, c).turned(counter);
        let cosine = R::by_parity(counter, c, s).turned(counter + R::splat(1.0));
        (sine, cosine)
    }

    fn is_near(self) -> bool {
        self.abs() < Self::LIMIT
    }

    fn library(self) -> (f64, f64) {
        libm::sincos(self)
    }
}

/// x − kπ/2 as a difference r − excess, where the excess is below the last place of r. That of ±0 is
/// +0, so that the sine of −0 is −0.
///
/// π/2 is in parts of 53, 33 and 53 bits. The first difference is exact; so is the second product
/// with an integer of 20 bits, whose difference leaves a rounding error that one more operation
/// recovers.
#[inline(always)]
fn reduce<const K: usize, R: Register<K, Scalar = f64>>(x: R, k: R) -> (R, R) {
    const PARTS: [f64; 3] =
        [core::f64::consts::FRAC_PI_2, 6.12323399538461e-17, 3.5215598651832e-27];
    let first = (-k).mul_add(R::splat(PARTS[0]), x);
    let r = (-k).mul_add(R::splat(PARTS[1]), first);
    let excess = k.mul_add(R::splat(PARTS[1]), r - first);
    (r, k.mul_add(R::splat(PARTS[2]), excess))
}

/// Sine and cosine of r − excess for |r| ≤ π/4.
#[inline(always)]
fn polynomials<const K: usize, R: Register<K, Scalar = f64>>(r: R, excess: R) -> (R, R) {
    let z = r * r;
    let (one, minus_half) = (R::splat(1.0), R::splat(-0.5));
    let about_cosine = z.mul_add(minus_half, one);
    let rounding = z.mul_add(minus_half, one - about_cosine);
    let cubic = (r * z).mul_add(polynomial(z, SINE), excess * about_cosine);
    let quartic = (z * z).mul_add(polynomial(z, COSINE), r * excess);
    (r - cubic, about_cosine + (rounding + quartic))
}

/// Six terms in pairs, which shortens the chain of operations that wait for each other.
#[inline(always)]
fn polynomial<const K: usize, R: Register<K, Scalar = f64>>(z: R, c: [f64; 6]) -> R {
    let z2 = z * z;
    let low = z.mul_add(R::splat(c[1]), R::splat(c[0]));
    let middle = z.mul_add(R::splat(c[3]), R::splat(c[2]));
    let high = z.mul_add(R::splat(c[5]), R::splat(c[4]));
    z2.mul_add(z2.mul_add(high, middle), low)
}
