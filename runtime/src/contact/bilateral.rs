//! Bilateral constraints within a step.
//!
//! > h(q ⊕ Δ v⁺, t + Δ) = 0  of rows of positions,  h_v(q, v⁺, t + Δ) = 0  of velocities
//!
//! for a step of Δ seconds, by impulses along the rows H(q, v, t) of its beginning. (At q, h_v is what
//! impulses along its rows there leave; at q⁺ it would give energy to what rolls.) There the rows belong to a
//! configuration that satisfies the constraints; with the time of the end they would not where constraints
//! depend on time, and rows that are redundant would seem independent. The equations are solved by
//! Newton's method with these rows: from a velocity w the next one is that with
//!
//! > H v⁺ = g,  g = H w − e,  e = h(q ⊕ Δ w, t + Δ) / Δ  or  h_v(q, w, t + Δ)
//!
//! and the error e, divided by ρ of its row ([`reaches`]), shrinks by about Δ |ω| a time. Near a singular position, where a step
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

use super::Error;
use super::yielding::Yielding;
use crate::constrained::{Rows, rank_threshold, reaches};
use crate::description::Level;
use crate::kkt::{Problem, Solver};
use crate::manifold;
use crate::model::{Robot, Table};
use crate::slices::{columns, multiply, subtract, worse};

/// The largest error of a constraint, in m or rad, that a step may start from.
const VIOLATION: f64 = 1e-2;

/// The constraints of a step and what they leave of a velocity.
#[derive(Clone, Debug)]
pub(super) struct Bilateral {
    table: &'static Table,
    rows: Rows,
    solver: Solver,
    /// g.
    target: Vec<f64>,
    /// ρ, (nc).
    reaches: Vec<f64>,
    /// e / ρ, (nc).
    errors: Vec<f64>,
    /// g of Newton's method and the e / ρ that it was found from, the last time.
    last: (Vec<f64>, Vec<f64>),
    corrections: usize,
    /// Λ_c, (nc, nc).
    inertia: Vec<f64>,
    /// N, (nv, nv).
    projector: Vec<f64>,
    /// g − H u, and Λ, (nc).
    missing: Vec<f64>,
    impulses: Vec<f64>,
    /// (nv).
    room: Vec<f64>,
    /// Where a velocity leads straight on, (nq), and the velocity, (nv).
    straight: (Vec<f64>, Vec<f64>),
    /// Of each row, whether it gives way, and is none of these.
    yields: Vec<bool>,
}

impl Bilateral {
    pub(super) fn new(robot: Robot<'_>) -> Self {
        let Table { nq, nv, nc, .. } = *robot.table();
        Self {
            table: robot.table(),
            rows: Rows::new(robot),
            solver: Solver::default(),
            target: vec![0.0; nc],
            reaches: Vec::new(),
            errors: vec![0.0; nc],
            last: (vec![0.0; nc], vec![0.0; nc]),
            corrections: 0,
            inertia: vec![0.0; nc * nc],
            projector: vec![0.0; nv * nv],
            missing: vec![0.0; nc],
            impulses: vec![0.0; nc],
            room: vec![0.0; nv],
            straight: (vec![0.0; nq], vec![0.0; nv]),
            yields: vec![false; nc],
        }
    }

    /// Evaluates the rows of a step from (q, v) at `time`.
    pub(super) fn evaluate(
        &mut self,
        robot: Robot<'_>,
        (q, v): (&[f64], &[f64]),
        time: f64,
        (mass, yielding): (&[f64], &Yielding),
    ) -> Result<(), Error> {
        self.rows.evaluate(robot, q, v, time);
        let counts = robot.constraints.iter().map(|constraint| constraint.levels.len());
        reaches(counts, (robot.nc, &self.rows.held.jacobian), &mut self.reaches);
        self.leave_out(yielding);
        self.check_start()?;
        self.corrections = 0;
        self.room.fill(0.0);
        let held = &self.rows.held;
        self.solver.set_rank_threshold(rank_threshold(&held.jacobian, &held.error));
        let problem = Problem::new(mass, &held.jacobian, &self.room, &self.target);
        let problem = problem.parents(robot.parents);
        let projected = self.solver.project(&problem, &mut self.inertia, &mut self.projector);
        projected.map(|_| ()).map_err(Error::Bilateral)
    }

    /// Lets the rows that give way hold nothing: they vanish.
    fn leave_out(&mut self, yielding: &Yielding) {
        for (k, yields) in self.yields.iter_mut().enumerate() {
            *yields = yielding.gives_way(k);
            if *yields {
                self.rows.held.error[k] = 0.0;
                let jacobian = self.rows.held.jacobian.iter_mut();
                jacobian.skip(k).step_by(self.table.nc).for_each(|h| *h = 0.0);
            }
        }
    }

    /// Whether the constraints hold at the beginning, to the accuracy of a step.
    fn check_start(&self) -> Result<(), Error> {
        let distance = |(h, reach): (&f64, &f64)| h.abs() / reach;
        for constraint in self.table.constraints {
            let rows = constraint.first..constraint.first + constraint.levels.len();
            let rows = self.rows.held.error[rows.clone()].iter().zip(&self.reaches[rows]);
            let error = rows.map(distance).fold(0.0, worse);
            if error.is_nan() || error > VIOLATION {
                return Err(Error::Violated { constraint: constraint.name, error });
            }
        }
        Ok(())
    }

    /// The largest error of a constraint where the velocity `w` leads in `h` seconds from `q` at `time`: to `end`, or straight on.
    pub(super) fn violation(
        &mut self,
        robot: Robot<'_>,
        (q, w): (&[f64], &[f64]),
        end: Option<&[f64]>,
        (time, h): (f64, f64),
    ) -> f64 {
        let (straight, velocity) = &mut self.straight;
        let end = match end {
            Some(end) => end,
            None => {
                straight.copy_from_slice(q);
                velocity.copy_from_slice(w);
                manifold::move_on(robot.joints, h, straight, velocity);
                straight
            }
        };
        let (errors, rates) = (&mut self.errors, &mut self.missing);
        let rows = (&self.reaches[..], |k: usize| self.yields[k]);
        let violation = missed(robot, (q, end, w), time + h, rows, (errors, rates));
        let positions = self.rows.levels().map(|(level, _)| level == Level::Position);
        let errors = self.errors.iter_mut().zip(positions).filter(|(_, position)| *position);
        errors.for_each(|(error, _)| *error /= h);
        violation
    }

    /// The next g, after [`violation`](Self::violation) with the velocity `w`.
    pub(super) fn correct(&mut self, w: &[f64]) {
        let errors = self.errors.iter().zip(&self.reaches);
        self.target.iter_mut().zip(errors).for_each(|(g, (e, reach))| *g = -e * reach);
        multiply(&mut self.target, &self.rows.held.jacobian, w);
        let (newton, errors) = &mut self.last;
        if self.corrections > 0 {
            let share = secant(&self.errors, errors);
            for (target, last) in self.target.iter_mut().zip(newton) {
                let newton = core::mem::replace(last, *target);
                *target += share * (newton - *target);
            }
        } else {
            newton.copy_from_slice(&self.target);
        }
        errors.copy_from_slice(&self.errors);
        self.corrections += 1;
    }

    /// N u.
    pub(super) fn project(&mut self, u: &mut [f64]) {
        self.room.fill(0.0);
        multiply(&mut self.room, &self.projector, u);
        u.copy_from_slice(&self.room);
    }

    /// The impulses Λ of the rows, (nc), where all else would make the velocity `u`.
    pub(super) fn impulses(&mut self, u: &[f64]) -> &[f64] {
        self.missing.clone_from(&self.target);
        for (column, u) in columns(&self.rows.held.jacobian, self.target.len()).zip(u) {
            subtract(&mut self.missing, *u, column);
        }
        self.impulses.fill(0.0);
        multiply(&mut self.impulses, &self.inertia, &self.missing);
        &self.impulses
    }

    /// Writes these impulses, but for the rows that give way.
    pub(super) fn write_impulses(&mut self, u: &[f64], to: &mut [f64]) {
        self.impulses(u);
        let rows = to.iter_mut().zip(&self.impulses).zip(&self.yields);
        rows.filter(|(_, yields)| !**yields).for_each(|((to, impulse), _)| *to = *impulse);
    }

    /// p += Hᵀ Λ.
    pub(super) fn add_force(&self, impulses: &[f64], p: &mut [f64]) {
        self.rows.add_transposed(impulses, p);
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

/// Writes what a step to `end` with the velocity `w` misses, (nc): h(q⁺, t⁺) / ρ of rows of positions,
/// h_v(q, w, t⁺) / ρ of those of velocities, zero of those that give way. Returns the largest, where velocities count by the fastest
/// coordinate if that is above one. `rates`, (nc), is room.
pub(super) fn missed(
    robot: Robot<'_>,
    (q, end, w): (&[f64], &[f64], &[f64]),
    t: f64,
    (reaches, yields): (&[f64], impl Fn(usize) -> bool),
    (errors, rates): (&mut [f64], &mut [f64]),
) -> f64 {
    robot.constraint_into(end, t, errors);
    robot.constraint_rate_into(q, w, t, rates);
    let fastest = w.iter().fold(1.0, |most, w| worse(w.abs(), most));
    let levels = robot.constraints.iter().flat_map(|constraint| constraint.levels);
    let mut most = 0.0;
    let rows = levels.zip(errors).zip(rates).zip(reaches).enumerate();
    for (k, (((level, error), rate), reach)) in rows {
        if yields(k) {
            *error = 0.0;
            continue;
        }
        let scale = match level {
            Level::Position => 1.0,
            Level::Velocity => {
                *error = *rate;
                fastest
            }
        };
        *error /= reach;
        most = worse(error.abs() / scale, most);
    }
    most
}
