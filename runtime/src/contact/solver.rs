//! What finds the impulses of a step.

use crate::{cone, lcp};

/// What found the impulses of a step: of its last problem, if there were several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Solver {
    /// None had to: nothing acts.
    #[default]
    None,
    /// Newton's method with contacts four at once, in the lanes of registers.
    SideBySide,
    /// Newton's method for velocities, by the pattern of the mass matrix.
    Newton,
    /// The solver of friction cones, by this stage of its cascade.
    Cone(cone::Stage),
    /// A solver of complementarity problems.
    Complementarity(lcp::Method),
    /// None to its own tolerance: the best point that was found satisfies the step's.
    BestPoint,
}

/// How impulses were found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Solved {
    /// Pivots or iterations.
    pub(crate) pivots: usize,
    pub(crate) solver: Solver,
}

impl From<lcp::Accepted> for Solved {
    fn from(lcp::Accepted { pivots, method }: lcp::Accepted) -> Self {
        Self { pivots, solver: method.map_or(Solver::BestPoint, Solver::Complementarity) }
    }
}
