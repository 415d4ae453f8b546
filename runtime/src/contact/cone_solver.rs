//! The solver of friction cones, as a step asks it.

use super::Error;
use super::problem::Problem;
use super::rest::Question;
use super::solver::{NEGLIGIBLE, Solved, Solver};
use crate::cone::{self, Block, Law, Settings, Solution};
use crate::slices::{larger, largest};

/// A residual in m/s of a best point that is none to a step as a rule, whose own residual decides. What has tilted by 10⁻⁴
/// cannot stick at all of its corners to better than 10⁻⁸ m/s: friction of one against the other then is at its limit, and
/// found no better than this.
const JUDGED: f64 = 1e-9;

/// Iterations from a best point that may be a solution where less is asked for.
const NEARBY: usize = 100;

/// What is no motion, by the largest residual of a solution.
const NEAR: f64 = 4.0;

/// The solver of friction cones, with its room.
#[derive(Clone, Debug, Default)]
pub(super) struct ConeSolver {
    workspace: cone::Workspace,
    question: Question,
    /// Whether all that touches slides at the beginning.
    pub(super) all_slide: bool,
}

impl ConeSolver {
    /// Forgets what was solved last.
    pub(super) fn forget(&mut self) {
        self.question.forget();
    }

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

/// Writes Λ.
#[inline]
fn write(solution: &Solution<'_>, impulses: &mut [f64]) -> Solved {
    let &Solution { z, iterations, sweeps, status, .. } = solution;
    impulses.copy_from_slice(z);
    Solved { pivots: iterations + sweeps, solver: Solver::Cone(status) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where nothing is found by Coulomb's law, what friction can hold is held, and what it cannot is left.
    #[test]
    fn what_friction_can_hold_is_a_last_resort() {
        let a = [0.5, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.5];
        let blocks = [Block::Contact { friction: 0.5, torsion: None }];
        for (slip, holds) in [(0.3, true), (0.7, false)] {
            let problem = cone::Problem {
                matrix: cone::Matrix::Delassus(&a),
                b: &[-1.0, slip, 0.0],
                blocks: &blocks,
                law: Law::Coulomb,
            };
            let (mut solver, mut impulses) = (ConeSolver::default(), [0.0; 3]);
            let found = solver.rest(&problem, &Settings::default(), &mut impulses);
            assert_eq!(found.is_some(), holds);
            let expected = if holds { [2.0, -2.0 * slip, 0.0] } else { [0.0; 3] };
            let error = impulses.iter().zip(expected).map(|(x, y)| (x - y).abs());
            assert!(error.fold(0.0, f64::max) < 1e-9, "{impulses:?}");
        }
    }
}
