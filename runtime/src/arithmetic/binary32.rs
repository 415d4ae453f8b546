//! `f32` on any processor.

use super::{Arithmetic, Array, Binary64};

/// `f32`, with the multiply-add rounded once (`FUSED`) or twice.
#[derive(Clone, Copy, Debug)]
pub enum Binary32<const FUSED: bool> {}

impl<const FUSED: bool> Arithmetic for Binary32<FUSED> {
    type Scalar = f32;
    type Pair = Array<Self, 2>;
    type Quad = Array<Self, 4>;

    #[inline(always)]
    fn literal(x: f64) -> f32 {
        x as f32
    }

    #[inline(always)]
    fn mul_add(a: f32, b: f32, c: f32) -> f32 {
        if FUSED { mul_add(a, b, c) } else { a * b + c }
    }

    #[inline(always)]
    fn sqrt(x: f32) -> f32 {
        sqrt(x)
    }

    /// In `f64`, which loses nothing.
    #[inline(always)]
    fn sin_cos<const N: usize>(angles: [f32; N]) -> ([f32; N], [f32; N]) {
        let mut wide = [0.0; N];
        for k in 0..N {
            wide[k] = f64::from(angles[k]);
        }
        let (s, c) = Binary64::<FUSED>::sin_cos(wide);
        let (mut sines, mut cosines) = (angles, angles);
        for k in 0..N {
            (sines[k], cosines[k]) = (s[k] as f32, c[k] as f32);
        }
        (sines, cosines)
    }
}

#[cfg(feature = "std")]
#[inline(always)]
fn sqrt(x: f32) -> f32 {
    x.sqrt()
}

#[cfg(not(feature = "std"))]
#[inline(always)]
fn sqrt(x: f32) -> f32 {
    libm::sqrtf(x)
}

#[cfg(feature = "std")]
#[inline(always)]
fn mul_add(a: f32, b: f32, c: f32) -> f32 {
    a.mul_add(b, c)
}

#[cfg(not(feature = "std"))]
#[inline(always)]
fn mul_add(a: f32, b: f32, c: f32) -> f32 {
    libm::fmaf(a, b, c)
}
