//! Which solver a formulation's problem is given to.

#[cfg(test)]
mod tests;

use alloc::vec::Vec;

use super::problem::Problem;
use super::pyramid::Pyramid;
use super::raised::Raised;
use super::rest::{Question, Rest};
use super::solver::{NEGLIGIBLE, Solved, Solver};
use super::{Error, Formulation, direction, sticking, undetermined};
use crate::cone::columns::ZONES;
use crate::cone::polygon::{Polygon, Rows};
use crate::cone::{self, Block, Law, Settings, Solution};
use crate::lcp::{self, Method};
use crate::slices::{self, larger, largest, worse};

/// A residual in m/s of a best point that is none to a step as a rule, whose own residual decides. What has tilted by 10⁻⁴
/// cannot stick at all of its corners to better than 10⁻⁸ m/s: friction of one against the other then is at its limit, and
/// found no better than this.
const JUDGED: f64 = 1e-9;

/// By what part of its mobility a row gives way where impulses are looked for that b asks for, or by proximal points.
const SOFT: f64 = 1e-9;

/// Iterations from a best point that may be a solution where less is asked for.
const NEARBY: usize = 100;

/// What is no motion, by the largest residual of a solution.
const NEAR: f64 = 4.0;

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

/// The solver of friction cones, with its room.
#[derive(Clone, Debug, Default)]
pub(super) struct ConeSolver {
    workspace: cone::Workspace,
    question: Question,
    /// Whether all that touches slides at the beginning.
    all_slide: bool,
}

impl Solvers {
    /// Forgets what was solved last, so that nothing but the problem and the start matters.
    pub(crate) fn forget(&mut self) {
        self.polygon.forget();
        self.cone.question.forget();
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
        if let Some(law) = formulation.law() {
            return self.cone.solve(problem, &problem.blocks, law, impulses);
        }
        if let Formulation::Sticking(_) = formulation {
            return sticking::solve(&mut self.cone, problem, &mut self.sticking, impulses);
        }
        // Without friction of contacts the convex law is Gauss' principle, with balls as they are.
        if matches!(formulation, Formulation::Frictionless(_)) && has_balls(problem) {
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
        match formulation {
            Formulation::StewartTrinkle | Formulation::AnitescuPotra(_) => {
                self.solve_polygon(problem, impulses)
            }
            // Contacts without friction have no tangents; of the last two laws none comes here.
            Formulation::Anitescu(_)
            | Formulation::Todorov(_)
            | Formulation::Frictionless(_)
            | Formulation::Coulomb(_)
            | Formulation::Sticking(_) => self.pyramid.solve(problem, impulses),
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

impl ConeSolver {
    /// Finds Λ from the one that is there, with `blocks` instead of the problem's.
    #[inline]
    pub(crate) fn solve(
        &mut self,
        problem: &Problem,
        blocks: &[Block],
        law: Law,
        impulses: &mut [f64],
    ) -> Result<Solved, Error> {
        let (problem, settings) = self.state((problem, blocks, law), impulses);
        let solved = match cone::solve(&problem, &settings, &mut self.workspace) {
            Ok(solution) => write(&solution, impulses),
            Err(cone::Error::Unsolved { z, residual }) if residual <= JUDGED => {
                impulses.copy_from_slice(&z);
                Solved { pivots: 0, solver: Solver::BestPoint }
            }
            Err(error) => {
                return self.rest(&problem, &settings, impulses).ok_or_else(|| error.into());
            }
        };
        Ok(self.hold(&problem, &settings, solved, impulses))
    }

    /// Finds impulses of the convex law with which nothing moves under load: they are ones of Coulomb's, of which nothing was
    /// found.
    #[cold]
    fn rest(
        &mut self,
        problem: &cone::Problem<'_>,
        settings: &Settings,
        impulses: &mut [f64],
    ) -> Option<Solved> {
        if problem.law != Law::Coulomb {
            return None;
        }
        let Self { workspace, question, .. } = self;
        let convex = cone::Problem { law: Law::Convex, ..*problem };
        let most = largest(problem.b);
        let settings = settings.insisted(most);
        let solution = cone::attempt(&convex, &settings, workspace).ok()??;
        let pivots = solution.iterations + solution.sweeps;
        let solver = Solver::Cone(solution.status);
        let (held, w) = workspace.found();
        let near = no_motion(&settings, most);
        if !question.is_still(&problem.matrix, problem.blocks, (held, w), near) {
            return None;
        }
        impulses.copy_from_slice(held);
        Some(Solved { pivots, solver })
    }

    /// What friction can hold at rest is at rest, of what Coulomb's law lets move.
    #[inline]
    fn hold(
        &mut self,
        problem: &cone::Problem<'_>,
        settings: &Settings,
        solved: Solved,
        impulses: &mut [f64],
    ) -> Solved {
        let Self { workspace, question, all_slide } = self;
        let most = largest(problem.b);
        // Beside a motor that asks for 1/h rad/s, what is nothing by b may be a slip.
        let settings = settings.insisted(most);
        let near = no_motion(&settings, most);
        let is_asked = problem.law == Law::Coulomb
            && !*all_slide
            && question.arises(problem.blocks, workspace.velocity(), near);
        if !is_asked {
            return solved;
        }
        let pivots = self.ask(problem, &settings, near, impulses);
        Solved { pivots: solved.pivots + pivots, ..solved }
    }

    /// Asks the convex law; how many iterations it took.
    #[cold]
    fn ask(
        &mut self,
        problem: &cone::Problem<'_>,
        settings: &Settings,
        near: f64,
        impulses: &mut [f64],
    ) -> usize {
        let Self { workspace, question, .. } = self;
        let cone::Problem { matrix, blocks, .. } = *problem;
        let convex = cone::Problem { law: Law::Convex, ..*problem };
        let mut pivots = 0;
        for is_warm in [true, false] {
            if is_warm {
                workspace.start(question.start(impulses));
            }
            let Ok(Some(solution)) = cone::attempt(&convex, settings, workspace) else { break };
            pivots += solution.iterations + solution.sweeps;
            let found = workspace.found();
            if !question.is_answered(&matrix, blocks, found, near) {
                break;
            }
            if !is_warm {
                question.hold(&matrix, blocks, found.0, impulses);
            }
        }
        pivots
    }

    /// As [`solve`](Self::solve), for a caller that tries something else where nothing is found, and judges what is found in
    /// m/s, within so many iterations: what is aimed at is insisted on, unless nothing satisfies that.
    pub(super) fn attempt(
        &mut self,
        problem: &Problem,
        (blocks, negligible, max_iterations): (&[Block], f64, usize),
        law: Law,
        impulses: &mut [f64],
    ) -> Result<Option<Solved>, Error> {
        let (problem, settings) = self.state((problem, blocks, law), impulses);
        let negligible = larger(settings.negligible, negligible);
        let max_iterations = max_iterations.min(settings.max_iterations);
        let settings = Settings { negligible, max_iterations, ..settings };
        let insisted = settings.insisted(largest(problem.b));
        let workspace = &mut self.workspace;
        let mut found =
            cone::attempt(&problem, &insisted, workspace)?.map(|of| write(&of, impulses));
        // The same is not asked for twice.
        if found.is_none() && insisted != settings {
            workspace.start_at_best();
            let settings = Settings { max_iterations: max_iterations.min(NEARBY), ..settings };
            found = cone::attempt(&problem, &settings, workspace)?.map(|of| write(&of, impulses));
        }
        Ok(found.map(|solved| self.hold(&problem, &settings, solved, impulses)))
    }

    /// The problem as the solver has it, what is asked of its solution, and what it starts from.
    #[inline]
    fn state<'a>(
        &mut self,
        (problem, blocks, law): (&'a Problem, &'a [Block], Law),
        impulses: &[f64],
    ) -> (cone::Problem<'a>, Settings) {
        if impulses.iter().any(|&x| x != 0.0) {
            self.workspace.start(impulses);
        }
        let Problem { b, settings, .. } = problem;
        (cone::Problem { matrix: problem.matrix(), b, blocks, law }, *settings)
    }
}

/// The largest velocity, m/s, that is none where as much is insisted on, by the largest entry of b.
#[inline]
pub(super) fn no_motion(insisted: &Settings, most: f64) -> f64 {
    larger(NEAR * insisted.accepted(most), NEGLIGIBLE)
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

/// Writes Λ.
#[inline]
fn write(solution: &Solution<'_>, impulses: &mut [f64]) -> Solved {
    let &Solution { z, iterations, sweeps, status, .. } = solution;
    impulses.copy_from_slice(z);
    Solved { pivots: iterations + sweeps, solver: Solver::Cone(status) }
}
