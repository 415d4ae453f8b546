//! Sine and cosine of `f64`, to 0.82 units in the last place below 2²⁰.

use super::super::register::Register;
use super::Angle;

/// π/2 in parts of 53, 33 and 53 bits.
const QUARTER_TURN: [f64; 3] =
    [core::f64::consts::FRAC_PI_2, 6.12323399538461e-17, 3.5215598651832e-27];

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
    const LIMIT: Self = 1048576.0;
    const LIMIT_SQUARED: Self = Self::LIMIT * Self::LIMIT;
    /// 1.5 · 2⁵².
    const COUNTER: Self = 6755399441055744.0;

    /// The first difference is exact; so is the second product with an integer of 20 bits, whose
    /// difference leaves a rounding error that one more operation recovers.
    #[inline(always)]
    fn reduce<const K: usize, R: Register<K, Scalar = Self>>(x: R, k: R) -> (R, R) {
        let [high, middle, low] = QUARTER_TURN;
        let first = (-k).mul_add(R::splat(high), x);
        let r = (-k).mul_add(R::splat(middle), first);
        let excess = k.mul_add(R::splat(middle), r - first);
        (r, k.mul_add(R::splat(low), excess))
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
        libm::sincos(self)
    }
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
