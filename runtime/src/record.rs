//! What a run was like, sampled at a given rate.

use alloc::vec::Vec;
use core::fmt;

use nalgebra::Vector3;

use crate::contact::{PairImpulse, Residual, Touching};
use crate::failure::SimulationError;
use crate::model::Model;
use crate::state::State;

/// A force between solids.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairForce {
    /// What touches.
    pub of: Touching,
    /// Where, at the beginning of the step, in metres.
    pub point: Vector3<f64>,
    /// Normal and tangents, in world axes.
    pub axes: [Vector3<f64>; 3],
    /// On the first of two solids, or on the one that touches the ground, in world axes, in N.
    pub force: Vector3<f64>,
    /// Of torsional friction about the normal, on the same one, in N m.
    pub torsion: f64,
    /// Of rolling resistance about the tangents, on the same one, in world axes, in N m.
    pub rolling: Vector3<f64>,
}

impl PairForce {
    pub(crate) fn new(impulse: &PairImpulse, step_size: f64) -> Self {
        let PairImpulse { of, point, axes, torsion, .. } = *impulse;
        let (force, torsion) = (impulse.world() / step_size, torsion / step_size);
        Self { of, point, axes, force, torsion, rolling: impulse.rolling_moment() / step_size }
    }

    /// Along the normal, in N.
    pub fn normal_force(&self) -> f64 {
        self.axes[0].dot(&self.force)
    }
}

/// The end of a step, and what acted during it.
pub struct Sample<M: Model> {
    /// The state at the end of the step.
    pub state: State<M>,
    /// Input, (nu).
    pub u: M::U,
    /// Gap of each contact at the end of the step, in metres.
    pub gaps: Vec<f64>,
    /// Force on each contact's link in world axes, its impulse divided by h, in N.
    pub forces: Vec<Vector3<f64>>,
    /// Moment of torsional friction on each contact's link about its normal, in N m.
    pub torsions: Vec<f64>,
    /// Moment of rolling resistance on each contact's link in world axes, in N m.
    pub rollings: Vec<Vector3<f64>>,
    /// World position of each contact's point at the end of the step, in metres.
    pub points: Vec<Vector3<f64>>,
    /// The forces at the points where solids touch, or are near to.
    pub pairs: Vec<PairForce>,
    /// λ of each row of the declared constraints, its impulse divided by h, in N or N m.
    pub multipliers: Vec<f64>,
    /// λ ≥ 0 of each declared limit, its impulse divided by h.
    pub declared_limits: Vec<f64>,
    /// Force of the limits of each velocity coordinate, (nv), positive of a lower and negative of an upper end, in N
    /// or N m.
    pub limits: M::V,
    /// Force of the motor at each velocity coordinate, (nv), in N or N m: what actuators give is `u`.
    pub motors: M::V,
    /// Force of the dry friction at each velocity coordinate, (nv), in N or N m.
    pub dry_friction: M::V,
    /// T at the end of the step, in J.
    pub kinetic_energy: f64,
    /// U of gravity at the end of the step, in J.
    pub potential_energy: f64,
    /// The residual of the step's equations.
    pub residual: Residual,
}

/// The samples of a run.
pub struct Recording<M: Model> {
    rate: f64,
    /// When the next sample is due, in intervals since the first one.
    due: f64,
    samples: Vec<Sample<M>>,
}

impl<M: Model> Recording<M> {
    /// Of `rate` samples per second at most; the first is the end of the first step or, of motion that is
    /// integrated to a tolerance, its beginning.
    ///
    /// # Errors
    ///
    /// [`SimulationError::Setting`] unless `rate` is greater than zero; infinite takes every step.
    pub fn new(rate: f64) -> Result<Self, SimulationError> {
        if rate > 0.0 {
            Ok(Self { rate, due: 0.0, samples: Vec::new() })
        } else {
            Err(SimulationError::Setting { quantity: "rate", value: rate })
        }
    }

    /// The samples in the order of time.
    pub fn samples(&self) -> &[Sample<M>] {
        &self.samples
    }

    pub(crate) fn push(&mut self, sample: Sample<M>) {
        self.due = libm::floor(self.intervals(sample.state.time)) + 1.0;
        self.samples.push(sample);
    }

    /// Whether the time of the next sample has come. What was not recorded is not made up for.
    pub(crate) fn is_due(&self, time: f64) -> bool {
        self.samples.is_empty() || self.rate.is_infinite() || self.intervals(time) >= self.due
    }

    /// When between `start` and `end` the next sample is due: the first at `start`, and then at `end` if every step is
    /// recorded.
    pub(crate) fn due_within(&self, start: f64, end: f64) -> Option<f64> {
        let (Some(first), Some(last)) = (self.samples.first(), self.samples.last()) else {
            return Some(start);
        };
        let due = if self.rate.is_infinite() {
            end
        } else {
            f64::max(first.state.time + self.due / self.rate, start)
        };
        (last.state.time < due && due <= end).then_some(due)
    }

    /// Time since the first sample in intervals of the rate, up to the rounding of summed steps.
    fn intervals(&self, time: f64) -> f64 {
        const ROUNDING: f64 = 1e-6;
        let start = self.samples.first().map_or(time, |first| first.state.time);
        (time - start) * self.rate + ROUNDING
    }
}

impl<M: Model> Clone for Sample<M> {
    fn clone(&self) -> Self {
        Self {
            state: self.state.clone(),
            u: self.u.clone(),
            gaps: self.gaps.clone(),
            forces: self.forces.clone(),
            torsions: self.torsions.clone(),
            rollings: self.rollings.clone(),
            points: self.points.clone(),
            pairs: self.pairs.clone(),
            multipliers: self.multipliers.clone(),
            declared_limits: self.declared_limits.clone(),
            limits: self.limits.clone(),
            motors: self.motors.clone(),
            dry_friction: self.dry_friction.clone(),
            ..*self
        }
    }
}

impl<M: Model> fmt::Debug for Sample<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sample")
            .field("state", &self.state)
            .field("u", &self.u)
            .finish_non_exhaustive()
    }
}

impl<M: Model> Clone for Recording<M> {
    fn clone(&self) -> Self {
        Self { rate: self.rate, due: self.due, samples: self.samples.clone() }
    }
}

impl<M: Model> fmt::Debug for Recording<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recording")
            .field("rate", &self.rate)
            .field("samples", &self.samples)
            .finish()
    }
}
