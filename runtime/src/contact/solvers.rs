//! Which solver a formulation's problem is given to.

#[cfg(test)]
mod tests;

use alloc::vec::Vec;

use super::cone_solver::ConeSolver;
use super::friction::FrictionLaw;
use super::problem::Problem;
use super::pyramid::Pyramid;
use super::raised::Raised;
use super::rest::Rest;
use super::solver::{NEGLIGIBLE, Solved, Solver};
use super::{Error, Formulation, direction, sticking, undetermined};
use crate::cone::columns::ZONES;
use crate::cone::polygon::{Polygon, Rows};
use crate::cone::{Block, Law};
use crate::lcp::{self, Method};
use crate::slices::{self, worse};

/// By what part of its mobility a row gives way where impulses are looked for that b asks for, or by proximal points.
const SOFT: f64 = 1e-9;

/// What solves a problem that Lemke's method does not.
const HELD: Solved = Solved { pivots: 0, solver: Solver::Complementarity(Method::Dantzig) };

/// Variables of a problem with polygons.
const MOST_VARIABLES: usize = 10_000;

/// Room for the solvers of all formulations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Solvers {
    polygon: Polygon,
    pyramid: Pyramid,
    rest: Rest,
    cone: ConeSolver,
    raised: Raised,
    sticking: sticking::Room,
    soft: Problem,
    smaller: Vec<f64>,
}

impl Solvers {
    /// Forgets what was solved last, so that nothing but the problem and the start matters.
    pub(crate) fn forget(&mut self) {
        self.polygon.forget();
        self.cone.forget();
        self.pyramid.forget();
    }

    /// Whether all that touches slides at the beginning of what is solved next.
    #[inline]
    pub(super) fn begin(&mut self, all_slide: bool) {
        self.cone.all_slide = all_slide;
    }

    /// Whether all that touches slides at the beginning of what is being solved.
    pub(super) fn all_slide(&self) -> bool {
        self.cone.all_slide
    }

    /// Finds Λ, (n), from the one that is there.
    #[inline]
    pub(crate) fn solve(
        &mut self,
        formulation: &Formulation,
        problem: &Problem,
        impulses: &mut [f64],
    ) -> Result<Solved, Error> {
        if !problem.floors.is_empty() {
            return self.solve_raised(formulation, problem, impulses);
        }
        let friction = formulation.friction();
        if let Some(law) = friction.on_cone() {
            return self.cone.solve(problem, &problem.blocks, law, impulses);
        }
        if friction == FrictionLaw::Infinite {
            return sticking::solve(&mut self.cone, problem, &mut self.sticking, impulses);
        }
        // Without friction of contacts the convex law is Gauss' principle, with balls as they are.
        if friction == FrictionLaw::Frictionless && has_balls(problem) {
            return self.cone.solve(problem, &problem.blocks, Law::Convex, impulses);
        }
        check_size(problem)?;
        let mut solved = match self.solve_flat(formulation, problem, impulses) {
            Err(Error::Complementarity(
                error @ (lcp::Error::Ray { .. } | lcp::Error::Unsolved { .. }),
            )) => self.approach(formulation, problem, impulses).ok_or(error)?,
            found => found?,
        };
        if !problem.is_moderate(impulses) {
            solved = self.soften(formulation, problem, (solved, impulses));
        }
        undetermined::reduce(problem, impulses);
        Ok(solved)
    }

    /// With friction by polygons or pyramids.
    fn solve_flat(
        &mut self,
        formulation: &Formulation,
        problem: &Problem,
        impulses: &mut [f64],
    ) -> Result<Solved, Error> {
        match formulation.friction() {
            FrictionLaw::Dissipating(_) => self.solve_polygon(problem, impulses),
            // Contacts without friction have no tangents; those with infinite friction do not come here.
            FrictionLaw::Convex(_) | FrictionLaw::Frictionless | FrictionLaw::Infinite => {
                self.pyramid.solve(problem, impulses)
            }
        }
    }

    /// Looks for impulses where none were found, by proximal points as long as they converge: problems in which each row gives way
    /// about the last impulses c,
    ///
    /// > w = (A + ε S) Λ + b − ε S c
    ///
    /// with the diagonal S of A. None of them is as nearly singular as A may be, and where Λ stays c it solves the problem itself.
    #[cold]
    fn approach(
        &mut self,
        formulation: &Formulation,
        problem: &Problem,
        impulses: &mut [f64],
    ) -> Option<Solved> {
        let mut drawn = core::mem::take(&mut self.soft);
        let mut next = core::mem::take(&mut self.smaller);
        let (mut found, mut before, mut pivots) = (None, f64::INFINITY, 0);
        impulses.fill(0.0);
        loop {
            drawn.draw(problem, SOFT, impulses);
            slices::copy(&mut next, impulses);
            let Ok(solved) = self.solve_flat(formulation, &drawn, &mut next) else { break };
            pivots += solved.pivots;
            let apart = next.iter().zip(&*impulses).map(|(x, c)| x - c);
            let moved = most_moved(problem, apart);
            impulses.copy_from_slice(&next);
            if moved <= NEGLIGIBLE {
                found = Some(Solved { pivots, ..solved });
                break;
            }
            if moved > 0.5 * before || moved.is_nan() {
                break;
            }
            before = moved;
        }
        (self.soft, self.smaller) = (drawn, next);
        found
    }

    /// Looks for smaller impulses than those that were found. What is jammed to rounding of b alone is held by impulses that
    /// rounding of A decides on. Where all rows give way by so little that it is no motion, they are those that b asks for,
    /// and their work λᵀ w is a loss.
    #[cold]
    fn soften(
        &mut self,
        formulation: &Formulation,
        problem: &Problem,
        (solved, impulses): (Solved, &mut [f64]),
    ) -> Solved {
        let mut soft = core::mem::take(&mut self.soft);
        soft.soften(problem, SOFT);
        let mut smaller = core::mem::take(&mut self.smaller);
        slices::copy(&mut smaller, impulses);
        let found = self.solve_flat(formulation, &soft, &mut smaller);
        let is_still = found.is_ok() && most_moved(problem, smaller.iter().copied()) <= NEGLIGIBLE;
        self.soft = soft;
        let is_smaller = is_still && problem.is_moderate(&smaller);
        if is_smaller {
            impulses.copy_from_slice(&smaller);
        }
        self.smaller = smaller;
        if is_smaller { found.unwrap_or(solved) } else { solved }
    }

    #[cold]
    fn solve_raised(
        &mut self,
        formulation: &Formulation,
        problem: &Problem,
        impulses: &mut [f64],
    ) -> Result<Solved, Error> {
        let mut raised = core::mem::take(&mut self.raised);
        raised.write(problem);
        let solved = self.solve(formulation, &raised.problem, &mut raised.impulses);
        raised.read(problem, impulses);
        self.raised = raised;
        solved
    }

    /// By Lemke's method, but what friction can hold at rest is at rest.
    fn solve_polygon(&mut self, problem: &Problem, impulses: &mut [f64]) -> Result<Solved, Error> {
        let Self { polygon, rest, .. } = self;
        let found = search(polygon, problem, impulses);
        if found.is_ok() && rest.is_still(problem, impulses) {
            return found;
        }
        match rest.hold(problem, impulses) {
            true => Ok(found.unwrap_or(HELD)),
            false => found,
        }
    }
}

/// The largest velocity by which rows give way under these impulses.
fn most_moved(problem: &Problem, impulses: impl Iterator<Item = f64>) -> f64 {
    problem.own().zip(impulses).fold(0.0, |most, (own, x)| worse(most, (SOFT * own * x).abs()))
}

/// By Lemke's method.
fn search(polygon: &mut Polygon, problem: &Problem, impulses: &mut [f64]) -> Result<Solved, Error> {
    let Problem { a, b, blocks, directions, .. } = problem;
    let of = |block: usize| (0..directions[block]).map(move |k| direction(k, directions[block]));
    Ok(polygon.solve(&Rows { a, b, blocks }, of, NEGLIGIBLE, impulses)?.into())
}

/// Problems with polygons are solved with several dense matrices, of directions too: each of 10⁴ has 0.8 GB.
///
/// # Errors
///
/// [`Error::TooLarge`].
#[inline]
fn check_size(problem: &Problem) -> Result<(), Error> {
    let of_block = |(_, block, directions): (_, &Block, usize)| match block {
        Block::Contact { .. } => directions,
        Block::Rolling { .. } => 2 * directions * directions,
        Block::Planar { .. } => 2,
        Block::Row { .. } => 0,
        Block::Ball { .. } => ZONES.len(),
    };
    let variables = problem.rows() + problem.each().map(of_block).sum::<usize>();
    if variables > MOST_VARIABLES {
        return Err(Error::TooLarge { variables, most: MOST_VARIABLES });
    }
    Ok(())
}

fn has_balls(problem: &Problem) -> bool {
    problem.blocks.iter().any(|block| matches!(block, Block::Ball { .. }))
}
