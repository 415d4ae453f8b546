//! What friction can hold at rest stays at rest.
//!
//! Under Coulomb's law, with round cones or polygons, a problem may have several solutions, and with redundant contacts some of
//! them move what others hold: between two pads a body may stay, or turn about one of its ends. Where impulses within the
//! cones exist with which every contact is at rest,
//!
//! > Λ ∈ K,  A Λ + b = 0 along the contacts,
//!
//! such are what comes out. That is a convex question. Its answer is the solution of the convex law,
//!
//! > K ∋ Λ ⟂ w = A Λ + b ∈ K*,
//!
//! to which these impulses belong, as w = 0 there; and as w is the same in all of its solutions, it is 0 in the one that is
//! found. Conversely, a solution of the convex law in which no contact slides under load is one of Coulomb's. So the convex
//! problem is solved first, from nothing, and what slides in it is left to a search. Rows with bounds obey the same law in
//! both: a motor at its limit may press what is held.
//!
//! Groups that do not touch are problems of their own: what slides in one does not move the other.
//!
//! # Source
//!
//! Pang, Trinkle: Stability Characterizations of Rigid Body Contact Problems with Coulomb Friction (2000), for strong and
//! weak stability; Anitescu: Optimization-Based Simulation of Nonsmooth Rigid Multibody Dynamics (2006), for the convex law.

use alloc::vec::Vec;

use super::problem::Problem;
use super::pyramid::Pyramid;
use super::solver::Solved;
use crate::cone::Block;
use crate::slices::{self, largest};

/// Room for the question, and for the problem of what moves.
#[derive(Clone, Debug, Default)]
pub(super) struct Rest {
    pyramid: Pyramid,
    w: Vec<f64>,
    /// Of each block, the first one of its group.
    groups: Vec<usize>,
    /// Of each block, whether its group moves.
    moves: Vec<bool>,
    /// Room for the blocks of a group.
    reached: Vec<usize>,
    /// The problem of what moves, where each of its rows is in the whole one, and Λ along them.
    pub(super) part: Problem,
    rows: Vec<usize>,
    pub(super) impulses: Vec<f64>,
}

/// What of a problem is at rest.
#[derive(Clone, Copy, Debug)]
pub(super) enum Answer {
    /// Everything, by the impulses that were written.
    Everything(Solved),
    /// Some groups; the others are in [`Rest::part`].
    Groups,
    Nothing,
}

impl Rest {
    /// Whether friction by polygons holds the contacts at rest. Writes Λ of what it holds.
    pub(super) fn ask(&mut self, problem: &Problem, impulses: &mut [f64]) -> Answer {
        // The last step's solution must not decide which of several impulses these are.
        self.pyramid.forget();
        let before = &mut self.impulses;
        slices::copy(before, impulses);
        let Some(solved) = self.pyramid.attempt(problem, impulses) else {
            impulses.copy_from_slice(before);
            return Answer::Nothing;
        };
        let n = problem.rows();
        let w = slices::copy(&mut self.w, &problem.b);
        slices::combine(w, impulses.iter().copied().zip(slices::columns(&problem.a, n)));
        // Beside a motor that asks for 1/h rad/s, what is nothing by b may be a slip.
        let most = largest(&problem.b);
        let near = problem.settings.insisted(most).accepted(most);
        self.moves.clear();
        let slides = |(first, block, _): (usize, &Block, usize)| {
            let rows = first..first + block.rows();
            let mobility = problem.a[first * (n + 1)];
            slides(block, &impulses[rows.clone()], &self.w[rows], (mobility, near))
        };
        self.moves.extend(problem.each().map(slides));
        if !self.moves.contains(&true) {
            return Answer::Everything(solved);
        }
        self.group(problem);
        if !self.moves.contains(&false) {
            impulses.copy_from_slice(&self.impulses);
            return Answer::Nothing;
        }
        self.write(problem);
        Answer::Groups
    }

    /// Writes Λ of what moves into that of the whole problem.
    pub(super) fn read(&self, impulses: &mut [f64]) {
        self.rows.iter().zip(&self.impulses).for_each(|(&row, x)| impulses[row] = *x);
    }

    /// Lets whole groups move of which a contact does.
    fn group(&mut self, problem: &Problem) {
        let Self { groups, moves, reached, .. } = self;
        let (n, count) = (problem.rows(), problem.blocks.len());
        groups.clear();
        groups.resize(count, count);
        let ends = |block: usize| {
            let first = problem.firsts[block];
            first..first + problem.blocks[block].rows()
        };
        let touch = |i: usize, j: usize| {
            ends(j).any(|column| problem.a[column * n..][ends(i)].iter().any(|a| *a != 0.0))
        };
        for start in 0..count {
            if groups[start] < count {
                continue;
            }
            groups[start] = start;
            reached.clear();
            reached.push(start);
            let mut next = 0;
            while let Some(&block) = reached.get(next) {
                next += 1;
                for (other, group) in groups.iter_mut().enumerate() {
                    if *group == count && touch(block, other) {
                        *group = start;
                        reached.push(other);
                    }
                }
            }
            let moving = reached.iter().any(|&block| moves[block]);
            reached.iter().for_each(|&block| moves[block] = moving);
        }
    }

    /// Writes the problem of the groups that move, with the impulses from before.
    fn write(&mut self, problem: &Problem) {
        let Self { moves, part, rows, impulses, .. } = self;
        part.clear();
        part.settings = problem.settings;
        rows.clear();
        for ((first, block, directions), _) in problem.each().zip(&*moves).filter(|of| *of.1) {
            part.firsts.push(rows.len());
            part.blocks.push(*block);
            part.directions.push(directions);
            rows.extend(first..first + block.rows());
        }
        part.b.extend(rows.iter().map(|&row| problem.b[row]));
        let n = problem.rows();
        part.a.clear();
        for &j in &*rows {
            part.a.extend(rows.iter().map(|&i| problem.a[j * n + i]));
        }
        // A row is never before its place here.
        (0..rows.len()).for_each(|k| impulses[k] = impulses[rows[k]]);
        impulses.truncate(rows.len());
    }
}

/// Whether a contact that presses moves along itself. What is open, or at rest, does not slide, nor does what has no
/// friction.
fn slides(block: &Block, impulse: &[f64], w: &[f64], (mobility, near): (f64, f64)) -> bool {
    let (friction, torsion) = match *block {
        Block::Row { .. } => return false,
        Block::Contact { friction, torsion } => (friction, torsion.unwrap_or(0.0)),
        Block::Planar { friction } => (friction, 0.0),
    };
    if impulse[0] * mobility <= near {
        return false;
    }
    let rubs = |k: usize| if k < 3 { friction > 0.0 } else { torsion > 0.0 };
    w[0].abs() > near || (1..w.len()).any(|k| rubs(k) && w[k].abs() > near)
}
