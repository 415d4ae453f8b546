//! One step.
//!
//! > M (u⁺ − ũ) = h f + Jᵀ Λ,  s⁺ = (s ⊕ h u⁺) ⊕ δ,  M δ = Jᵀ ν
//!
//! ũ has the gyroscopic term in it, M and J are those of the beginning. δ is the displacement, least in
//! ½ δᵀ M δ, that puts right what joints, limits and contacts are wrong by at s ⊕ h u⁺: Newton's method, with rows of the
//! velocities' form. Where a step begins with errors, ω⁺ turns along with each body: in the axes of the world it would be
//! one of another energy afterwards. What the motion of a step itself is wrong by is of second order; ω⁺ then stays, since
//! turned as well it loses several times as much angular momentum.

use alloc::vec::Vec;

use nalgebra::Vector6;

use super::aim::Aim;
use super::body::{Body, split};
use super::collect::collect;
use super::motor::{DryFriction, Motor};
use super::parameter::{self, Range};
use super::problem::{Group, Problem, Source};
use super::residual::Residual;
use super::{Error, Method, Orientation, World};
use crate::slices;

/// Errors below this, in m or rad, are not put right.
const EXACT: f64 = 1e-12;

/// Displacements of a step at most. One leaves errors of second order, which make rows that depend on others around a
/// loop slightly independent; two leave rounding.
const CORRECTIONS: usize = 3;

/// The largest error of a place after a step, in m or rad, or by how far a body goes if that is more.
const MOST: f64 = 1e-6;

/// A step that begins with a larger error, in m or rad, puts right what it did not make.
const ROUNDING: f64 = 1e-10;

/// An error that is less than this part of the last one is much smaller.
const MUCH: f64 = 0.1;

/// What is put right.
#[derive(Clone, Copy, Debug)]
enum Errors {
    /// What was wrong at the beginning of the step.
    Start,
    /// What its motion has made.
    Motion,
}

/// What a step took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepReport {
    /// What is left of the equations of velocities.
    pub residual: Residual,
    /// The largest |Φ| of a hard row, and depth of a limit or contact, at the beginning of the step.
    pub error: f64,
    /// Rows of all constraints.
    pub rows: usize,
    /// Iterations of the cone solver, or pairs of sweeps, for velocities.
    pub iterations: usize,
}

/// The impulses of the last step by their source, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory(Vec<(Source, [f64; 6])>);

impl Memory {
    fn of(problem: &Problem, impulse: &[f64]) -> Self {
        let of = |group: &Group| {
            let own = &impulse[group.first..][..group.count];
            (group.source, core::array::from_fn(|k| own.get(k).copied().unwrap_or(0.0)))
        };
        Self(problem.groups.iter().map(of).collect())
    }

    /// The impulses of the same sources, zero of others.
    fn recall(&self, problem: &Problem, impulse: &mut Vec<f64>) {
        slices::zeros(impulse, problem.rows());
        for group in &problem.groups {
            if let Ok(place) = self.0.binary_search_by_key(&group.source, |(source, _)| *source) {
                impulse[group.first..][..group.count]
                    .copy_from_slice(&self.0[place].1[..group.count]);
            }
        }
    }
}

/// # Errors
///
/// [`Error::Drowned`] if rounding leaves nothing of the place of a body that a step of `h` seconds would move by `by`.
fn check_place(
    body: usize,
    (before, after): (&Body, &Body),
    by: Vector6<f64>,
    h: f64,
) -> Result<(), Error> {
    let allowed = MOST / f64::EPSILON;
    let (linear, angular) = split(&by);
    let gone = (after.position - before.position).amax();
    for (distance, most) in [(linear.amax(), allowed * gone.max(1.0)), (angular.amax(), allowed)] {
        if distance > most {
            return Err(Error::Drowned { body, distance, most, step_size: h });
        }
    }
    Ok(())
}

impl World {
    /// Moves on by `h` seconds.
    ///
    /// # Errors
    ///
    /// [`Error::Parameter`] and [`Error::NotFinite`] of what is given, [`Error::Singular`] and [`Error::Cone`] of the
    /// equations, [`Error::Residual`] of what was found, and [`Error::Drowned`] if bodies move too far in it. The world is then as
    /// it was.
    pub fn step(&mut self, h: f64) -> Result<StepReport, Error> {
        self.check(h)?;
        self.update_forest();
        let mut problem = core::mem::take(&mut self.problem);
        let result = self.advance(h, &mut problem);
        self.problem = problem;
        result
    }

    /// The last step's problem is in `problem` afterwards; it is kept only for its storage.
    fn advance(&mut self, h: f64, problem: &mut Problem) -> Result<StepReport, Error> {
        let error = collect(self, &self.bodies, Aim::Velocity { h }, problem);
        let (mut velocity, mut impulse) = (Vec::new(), Vec::new());
        self.memory.recall(problem, &mut impulse);
        let tolerance = self.settings.tolerance;
        let iterations = self.solve(problem, tolerance, &mut velocity, &mut impulse)?;
        let residual = Residual::of(problem, &velocity, &impulse);
        let accepted = residual.max() <= tolerance;
        if !accepted {
            return Err(Error::Residual { residual, tolerance });
        }
        let rows = problem.rows();
        let memory = Memory::of(problem, &impulse);
        let mut next = self.bodies.clone();
        for (body, velocity) in next.iter_mut().zip(&velocity) {
            body.set_velocity(velocity);
            body.displace(&(h * velocity), self.settings.orientation);
        }
        let before = self.time;
        let clock = self.clock.after(before, h);
        self.time = clock.time();
        let of = if error > ROUNDING { Errors::Start } else { Errors::Motion };
        self.put_right(&mut next, of, h * tolerance, problem);
        let known = |(k, body): (usize, &Body)| {
            body.check_state(k)?;
            check_place(k, (&self.bodies[k], body), h * velocity[k], h)
        };
        if let Err(error) = next.iter().enumerate().try_for_each(known) {
            self.time = before;
            return Err(error);
        }
        (self.bodies, self.memory, self.clock) = (next, memory, clock);
        self.joints.iter_mut().for_each(|joint| joint.follow(&self.bodies));
        Ok(StepReport { residual, error, rows, iterations })
    }

    /// Displaces bodies such that errors vanish, again as long as that makes them much smaller. Where there is no such
    /// displacement, they stay, and are reported at the next step.
    fn put_right(
        &mut self,
        bodies: &mut [Body],
        of: Errors,
        tolerance: f64,
        problem: &mut Problem,
    ) {
        let (mut displacement, mut impulse) = (Vec::new(), Vec::new());
        let mut last = f64::INFINITY;
        for _ in 0..CORRECTIONS {
            let error = collect(self, bodies, Aim::Position, problem);
            if error <= EXACT || error > MUCH * last {
                return;
            }
            last = error;
            slices::zeros(&mut impulse, problem.rows());
            if self.solve(problem, tolerance, &mut displacement, &mut impulse).is_err() {
                return;
            }
            for (body, by) in bodies.iter_mut().zip(&displacement) {
                match of {
                    Errors::Start => body.carry(by),
                    Errors::Motion => body.displace(by, Orientation::Finite),
                }
            }
        }
    }

    fn solve(
        &mut self,
        problem: &Problem,
        tolerance: f64,
        velocity: &mut Vec<Vector6<f64>>,
        impulse: &mut Vec<f64>,
    ) -> Result<usize, Error> {
        match self.settings.method {
            Method::Direct => {
                self.direct.solve((problem, &self.forest), tolerance, velocity, impulse)
            }
            Method::Sweeps { limit } => {
                self.sweeps.solve(problem, (limit, tolerance), velocity, impulse)
            }
            Method::Newton { limit } => {
                self.newton.solve(problem, (limit, tolerance), velocity, impulse)
            }
        }
    }

    fn check(&self, h: f64) -> Result<(), Error> {
        parameter::check("the step size", h, Range::Positive)?;
        parameter::check("the tolerance", self.settings.tolerance, Range::Positive)?;
        parameter::check("the reduction", self.settings.reduction, Range::Share)?;
        self.motors.iter().try_for_each(Motor::check)?;
        self.frictions.iter().try_for_each(DryFriction::check)?;
        self.bodies.iter().enumerate().try_for_each(|(k, body)| body.check(k))
    }
}
