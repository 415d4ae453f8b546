//! Lanes whose bits can be worked with, as sine and cosine need.

use super::{Array, Call, Fused, Lanes};

/// Lanes of a binary format with fused multiply-add. A *counter* is a number so large that its last
/// place is one: its two lowest bits are those of the integer that was added to it.
pub(super) trait Register<const K: usize>: Lanes<K> {
    /// Whether |x| is below `limit` in every lane; false if one is NaN.
    fn all_below(self, limit: Self::Scalar) -> bool;

    /// `odd` in the lanes in which the counter is odd, `even` in the others.
    fn by_parity(counter: Self, even: Self, odd: Self) -> Self;

    /// Makes a call to a function that has the features of the register.
    fn enter(call: impl Call);

    /// Negated in the lanes in which the second bit of the counter is set.
    fn turned(self, counter: Self) -> Self;
}

impl Register<1> for Array<Fused, 1> {
    #[inline(always)]
    fn all_below(self, limit: f64) -> bool {
        self.lane::<0>().abs() < limit
    }

    /// By masks, so that a loop over many becomes vector code.
    #[inline(always)]
    fn by_parity(counter: Self, even: Self, odd: Self) -> Self {
        let mask = (counter.bits() & 1).wrapping_neg();
        Self::from_bits((even.bits() & !mask) | (odd.bits() & mask))
    }

    #[inline(never)]
    fn enter(call: impl Call) {
        call.call();
    }

    #[inline(always)]
    fn turned(self, counter: Self) -> Self {
        Self::from_bits(self.bits() ^ ((counter.bits() & 2) << 62))
    }
}

impl Array<Fused, 1> {
    #[inline(always)]
    fn bits(self) -> u64 {
        self.lane::<0>().to_bits()
    }

    #[inline(always)]
    fn from_bits(bits: u64) -> Self {
        Self::pack([f64::from_bits(bits)])
    }
}
