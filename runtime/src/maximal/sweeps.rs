//! Block Gauss–Seidel, for piles of many bodies.
//!
//! > λ ← P(λ − w/a),  u ← u + M⁻¹ Jᵀ Δλ
//!
//! row by row, forwards and then backwards, with a = J M⁻¹ Jᵀ + σ; the two tangents of a contact together, with the
//! larger eigenvalue of their block for a and P onto the disc of Coulomb's law. Its fixed points are the solutions of
//! the exact law. As if g, the change of λ by both sweeps, were the gradient of something, they are gone on from as
//! conjugate gradients do:
//!
//! > β = ‖gₖ‖²/‖gₖ₋₁‖²,  λ ← λ + β p,  p ← β p + g,  ‖g‖² = Σ a g²;  p ← 0 where β > 1
//!
//! Memory and the time of a sweep are linear in bodies and rows; how many it takes grows with the height of a pile and
//! the length of a chain.
//!
//! # Source
//!
//! Jourdan, Alart, Jean: A Gauss–Seidel like Algorithm to Solve Frictional Contact Problems (1998); Erleben:
//! Velocity-Based Shock Propagation for Multibody Dynamics Animation (2007), for the form with velocities; Silcowitz,
//! Niebe, Erleben: A Nonsmooth Nonlinear Conjugate Gradient Method for Interactive Contact Force Problems (2010).

use alloc::vec::Vec;

use nalgebra::{Matrix6, Vector6};

use super::Error;
use super::problem::{Group, Law, Problem};
use super::residual::{Residual, onto_ball, onto_disc};
use crate::slices::{copy, sqrt, zeros};

/// Pairs of sweeps between two looks at the residual.
const PATIENCE: usize = 5;

/// Room for the method.
#[derive(Clone, Debug, Default)]
pub(super) struct Sweeps {
    /// M⁻¹ Jᵀ, part by part.
    response: Vec<Vector6<f64>>,
    /// a of each row.
    diagonal: Vec<f64>,
}

impl Sweeps {
    /// u and λ, from the λ that is there, and how many pairs of sweeps they took: at most `limit`.
    ///
    /// # Errors
    ///
    /// [`Error::Singular`] for a body whose inertia is.
    pub(super) fn solve(
        &mut self,
        problem: &Problem,
        (limit, tolerance): (usize, f64),
        velocity: &mut Vec<Vector6<f64>>,
        impulse: &mut [f64],
    ) -> Result<usize, Error> {
        let inverse = self.prepare(problem)?;
        problem.follow(&inverse, impulse, velocity);
        let mut state = State { problem, sweeps: self, velocity, impulse };
        let mut way = Way::default();
        for done in 0..limit {
            if done % PATIENCE == 0 && state.residual() <= tolerance {
                return Ok(done);
            }
            way.begin(state.impulse);
            problem.groups.iter().for_each(|group| state.relax(group));
            problem.groups.iter().rev().for_each(|group| state.relax(group));
            way.go_on(&mut state);
        }
        Ok(limit)
    }

    /// M⁻¹, and what depends on it.
    fn prepare(&mut self, problem: &Problem) -> Result<Vec<Matrix6<f64>>, Error> {
        let inverse = problem.inverse()?;
        self.response.clear();
        self.response.extend(problem.entries.iter().map(|(body, part)| inverse[*body] * part));
        self.diagonal.clear();
        for row in 0..problem.rows() {
            let own = self.coupling(problem, row, row);
            self.diagonal.push(own + problem.softness[row]);
        }
        Ok(inverse)
    }

    /// J_i M⁻¹ J_jᵀ of two rows on the same bodies.
    fn coupling(&self, problem: &Problem, i: usize, j: usize) -> f64 {
        let responses = &self.response[problem.range(j)];
        problem.row(i).iter().zip(responses).map(|((_, part), response)| part.dot(response)).sum()
    }
}

/// The way of the last sweeps, on which the next ones go on.
#[derive(Clone, Debug, Default)]
struct Way {
    last: Vec<f64>,
    /// p.
    direction: Vec<f64>,
    /// ‖g‖².
    square: f64,
}

impl Way {
    fn begin(&mut self, impulse: &[f64]) {
        copy(&mut self.last, impulse);
    }

    /// From where the sweeps have led.
    fn go_on(&mut self, state: &mut State<'_>) {
        let diagonal = &state.sweeps.diagonal;
        let step = |row: usize| state.impulse[row] - self.last[row];
        let square = (0..self.last.len()).map(|row| diagonal[row] * step(row) * step(row)).sum();
        let share = square / self.square;
        self.square = square;
        // Of the first sweeps, and of those that went further than the ones before, there is no way to go on.
        let goes_on = share <= 1.0 && !self.direction.is_empty();
        if !goes_on {
            zeros(&mut self.direction, self.last.len());
            return;
        }
        for row in 0..self.last.len() {
            let further = share * self.direction[row];
            self.direction[row] = further + state.impulse[row] - self.last[row];
            state.set(row, state.impulse[row] + further);
        }
    }
}

struct State<'a> {
    problem: &'a Problem,
    sweeps: &'a Sweeps,
    velocity: &'a mut [Vector6<f64>],
    impulse: &'a mut [f64],
}

impl State<'_> {
    fn residual(&self) -> f64 {
        Residual::of(self.problem, self.velocity, self.impulse).max()
    }

    fn relax(&mut self, group: &Group) {
        let bounds = match group.law {
            Law::Holds => [f64::NEG_INFINITY, f64::INFINITY],
            Law::Bounded(bounds) => bounds,
            Law::Ball(radius) => return self.ball(group.first, radius),
            Law::Contact(friction) => {
                self.row(group.first, [0.0, f64::INFINITY]);
                self.tangents(group.first, friction);
                return;
            }
        };
        (group.first..group.first + group.count).for_each(|row| self.row(row, bounds));
    }

    fn row(&mut self, row: usize, [lower, upper]: [f64; 2]) {
        let a = self.sweeps.diagonal[row];
        if a > 0.0 {
            let next = self.impulse[row] - self.slack(row) / a;
            self.set(row, next.max(lower).min(upper));
        }
    }

    fn tangents(&mut self, normal: usize, friction: f64) {
        let rows = [normal + 1, normal + 2];
        let [a, d] = rows.map(|row| self.sweeps.diagonal[row]);
        let b = self.sweeps.coupling(self.problem, rows[0], rows[1]);
        let largest = 0.5 * (a + d + sqrt((a - d) * (a - d) + 4.0 * b * b));
        if largest > 0.0 {
            let moved = rows.map(|row| self.impulse[row] - self.slack(row) / largest);
            let next = onto_disc(moved, friction * self.impulse[normal]);
            rows.into_iter().zip(next).for_each(|(row, next)| self.set(row, next));
        }
    }

    /// Along the gradient, by the trace of the rows' block, which its eigenvalues do not exceed.
    fn ball(&mut self, first: usize, radius: f64) {
        let rows = [first, first + 1, first + 2];
        let trace: f64 = rows.iter().map(|&row| self.sweeps.diagonal[row]).sum();
        if trace > 0.0 {
            let moved = rows.map(|row| self.impulse[row] - self.slack(row) / trace);
            let next = onto_ball(moved, radius);
            rows.into_iter().zip(next).for_each(|(row, next)| self.set(row, next));
        }
    }

    fn slack(&self, row: usize) -> f64 {
        self.problem.slack(row, self.velocity, self.impulse)
    }

    fn set(&mut self, row: usize, next: f64) {
        let by = next - self.impulse[row];
        self.impulse[row] = next;
        if by != 0.0 {
            let range = self.problem.range(row);
            let parts =
                self.problem.entries[range.clone()].iter().zip(&self.sweeps.response[range]);
            parts.for_each(|((body, _), response)| self.velocity[*body] += by * response);
        }
    }
}
