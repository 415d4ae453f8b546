//! What found a solution, and the way to it.

/// What found the solution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stage {
    /// Nothing had to be done: the start, or no impulse, is the solution.
    #[default]
    Start,
    /// Newton's method from the start; for [stars](super::Matrix::Star) without one from no impulse.
    Newton,
    /// Newton's method after a sweep of Gauss–Seidel.
    Sweep,
    /// Newton's method after several attempts, or Gauss–Seidel itself.
    Sweeps,
    /// The interior-point method, for the convex law.
    Interior,
    /// The fixed point over the convex problem.
    FixedPoint,
    /// Newton's method from friction by polygons.
    Polygon,
    /// Newton's method from random impulses.
    Restart,
}

/// The way to a solution.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Outcome {
    /// None if none was found.
    pub(super) stage: Option<Stage>,
    pub(super) iterations: usize,
    pub(super) sweeps: usize,
}
