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
mod newton;
mod overlap;
mod part;
mod residual;

use alloc::vec::Vec;

pub(crate) use self::between::{Between, Contacts, ROWS, Side};
use self::newton::OnGraph;
pub(crate) use self::part::Part;
use super::phase::Phase;
use super::problem::Problem;
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
    /// The number of the island.
    group: usize,
}

/// What a problem is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Aim {
    /// The velocities at the end of a step.
    Step,
    /// The displacement that puts right what overlaps.
    Displacement,
}

impl Coupled {
    /// Finds v⁺ of all robots and the impulses at the points between them, from robots that have [begun](super::Core::begin_coupled)
    /// the step. Its pattern is kept for the next step of those with the same number as a `group`.
    ///
    /// # Errors
    ///
    /// Those of solvers.
    pub(crate) fn step(
        &mut self,
        group: usize,
        (parts, contacts): (&mut [Part<'_>], &mut Contacts),
        (time, h): (f64, f64),
        (conditions, tolerance): (&Conditions, f64),
    ) -> Result<Outcome, Error> {
        (self.tolerance, self.group) = (tolerance, group);
        contacts.begin(parts);
        self.put_right(parts, contacts, (h, conditions))?;
        contacts.demand((h, conditions));
        let mut outcome = Outcome::default();
        self.solve(parts, contacts, (h, conditions), &mut outcome)?;
        self.correct(parts, contacts, ((time, h), conditions), &mut outcome)?;
        parts.iter_mut().for_each(|part| part.core.end_coupled());
        Ok(outcome)
    }

    /// v⁺ and Λ of all that acts, from the velocities without impulses.
    fn solve(
        &mut self,
        parts: &mut [Part<'_>],
        contacts: &mut Contacts,
        (h, conditions): (f64, &Conditions),
        outcome: &mut Outcome,
    ) -> Result<(), Error> {
        let formulation = &conditions.formulation;
        parts.iter_mut().for_each(|part| part.core.begin_solution());
        contacts.begin_solution();
        let has_rest = parts.iter().any(Part::has_rest) || contacts.have_rest();
        self.solvers.begin(!has_rest);
        self.on_graph.begin();
        self.include(parts, contacts, (h, formulation), Aim::Step);
        let mut unfinished = parts.iter().any(Part::is_acted_on) || contacts.act();
        let mut by_rows = false;
        while unfinished {
            self.list(parts, contacts);
            let found =
                if by_rows { None } else { self.solve_by_newton(parts, contacts, formulation) };
            outcome.add(match found {
                Some(solved) => solved,
                None => self.solve_by_rows(parts, contacts, formulation, Aim::Step).or_else(
                    // What was refused is the best there is then, and the step says by how much it misses.
                    |error| match by_rows {
                        true => self.solve_by_newton(parts, contacts, formulation).ok_or(error),
                        false => Err(error),
                    },
                )?,
            });
            self.hand_on_softness(parts);
            unfinished = self.include(parts, contacts, (h, formulation), Aim::Step);
            if !unfinished && found.is_some() && self.is_refused(parts, contacts, (h, conditions)) {
                (by_rows, unfinished) = (true, true);
            }
            if unfinished {
                parts.iter_mut().for_each(|part| part.core.start_again());
                contacts.start_again();
            }
        }
        Ok(())
    }

    /// Whether a solution by Newton's method, which is near what is tolerated, is not good enough by the step's own residual, where
    /// another method can be asked.
    fn is_refused(
        &self,
        parts: &mut [Part<'_>],
        contacts: &Contacts,
        (h, conditions): (f64, &Conditions),
    ) -> bool {
        if !self.on_graph.is_rough() || self.problem.rows() > MOST_ROWS {
            return false;
        }
        let between = self.residual(parts, contacts, &conditions.formulation);
        let own = |part: &mut Part<'_>| part.core.residual(h, part.conditions);
        let all = parts.iter_mut().map(own).fold(between, |all, of| all.worse(&of));
        all.max().is_nan() || all.max() > self.tolerance
    }

    /// Includes what the velocities of the last solution violate; whether there is any.
    fn include(
        &self,
        parts: &mut [Part<'_>],
        contacts: &mut Contacts,
        (h, formulation): (f64, &Formulation),
        aim: Aim,
    ) -> bool {
        let mut found = contacts.include_violated(parts, formulation);
        for part in parts {
            let laws = (h, part.conditions);
            found |= match aim {
                Aim::Step => part.core.include_violated(part.state, laws),
                Aim::Displacement => part.core.include_overlapping(part.state, laws, formulation),
            };
        }
        found
    }

    /// Finds impulses and velocities with what is included by a matrix of all rows.
    fn solve_by_rows(
        &mut self,
        parts: &mut [Part<'_>],
        contacts: &mut Contacts,
        formulation: &Formulation,
        aim: Aim,
    ) -> Result<Solved, Error> {
        let rows = self.problem.rows();
        if rows > MOST_ROWS {
            return Err(Error::Unsolved { rows, most: MOST_ROWS });
        }
        for (k, part) in parts.iter_mut().enumerate() {
            part.core.collect(contacts.rows_of(k, part.robot.nv));
        }
        self.write_delassus(parts, contacts);
        slices::zeros(&mut self.impulses, self.problem.rows());
        if aim == Aim::Step {
            self.start(parts, contacts);
        }
        let Self { problem, impulses, solvers, separating, .. } = self;
        let solvers = if aim == Aim::Step { solvers } else { separating };
        let solved = solvers.solve(formulation, problem, impulses)?;
        self.move_by_rows(parts, contacts);
        Ok(solved)
    }

    /// Writes the problem of what is included: the rows of one robot after those of the other, and then those of points between them.
    fn list(&mut self, parts: &mut [Part<'_>], contacts: &mut Contacts) {
        let problem = &mut self.problem;
        problem.clear();
        problem.settings = Phase::Whole.settings(self.tolerance);
        for part in parts.iter_mut() {
            part.core.list();
            part.first = problem.rows();
            problem.append(&part.core.problem);
        }
        contacts.push(problem, parts);
    }

    /// Computes A of the problem.
    fn write_delassus(&mut self, parts: &[Part<'_>], contacts: &Contacts) {
        let Self { problem, delassus, places, .. } = self;
        let rows = problem.rows();
        slices::zeros(&mut problem.a, rows * rows);
        for (k, part) in parts.iter().enumerate() {
            part.core.rows.delassus(delassus);
            places.clear();
            places.extend(part.first..part.first + part.core.problem.rows());
            contacts.add_places(k, places);
            let n = places.len();
            for (column, &j) in delassus.chunks_exact(n.max(1)).zip(&*places) {
                let to = &mut problem.a[j * rows..(j + 1) * rows];
                places.iter().zip(column).for_each(|(&i, a)| to[i] += a);
            }
        }
        problem.give_way();
    }

    /// Hands σ of what gives way on to the robots, whose residuals have it.
    fn hand_on_softness(&self, parts: &mut [Part<'_>]) {
        for part in parts {
            let own = part.first..part.first + part.core.problem.rows();
            let sigma = self.problem.sigma.get(own).unwrap_or_default();
            part.core.problem.sigma.clear();
            part.core.problem.sigma.extend_from_slice(sigma);
        }
    }

    /// The impulses along the rows that are known from before.
    fn start(&mut self, parts: &[Part<'_>], contacts: &Contacts) {
        for part in parts {
            part.core.write_start(&mut self.impulses[part.first..]);
        }
        contacts.write_start(&mut self.impulses);
    }

    /// Finds velocities by the impulses along the rows.
    fn move_by_rows(&mut self, parts: &mut [Part<'_>], contacts: &mut Contacts) {
        contacts.read(&self.impulses);
        for (k, part) in parts.iter_mut().enumerate() {
            let own = &self.impulses[part.first..part.first + part.core.problem.rows()];
            part.core.move_by(own, contacts.impulses_on(k));
        }
    }
}
