//! Bilateral constraints within a step.
//!
//! > h(q ⊕ Δ v⁺, t + Δ) = 0  of rows of positions,  H v⁺ = H v − h_v(q, v, t + Δ)  of velocities
//!
//! for a step of Δ seconds, by impulses along the rows H of its beginning. The first equation is solved by
//! Newton's method with these rows: from a velocity w the next one is that with
//!
//! > H v⁺ = g,  g = H w − h(q ⊕ Δ w, t + Δ) / Δ
//!
//! and the error e = h(q ⊕ Δ w, t + Δ) shrinks by about Δ |ω| a time. Near a singular position, where a step
//! turns rows by much of what is left of them, it grows instead, but along one line; hence from the second
//! on, g is extrapolated by the secant,
//!
//! > gₖ + θ (gₖ₋₁ − gₖ),  θ = eₖᵀ (eₖ − eₖ₋₁) / ‖eₖ − eₖ₋₁‖²
//!
//! With M⁻¹ known, the velocity that the rows leave of a velocity
//! u, and their impulses, are
//!
//! > N u + M⁻¹ Hᵀ Λ_c g,  Λ = Λ_c (g − H u),  N = 1 − M⁻¹ Hᵀ Λ_c H
//!
//! so that contacts meet N M⁻¹ in the place of M⁻¹. Where H loses rank, Λ is the smallest and H v⁺ the
//! nearest to g, in the sense of least squares.
//!
//! Steps so end on the manifold h = 0, where redundant rows depend on one another; beside it they nearly do.
//!
//! # Source
//!
//! Ryckaert, Ciccotti, Berendsen: Numerical Integration of the Cartesian Equations of Motion of a System
//! with Constraints (1977), whose method it is without contacts; Hairer, Lubich, Wanner: Geometric Numerical
//! Integration (2006), section VII.1.4; Anderson: Iterative Procedures for Nonlinear Integral Equations (1965),
//! for the secant.

use alloc::vec;
use alloc::vec::Vec;

use crate::constrained::{Rows, rank_threshold};
use crate::description::Level;
use crate::kkt::{self, Problem, Solver};
use crate::lcp::worse;
use crate::manifold;
use crate::model::Model;
use crate::space::Storage;

/// The constraints of a step and what they leave of a velocity.
#[derive(Clone, Debug)]
pub(super) struct Bilateral<M: Model> {
    rows: Rows<M>,
    solver: Solver,
    /// g, and the one that left the least error.
    target: Vec<f64>,
    best: Vec<f64>,
    /// h at the beginning, then e at the end, (nc).
    errors: Vec<f64>,
    /// g of Newton's method and the e that it was found from, the last time.
    last: (Vec<f64>, Vec<f64>),
    aims: usize,
    /// Λ_c, (nc, nc).
    inertia: Vec<f64>,
    /// N, (nv, nv).
    projector: Vec<f64>,
    /// g − H u, and Λ, (nc).
    missing: Vec<f64>,
    impulses: Vec<f64>,
    /// (nv).
    room: Vec<f64>,
}

impl<M: Model> Bilateral<M> {
    pub(super) fn new(model: &M) -> Self {
        Self {
            rows: Rows::new(model),
            solver: Solver::default(),
            target: Vec::new(),
            best: Vec::new(),
            errors: vec![0.0; M::NC],
            last: (vec![0.0; M::NC], vec![0.0; M::NC]),
            aims: 0,
            inertia: vec![0.0; M::NC * M::NC],
            projector: vec![0.0; M::NV * M::NV],
            missing: vec![0.0; M::NC],
            impulses: vec![0.0; M::NC],
            room: vec![0.0; M::NV],
        }
    }

    /// Evaluates the rows of a step of `h` seconds from (q, v) at `time`.
    pub(super) fn evaluate(
        &mut self,
        model: &M,
        (q, v): (&M::Q, &M::V),
        (time, h): (f64, f64),
        mass: &[f64],
    ) -> Result<(), kkt::Error> {
        self.rows.evaluate(model, q, v, time + h);
        velocity_targets(&self.rows, v.as_slice(), &mut self.target);
        self.aims = 0;
        model.constraint_into(q, time, &mut self.errors);
        self.room.fill(0.0);
        let jacobian = &self.rows.held.jacobian;
        self.solver.set_rank_threshold(rank_threshold(jacobian, &self.errors));
        let problem = Problem::new(mass, jacobian, &self.room, &self.target).parents(M::PARENTS);
        self.solver.project(&problem, &mut self.inertia, &mut self.projector).map(|_| ())
    }

    /// The largest |h| where the velocity `w` leads in `h` seconds from `q` at `time`.
    pub(super) fn opening(
        &mut self,
        model: &M,
        (q, w): (&M::Q, &[f64]),
        (time, h): (f64, f64),
    ) -> f64 {
        self.room.copy_from_slice(w);
        let mut end = q.clone();
        manifold::move_on(M::JOINTS, h, end.as_mut_slice(), &mut self.room);
        model.constraint_into(&end, time + h, &mut self.errors);
        self.errors.iter().map(|error| error.abs()).fold(0.0, worse)
    }

    /// The next g, after [`opening`](Self::opening) with the velocity `w` and the step size `h`.
    pub(super) fn aim(&mut self, w: &[f64], h: f64) {
        let jacobian = &self.rows.held.jacobian;
        let rows = self.rows.levels().zip(&mut self.target).zip(&self.errors).enumerate();
        for (i, (((level, _), target), error)) in rows {
            if level == Level::Position {
                let along = jacobian.iter().skip(i).step_by(M::NC).zip(w);
                *target = along.map(|(h, w)| h * w).sum::<f64>() - error / h;
            }
        }
        let share = if self.aims == 0 { 0.0 } else { secant(&self.errors, &self.last.1) };
        for (target, last) in self.target.iter_mut().zip(&mut self.last.0) {
            let newton = core::mem::replace(last, *target);
            *target += share * (newton - *target);
        }
        self.last.1.copy_from_slice(&self.errors);
        self.aims += 1;
    }

    /// Keeps g as the best.
    pub(super) fn keep(&mut self) {
        self.best.clone_from(&self.target);
    }

    /// Takes the best g again.
    pub(super) fn take_back(&mut self) {
        self.target.clone_from(&self.best);
    }

    /// N u.
    pub(super) fn project(&mut self, u: &mut [f64]) {
        self.room.fill(0.0);
        for (column, u) in self.projector.chunks_exact(u.len().max(1)).zip(u.iter()) {
            self.room.iter_mut().zip(column).for_each(|(x, n)| *x += n * u);
        }
        u.copy_from_slice(&self.room);
    }

    /// The impulses Λ of the rows, (nc), where all else would make the velocity `u`.
    pub(super) fn impulses(&mut self, u: &[f64]) -> &[f64] {
        let rows = self.target.len();
        self.missing.clone_from(&self.target);
        for (column, u) in self.rows.held.jacobian.chunks_exact(rows.max(1)).zip(u) {
            self.missing.iter_mut().zip(column).for_each(|(x, h)| *x -= h * u);
        }
        self.impulses.fill(0.0);
        for (column, missing) in self.inertia.chunks_exact(rows.max(1)).zip(&self.missing) {
            self.impulses.iter_mut().zip(column).for_each(|(x, c)| *x += c * missing);
        }
        &self.impulses
    }

    /// Hᵀ Λ, (nv), of these impulses.
    pub(super) fn force(&mut self, u: &[f64]) -> &mut [f64] {
        self.impulses(u);
        self.room.fill(0.0);
        self.rows.add_transposed(&self.impulses, &mut self.room);
        &mut self.room
    }
}

/// θ.
fn secant(errors: &[f64], last: &[f64]) -> f64 {
    let changes = || errors.iter().zip(last).map(|(error, last)| error - last);
    let along: f64 = errors.iter().zip(changes()).map(|(error, change)| error * change).sum();
    let square: f64 = changes().map(|change| change * change).sum();
    if square > 0.0 { along / square } else { 0.0 }
}

/// g of the rows of velocities at the velocity `v`, at which the rows are evaluated; zero of the others.
pub(super) fn velocity_targets<M: Model>(rows: &Rows<M>, v: &[f64], target: &mut Vec<f64>) {
    let values = &rows.held;
    let count = values.error.len();
    target.clear();
    target.extend(rows.levels().enumerate().map(|(i, (level, _))| match level {
        Level::Position => 0.0,
        Level::Velocity => {
            let row = (0..v.len()).map(|j| values.jacobian[j * count + i] * v[j]);
            row.sum::<f64>() - values.rate[i]
        }
    }));
}
