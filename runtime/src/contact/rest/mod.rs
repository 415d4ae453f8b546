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
//! found. Conversely, a solution of the convex law in which no contact slides under load is one of Coulomb's. So where a
//! search ends with something that slides, the convex problem is solved, from nothing, and what does not slide there is at
//! rest: by pyramids where friction is by polygons, here, and by the cones themselves where it is on them (`cones`). Rows with
//! bounds obey the same law in both: a motor at its limit may press what is held.
//!
//! On cones the question is asked only where some contact does not slide at the beginning of the step. It costs a convex
//! problem, and a body that slides already is not set in motion by the choice of a solution.
//!
//! Groups that do not touch are problems of their own: what slides in one does not move the other.
//!
//! # Source
//!
//! Pang, Trinkle: Stability Characterizations of Rigid Body Contact Problems with Coulomb Friction (2000), for strong and
//! weak stability; Anitescu: Optimization-Based Simulation of Nonsmooth Rigid Multibody Dynamics (2006), for the convex law.

mod cones;
mod groups;

use alloc::vec::Vec;

pub(super) use self::cones::Question;
use self::groups::Groups;
use super::problem::Problem;
use super::pyramid::Pyramid;
use super::solver::NEGLIGIBLE;
use crate::cone::Block;
use crate::slices::{self, larger, largest};

/// Room for the question.
#[derive(Clone, Debug, Default)]
pub(super) struct Rest {
    pyramid: Pyramid,
    /// Λ of the convex law.
    impulses: Vec<f64>,
    w: Vec<f64>,
    groups: Groups,
    /// Of each block, whether its group moves.
    moves: Vec<bool>,
}

impl Rest {
    /// Whether every contact is at rest.
    pub(super) fn is_still(&mut self, problem: &Problem, impulses: &[f64]) -> bool {
        self.find(problem, impulses, |_, _| true)
    }

    /// Finds the contacts that move, of those that count by their load in m/s; whether there are none.
    fn find(
        &mut self,
        problem: &Problem,
        impulses: &[f64],
        counts: impl Fn(f64, f64) -> bool,
    ) -> bool {
        let n = problem.rows();
        let w = slices::copy(&mut self.w, &problem.b);
        slices::combine(w, impulses.iter().copied().zip(slices::columns(&problem.a, n)));
        // Beside a motor that asks for 1/h rad/s, what is nothing by b may be a slip.
        let most = largest(&problem.b);
        let near = larger(problem.settings.insisted(most).accepted(most), NEGLIGIBLE);
        let slides = |(first, block, _): (usize, &Block, usize)| {
            let rows = first..first + block.rows();
            let mobility = problem.a[first * (n + 1)];
            counts(mobility * impulses[first], near) && moves(block, &self.w[rows], near)
        };
        self.moves.clear();
        self.moves.extend(problem.each().map(slides));
        !self.moves.contains(&true)
    }

    /// Writes Λ of the groups that friction by polygons holds at rest; whether these are all.
    pub(super) fn hold(&mut self, problem: &Problem, impulses: &mut [f64]) -> bool {
        // The last step's solution must not decide which of several impulses these are.
        self.pyramid.forget();
        let mut held = core::mem::take(&mut self.impulses);
        slices::zeros(&mut held, problem.rows());
        let is_solved = self.pyramid.attempt(problem, &mut held);
        // What bears nothing there is open, unless it is at rest.
        let is_still = is_solved && self.find(problem, &held, |load, near| load > near);
        if is_solved && !is_still {
            self.groups.find(&problem.matrix(), &problem.blocks);
            self.groups.spread(&mut self.moves);
        }
        if is_solved {
            for ((first, block, _), _) in problem.each().zip(&self.moves).filter(|of| !of.1) {
                let rows = first..first + block.rows();
                impulses[rows.clone()].copy_from_slice(&held[rows]);
            }
        }
        self.impulses = held;
        is_still
    }
}

/// Whether a contact moves, along its normal or where it has friction.
fn moves(block: &Block, w: &[f64], near: f64) -> bool {
    let Some(of) = block.coefficients() else { return false };
    let by = [0.0, of.friction, of.friction, of.torsion, of.rolling, of.rolling];
    w[0].abs() > near || w.iter().zip(by).any(|(w, by)| by > 0.0 && w.abs() > near)
}
