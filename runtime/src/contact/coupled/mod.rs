//! Steps of several robots whose solids touch each other, solved as one.
//!
//! What acts on a robot alone has rows on its coordinates, and a point between two robots has rows on both. With the rows T of
//! each robot and their responses R, as [`dynamics`](super::dynamics) has them,
//!
//! > A = Σ Pᵢ Tᵢ Rᵢ Pᵢᵀ
//!
//! where Pᵢ says which rows of all are those of robot i. Laws, solvers and residuals are those of a step of one robot.
//!
//! Chains do not move by the leapfrog in such a step, and nothing is compressed by Poisson's law.

mod between;
mod correction;
mod islands;
mod newton;
mod overlap;
mod part;
mod residual;

use alloc::vec::Vec;

pub(crate) use self::between::{Between, Contacts, ROWS, Side};
use self::islands::{Island, Islands, Sides};
use self::newton::OnGraph;
pub(crate) use self::part::Part;
use super::phase::Phase;
use super::problem::Problem;
use super::residual::Residual;
use super::solver::Outcome;
use super::solver::Solved;
use super::solvers::Solvers;
use super::{Conditions, Error, Formulation};
use crate::slices;

/// Most rows of a problem that is given to solvers with a matrix of them, whose time grows with their cube.
const MOST_ROWS: usize = 1500;

/// What solves such steps, in storage that is kept.
#[derive(Clone, Debug, Default)]
pub(crate) struct Coupled {
    problem: Problem,
    /// Along the rows of the problem.
    impulses: Vec<f64>,
    solvers: Solvers,
    /// Those of displacements.
    separating: Solvers,
    /// A of one robot, and its rows among those of the problem.
    delassus: Vec<f64>,
    places: Vec<usize>,
    on_graph: OnGraph,
    tolerance: f64,
    islands: Islands,
}

/// The step size, and the law.
type Laws<'a> = (f64, &'a Formulation);

/// What a problem is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Aim {
    /// The velocities at the end of a step.
    Step,
    /// The displacement that puts right what overlaps.
    Displacement,
}

/// How well a step is solved, and what that took.
#[derive(Clone, Debug, Default)]
pub(crate) struct Solution {
    pub(crate) outcome: Outcome,
    /// Of each robot, that of all points of its island.
    pub(crate) residuals: Vec<Residual>,
    /// The most robots that were solved as one.
    pub(crate) largest: usize,
}

/// Why there is none.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    /// The first robot of those that were solved as one, and how many there are beside it.
    pub(crate) first: usize,
    pub(crate) others: usize,
    pub(crate) why: Why,
}

#[derive(Clone, Debug)]
pub(crate) enum Why {
    Unsolved(Error),
    /// What was found is not good enough.
    Residual(Residual),
}

impl Coupled {
    /// Finds v⁺ of all robots and the impulses at the points between them, from robots that have [begun](super::Core::begin_coupled)
    /// the step. The pattern of an island is kept by the number of its first robot.
    ///
    /// # Errors
    ///
    /// Those of solvers, and a residual that is larger than the tolerance.
    pub(crate) fn step(
        &mut self,
        (parts, contacts): (&mut [Part<'_>], &mut Contacts),
        (time, h): (f64, f64),
        (conditions, tolerance): (&Conditions, f64),
    ) -> Result<Solution, Failure> {
        self.tolerance = tolerance;
        contacts.begin(parts);
        self.put_right(parts, contacts, (h, conditions))?;
        contacts.demand((h, conditions));
        let laws = (h, &conditions.formulation);
        self.islands.unite(parts, contacts);
        let mut all = self.islands.get(0, (parts, contacts));
        all.begin_solution();
        all.include(laws, Aim::Step);
        let mut solution = Solution::default();
        self.solve_islands((parts, contacts), laws.1, |coupled, island, is_again| {
            // Nothing but the island decides which of several solutions is found.
            coupled.solvers.forget();
            if is_again {
                island.start_again();
            }
            solution.largest = solution.largest.max(island.members.len());
            coupled.solve(island, laws, &mut solution.outcome)?;
            coupled.correct(island, ((time, h), laws.1), &mut solution.outcome)
        })?;
        parts.iter_mut().for_each(|part| part.core.end_coupled());
        self.audit((parts, contacts), laws.1)?;
        solution.residuals.extend(parts.iter().map(|part| part.residual));
        Ok(solution)
    }

    /// Solves islands, one after the other, until their velocities lead none into another. `solve` is told whether what is in one was
    /// solved before.
    fn solve_islands(
        &mut self,
        (parts, contacts): (&mut [Part<'_>], &mut Contacts),
        formulation: &Formulation,
        mut solve: impl FnMut(&mut Self, &mut Island<'_, '_>, bool) -> Result<(), Error>,
    ) -> Result<(), Failure> {
        parts.iter_mut().for_each(|part| part.solved = false);
        let mut islands = core::mem::take(&mut self.islands);
        let mut is_again = false;
        let result = loop {
            islands.find(parts, contacts);
            let failed = (0..islands.count()).find_map(|k| {
                let mut island = islands.get(k, (parts, contacts));
                if island.is_solved() {
                    return None;
                }
                let solved = solve(self, &mut island, is_again);
                island.each_member(|part| part.solved = true);
                solved.err().map(|error| island.failure(Why::Unsolved(error)))
            });
            if let Some(failure) = failed {
                break Err(failure);
            }
            if !islands.include_apart(parts, contacts, formulation) {
                break Ok(());
            }
            is_again = true;
        };
        self.islands = islands;
        result
    }

    /// v⁺ and Λ of all that acts in an island, from what is included.
    fn solve(
        &mut self,
        island: &mut Island<'_, '_>,
        laws: Laws<'_>,
        outcome: &mut Outcome,
    ) -> Result<(), Error> {
        let formulation = laws.1;
        self.solvers.begin(!island.has_rest());
        self.on_graph.begin();
        let mut unfinished = island.is_acted_on();
        let mut by_rows = false;
        while unfinished {
            self.list(island);
            let found = if by_rows { None } else { self.solve_by_newton(island, formulation) };
            outcome.add(match found {
                Some(solved) => solved,
                None => self.solve_by_rows(island, formulation, Aim::Step).or_else(
                    // What was refused is the best there is then, and the step says by how much it misses.
                    |error| match by_rows {
                        true => self.solve_by_newton(island, formulation).ok_or(error),
                        false => Err(error),
                    },
                )?,
            });
            island.hand_on_softness(&self.problem.sigma);
            unfinished = island.include(laws, Aim::Step);
            if !unfinished && found.is_some() && self.is_refused(island, laws) {
                (by_rows, unfinished) = (true, true);
            }
            if unfinished {
                island.start_again();
            }
        }
        Ok(())
    }

    /// Whether a solution by Newton's method, which is near what is tolerated, is not good enough by the step's own residual, where
    /// another method can be asked.
    fn is_refused(&self, island: &mut Island<'_, '_>, (h, formulation): Laws<'_>) -> bool {
        if !self.on_graph.is_rough() || self.problem.rows() > MOST_ROWS {
            return false;
        }
        let mut all = island.residual(formulation);
        island.each_member(|part| all = all.worse(&part.core.residual(h, part.conditions)));
        all.max().is_nan() || all.max() > self.tolerance
    }

    /// Finds the residual of the points between robots.
    ///
    /// # Errors
    ///
    /// One that is larger than the tolerance.
    fn audit(
        &self,
        (parts, contacts): (&mut [Part<'_>], &mut Contacts),
        formulation: &Formulation,
    ) -> Result<(), Failure> {
        let is_refused = |of: &Residual| of.max().is_nan() || of.max() > self.tolerance;
        for k in 0..self.islands.count() {
            let mut island = self.islands.get(k, (parts, contacts));
            let residual = island.residual(formulation);
            if is_refused(&residual) {
                return Err(island.failure(Why::Residual(residual)));
            }
            island.each_member(|part| part.residual = residual);
        }
        for point in self.islands.each_apart(contacts) {
            let residual = point.residual((&contacts.rows, parts), formulation, 0.0);
            let first = point.sides.iter().flatten().map(|side| side.part).min();
            if let (Some(first), true) = (first, is_refused(&residual)) {
                return Err(Failure { first, others: 1, why: Why::Residual(residual) });
            }
            for side in point.sides.iter().flatten() {
                let own = &mut parts[side.part].residual;
                *own = own.worse(&residual);
            }
        }
        Ok(())
    }

    /// Finds impulses and velocities with what is included by a matrix of all rows.
    fn solve_by_rows(
        &mut self,
        island: &mut Island<'_, '_>,
        formulation: &Formulation,
        aim: Aim,
    ) -> Result<Solved, Error> {
        let rows = self.problem.rows();
        if rows > MOST_ROWS {
            return Err(Error::Unsolved { rows, most: MOST_ROWS });
        }
        for &k in island.members {
            let Island { parts, contacts, points, .. } = &mut *island;
            let Part { core, robot, .. } = &mut parts[k];
            core.collect(Sides { contacts, points, part: k }.rows(robot.nv));
        }
        self.write_delassus(island);
        slices::zeros(&mut self.impulses, rows);
        if aim == Aim::Step {
            island.write_start(&mut self.impulses);
        }
        let Self { problem, impulses, solvers, separating, .. } = self;
        let solvers = if aim == Aim::Step { solvers } else { separating };
        let solved = solvers.solve(formulation, problem, impulses)?;
        self.move_by_rows(island);
        Ok(solved)
    }

    /// Writes the problem of what is included.
    fn list(&mut self, island: &mut Island<'_, '_>) {
        self.problem.clear();
        self.problem.settings = Phase::Whole.settings(self.tolerance);
        island.list(&mut self.problem);
    }

    /// Computes A of the problem.
    fn write_delassus(&mut self, island: &Island<'_, '_>) {
        let Self { problem, delassus, places, .. } = self;
        let rows = problem.rows();
        slices::zeros(&mut problem.a, rows * rows);
        let Island { parts, contacts, members, points } = island;
        for &k in *members {
            let part = &parts[k];
            part.core.rows.delassus(delassus);
            places.clear();
            places.extend(part.first..part.first + part.core.problem.rows());
            places.extend(Sides { contacts, points, part: k }.places());
            let n = places.len();
            for (column, &j) in delassus.chunks_exact(n.max(1)).zip(&*places) {
                let to = &mut problem.a[j * rows..(j + 1) * rows];
                places.iter().zip(column).for_each(|(&i, a)| to[i] += a);
            }
        }
        problem.give_way();
    }

    /// Finds velocities by the impulses along the rows.
    fn move_by_rows(&mut self, island: &mut Island<'_, '_>) {
        island.read(&self.impulses);
        for &k in island.members {
            let Island { parts, contacts, points, .. } = &mut *island;
            let Part { core, first, .. } = &mut parts[k];
            let own = &self.impulses[*first..*first + core.problem.rows()];
            core.move_by(own, Sides { contacts, points, part: k }.impulses());
        }
    }
}

impl Island<'_, '_> {
    /// Why it has no solution.
    fn failure(&self, why: Why) -> Failure {
        let (first, others) = (self.members[0], self.members.len() - 1);
        Failure { first, others, why }
    }
}
