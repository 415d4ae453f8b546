//! Infinite friction: what presses sticks.
//!
//! > either Λ_n ≥ 0, w = 0 in all three rows, or Λ = 0, w_n ≥ 0
//!
//! These are the solutions under Coulomb's law in which nothing slides, whatever the coefficient. They are looked for
//! with a large one, and then, of few contacts, by trying all sets of those that stick, each a convex problem of rows with
//! bounds, and of many with larger and larger ones. There may be none: a
//! rod that slides along in Painlevé's way, or a box on one edge whose other one lands in the step, and would have to
//! come down without moving sideways. Under Coulomb's law contacts then slide in the limit too, with friction that stays
//! while Λ_n vanishes,
//!
//! > ‖Λ_t‖ = μ Λ_n,  Λ_t against w_t,  μ = 100,
//!
//! and that is taken. Where Coulomb's law with that coefficient has no solution, as what must come closer by moving against
//! its own friction may have none with a large one, the same with the first of 10 and 1 that has one is.
//!
//! # Source
//!
//! Tedrake: Underactuated Robotics, appendix on multi-body dynamics, the limit of infinite friction.

#[cfg(test)]
mod tests;

use alloc::vec::Vec;

use super::Error;
use super::candidate::{BILATERAL, UNILATERAL};
use super::cone_solver::ConeSolver;
use super::problem::Problem;
use super::slip::norm;
use super::solver::NEGLIGIBLE;
use super::solver::{Solved, Solver};
use crate::cone::{Block, Law};
use crate::lcp::{self, boxed, dantzig};
use crate::slices::{larger, largest};

/// Coefficients of friction beyond that of the limit, in the order of trial.
const LARGER: [f64; 2] = [1e4, 1e6];
/// That of what can only slide.
pub(super) const LIMIT: f64 = 1e2;
/// Those of what jams with that one.
pub(super) const JAMMED: [f64; 2] = [1e1, 1.0];
/// What slides has friction of this part of the largest at least.
const SLIDES: f64 = 1.0 - 1e-6;
/// A slip that is taken in the limit before what sticks is looked for among all sets, m/s. Of contacts in one plane some
/// may be a hair above the ground: held entirely, they would hover there for ever.
const STILL: f64 = 1e-6;
/// With larger coefficients a slip that is none.
const ROUNDING: f64 = 1e-10;
/// Rows of the same contact differ by rounding alone.
const SAME: f64 = 1e-13;
/// Of so many contacts all sets are tried.
const FEW: usize = 6;
/// Iterations at most: with the limit's coefficient before the sets of few contacts are tried, for one of these, and for
/// whatever else is tried.
const TRIAL: usize = 600;
const SET: usize = 300;
const LONG: usize = 8_000;
/// Pivots for a set.
const PIVOTS: usize = 300;
const LOOSE: Block = Block::Row { lower: 0.0, upper: 0.0 };

/// Room for a solution.
#[derive(Clone, Debug, Default)]
pub(super) struct Room {
    blocks: Vec<Block>,
    /// Λ in the limit, if it was found.
    limit: Vec<f64>,
    /// The first Λ in the limit or with less friction that was found with too much rounding.
    rough: Vec<f64>,
    rows: Rows,
}

/// Room for problems of rows with bounds.
#[derive(Clone, Debug)]
struct Rows {
    lo: Vec<f64>,
    hi: Vec<f64>,
    solver: dantzig::Workspace,
}

/// Writes Λ, from the one that is there.
///
/// # Errors
///
/// [`Error::Jammed`] if nothing is found, not even in the limit or with less friction.
pub(super) fn solve(
    solver: &mut ConeSolver,
    problem: &Problem,
    room: &mut Room,
    impulses: &mut [f64],
) -> Result<Solved, Error> {
    room.limit.clear();
    room.rough.clear();
    let solved = Solved { pivots: 0, solver: Solver::None };
    let mut search = Search { solver, problem, room, impulses, solved, tried: 0 };
    let is_found = if contacts(problem).count() <= FEW {
        search.sticks(LIMIT, TRIAL)?
            || search.among_all_sets()?
            || (search.room.limit.is_empty() && search.sticks(LIMIT, LONG)?)
    } else {
        search.sticks(LIMIT, usize::MAX)? || search.with_more_friction()?
    };
    if is_found {
        return Ok(search.solved);
    }
    let is_found = !search.room.limit.is_empty() || search.where_it_jams()?;
    let Search { room: Room { limit, rough, .. }, impulses, solved, tried, .. } = search;
    if !limit.is_empty() {
        impulses.copy_from_slice(limit);
    } else if !is_found {
        if rough.is_empty() {
            return Err(Error::Jammed { tried });
        }
        impulses.copy_from_slice(rough);
    }
    Ok(solved)
}

struct Search<'a> {
    solver: &'a mut ConeSolver,
    problem: &'a Problem,
    room: &'a mut Room,
    impulses: &'a mut [f64],
    /// All iterations so far, and what found the last Λ.
    solved: Solved,
    tried: usize,
}

impl Search<'_> {
    /// Whether the problem with the blocks is solved within so many iterations, and A Λ known.
    fn attempt(&mut self, law: Law, limit: usize) -> Result<Found, Error> {
        let Self { solver, problem, room, impulses, .. } = self;
        let negligible = NEGLIGIBLE.min(problem.settings.aim);
        let asked = (&room.blocks[..], negligible, limit);
        let found = solver.attempt(problem, asked, law, impulses)?;
        let Some(Solved { pivots, solver }) = found else { return Ok(Found::Nothing) };
        self.solved = Solved { pivots: self.solved.pivots + pivots, solver };
        let is_fine = is_fine(problem, impulses) && problem.is_moderate(impulses);
        Ok(if is_fine { Found::Fine } else { Found::Rough })
    }

    /// As [`attempt`](Self::attempt), with a coefficient of friction; what the step's law takes is kept.
    fn rub(
        &mut self,
        friction: f64,
        left_out: impl Fn(usize) -> bool,
        limit: usize,
    ) -> Result<bool, Error> {
        self.tried += 1;
        rub(self.problem, friction, left_out, &mut self.room.blocks);
        let found = self.attempt(Law::Coulomb, limit)?;
        let rough = &mut self.room.rough;
        if found == Found::Rough && friction <= LIMIT && rough.is_empty() {
            rough.extend_from_slice(self.impulses);
        }
        Ok(found == Found::Fine)
    }

    /// Whether nothing slides with one of the coefficients beyond that of the limit.
    fn with_more_friction(&mut self) -> Result<bool, Error> {
        for friction in LARGER {
            if self.sticks(friction, LONG)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether nothing slides with a coefficient; what is found with that of the limit is kept.
    fn sticks(&mut self, friction: f64, limit: usize) -> Result<bool, Error> {
        if !self.rub(friction, |_| false, limit)? {
            return Ok(false);
        }
        let (problem, impulses) = (self.problem, &*self.impulses);
        let still = if friction == LIMIT { STILL } else { ROUNDING };
        let slides = |first: usize| {
            let held = norm([impulses[first + 1], impulses[first + 2]]);
            let slip = || norm([1, 2].map(|k| velocity(problem, first + k, impulses)));
            held > 0.0 && held >= SLIDES * friction * impulses[first] && slip() > still
        };
        if !contacts(problem).any(slides) {
            return Ok(true);
        }
        if friction == LIMIT {
            self.room.limit.extend_from_slice(impulses);
        }
        Ok(false)
    }

    /// Whether the contacts of a set, of few, can be held while the others are open.
    fn among_all_sets(&mut self) -> Result<bool, Error> {
        let count = contacts(self.problem).count();
        for set in (0..1_usize << count).rev() {
            list(self.problem, set, &mut self.room.blocks);
            if self.hold()? != Found::Fine {
                continue;
            }
            let (problem, impulses) = (self.problem, &*self.impulses);
            // What sticks does not part, even if it is pressed by rounding, and what is open does not come closer.
            let parts = |first: usize| {
                let mobility = problem.a[first * (problem.rows() + 1)];
                velocity(problem, first, impulses) - mobility * impulses[first] > ROUNDING
            };
            let fits = |(k, first): (usize, usize)| match set >> k & 1 {
                0 => velocity(problem, first, impulses) >= -ROUNDING,
                _ => !parts(first) || impulses[first + 1..first + 3] == [0.0; 2],
            };
            if contacts(problem).enumerate().all(fits) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the problem of rows is solved: where all have bounds by principal pivoting, which knows of most that have no
    /// solution, and what that finds is judged, or the solution found, by the solver of cones.
    fn hold(&mut self) -> Result<Found, Error> {
        self.tried += 1;
        // Friction that is undetermined is none.
        self.impulses.fill(0.0);
        let Self { problem, room: Room { blocks, rows, .. }, impulses, .. } = self;
        match rows.solve(problem, blocks, impulses) {
            Err(lcp::Error::Infeasible { .. }) => return Ok(Found::Nothing),
            Ok(pivots) => self.solved.pivots += pivots,
            Err(_) => {}
        }
        let found = self.attempt(Law::Convex, SET)?;
        if found != Found::Rough {
            return Ok(found);
        }
        // Impulses that several contacts share are smaller.
        self.impulses.fill(0.0);
        self.attempt(Law::Convex, SET)
    }

    /// Whether something is found in the limit where a contact that is there already bears nothing, or with less friction.
    fn where_it_jams(&mut self) -> Result<bool, Error> {
        let problem = self.problem;
        let repeated = |first: usize| is_repeated(problem, first);
        let again = contacts(problem).any(repeated).then_some(LIMIT);
        for friction in again.into_iter().chain(JAMMED) {
            if self.rub(friction, repeated, LONG)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl Rows {
    /// Writes Λ of a problem whose blocks are rows; how many pivots it took, none where one is a ball.
    fn solve(
        &mut self,
        problem: &Problem,
        blocks: &[Block],
        impulses: &mut [f64],
    ) -> Result<usize, lcp::Error> {
        let Self { lo, hi, solver } = self;
        lo.clear();
        hi.clear();
        for block in blocks {
            let Block::Row { lower, upper } = *block else { return Ok(0) };
            lo.push(lower);
            hi.push(upper);
        }
        let boxed = boxed::Problem { a: &problem.a, b: &problem.b, lo, hi };
        let solution = dantzig::solve(&boxed, solver)?;
        impulses.copy_from_slice(solution.z);
        Ok(solution.pivots)
    }
}

impl Default for Rows {
    fn default() -> Self {
        let solver = dantzig::Workspace::default().max_pivots(PIVOTS);
        Self { lo: Vec::new(), hi: Vec::new(), solver }
    }
}

/// What an attempt finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    Nothing,
    /// A solution whose impulses are so large that their rounding is a motion.
    Rough,
    Fine,
}

/// The blocks with a coefficient of friction, without the contacts that are left out.
fn rub(
    problem: &Problem,
    friction: f64,
    left_out: impl Fn(usize) -> bool,
    blocks: &mut Vec<Block>,
) {
    blocks.clear();
    for (first, block, _) in problem.each() {
        match *block {
            Block::Contact { .. } | Block::Rolling { .. } if left_out(first) => {
                blocks.extend([LOOSE].into_iter().cycle().take(block.rows()));
            }
            Block::Planar { .. } if left_out(first) => blocks.extend([LOOSE; 2]),
            Block::Contact { torsion, .. } => blocks.push(Block::Contact { friction, torsion }),
            Block::Rolling { torsion, rolling, .. } => {
                blocks.push(Block::Rolling { friction, torsion, rolling });
            }
            Block::Planar { .. } => blocks.push(Block::Planar { friction }),
            Block::Row { .. } | Block::Ball { .. } => blocks.push(*block),
        }
    }
}

/// Whether a contact is an earlier one to rounding, and so cannot be told from it.
fn is_repeated(problem: &Problem, first: usize) -> bool {
    let (n, b) = (problem.rows(), &problem.b);
    let column = |k: usize| &problem.a[k * n..][..n];
    let near = |x: &[f64], y: &[f64]| {
        let most = SAME * larger(largest(x), largest(y));
        x.iter().zip(y).all(|(x, y)| (x - y).abs() <= most)
    };
    let is = |other: usize| {
        (0..3).all(|k| near(column(first + k), column(other + k)))
            && near(&b[first..][..3], &b[other..][..3])
    };
    contacts(problem).take_while(|&other| other < first).any(is)
}

/// w along a row; of a problem without factors, since no convex law is solved.
fn velocity(problem: &Problem, row: usize, impulses: &[f64]) -> f64 {
    let entries = problem.a.iter().skip(row).step_by(problem.rows());
    problem.b[row] + entries.zip(impulses).map(|(a, x)| a * x).sum::<f64>()
}

/// Whether A Λ is known to a tenth of what a slip is. What can hardly stick does so by impulses whose rounding is a
/// motion: it is taken to slide.
fn is_fine(problem: &Problem, impulses: &[f64]) -> bool {
    let n = problem.rows();
    let finest = 0.1 * ROUNDING * larger(largest(&problem.b), 1.0);
    let (mut most, mut work) = (0.0, 0.0);
    for (a, x) in problem.a.iter().step_by(n + 1).zip(impulses) {
        most = larger(most, *a);
        work += a * x * x;
    }
    // As A is positive semidefinite, (∑ |a_ij λ_j|)² ≤ n a_ii ∑ a_jj λ_j².
    let largest = f64::EPSILON * f64::EPSILON * n as f64 * most * work;
    let entries = |row: usize| problem.a[row * n..][..n].iter().zip(impulses);
    let size = |row: usize| entries(row).map(|(a, x)| (a * x).abs()).sum::<f64>();
    largest <= finest * finest || (0..n).all(|row| f64::EPSILON * size(row) <= finest)
}

/// The first rows of contacts.
fn contacts(problem: &Problem) -> impl Iterator<Item = usize> {
    let contacts =
        problem.each().filter(|of| matches!(of.1, Block::Contact { .. } | Block::Rolling { .. }));
    contacts.map(|(first, ..)| first)
}

/// The blocks where those contacts stick whose bits are set, and the others are open.
fn list(problem: &Problem, set: usize, blocks: &mut Vec<Block>) {
    blocks.clear();
    let mut contact = 0;
    for block in &problem.blocks {
        if let Block::Row { .. } | Block::Ball { .. } = block {
            blocks.push(*block);
            continue;
        }
        let sticks = set >> contact & 1 == 1;
        blocks.extend(if sticks { [UNILATERAL, BILATERAL, BILATERAL] } else { [LOOSE; 3] });
        contact += 1;
    }
}
