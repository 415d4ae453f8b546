//! Lanes of `f64` that can be compared, as solvers need.

use super::{Arithmetic, Array, Lanes};

/// Lanes in order. Nothing is at most NaN, and NaN at most nothing.
pub(crate) trait Ordered<const K: usize>: Lanes<K, Scalar = f64> {
    /// |x| in each lane.
    #[inline(always)]
    fn abs(self) -> Self {
        Self::pack(self.unpack().map(f64::abs))
    }

    /// The larger number in each lane; `other` if one is NaN.
    #[inline(always)]
    fn maximum(self, other: Self) -> Self {
        let (x, mut larger) = (self.unpack(), other.unpack());
        for k in 0..K {
            larger[k] = if x[k] > larger[k] { x[k] } else { larger[k] };
        }
        Self::pack(larger)
    }

    /// `then` in the lanes in which self ≤ `other`, `otherwise` in the others.
    #[inline(always)]
    fn select_at_most(self, other: Self, then: Self, otherwise: Self) -> Self {
        let (x, y, then) = (self.unpack(), other.unpack(), then.unpack());
        let mut selected = otherwise.unpack();
        for k in 0..K {
            selected[k] = if x[k] <= y[k] { then[k] } else { selected[k] };
        }
        Self::pack(selected)
    }

    /// Whether self ≤ `other` in all lanes.
    #[inline(always)]
    fn are_at_most(self, other: Self) -> bool {
        self.unpack().iter().zip(&other.unpack()).fold(true, |are, (x, y)| are & (x <= y))
    }
}

impl<A: Arithmetic<Scalar = f64>> Ordered<1> for Array<A, 1> {}
impl<A: Arithmetic<Scalar = f64>> Ordered<4> for Array<A, 4> {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{Computation, Real, compute};

    const X: [f64; 4] = [1.0, -2.0, f64::NAN, -0.0];
    const Y: [f64; 4] = [1.0, 3.0, 4.0, f64::NAN];

    /// All operations on these numbers, at the level of the process.
    struct All;

    impl Computation for All {
        type Output = ([[f64; 4]; 3], [bool; 2]);

        #[inline(always)]
        fn run<A: Real>(self) -> Self::Output {
            let (x, y) = (A::Quad::pack(X), A::Quad::pack(Y));
            let selected = x.select_at_most(y, A::Quad::splat(5.0), A::Quad::splat(6.0));
            let of = [x.abs().unpack(), x.maximum(y).unpack(), selected.unpack()];
            (of, [x.are_at_most(y), selected.are_at_most(A::Quad::splat(6.0))])
        }
    }

    #[test]
    fn lanes_are_compared_one_by_one() {
        let ([size, larger, selected], are) = compute(All);
        assert_eq!(size[..2], [1.0, 2.0]);
        assert!(size[2].is_nan() && size[3].is_sign_positive());
        assert_eq!(larger[..3], [1.0, 3.0, 4.0]);
        assert!(larger[3].is_nan());
        assert_eq!((selected, are), ([5.0, 5.0, 6.0, 6.0], [false, true]));
    }
}
