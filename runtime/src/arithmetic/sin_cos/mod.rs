//! Sine and cosine of all lanes at once, with fused multiply-add.
//!
//! With k the integer nearest to 2x/π, x = kπ/2 + r and |r| ≤ π/4, sin x and cos x are ± sin r and
//! ± cos r as k mod 4 says. The residue r is found by subtracting k times π/2 in parts
//! (W. J. Cody, W. Waite, *Software Manual for the Elementary Functions*, 1980, chapter 8), and
//! handed on as an unevaluated difference of two numbers; sin r and cos r are polynomials. There are
//! no branches but one: lanes that are too large for the parts take the library's function.

#[cfg(target_arch = "x86_64")]
mod binary32;
mod binary64;

use core::f64::consts::FRAC_2_PI;

use super::register::Register;

/// A binary format in which sines and cosines can be computed.
pub(super) trait Angle: Copy {
    /// The parts of π/2 are exact for angles below.
    const LIMIT: Self;
    /// Its square.
    const LIMIT_SQUARED: Self;
    /// Adding it rounds to an integer, which stands in the lowest bits.
    const COUNTER: Self;

    /// x − kπ/2 as a difference r − excess, where the excess is below the last place of r. That of
    /// ±0 is +0, so that the sine of −0 is −0.
    fn reduce<const K: usize, R: Register<K, Scalar = Self>>(x: R, k: R) -> (R, R);

    /// (r − sin r)/r³ for z = r².
    fn cubic<const K: usize, R: Register<K, Scalar = Self>>(z: R) -> R;

    /// (cos r − 1 + r²/2)/r⁴ for z = r².
    fn quartic<const K: usize, R: Register<K, Scalar = Self>>(z: R) -> R;

    /// Whether |x| is below the limit; false for NaN.
    fn is_near(self) -> bool;

    /// Sine and cosine of any angle, the same bits on every machine.
    fn library(self) -> (Self, Self);
}

/// The sines and the cosines of all angles (radians).
///
/// Plain loops on purpose: a mapping closure would be compiled without the caller's target features.
/// Sines take the place of their angles, and cosines begin as anything but a copy or zeros, for which
/// functions of a library would be called.
#[inline(always)]
pub(super) fn sin_cos<const N: usize, const K: usize, R>(mut angles: [R; N]) -> ([R; N], [R; N])
where
    R: Register<K, Scalar: Angle>,
{
    let Some(&any) = angles.first() else { return (angles, angles) };
    let mut cosines = [any; N];
    if are_near(&angles) {
        for k in 0..N {
            (angles[k], cosines[k]) = near(angles[k]);
        }
    } else {
        far(&mut angles, &mut cosines);
    }
    (angles, cosines)
}

/// Whether the squares of the angles add up to less than that of the limit in each lane: one
/// operation for each angle, and then all are below the limit.
#[inline(always)]
fn are_near<const N: usize, const K: usize, R>(angles: &[R; N]) -> bool
where
    R: Register<K, Scalar: Angle>,
{
    let Some((&first, others)) = angles.split_first() else { return true };
    let mut squares = first * first;
    for &angle in others {
        squares = angle.mul_add(angle, squares);
    }
    squares.all_below(R::Scalar::LIMIT_SQUARED)
}

/// Sines and cosines where some lanes may not be near, for which the library is asked; the angles
/// become sines.
#[cold]
#[inline(never)]
fn far<const N: usize, const K: usize, R>(angles: &mut [R; N], cosines: &mut [R; N])
where
    R: Register<K, Scalar: Angle>,
{
    for (angle, cosine) in angles.iter_mut().zip(cosines) {
        let (sine, other) = near(*angle);
        let (mut s, mut c) = (sine.unpack(), other.unpack());
        for ((x, s), c) in angle.unpack().into_iter().zip(&mut s).zip(&mut c) {
            if !x.is_near() {
                (*s, *c) = x.library();
            }
        }
        (*angle, *cosine) = (R::pack(s), R::pack(c));
    }
}

/// Sine and cosine of lanes below the limit; anything for the others.
#[inline(always)]
fn near<const K: usize, R: Register<K, Scalar: Angle>>(x: R) -> (R, R) {
    let counter = R::splat(R::Scalar::COUNTER);
    let quarter_turns = x.mul_add(R::literal([FRAC_2_PI; K]), counter);
    let (r, excess) = R::Scalar::reduce(x, quarter_turns - counter);
    let (s, c) = of_residue(r, excess);
    let sine = R::by_parity(quarter_turns, s, c).turned(quarter_turns);
    let one_more = quarter_turns + R::literal([1.0; K]);
    let cosine = R::by_parity(quarter_turns, c, s).turned(one_more);
    (sine, cosine)
}

/// Sine and cosine of r − excess for |r| hardly above π/4.
#[inline(always)]
fn of_residue<const K: usize, R: Register<K, Scalar: Angle>>(r: R, excess: R) -> (R, R) {
    let z = r * r;
    let (one, minus_half) = (R::literal([1.0; K]), R::literal([-0.5; K]));
    let about_cosine = z.mul_add(minus_half, one);
    let rounding = z.mul_add(minus_half, one - about_cosine);
    let cubic = (r * z).mul_add(R::Scalar::cubic(z), excess * about_cosine);
    let quartic = (z * z).mul_add(R::Scalar::quartic(z), r * excess);
    (r - cubic, about_cosine + (rounding + quartic))
}
