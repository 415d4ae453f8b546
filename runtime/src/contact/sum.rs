//! Sums with the size of what they are made of.

use crate::slices::larger;

/// A sum and the largest magnitude of its terms.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sum {
    pub(crate) value: f64,
    pub(crate) scale: f64,
}

/// x, divided by a scale if that is above one: in SI units that is rare, and a comparison is faster than a division.
#[inline(always)]
pub(super) fn relative(x: f64, scale: f64) -> f64 {
    if scale > 1.0 { x / scale } else { x }
}

impl Sum {
    #[inline]
    pub(crate) fn add(&mut self, term: f64) {
        self.value += term;
        // Where a term is NaN, so is the value.
        self.scale = larger(term.abs(), self.scale);
    }

    #[inline]
    pub(crate) fn of(terms: impl Iterator<Item = f64>) -> Self {
        let mut sum = Self::default();
        terms.for_each(|term| sum.add(term));
        sum
    }

    /// With a term that is a sum itself, and was of this size before it was what it is.
    #[inline]
    pub(super) fn from(self, size: f64) -> Self {
        Self { scale: larger(size.abs(), self.scale), ..self }
    }

    /// The sum, divided by the scale if that is above one.
    #[inline]
    pub(super) fn relative(self) -> f64 {
        relative(self.value, self.scale)
    }
}
