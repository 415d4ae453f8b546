//! Short vectors four numbers at a time, in registers, within a [computation](crate::kernel::Computation).
//!
//! Where loops over single numbers are unrolled, the compiler pairs what it finds, and shuffles more than it computes.
//! The last four numbers overlap those before, if the length is no multiple of four: nothing is left over.

use crate::arithmetic::{Lanes, Ordered};
use crate::kernel::Real;
use crate::slices::{all_finite, larger};

const WIDTH: usize = 4;

/// Where the fours begin that cover so many numbers.
#[inline(always)]
pub(crate) fn starts(length: usize) -> impl Iterator<Item = usize> {
    (0..length.div_ceil(WIDTH)).map(move |k| (WIDTH * k).min(length.saturating_sub(WIDTH)))
}

/// Four numbers from a place on; where there are fewer, the last one again.
#[inline(always)]
pub(crate) fn load<A: Real>(x: &[f64], start: usize) -> A::Quad {
    match x[start..].first_chunk() {
        Some(four) => A::Quad::pack(*four),
        None => A::Quad::pack(core::array::from_fn(|k| x[(start + k).min(x.len() - 1)])),
    }
}

/// Numbers of four along normal and tangents.
#[inline(always)]
pub(crate) fn load_rows<A: Real>([x, y, z]: &[[f64; WIDTH]; 3]) -> [A::Quad; 3] {
    [A::Quad::pack(*x), A::Quad::pack(*y), A::Quad::pack(*z)]
}

/// Writes four numbers from a place on, or as many as there are.
#[inline(always)]
pub(crate) fn store<A: Real>(x: &mut [f64], start: usize, quad: A::Quad) {
    match x[start..].first_chunk_mut() {
        Some(four) => *four = quad.unpack(),
        None => x[start..].iter_mut().zip(quad.unpack()).for_each(|(x, of)| *x = of),
    }
}

/// Adds four numbers to those from a place on, or as many as there are.
#[inline(always)]
pub(crate) fn add<A: Real>(x: &mut [f64], start: usize, quad: A::Quad) {
    let sum = load::<A>(x, start) + quad;
    store::<A>(x, start, sum);
}

/// A bound of all |x|: a sum of them, with some twice. NaN if one is.
#[inline(always)]
pub(crate) fn bound<A: Real>(x: &[f64]) -> f64 {
    let mut sum = A::Quad::splat(0.0);
    let (fours, rest) = x.as_chunks();
    for four in fours {
        sum = sum + A::Quad::pack(*four).abs();
    }
    if !rest.is_empty() {
        sum = sum + load::<A>(x, x.len().saturating_sub(WIDTH)).abs();
    }
    sum.sum()
}

/// Whether all numbers are positive and finite.
#[inline(always)]
pub(crate) fn are_positive<A: Real>(x: &[f64]) -> bool {
    let (least, mut sum) = (A::Quad::splat(f64::from_bits(1)), A::Quad::splat(0.0));
    for start in starts(x.len()) {
        let four = load::<A>(x, start);
        if !least.are_at_most(four) {
            return false;
        }
        sum = sum + four;
    }
    // The sum of finite numbers can be infinite.
    sum.sum() < f64::INFINITY || all_finite(x)
}

/// The largest of four numbers, none of which is NaN.
#[inline(always)]
pub(crate) fn largest<A: Real>(quad: A::Quad) -> f64 {
    let [a, b, c, d] = quad.unpack();
    larger(larger(a, b), larger(c, d))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{Computation, compute};

    /// The vector copied, its bound and its largest number.
    struct All<'a>(&'a [f64]);

    impl Computation for All<'_> {
        type Output = ([f64; 9], f64, f64);

        #[inline(always)]
        fn run<A: Real>(self) -> Self::Output {
            let (mut copy, mut most) = ([0.0; 9], A::Quad::splat(0.0));
            for start in starts(self.0.len()) {
                let four = load::<A>(self.0, start);
                store::<A>(&mut copy[..self.0.len()], start, four);
                most = four.maximum(most);
            }
            (copy, bound::<A>(self.0), largest::<A>(most))
        }
    }

    #[test]
    fn fours_cover_vectors_of_all_lengths() {
        let all = [1.0, -2.0, 3.0, 4.0, -5.0, 6.0, 7.0, -8.0, 9.0];
        for length in 0..=9 {
            let x = &all[..length];
            let (copy, bound, most) = compute(All(x));
            assert_eq!(copy[..length], *x);
            let (sum, largest) =
                (x.iter().map(|x| x.abs()).sum(), x.iter().copied().fold(0.0, f64::max));
            assert!(bound >= sum && bound <= 4.0 * sum, "{length}: {bound}");
            assert_eq!(most, largest, "{length}");
        }
    }

    struct Positive<'a>(&'a [f64]);

    impl Computation for Positive<'_> {
        type Output = bool;

        #[inline(always)]
        fn run<A: Real>(self) -> bool {
            are_positive::<A>(self.0)
        }
    }

    #[test]
    fn what_is_positive_is_told_from_all_else() {
        let bad = [0.0, -0.0, -1e-300, f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
        for length in 0..=9 {
            for most in [5e-324, 1.0, f64::MAX] {
                assert!(compute(Positive(&[most; 9][..length])), "{length}, {most}");
            }
            for (k, bad) in (0..length).flat_map(|k| bad.map(|bad| (k, bad))) {
                let mut x = [1e300; 9];
                x[k] = bad;
                assert!(!compute(Positive(&x[..length])), "{length}, {k}: {bad}");
            }
        }
    }

    #[test]
    fn what_is_not_finite_has_no_finite_bound() {
        for length in 1..=9 {
            for (k, bad) in (0..length).flat_map(|k| [(k, f64::NAN), (k, f64::NEG_INFINITY)]) {
                let mut x = [1.0; 9];
                x[k] = bad;
                let (_, bound, _) = compute(All(&x[..length]));
                assert!(!bound.is_finite(), "{length}, {k}: {bound}");
            }
        }
    }
}
