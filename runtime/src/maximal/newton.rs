//! Newton's method for piles, on the sparse system of all bodies.
//!
//! > λ = Σ f x,  t · w + c x + ρ (x − x⁻) = 0,  M u = p + Jᵀ λ
//!
//! At a point, each block of rows is in a mode, which leaves it unknowns x with a force f and a test t; those of
//! contacts are Alart's and Curnier's,
//!
//! | mode | λ | equations |
//! |---|---|---|
//! | open, or at a bound | the bound | |
//! | holds, or sticks | x | w = 0 |
//! | slides | (x₁, μ x₁ e + x₂ g) | wₙ = 0, g · wₜ + s (1 − k)/k x₂ = 0, k = r/‖zₜ‖ |
//!
//! with z = s λ − w, e = zₜ/‖zₜ‖ ⟂ g and the disc's radius r. Each unknown is eliminated by itself, and what is left,
//!
//! > (M + Σ (Jᵀ f)(t J)/d) u = …,  d = c + ρ,
//!
//! is as sparse as bodies touch (`sparse`). ρ keeps it regular where rows depend on one another, and near to the last point
//! where modes change much: it becomes less with every whole step that is taken, and larger where none is. A step
//! is taken if the residual is then less than the largest of the last ones: whole, after one more pair of sweeps, or in part.
//! Where ρ becomes too large, and at the beginning, `sweeps` go on from there.
//!
//! No proof says that it ends; what it does not solve is refused by its residual.
//!
//! # Source
//!
//! Alart, Curnier: A Mixed Formulation for Frictional Contact Problems Prone to Newton like Solution Methods (1991);
//! Rockafellar: Monotone Operators and the Proximal Point Algorithm (1976), for ρ; Grippo, Lampariello, Lucidi: A
//! Nonmonotone Line Search Technique for Newton's Method (1986).

use alloc::vec::Vec;

use nalgebra::{Matrix6, Vector6};

use super::Error;
use super::problem::Problem;
use super::residual::{Residual, square};
use super::sparse::Sparse;
use super::sweeps::Sweeps;
use super::unknown::{At, Unknown};
use crate::slices::copy;

/// ρ by the mobility of a row: at first, and at least and at most.
const PROXIMAL: f64 = 1e-2;
const BOUNDS: [f64; 2] = [1e-8, 0.1];

/// What ρ is multiplied by after a whole step, after a short part of one, and where none was taken.
const CHANGES: [f64; 3] = [0.3, 2.0, 5.0];

/// Pairs of sweeps at the beginning, and wherever ρ is too large.
const SWEEPS: usize = 30;

/// Halvings of a step, and the longest part that is short.
const HALVINGS: usize = 4;
const SHORT: f64 = 0.125;

/// Residuals that are remembered, and the share of the largest that the next may have.
const MEMORY: usize = 10;
const LESS: f64 = 0.9999;

/// Room for the method.
#[derive(Clone, Debug, Default)]
pub(super) struct Newton {
    sweeps: Sweeps,
    system: Sparse,
    /// M⁻¹.
    inverse: Vec<Matrix6<f64>>,
    unknowns: Vec<Unknown>,
    last: Vec<f64>,
    next: Vec<f64>,
    moved: Vec<Vector6<f64>>,
    /// The squares of residuals, since sweeps were made.
    merits: Vec<f64>,
    proximal: f64,
}

impl Newton {
    /// u and λ, from the λ that is there, and how many pairs of sweeps and steps they took: at most `limit` steps.
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
        let is_solved = |velocity: &[Vector6<f64>], impulse: &[f64]| {
            Residual::of(problem, velocity, impulse).max() <= tolerance
        };
        let mut sweeps = self.sweep(problem, tolerance, velocity, impulse)?;
        if is_solved(velocity, impulse) {
            return Ok(sweeps);
        }
        self.arrange(problem)?;
        for step in 1..=limit {
            self.step(problem, tolerance, velocity, impulse)?;
            if is_solved(velocity, impulse) {
                return Ok(sweeps + step);
            }
            if self.proximal > BOUNDS[1] {
                sweeps += self.sweep(problem, tolerance, velocity, impulse)?;
            }
        }
        Ok(sweeps + limit)
    }

    /// Begins anew after some sweeps.
    fn sweep(
        &mut self,
        problem: &Problem,
        tolerance: f64,
        velocity: &mut Vec<Vector6<f64>>,
        impulse: &mut [f64],
    ) -> Result<usize, Error> {
        let done = self.sweeps.solve(problem, (SWEEPS, tolerance), velocity, impulse)?;
        self.proximal = PROXIMAL;
        self.merits.clear();
        self.merits.push(square(problem, velocity, impulse));
        Ok(done)
    }

    fn arrange(&mut self, problem: &Problem) -> Result<(), Error> {
        let pairs = problem.groups.iter().flat_map(|group| {
            let rows = group.first..group.first + group.count;
            rows.flat_map(|row| {
                let parts = problem.row(row);
                parts.iter().flat_map(|(a, _)| parts.iter().map(|(b, _)| [*a, *b]))
            })
        });
        self.system.arrange(problem.mass.len(), pairs);
        self.inverse = problem.inverse()?;
        Ok(())
    }

    /// Takes a step, or makes ρ larger.
    fn step(
        &mut self,
        problem: &Problem,
        tolerance: f64,
        velocity: &mut Vec<Vector6<f64>>,
        impulse: &mut [f64],
    ) -> Result<(), Error> {
        copy(&mut self.last, impulse);
        if !self.linear(problem, velocity) {
            self.proximal *= CHANGES[2];
            return Ok(());
        }
        let recent = self.merits.iter().rev().take(MEMORY);
        let bound = LESS * recent.copied().fold(0.0, f64::max);
        let mut share = 1.0;
        for halving in 0..=HALVINGS {
            let ends = self.last.iter().zip(&self.next);
            impulse.iter_mut().zip(ends).for_each(|(x, (a, b))| *x = a + share * (b - a));
            problem.follow(&self.inverse, impulse, velocity);
            let mut merit = square(problem, velocity, impulse);
            if halving == 0 && merit >= bound {
                self.sweeps.solve(problem, (1, tolerance), velocity, impulse)?;
                merit = square(problem, velocity, impulse);
            }
            if merit < bound {
                self.merits.push(merit);
                let [whole, short, _] = CHANGES;
                let change = if halving == 0 {
                    whole
                } else if share <= SHORT {
                    short
                } else {
                    1.0
                };
                self.proximal = (change * self.proximal).max(BOUNDS[0]);
                return Ok(());
            }
            share *= 0.5;
        }
        impulse.copy_from_slice(&self.last);
        problem.follow(&self.inverse, impulse, velocity);
        self.proximal *= CHANGES[2];
        Ok(())
    }

    /// Solves the linear problem at (u, λ) for λ, which is written to `next`; whether it is regular, as it is with a
    /// larger ρ.
    fn linear(&mut self, problem: &Problem, velocity: &[Vector6<f64>]) -> bool {
        self.unknowns.clear();
        copy(&mut self.next, &self.last).fill(0.0);
        for group in &problem.groups {
            let mut at = At {
                proximal: self.proximal,
                problem,
                velocity,
                impulse: &self.last,
                unknowns: &mut self.unknowns,
            };
            at.list(group, &mut self.next);
        }
        let Self { system, moved, unknowns, .. } = self;
        system.begin(&problem.mass);
        moved.clone_from(&problem.momentum);
        for (row, &fixed) in self.next.iter().enumerate() {
            problem.add_impulse(row, fixed, moved);
        }
        for unknown in unknowns.iter() {
            let forces = unknown.parts(problem, &unknown.force);
            let tests = unknown.parts(problem, &unknown.test);
            for (a, force) in &forces {
                let force = force / unknown.scale;
                moved[*a] += force * unknown.asked(problem);
                tests
                    .iter()
                    .for_each(|(b, test)| system.add([*a, *b], &(force * test.transpose())));
            }
        }
        if system.factor().is_err() {
            return false;
        }
        system.solve(moved);
        for unknown in unknowns.iter() {
            let tests = unknown.parts(problem, &unknown.test);
            let rate: f64 = tests.iter().map(|(body, test)| test.dot(&moved[*body])).sum();
            let x = (unknown.asked(problem) - rate) / unknown.scale;
            for k in 0..unknown.count {
                self.next[unknown.first + k] += unknown.force[k] * x;
            }
        }
        true
    }
}
