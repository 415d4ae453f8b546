//! Which solver a formulation's problem is given to.

use super::polygon::Polygon;
use super::problem::Problem;
use super::{Error, Formulation};

/// Room for the solvers of all formulations.
#[derive(Clone, Debug, Default)]
pub(super) struct Solvers {
    polygon: Polygon,
}

impl Solvers {
    /// Forgets what was solved last, so that a step depends on its state alone.
    pub(super) fn forget(&mut self) {
        self.polygon.forget();
    }

    /// Finds Λ, (n), from the one that is there. Returns the number of pivots or iterations.
    pub(super) fn solve(
        &mut self,
        formulation: &Formulation,
        problem: &Problem,
        impulses: &mut [f64],
    ) -> Result<usize, Error> {
        match formulation {
            _ => self.polygon.solve(problem, impulses),
        }
    }
}
