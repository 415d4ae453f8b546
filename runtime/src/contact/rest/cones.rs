//! The question on round cones.
//!
//! Λ and w of Coulomb's law solve the convex law as well exactly if w is in the dual cone of each contact,
//!
//! > w_n ≥ μ ‖w_t‖,
//!
//! and then w is the only one: nothing else has to be asked. Else something slides under load, or parts more slowly than it
//! slips. Of these contacts the convex law is asked, from Λ on, and where they are at rest there, again from nothing, so that
//! no other step decides which of several impulses these are.

use alloc::vec::Vec;

use super::groups::Groups;
use super::moves;
use crate::cone::{Block, Matrix};
use crate::slices::{self, sqrt};

/// Room for the question.
#[derive(Clone, Debug, Default)]
pub(in crate::contact) struct Question {
    /// Of each block, whether it is asked of.
    asked: Vec<bool>,
    /// Of each block, whether it moves under load by the convex law.
    moves: Vec<bool>,
    groups: Groups,
    /// Λ of the last answer, from which the next one is looked for, as w is the same from anywhere.
    last: Vec<f64>,
}

impl Question {
    /// Whether there is something to ask, by w of Coulomb's law.
    pub(in crate::contact) fn arises(&mut self, blocks: &[Block], w: &[f64], near: f64) -> bool {
        let leaves = |(first, block): (usize, &Block)| {
            let Some(of) = block.coefficients() else { return false };
            let [slip, spin, turning] = speeds(&w[first..first + block.rows()]);
            let opens = of.friction * slip + of.torsion * spin + of.rolling * turning;
            let moves = slip > near && of.friction > 0.0
                || spin > near && of.torsion > 0.0
                || turning > near && of.rolling > 0.0;
            moves && opens > w[first] + near
        };
        self.asked.clear();
        self.asked.extend(each(blocks).map(leaves));
        self.asked.contains(&true)
    }

    /// From where an answer is looked for, if Coulomb's law has these impulses.
    pub(in crate::contact) fn start<'a>(&'a self, impulses: &'a [f64]) -> &'a [f64] {
        if self.last.len() == impulses.len() { &self.last } else { impulses }
    }

    /// Forgets the last answer.
    pub(in crate::contact) fn forget(&mut self) {
        self.last.clear();
    }

    /// Whether the convex law holds something of what was asked.
    pub(in crate::contact) fn is_answered(
        &mut self,
        matrix: &Matrix<'_>,
        blocks: &[Block],
        found: (&[f64], &[f64]),
        near: f64,
    ) -> bool {
        slices::copy(&mut self.last, found.0);
        self.find_moves(matrix, blocks, found, near);
        self.asked.iter().zip(&self.moves).any(|(asked, moves)| *asked && !moves)
    }

    /// Whether nothing moves under load.
    pub(in crate::contact) fn is_still(
        &mut self,
        matrix: &Matrix<'_>,
        blocks: &[Block],
        found: (&[f64], &[f64]),
        near: f64,
    ) -> bool {
        self.find_moves(matrix, blocks, found, near);
        !self.moves.contains(&true)
    }

    fn find_moves(
        &mut self,
        matrix: &Matrix<'_>,
        blocks: &[Block],
        (held, w): (&[f64], &[f64]),
        near: f64,
    ) {
        let n = held.len();
        let moves = |(first, block): (usize, &Block)| {
            let rows = first..first + block.rows();
            moves(block, &w[rows], near) && matrix.diagonal(n, first) * held[first] > near
        };
        self.moves.clear();
        self.moves.extend(each(blocks).map(moves));
    }

    /// Writes Λ of groups that are held of those that were asked; whether these are all.
    pub(in crate::contact) fn hold(
        &mut self,
        matrix: &Matrix<'_>,
        blocks: &[Block],
        held: &[f64],
        impulses: &mut [f64],
    ) -> bool {
        let Self { asked, moves, groups, .. } = self;
        groups.find(matrix, blocks);
        groups.spread(asked);
        groups.spread(moves);
        for ((first, block), (asked, moves)) in each(blocks).zip(asked.iter().zip(&*moves)) {
            if *asked && !moves {
                let rows = first..first + block.rows();
                impulses[rows.clone()].copy_from_slice(&held[rows]);
            }
        }
        asked.iter().zip(moves).all(|(asked, moves)| !asked || !*moves)
    }
}

/// Each block with its first row.
fn each(blocks: &[Block]) -> impl Iterator<Item = (usize, &Block)> {
    let mut next = 0;
    blocks.iter().map(move |block| {
        let first = next;
        next += block.rows();
        (first, block)
    })
}

/// ‖w_t‖, |w_τ| and ‖w_ϱ‖ of a contact's rows; zero of what it has not.
fn speeds(w: &[f64]) -> [f64; 3] {
    let of = |k: usize| w.get(k).copied().unwrap_or(0.0);
    let along = |i: usize, j: usize| {
        if j < w.len() { sqrt(of(i) * of(i) + of(j) * of(j)) } else { of(i).abs() }
    };
    [along(1, 2), of(3).abs(), along(4, 5)]
}
