//! Which solver a formulation's problem is given to.

use alloc::vec::Vec;

use super::polygon::Polygon;
use super::problem::Problem;
use super::pyramid::Pyramid;
use super::raised::Raised;
use super::{Cone, Error, Formulation, sticking};
use crate::cone::{self, Law, Settings};

/// Room for the solvers of all formulations.
#[derive(Clone, Debug, Default)]
pub(super) struct Solvers {
    polygon: Polygon,
    pyramid: Pyramid,
    cone: cone::Workspace,
    raised: Raised,
    open: Vec<usize>,
}

impl Solvers {
    /// Forgets what was solved last, so that nothing but the state and the start matters.
    pub(super) fn forget(&mut self) {
        self.polygon.forget();
    }

    /// Finds Λ, (n), from the one that is there. Returns the number of pivots or iterations.
    #[inline]
    pub(super) fn solve(
        &mut self,
        formulation: &Formulation,
        problem: &Problem,
        impulses: &mut [f64],
    ) -> Result<usize, Error> {
        match formulation {
            Formulation::StewartTrinkle | Formulation::AnitescuPotra(_) => {
                self.polygon.solve(problem, impulses)
            }
            Formulation::Coulomb(_) if !problem.floors.is_empty() => {
                self.raised.solve(problem, &mut self.cone, impulses)
            }
            Formulation::Coulomb(_) => self.solve_cone(problem, Law::Coulomb, impulses),
            Formulation::Todorov(law) if law.cone == Cone::Round => {
                self.solve_cone(problem, Law::Convex, impulses)
            }
            Formulation::Sticking(_) => {
                sticking::solve(&mut self.pyramid, problem, &mut self.open, impulses)
            }
            Formulation::Anitescu(_) | Formulation::Todorov(_) | Formulation::Frictionless(_) => {
                self.pyramid.solve(problem, impulses)
            }
        }
    }

    #[inline]
    fn solve_cone(
        &mut self,
        problem: &Problem,
        law: Law,
        impulses: &mut [f64],
    ) -> Result<usize, Error> {
        let Problem { b, blocks, .. } = problem;
        if impulses.iter().any(|&x| x != 0.0) {
            self.cone.start(impulses);
        }
        let problem = cone::Problem { matrix: problem.matrix(), b, blocks, law };
        let solution = cone::solve(&problem, &Settings::default(), &mut self.cone)?;
        impulses.copy_from_slice(solution.z);
        Ok(solution.iterations + solution.sweeps)
    }
}
