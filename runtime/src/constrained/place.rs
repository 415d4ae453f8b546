//! A configuration that satisfies the rows, on the way to the nearest that does.

use alloc::vec;
use alloc::vec::Vec;

use crate::description::Joint;
use crate::kkt::{Method, Solver};

use super::newton::{Found, Linearised, Metric, newton, slope};

/// How often a step is halved.
pub(super) const HALVES: usize = 30;

/// The share of what the slope promises that a step must win.
pub(super) const ARMIJO: f64 = 1e-4;

/// A distance is known to so much of it.
pub(super) const ROUNDING: f64 = 1e-13;

/// A configuration on the rows.
pub(super) struct Place {
    pub(super) found: Found,
    pub(super) rank: usize,
    /// The largest entry of Gauss and Newton's step, or of Newton's where that is shorter.
    pub(super) optimality: f64,
    /// That of Gauss and Newton.
    pub(super) step: Vec<f64>,
    /// ½ dᵀ W d.
    pub(super) cost: f64,
}

/// What of the slope no multipliers balance, p, and those that balance the rest.
pub(super) struct Balance {
    pub(super) p: Vec<f64>,
    pub(super) multipliers: Vec<f64>,
}

impl Place {
    /// What of −Dᵀ W d is balanced by Hᵀ λ = p + Dᵀ W d, and what not. None where the rows are too nearly
    /// dependent to tell.
    pub(super) fn balance(
        &self,
        joints: &[Joint],
        guess: &[f64],
        metric: &Metric,
    ) -> Option<Balance> {
        let slope = slope(joints, (guess, &self.found.q), metric);
        let force: Vec<f64> = slope.iter().map(|slope| -slope).collect();
        let mut ones = vec![0.0; force.len() * force.len()];
        ones.iter_mut().step_by(force.len() + 1).for_each(|x| *x = 1.0);
        let Linearised { values, jacobian, .. } = &self.found.rows;
        let (p, multipliers) = solve(&ones, &force, jacobian, values.len())?;
        Some(Balance { p, multipliers })
    }

    /// Whether it is so much nearer to stationary than another, and no farther from the guess.
    pub(super) fn settles(&self, other: &Self, share: f64) -> bool {
        self.optimality <= share * other.optimality && self.cost <= other.cost * (1.0 + ROUNDING)
    }
}

/// δ and λ of W δ − Hᵀ λ = f, H δ = 0.
pub(super) fn solve(
    weights: &[f64],
    force: &[f64],
    jacobian: &[f64],
    rows: usize,
) -> Option<(Vec<f64>, Vec<f64>)> {
    let mut solver = Solver::new(Method::NullSpace);
    let solved = newton(&mut solver, weights, force, jacobian, &vec![0.0; rows]);
    solved.ok().map(|(step, multipliers, _)| (step, multipliers))
}
