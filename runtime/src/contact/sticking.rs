//! Infinite friction: what presses sticks.
//!
//! > either Λ_n ≥ 0, w = 0 in all three rows, or Λ = 0, w_n ≥ 0
//!
//! Contacts that press are bilateral along their tangents. Which do is found by trying: all stick at
//! first; those that would be pulled are let go, and those that then approach stick again, at last one at a time. It need not end,
//! nor need there be a solution, where sticking jams (a rod that slides along in Painlevé's way): this is then said.
//!
//! # Source
//!
//! Tedrake: Underactuated Robotics, appendix on multi-body dynamics, the limit of infinite friction.

use alloc::vec::Vec;

use super::Error;
use super::problem::Problem;
use super::pyramid::Pyramid;
use crate::cone::Block;

/// How often all contacts that do not fit may change between sticking and open, and how often the first.
const ALL: usize = 10;
const MOST: usize = 60;

/// Writes Λ; returns the number of pivots. `open`, which is room, tells the first rows of open contacts.
pub(super) fn solve(
    pyramid: &mut Pyramid,
    problem: &Problem,
    open: &mut Vec<usize>,
    impulses: &mut [f64],
) -> Result<usize, Error> {
    let (n, mut pivots) = (problem.rows(), 0);
    open.clear();
    for attempt in 0..MOST {
        pivots += pyramid.solve_sticking(problem, |first| !open.contains(&first), impulses)?;
        let contacts = || {
            let contacts = problem.each().filter(|of| matches!(of.1, Block::Contact { .. }));
            contacts.map(|(first, ..)| first)
        };
        let pulled = |&i: &usize| {
            !open.contains(&i) && impulses[i] <= 0.0 && impulses[i + 1..i + 3] != [0.0; 2]
        };
        let approaches = |i: &usize| {
            let row = (0..n).map(|j| problem.a[j * n + i] * impulses[j]);
            let w = problem.b[*i] + row.sum::<f64>();
            open.contains(i) && w < -1e-12 * problem.b[*i].abs().max(1.0)
        };
        let again: Vec<_> = contacts().filter(approaches).collect();
        let opened: Vec<_> = contacts().filter(pulled).collect();
        if again.is_empty() && opened.is_empty() {
            return Ok(pivots);
        }
        let changes = again.iter().chain(&opened);
        let count = if attempt < ALL { usize::MAX } else { 1 };
        for &i in changes.take(count) {
            match open.iter().position(|&k| k == i) {
                Some(place) => drop(open.swap_remove(place)),
                None => open.push(i),
            }
        }
    }
    Err(Error::Jammed { tried: MOST })
}
