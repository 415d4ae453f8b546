//! Seeded random numbers that the tests of several solvers draw their problems from.

/// Numbers of a linear congruential generator, Knuth's MMIX.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    /// Within ±1.
    pub(crate) fn next(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        2.0 * ((self.0 >> 11) as f64 / (1_u64 << 53) as f64) - 1.0
    }

    /// Below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        (((self.next() + 1.0) / 2.0 * end as f64) as usize).min(end - 1)
    }
}
