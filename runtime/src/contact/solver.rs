//! What finds the impulses of a step, and what is asked of it.

use crate::{cone, lcp};

/// The largest residual of a step, unless stated.
pub(crate) const TOLERANCE: f64 = 1e-9;

/// A residual in m/s that is none, where a solver finds nothing better, and in the phases of a step.
pub(super) const NEGLIGIBLE: f64 = 1e-11;

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

/// What solving a step took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Pivots or iterations of the solvers.
    pub pivots: usize,
    /// Problems solved.
    pub problems: usize,
    /// What solved them.
    pub solver: Solver,
}

impl Outcome {
    /// Takes one more problem into account.
    pub(super) fn add(&mut self, Solved { pivots, solver }: Solved) {
        let Self { pivots: before, problems, .. } = *self;
        *self = Self { pivots: before + pivots, problems: problems + 1, solver };
    }

    /// The same, with what a failed search took before.
    pub(super) fn after(self, Self { pivots, problems, .. }: &Self) -> Self {
        Self { pivots: self.pivots + pivots, problems: self.problems + problems, ..self }
    }
}
