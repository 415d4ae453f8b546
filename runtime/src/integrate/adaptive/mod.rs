//! Steps whose length follows from their error.

mod setup;

use alloc::vec::Vec;
use core::f64::consts::PI;

use super::control::{Control, Stiffness, first_length, guess};
use super::local::{Local, Room};
use super::tolerance::ratio;
use super::{Dense, Dop853, Error, Method, Phase, Space, Step, System, Tolerance};
use crate::manifold;
use crate::slices::worse;

pub use setup::Effort;

/// A step must be longer than so many units in the last place of its time.
const LEAST: f64 = 16.0 * f64::EPSILON;

/// Motion in steps as long as the tolerance allows.
///
/// It holds the phase and whatever a step needs, but not the system, which is given to each step: so the forces, or the
/// contacts that are held, may change between two steps by [`restart`](Self::restart). No step turns a joint with
/// quaternions by more than half a turn, at the speed with which it begins.
#[derive(Clone, Debug)]
pub struct Adaptive<M = Dop853> {
    space: Space,
    tolerance: Tolerance,
    method: M,
    phase: Phase,
    /// Whether `rate` is that of the phase.
    is_begun: bool,
    /// ẏ of the phase, about the phase.
    rate: Vec<f64>,
    /// The length to be tried next; none before the first step.
    proposal: Option<f64>,
    longest: f64,
    control: Control,
    stiffness: Stiffness,
    /// Of the last step that was tried.
    unstable: Option<f64>,
    /// The last step that was tried.
    dense: Dense,
    /// Whether that was made, and leads to the phase.
    is_made: bool,
    /// ẏ at both ends of the last step, about its beginning.
    start_rate: Vec<f64>,
    end_rate: Vec<f64>,
    scale: Vec<f64>,
    y: Vec<f64>,
    room: Room,
    steps: u64,
    rejections: u64,
}

impl<M: Method> Adaptive<M> {
    /// Moves on by one step, at most to `end`.
    ///
    /// # Errors
    ///
    /// [`Error::Backward`] unless `end` is after the phase's time, [`Error::NotFinite`] if there are no rates,
    /// [`Error::StepSize`] if no step has a small error, and [`Error::Stiff`] if thousands of steps were as short as they
    /// must be for an explicit method to be stable, and tens of thousands would follow. The phase is then unchanged.
    pub fn step<S: System + ?Sized>(&mut self, system: &mut S, end: f64) -> Result<(), Error> {
        let time = self.phase.time;
        let is_after = end > time && end.is_finite();
        if !is_after {
            return Err(Error::Backward { time, end });
        }
        self.is_made = false;
        self.stiffness.check(time, end - time)?;
        self.begin(system)?;
        let mut h = self.first_attempt(system, end);
        loop {
            let stop = self.stop(h, end);
            h = stop - time;
            let is_too_short = h <= LEAST * time.abs() || h < f64::MIN_POSITIVE;
            if is_too_short && stop != end {
                return Err(self.failure(h));
            }
            let error = self.attempt(system, stop);
            if error <= 1.0 {
                self.accept(h, error, stop == end);
                return Ok(());
            }
            self.rejections += 1;
            h = self.control.shorter(h, error);
            self.proposal = Some(h);
        }
    }

    /// Moves on to `end` in as many steps as it takes, `most` at the most.
    ///
    /// # Errors
    ///
    /// As [`step`](Self::step), and [`Error::Steps`]; the steps before are done.
    pub fn run_to<S: System + ?Sized>(
        &mut self,
        system: &mut S,
        end: f64,
        most: u64,
    ) -> Result<(), Error> {
        self.run_observed(system, end, most, |_, _| {})
    }

    /// As [`run_to`](Self::run_to), with the motion of each step shown to `observe`.
    ///
    /// # Errors
    ///
    /// As [`run_to`](Self::run_to).
    pub fn run_observed<S: System + ?Sized>(
        &mut self,
        system: &mut S,
        end: f64,
        most: u64,
        mut observe: impl FnMut(&mut S, &Dense),
    ) -> Result<(), Error> {
        for _ in 0..most {
            self.step(system, end)?;
            observe(system, &self.dense);
            if self.phase.time >= end {
                return Ok(());
            }
        }
        Err(Error::Steps { time: self.phase.time, steps: most, end })
    }

    /// The rate of the phase, unless the last step has left it, and what attempts have in common.
    fn begin<S: System + ?Sized>(&mut self, system: &mut S) -> Result<(), Error> {
        self.room.forget();
        self.dense.begin(&self.phase, self.phase.time);
        let Self { dense, space, room, rate, .. } = self;
        let mut local = Local { system, space, origin: &dense.start.q, room };
        if !self.is_begun {
            local.evaluate(dense.start.time, &dense.y, rate);
            self.is_begun = true;
        }
        self.method
            .prepare(&mut local, &Step { time: dense.start.time, h: 0.0, y: &dense.y, rate });
        match self.room.trouble(&self.space) {
            Some(trouble) => {
                self.is_begun = false;
                Err(trouble)
            }
            None => Ok(()),
        }
    }

    /// The length to try first.
    fn first_attempt<S: System + ?Sized>(&mut self, system: &mut S, end: f64) -> f64 {
        let proposal = match self.proposal {
            Some(h) => h,
            None => self.initial(system, end),
        };
        self.proposal = Some(proposal);
        let fastest = manifold::fastest_turn(self.space.joints(), &self.phase.v);
        proposal.min(self.longest).min(PI / fastest)
    }

    /// The first length, by Hairer's algorithm.
    fn initial<S: System + ?Sized>(&mut self, system: &mut S, end: f64) -> f64 {
        let Self { start_rate: y, end_rate: other, .. } = self;
        y.fill(0.0);
        self.tolerance.scale(&self.space, &self.phase, y, &mut self.scale);
        let size = self.tolerance.size(&self.space, &self.scale);
        let (h, speed) = guess(size, &self.rate, &self.scale);
        let h = h.min(end - self.phase.time);
        let Self { dense, space, room, .. } = self;
        let states = dense.y.iter().zip(&self.rate);
        y.iter_mut().zip(states).for_each(|(y, (start, rate))| *y = start + h * rate);
        let mut local = Local { system, space, origin: &dense.start.q, room };
        local.evaluate(dense.start.time + h, y, other);
        self.room.forget();
        other.iter_mut().zip(&self.rate).for_each(|(other, rate)| *other = (*other - rate) / h);
        let first = first_length(h, speed, ratio(other, &self.scale), M::ERROR_ORDER);
        if first.is_nan() { h } else { first }
    }

    /// The end of a step of about `h`, such that its length is a number.
    fn stop(&self, h: f64, end: f64) -> f64 {
        let stop = self.phase.time + h;
        let is_last = self.phase.time + 1.01 * h >= end;
        if is_last { end } else { stop }
    }

    /// The error, by its tolerance, of a step that ends at `stop`.
    fn attempt<S: System + ?Sized>(&mut self, system: &mut S, stop: f64) -> f64 {
        self.room.forget();
        self.dense.begin(&self.phase, stop);
        let Self { dense, space, room, scale, y, start_rate, end_rate, .. } = self;
        let space = &*space;
        start_rate.copy_from_slice(&self.rate);
        let h = stop - dense.start.time;
        let step = Step { time: dense.start.time, h, y: &dense.y, rate: start_rate };
        let mut local = Local { system, space, origin: &dense.start.q, room };
        let change = &mut dense.terms[..y.len()];
        self.method.attempt(&mut local, &step, change);
        self.tolerance.scale(space, &self.phase, change, scale);
        let mut error = self.method.error(h, scale);
        if error <= 1.0 {
            y.iter_mut().zip(dense.y.iter().zip(change)).for_each(|(sum, (y, d))| *sum = y + *d);
            local.evaluate(stop, y, end_rate);
            self.unstable = self.method.unstable(h, y, end_rate);
            self.method.interpolate(&mut local, &step, end_rate, &mut dense.terms);
            error = worse(error, dense.error(scale));
        }
        if self.room.is_troubled() { f64::NAN } else { error }
    }

    /// Takes the step that was tried.
    fn accept(&mut self, h: f64, error: f64, is_last: bool) {
        self.steps += 1;
        self.stiffness.note(h, self.unstable);
        self.is_made = true;
        self.dense.write_end(&mut self.phase);
        // About the end, accelerations are the same, and θ = 0.
        let (zero, _) = self.scale.split_at_mut(self.phase.v.len());
        zero.fill(0.0);
        self.rate.copy_from_slice(&self.end_rate);
        let Phase { q, v, .. } = &self.phase;
        manifold::local_rate(self.space.joints(), q, zero, v, &mut self.rate);
        // A step that was cut short by the end says nothing against a longer one.
        let kept = self.proposal.filter(|_| is_last).unwrap_or(0.0);
        self.proposal = Some(f64::max(self.control.next(h, error), kept));
    }

    fn failure(&self, step: f64) -> Error {
        let time = self.phase.time;
        self.room.trouble(&self.space).unwrap_or(Error::StepSize { time, step })
    }
}
