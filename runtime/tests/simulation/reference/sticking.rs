//! Infinite friction: all sets of contacts that may stick.
//!
//! > either Λ_n ≥ 0, w = 0 in all three rows, or Λ = 0, w_n ≥ 0
//!
//! Where a set sticks, its normal rows are unilateral and its tangents are held, and the others have no friction: a convex
//! problem. Its solution is one of the law if what sticks does not part, and the others have no impulse.

use super::cones::Law;
use super::linear::dot;
use super::problem::{Block, Problem};
use super::solve::{Solution, solve};

/// What parts, in m/s.
const APART: f64 = 1e-10;

/// Coefficients of friction of what slides in the limit, and where that jams.
const LIMITS: [f64; 3] = [100.0, 10.0, 1.0];

/// The first solution with as many contacts that stick as possible, or the first in which some slide in the limit.
pub(super) fn solve_any(problem: &Problem) -> Option<Solution> {
    let count = problem.blocks.iter().filter(|block| block.is_maximal).count();
    let sets = 0..1_usize << count;
    let start =
        Solution { velocity: problem.free.clone(), impulses: vec![[0.0; 3]; problem.blocks.len()] };
    let slides = |friction| {
        let mut limit = problem.clone();
        let contacts = limit.blocks.iter_mut().filter(|block| block.is_maximal);
        contacts.for_each(|block| block.law = Law::Round { friction });
        solve(&limit, &start)
    };
    let sticks = sets.into_iter().rev().find_map(|set| solve_set(problem, set));
    sticks.or_else(|| LIMITS.into_iter().find_map(slides))
}

/// The solution in which the contacts stick whose bits are set, if it is one.
fn solve_set(problem: &Problem, set: usize) -> Option<Solution> {
    let mut contacts = 0..;
    let sticks = |block: &Block| block.is_maximal && set >> contacts.next().unwrap() & 1 == 1;
    let sticks: Vec<bool> = problem.blocks.iter().map(sticks).collect();
    let held = hold(problem, &sticks);
    let impulses = vec![[0.0; 3]; held.blocks.len()];
    let start = Solution { velocity: problem.free.clone(), impulses };
    let Solution { velocity, impulses: rows } = solve(&held, &start)?;
    let (mut rows, mut impulses) = (rows.into_iter(), Vec::new());
    for (block, &sticks) in problem.blocks.iter().zip(&sticks) {
        let mut impulse = rows.next()?;
        if sticks {
            impulse = [impulse[0], rows.next()?[0], rows.next()?[0]];
        }
        let apart = dot(&block.rows[0], &velocity) - block.target[0];
        if block.is_maximal && (if sticks { apart > APART } else { impulse[0] != 0.0 }) {
            return None;
        }
        impulses.push(impulse);
    }
    Some(Solution { velocity, impulses })
}

/// The problem with a row for each row of what sticks, and for each normal.
fn hold(problem: &Problem, sticks: &[bool]) -> Problem {
    let mut held = problem.clone();
    held.blocks.clear();
    for (block, &sticks) in problem.blocks.iter().zip(sticks) {
        if block.is_maximal {
            let rows = if sticks { 3 } else { 1 };
            held.blocks.extend((0..rows).map(|k| single(block, k)));
        } else {
            held.blocks.push(block.clone());
        }
    }
    held
}

/// One row of a contact: its normal, or a tangent that is held.
fn single(block: &Block, k: usize) -> Block {
    let lower = if k == 0 { 0.0 } else { f64::NEG_INFINITY };
    let law = Law::Row { lower, upper: f64::INFINITY };
    let target = [block.target[k], 0.0, 0.0];
    Block { law, is_maximal: false, rows: vec![block.rows[k].clone()], target, ..block.clone() }
}
