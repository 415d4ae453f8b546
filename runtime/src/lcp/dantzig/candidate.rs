//! What ends a step, and where pivoting ends.

/// A pair whose natural residual is below is complementary.
pub(super) const COMPLEMENTARY: f64 = 1e-11;

/// What ends a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Event {
    /// w of the pair becomes zero.
    Zero(usize),
    /// λ of the pair comes to a bound.
    Bound(usize, f64),
}

impl Event {
    pub(super) fn pair(self) -> usize {
        match self {
            Event::Zero(i) | Event::Bound(i, _) => i,
        }
    }
}

/// A pair that would lose its complementarity: how far it is from that, and how fast it comes there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) gap: f64,
    pub(super) rate: f64,
    pub(super) event: Event,
}

impl Candidate {
    pub(super) fn new(gap: f64, rate: f64, event: Event) -> Self {
        Self { gap: gap.max(0.0), rate: rate.abs(), event }
    }
}

/// Where pivoting ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Solution,
    Infeasible,
    Unsolved,
}
