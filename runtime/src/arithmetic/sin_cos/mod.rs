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

use super::register::Register;

/// A binary format in which sines and cosines can be computed.
pub(super) trait Angle: Copy {
    /// The parts of π/2 are exact for angles below.
    const LIMIT: Self;

    /// Sine and cosine of lanes below the limit; anything for the others.
    fn near<const K: usize, R: Register<K, Scalar = Self>>(x: R) -> (R, R);

    /// Whether |x| is below the limit; false for NaN.
    fn is_near(self) -> bool;

    /// Sine and cosine of any angle, the same bits on every machine.
    fn library(self) -> (Self, Self);
}

/// The sines and the cosines of all angles (radians).
///
/// A plain loop on purpose: a mapping closure would be compiled without the caller's target
/// features.
#[inline(always)]
pub(super) fn sin_cos<const N: usize, const K: usize, R>(angles: [R; N]) -> ([R; N], [R; N])
where
    R: Register<K, Scalar: Angle>,
{
    let (mut sines, mut cosines) = (angles, angles);
    let mut near = true;
    for k in 0..N {
        (sines[k], cosines[k]) = R::Scalar::near(angles[k]);
        near &= angles[k].all_below(R::Scalar::LIMIT);
    }
    if near { (sines, cosines) } else { far(&angles, sines, cosines) }
}

/// Puts the library's values into the lanes that are not near.
#[cold]
#[inline(never)]
fn far<const N: usize, const K: usize, R>(
    angles: &[R; N],
    mut sines: [R; N],
    mut cosines: [R; N],
) -> ([R; N], [R; N])
where
    R: Register<K, Scalar: Angle>,
{
    for ((angle, sine), cosine) in angles.iter().zip(&mut sines).zip(&mut cosines) {
        let (mut s, mut c) = (sine.unpack(), cosine.unpack());
        for ((x, s), c) in angle.unpack().into_iter().zip(&mut s).zip(&mut c) {
            if !x.is_near() {
                (*s, *c) = x.library();
            }
        }
        (*sine, *cosine) = (R::pack(s), R::pack(c));
    }
    (sines, cosines)
}
