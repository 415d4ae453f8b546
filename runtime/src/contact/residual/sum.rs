//! Sums with the size of what they are made of.

use crate::slices::worse;

/// A sum and the largest magnitude of its terms.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sum {
    pub(super) value: f64,
    pub(super) scale: f64,
}

impl Sum {
    pub(super) fn add(&mut self, term: f64) {
        self.value += term;
        self.scale = worse(self.scale, term.abs());
    }

    pub(super) fn of(terms: impl Iterator<Item = f64>) -> Self {
        let mut sum = Self::default();
        terms.for_each(|term| sum.add(term));
        sum
    }

    /// The sum, divided by the scale if that is above one.
    pub(super) fn relative(self) -> f64 {
        self.value / self.scale.max(1.0)
    }
}
