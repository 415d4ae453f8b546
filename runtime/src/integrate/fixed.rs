//! Steps of a length that is given.
//!
//! > y⁺ = y + h/6 (k₁ + 2 k₂ + 2 k₃ + k₄) in local coordinates; v⁺ = v + h v̇(t, q, v), q⁺ = q ⊕ h v⁺
//!
//! The classical Runge–Kutta method has order 4; semi-implicit Euler has order 1, and keeps the energy of an
//! oscillation without trend where forces follow from the configuration alone.
//!
//! # Source
//!
//! Hairer, Nørsett, Wanner: Solving Ordinary Differential Equations I (second edition, 1993), section II.1; Hairer,
//! Lubich, Wanner: Geometric Numerical Integration (second edition, 2006), section I.1 and IV.8.

use alloc::vec;
use alloc::vec::Vec;

use super::error::positive;
use super::local::{Local, Room};
use super::{Dense, Error, Phase, Space, System};
use crate::clock::Clock;
use crate::{manifold, slices};

/// The classical Runge–Kutta method of order 4, with four evaluations a step. No joint with quaternions may turn by a
/// whole turn in one.
#[derive(Clone, Debug)]
pub struct RungeKutta4 {
    space: Space,
    /// The step's beginning, and its change.
    step: Dense,
    y: Vec<f64>,
    rate: Vec<f64>,
    room: Room,
    clock: Clock,
}

/// The nodes of the method, and 6 times its weights.
const STAGES: [(f64, f64); 4] = [(0.0, 1.0), (0.5, 2.0), (0.5, 2.0), (1.0, 1.0)];

impl RungeKutta4 {
    /// With room for a step.
    pub fn new(space: &Space) -> Self {
        let zeros = vec![0.0; space.local()];
        let (step, room) = (Dense::new(space, 1), Room::new(space));
        let clock = Clock::default();
        Self { space: space.clone(), step, y: zeros.clone(), rate: zeros, room, clock }
    }

    /// Moves `phase` on by `h` seconds.
    ///
    /// # Errors
    ///
    /// [`Error::Setting`] unless `h` is finite and greater than zero, [`Error::Length`] or [`Error::Model`] unless it is
    /// a phase of the space, [`Error::NotFinite`] if a rate is not. The phase is then unchanged.
    pub fn step<S: System + ?Sized>(
        &mut self,
        system: &mut S,
        phase: &mut Phase,
        h: f64,
    ) -> Result<(), Error> {
        let clock = self.clock.after(phase.time, positive("step", h)?);
        phase.check(&self.space)?;
        self.room.forget();
        self.rate.fill(0.0);
        self.step.begin(phase, clock.time());
        let Dense { start, y: begin, terms: change, .. } = &mut self.step;
        change.fill(0.0);
        let space = &self.space;
        let mut local = Local { system, space, origin: &start.q, room: &mut self.room };
        for (node, weight) in STAGES {
            self.y.copy_from_slice(begin);
            slices::add(&mut self.y, h * node, &self.rate);
            local.evaluate(start.time + h * node, &self.y, &mut self.rate);
            slices::add(change, h * weight / 6.0, &self.rate);
        }
        match self.room.trouble(space) {
            Some(trouble) => Err(trouble),
            None => {
                self.step.write_end(phase);
                self.clock = clock;
                Ok(())
            }
        }
    }
}

/// Semi-implicit Euler, with one evaluation a step: velocities first, which then move the configuration.
///
/// The velocity of a floating joint is changed in axes that stand still during the step and turned to the child's
/// afterwards, as in a [`Simulation`](crate::Simulation), which takes the same steps where nothing touches.
#[derive(Clone, Debug)]
pub struct SemiImplicitEuler {
    space: Space,
    /// \[0 | v | z\].
    y: Vec<f64>,
    rate: Vec<f64>,
    start: Phase,
    room: Room,
    clock: Clock,
}

impl SemiImplicitEuler {
    /// With room for a step.
    pub fn new(space: &Space) -> Self {
        let (start, zeros) = (Phase::neutral(space), vec![0.0; space.local()]);
        let (room, clock) = (Room::new(space), Clock::default());
        Self { space: space.clone(), y: zeros.clone(), rate: zeros, start, room, clock }
    }

    /// Moves `phase` on by `h` seconds.
    ///
    /// # Errors
    ///
    /// As [`RungeKutta4::step`].
    pub fn step<S: System + ?Sized>(
        &mut self,
        system: &mut S,
        phase: &mut Phase,
        h: f64,
    ) -> Result<(), Error> {
        positive("step", h)?;
        phase.check(&self.space)?;
        self.room.forget();
        self.start.copy(phase);
        let (nv, joints) = (phase.v.len(), self.space.joints());
        self.y[nv..2 * nv].copy_from_slice(&phase.v);
        self.y[2 * nv..].copy_from_slice(&phase.z);
        let (space, origin) = (&self.space, &self.start.q);
        Local { system, space, origin, room: &mut self.room }.evaluate(
            phase.time,
            &self.y,
            &mut self.rate,
        );
        if let Some(trouble) = self.room.trouble(space) {
            return Err(trouble);
        }
        manifold::carry(joints, &self.start.v, h, &mut phase.v);
        slices::add(&mut phase.v, h, &self.rate[nv..2 * nv]);
        slices::add(&mut phase.z, h, &self.rate[2 * nv..]);
        manifold::move_on(joints, h, &mut phase.q, &mut phase.v);
        self.clock = self.clock.after(phase.time, h);
        phase.time = self.clock.time();
        Ok(())
    }
}
