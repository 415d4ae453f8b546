//! Exact friction as a fixed point of convex problems.
//!
//! With w̃ = w + μ ‖w_t‖ n, Coulomb's law on the round cone is K ∋ Λ ⟂ w̃ ∈ K*. With ‖w_t‖ of the iterate before, this is the convex
//! law, which [`descent`](super::descent) solves from anywhere. Its solutions come to where Newton's method for the law itself
//! converges.
//!
//! # Source
//!
//! De Saxcé, Feng: The Bipotential Method (1998); Acary, Cadoux, Lemaréchal, Malick: A Formulation of the Linear Discrete Coulomb
//! Friction Problem via Convex Optimization (2011).

use alloc::vec::Vec;

use super::iterate::HOLDING;
use super::law::Friction;
use super::{Newton, System};
use crate::kernel::Real;
use crate::slices::{sqrt, worse};

/// Most convex problems, most steps in them, most problems that are the same as before, and the problems after which Newton's method is tried.
const MOST: usize = 60;
const MOST_STEPS: usize = 800;
const IDLE: usize = 3;
const TRIED: [usize; 6] = [0, 1, 3, 9, 24, 59];

/// The natural residual of a convex problem that is enough to go on with.
const ALLOWED: f64 = 1e-6;

/// The natural residual that a convex problem is solved to, by how much ‖w_t‖ has changed since the one before.
const NEAR: f64 = 1e-3;

impl<S: System> Newton<S> {
    /// Finds Λ and w under exact friction on round cones; how many steps it took, or `None` if the law is another, or nothing is found.
    pub(super) fn iterate_shifted<A: Real>(&mut self) -> Option<usize> {
        let is_exact = |of: &super::Contact| !of.rubs || matches!(of.law, Friction::Coulomb);
        if !self.contacts.iter().all(is_exact) {
            return None;
        }
        let (mut steps, mut idle, mut last) = (0, 0, Vec::new());
        for problem in 0..MOST {
            let mut moved = 0.0;
            for (k, of) in self.contacts.iter_mut().enumerate() {
                let [_, x, y] = of.w;
                let shift = of.friction * sqrt(x * x + y * y);
                moved = worse(moved, (shift - last.get(k).copied().unwrap_or(0.0)).abs());
                (of.law, of.shift) = (Friction::Convex, [shift, 0.0, 0.0]);
            }
            last.clear();
            last.extend(self.contacts.iter().map(|of| of.shift[0]));
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
