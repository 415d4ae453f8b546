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

use alloc::vec::Vec;

use super::problem::Problem;
use super::solvers::ConeSolver;
use super::{Error, formulation};
use crate::cone::{Block, Law};

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
        let Some(more) = found else { continue };
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
        let Some(more) = found else { continue };
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
    for friction in JAMMED {
        rub(problem, friction, blocks);
        tried += 1;
        if let Some(more) = solver.attempt(problem, blocks, Law::Coulomb, impulses)? {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lu::Lu;

    /// Within ±1, by a linear congruential generator, Knuth's MMIX.
    fn number(state: &mut u64) -> f64 {
        *state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    /// So many contacts, and A = Y Yᵀ + a little.
    fn problem(contacts: usize, state: &mut u64) -> Problem {
        let n = 3 * contacts;
        let y: Vec<f64> = (0..n * n).map(|_| number(state)).collect();
        let mut problem = Problem::default();
        for _ in 0..contacts {
            let block = Block::Contact { friction: f64::INFINITY, torsion: None };
            problem.push(block, 4, [(); 3].map(|()| number(state)), [0.0; 2]);
        }
        let entry = |i: usize, j: usize| (0..n).map(|k| y[i * n + k] * y[j * n + k]).sum::<f64>();
        let damping = |k: usize| if k.is_multiple_of(n + 1) { 0.05 } else { 0.0 };
        problem.a = (0..n * n).map(|k| entry(k % n, k / n) + damping(k)).collect();
        problem
    }

    /// Λ where the contacts of a set of bits stick, and w.
    fn stuck(problem: &Problem, set: usize) -> (Vec<f64>, Vec<f64>) {
        let n = problem.rows();
        let rows: Vec<usize> = (0..n).filter(|i| set >> (i / 3) & 1 == 1).collect();
        let mut lu = Lu::default();
        let block = rows.iter().flat_map(|&j| rows.iter().map(move |&i| problem.a[j * n + i]));
        assert!(lu.factor(rows.len(), block) > 0.0);
        let mut x: Vec<f64> = rows.iter().map(|&i| -problem.b[i]).collect();
        lu.solve(&mut x);
        let mut impulses = vec![0.0; n];
        rows.iter().zip(x).for_each(|(&i, x)| impulses[i] = x);
        let product = |i: usize| (0..n).map(|j| problem.a[j * n + i] * impulses[j]).sum::<f64>();
        let w = (0..n).map(|i| problem.b[i] + product(i)).collect();
        (impulses, w)
    }

    /// Whether each contact sticks or is open.
    fn solves(impulses: &[f64], w: &[f64], tolerance: f64) -> bool {
        let contacts = impulses.chunks_exact(3).zip(w.chunks_exact(3));
        contacts.into_iter().all(|(f, w)| is_stuck_or_open(f, w, tolerance))
    }

    fn is_stuck_or_open(f: &[f64], w: &[f64], tolerance: f64) -> bool {
        match f[0] > 0.0 {
            true => w.iter().all(|w| w.abs() <= tolerance),
            false => f.iter().all(|f| *f == 0.0) && w[0] >= -tolerance,
        }
    }

    /// Whether each contact does, or slides in the limit or with less friction.
    fn is_limit(impulses: &[f64], w: &[f64], tolerance: f64) -> bool {
        let slides = |f: &[f64], w: &[f64]| {
            let (friction, speed) = (f[1].hypot(f[2]), w[1].hypot(w[2]));
            let against = [1, 2].map(|k| w[k] + speed * f[k] / friction);
            let [less, least] = JAMMED;
            let is_of = |coefficient: f64| (f[0] - friction / coefficient).abs() <= tolerance;
            w[0].abs() <= tolerance
                && [LIMIT, less, least].into_iter().any(is_of)
                && against.iter().all(|x| x.abs() <= tolerance)
        };
        let mut contacts = impulses.chunks_exact(3).zip(w.chunks_exact(3));
        contacts.all(|(f, w)| is_stuck_or_open(f, w, tolerance) || slides(f, w))
    }

    /// What is found is a solution without slip wherever trying all sets of contacts finds one, and elsewhere one in
    /// the limit.
    #[test]
    fn what_can_stick_is_found_to() {
        let (mut solver, mut room) = (ConeSolver::default(), Room::default());
        let (mut found, mut sliding, mut jammed, mut missed) = (0, 0, 0, Vec::new());
        for seed in 0..300 {
            let state = &mut (seed + 1);
            let contacts = 1 + seed as usize % 4;
            let problem = problem(contacts, state);
            let mut impulses = vec![0.0; problem.rows()];
            let result = solve(&mut solver, &problem, &mut room, &mut impulses);
            let exists = (0..1 << contacts).any(|set| {
                let (impulses, w) = stuck(&problem, set);
                solves(&impulses, &w, 1e-12)
            });
            match result {
                Ok(_) => {
                    let n = problem.rows();
                    let w = |i: usize| {
                        let row = (0..n).map(|j| problem.a[j * n + i] * impulses[j]);
                        problem.b[i] + row.sum::<f64>()
                    };
                    let w: Vec<f64> = (0..n).map(w).collect();
                    let is_right = if exists { solves } else { is_limit };
                    assert!(is_right(&impulses, &w, 1e-9), "{seed}: {impulses:?} {w:?}");
                    *if exists { &mut found } else { &mut sliding } += 1;
                }
                // Where motion without slip opens no contacts, Coulomb's law need not have a solution either.
                Err(Error::Jammed { .. }) if !exists => jammed += 1,
                Err(_) => missed.push(seed),
            }
        }
        assert!(found > 100 && sliding > 10 && jammed < 5, "{found} {sliding} {jammed}");
        assert!(missed.is_empty(), "{missed:?}");
    }
}
