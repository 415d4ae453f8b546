//! Infinite friction: what presses sticks.
//!
//! > either Λ_n ≥ 0, w = 0 in all three rows, or Λ = 0, w_n ≥ 0
//!
//! These are the solutions under Coulomb's law in which nothing slides, whatever the coefficient. They are looked for
//! with larger and larger ones, and then, of few contacts, by trying all sets of those that stick. There may be none: a
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

use super::problem::Problem;
use super::solvers::ConeSolver;
use super::{Error, formulation};
use crate::cone::{Block, Law};
use crate::slices::{larger, largest};

/// Coefficients of friction in the order of trial.
const FRICTIONS: [f64; 3] = [LIMIT, 1e4, 1e6];
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
/// Of so many contacts all sets are tried.
const FEW: usize = 6;
const UNILATERAL: Block = Block::Row { lower: 0.0, upper: f64::INFINITY };
const HELD: Block = Block::Row { lower: f64::NEG_INFINITY, upper: f64::INFINITY };
const LOOSE: Block = Block::Row { lower: 0.0, upper: 0.0 };

/// Room for a solution.
#[derive(Clone, Debug, Default)]
pub(super) struct Room {
    blocks: Vec<Block>,
    /// Λ in the limit, if it was found.
    limit: Vec<f64>,
}

/// Writes Λ, from the one that is there; returns the number of iterations.
///
/// # Errors
///
/// [`Error::Jammed`] if nothing is found, not even in the limit or with less friction.
pub(super) fn solve(
    solver: &mut ConeSolver,
    problem: &Problem,
    Room { blocks, limit }: &mut Room,
    impulses: &mut [f64],
) -> Result<usize, Error> {
    let (mut iterations, mut tried) = (0, 0);
    limit.clear();
    for friction in FRICTIONS {
        rub(problem, friction, blocks);
        tried += 1;
        let found = solver.attempt(problem, blocks, Law::Coulomb, impulses)?;
        let Some(more) = found.filter(|_| is_fine(problem, impulses)) else { continue };
        iterations += more;
        let still = if friction == LIMIT { STILL } else { ROUNDING };
        let slides = |first: usize| {
            let held = formulation::norm([impulses[first + 1], impulses[first + 2]]);
            let slip = || formulation::norm([1, 2].map(|k| velocity(problem, first + k, impulses)));
            held > 0.0 && held >= SLIDES * friction * impulses[first] && slip() > still
        };
        if !contacts(problem).any(slides) {
            return Ok(iterations);
        }
        if friction == LIMIT {
            limit.extend_from_slice(impulses);
        }
    }
    let count = contacts(problem).count();
    let sets = if count <= FEW { 1_usize << count } else { 0 };
    for set in (0..sets).rev() {
        list(problem, set, blocks);
        tried += 1;
        // Friction that is undetermined stays what it was.
        impulses.fill(0.0);
        let found = solver.attempt(problem, blocks, Law::Coulomb, impulses)?;
        let Some(more) = found.filter(|_| is_fine(problem, impulses)) else { continue };
        iterations += more;
        // What sticks does not part, even if it is pressed by rounding, and what is open need not be pressed.
        let parts = |first: usize| {
            let mobility = problem.a[first * (problem.rows() + 1)];
            velocity(problem, first, impulses) - mobility * impulses[first] > ROUNDING
        };
        let fits = |(k, first): (usize, usize)| match set >> k & 1 {
            0 => impulses[first] == 0.0,
            _ => !parts(first) || impulses[first + 1..first + 3] == [0.0; 2],
        };
        if contacts(problem).enumerate().all(fits) {
            return Ok(iterations);
        }
    }
    if !limit.is_empty() {
        impulses.copy_from_slice(limit);
        return Ok(iterations);
    }
    let [less, least] = JAMMED;
    let last = [(less, true), (least, true), (LIMIT, false), (less, false), (least, false)];
    for (friction, has_to_be_fine) in last {
        rub(problem, friction, blocks);
        tried += 1;
        let found = solver.attempt(problem, blocks, Law::Coulomb, impulses)?;
        if let Some(more) = found.filter(|_| !has_to_be_fine || is_fine(problem, impulses)) {
            return Ok(iterations + more);
        }
    }
    Err(Error::Jammed { tried })
}

/// The blocks with a coefficient of friction.
fn rub(problem: &Problem, friction: f64, blocks: &mut Vec<Block>) {
    blocks.clear();
    blocks.extend(problem.blocks.iter().map(|block| match *block {
        Block::Contact { torsion, .. } => Block::Contact { friction, torsion },
        row @ Block::Row { .. } => row,
    }));
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
    let entries = |row: usize| problem.a.iter().skip(row).step_by(n).zip(impulses);
    let size = |row: usize| entries(row).map(|(a, x)| (a * x).abs()).sum::<f64>();
    let finest = 0.1 * ROUNDING * larger(largest(&problem.b), 1.0);
    (0..n).all(|row| f64::EPSILON * size(row) <= finest)
}

/// The first rows of contacts.
fn contacts(problem: &Problem) -> impl Iterator<Item = usize> {
    let contacts = problem.each().filter(|of| matches!(of.1, Block::Contact { .. }));
    contacts.map(|(first, ..)| first)
}

/// The blocks where those contacts stick whose bits are set, and the others have no friction.
fn list(problem: &Problem, set: usize, blocks: &mut Vec<Block>) {
    blocks.clear();
    let mut contact = 0;
    for block in &problem.blocks {
        if let Block::Row { .. } = block {
            blocks.push(*block);
            continue;
        }
        let tangent = if set >> contact & 1 == 1 { HELD } else { LOOSE };
        blocks.extend([UNILATERAL, tangent, tangent]);
        contact += 1;
    }
}
