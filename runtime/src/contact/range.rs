//! What a parameter of a formulation may be.

/// What a parameter must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// Finite.
    Finite,
    /// Finite and greater than zero.
    Positive,
    /// Finite and at least zero.
    NotNegative,
    /// At least zero, and infinity too.
    AtLeastZero,
    /// At least zero and at most one.
    Share,
}

impl Range {
    #[inline(always)]
    pub(crate) fn contains(self, value: f64) -> bool {
        match self {
            Self::Finite => value.is_finite(),
            Self::Positive => value > 0.0 && value.is_finite(),
            Self::NotNegative => value >= 0.0 && value.is_finite(),
            Self::AtLeastZero => value >= 0.0,
            Self::Share => (0.0..=1.0).contains(&value),
        }
    }
}

impl core::fmt::Display for Range {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Finite => "a finite number",
            Self::Positive => "a finite number greater than 0",
            Self::NotNegative => "a finite number of at least 0",
            Self::AtLeastZero => "a number of at least 0",
            Self::Share => "a number of at least 0 and at most 1",
        })
    }
}
