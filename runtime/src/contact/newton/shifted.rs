//! Exact friction as a fixed point of convex problems.
//!
//! With w̃ = w + μ ‖w_t‖ n, Coulomb's law on the round cone is K ∋ Λ ⟂ w̃ ∈ K*. With ‖w_t‖ of the iterate before, this is the convex
//! law, which [`descent`](super::descent) solves from anywhere. Its solutions come to where Newton's method for the law itself
//! converges. The way from one problem to the next is that of the secant method, since it is often the same for many.
//!
//! # Source
//!
//! De Saxcé, Feng: The Bipotential Method (1998); Acary, Cadoux, Lemaréchal, Malick: A Formulation of the Linear Discrete Coulomb
//! Friction Problem via Convex Optimization (2011). Anderson: Iterative Procedures for Nonlinear Integral Equations (1965).

use alloc::vec::Vec;

use super::holding::HOLDING;
use super::law::Friction;
use super::{Newton, System};
use crate::kernel::Real;
use crate::slices::{largest, sqrt};

/// Most convex problems, most steps in all of them, and most problems in a row that are the same as the one before.
const MOST: usize = 60;
const MOST_STEPS: usize = 800;
const IDLE: usize = 3;
/// The problems after which Newton's method is tried.
const TRIED: [usize; 6] = [0, 1, 3, 9, 24, 59];

/// How many times the last way the secant may lead.
const FURTHEST: f64 = 1e3;

/// The natural residual of a convex problem that is enough to go on with.
const ALLOWED: f64 = 1e-6;

/// The natural residual that a convex problem is solved to, by how much ‖w_t‖ has changed since the one before.
const NEAR: f64 = 1e-3;

/// μ ‖w_t‖ of each contact in convex problems.
#[derive(Default)]
struct Shifts {
    /// Those of the problem.
    at: Vec<f64>,
    /// Those of the problem before, and what its solution differed from them by.
    before: Option<(Vec<f64>, Vec<f64>)>,
}

impl Shifts {
    /// Goes on to the next problem from what the solution of the last one has, by the secant through both. Returns the largest
    /// difference.
    fn next(&mut self, slips: impl Iterator<Item = f64>) -> f64 {
        let found: Vec<f64> = slips.collect();
        if self.at.is_empty() {
            self.at = found;
            return largest(&self.at);
        }
        let missing: Vec<f64> = found.iter().zip(&self.at).map(|(to, at)| to - at).collect();
        let moved = largest(&missing);
        let mut next = found;
        if let Some((at, before)) = &self.before {
            let change = || missing.iter().zip(before).map(|(now, before)| now - before);
            let square: f64 = change().map(|x| x * x).sum();
            let product: f64 = change().zip(&missing).map(|(x, y)| x * y).sum();
            let share = product / square;
            if share.is_finite() {
                let share = share.clamp(-FURTHEST, FURTHEST);
                let ways = self.at.iter().zip(at).zip(change());
                for (next, ((now, before), change)) in next.iter_mut().zip(ways) {
                    *next = (*next - share * (now - before + change)).max(0.0);
                }
            }
        }
        let last = core::mem::replace(&mut self.at, next);
        self.before = Some((last, missing));
        moved
    }
}

/// ‖w_t‖.
fn slip([_, x, y]: [f64; 3]) -> f64 {
    sqrt(x * x + y * y)
}

impl<S: System> Newton<S> {
    /// Finds Λ and w under exact friction on round cones; how many steps it took, or `None` if the law is another, or nothing is found.
    pub(super) fn iterate_shifted<A: Real>(&mut self) -> Option<usize> {
        let is_exact = |of: &super::Contact| !of.rubs || matches!(of.law, Friction::Coulomb);
        if !self.contacts.iter().all(is_exact) {
            return None;
        }
        let (mut steps, mut idle, mut shifts) = (0, 0, Shifts::default());
        for problem in 0..MOST {
            let slips = self.contacts.iter().map(|of| of.friction * slip(of.w));
            let moved = shifts.next(slips);
            for (of, &shift) in self.contacts.iter_mut().zip(&shifts.at) {
                (of.law, of.shift) = (Friction::Convex, [shift, 0.0, 0.0]);
            }
            let solved = self.descend::<A>([(NEAR * moved).max(self.accepted[0]), ALLOWED]);
            for of in &mut self.contacts {
                (of.law, of.shift) = (Friction::Coulomb, [0.0; 3]);
            }
            steps += solved?;
            if self.linearise::<A>() <= self.accepted[2] {
                return Some(steps);
            }
            idle = if moved <= self.accepted[0] { idle + 1 } else { 0 };
            if steps > MOST_STEPS || idle > IDLE {
                return None;
            }
            if TRIED.contains(&problem) {
                self.contacts.iter_mut().for_each(|of| of.reach = of.rho);
                let (contacts, singles) = (self.contacts.clone(), self.singles.clone());
                (self.is_factored, self.holding) = (false, HOLDING);
                if let Some(more) = self.search::<A>() {
                    return Some(steps + more);
                }
                (self.contacts, self.singles) = (contacts, singles);
            }
        }
        None
    }
}
