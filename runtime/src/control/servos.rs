//! Proportional and derivative control at the end of a step.
//!
//! > τ = K (q_target ⊖ q − h v⁺) + D (v_target − v⁺) + τ_ff,  clamped to the effort limits
//!
//! Each actuated coordinate has a [`Motor::Servo`] for the step: without effort limit h D + h² K beside M, with one a row
//! with the bounds ±h F. The step finds τ, and no gain is too high for it.
//!
//! # Source
//!
//! Tan, Liu, Turk: Stable Proportional-Derivative Controllers, IEEE Computer Graphics and Applications 31 (2011).

use alloc::vec::Vec;

use super::{Controller, Pd};
use crate::contact::Motor;
use crate::description::{Chart, Joint};
use crate::error::ModelError;
use crate::failure::SimulationError;
use crate::manifold;
use crate::model::{Model, Table};
use crate::space::Storage;
use crate::state::State;

/// [`Pd`] whose law is that of the end of a step, with velocities to follow and feed-forward; made by [`Pd::implicit`].
///
/// In a run of a [`Simulation`](crate::Simulation) or a [`Variational`](crate::Variational) it acts at the end of each step, as implicit integrators of other
/// libraries treat the gains of actuators; the effort limits clamp the sum of feedback and feed-forward. What it exerts is
/// among the motors of an [impulse](crate::contact::Impulse), of a [sample](crate::record::Sample) and of
/// [`motor_force`](crate::Simulation::motor_force), and no input. Elsewhere, its input is the same law at the time that it is
/// asked at. Gains of coordinates without actuator do nothing.
///
/// ```
/// use jourdain::prelude::*;
/// use nalgebra::vector;
///
/// /// A light arm on a motor.
/// #[derive(Robot, Clone, Copy, Debug)]
/// #[robot(
///     link(arm, mass = 0.1, com = [0.1, 0, 0]),
///     joint(axle, revolute(world -> arm), axis = [0, 1, 0], effort = 2, actuated),
/// )]
/// struct Arm;
///
/// // h² k is a hundred thousand times the inertia.
/// let hold = Pd::new(&Arm, vector![0.3], 1e6, 1e3).implicit();
/// let mut simulation = Simulation::new(Arm)?.step_size(0.01)?;
/// simulation.run(1.0, hold)?;
/// assert!((simulation.current().q[0] - 0.3).abs() < 1e-6);
/// // What it takes to hold the weight.
/// let torque = -0.1 * 9.81 * 0.1 * 0.3_f64.cos();
/// assert!((simulation.motor_force()[0] - torque).abs() < 1e-6);
/// # Ok::<(), SimulationError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Servos<M: Model> {
    law: Pd<M>,
    /// v_target, (nv).
    velocity: M::V,
    /// τ_ff = B u, (nv).
    feed_forward: M::V,
    /// The feed-forward of coordinates without gains, as an input, (nu).
    beside: M::U,
    /// The velocity coordinates that inputs drive, each with its joint.
    driven: Vec<(usize, &'static Joint)>,
    /// Their motors. If the error of one is a rotation, that is still to be added to its position.
    motors: Vec<(usize, Motor)>,
    /// Whether the error of one of them is a rotation, and no difference of coordinates.
    turns: bool,
}

impl<M: Model> Servos<M> {
    pub(super) fn new(law: Pd<M>) -> Self {
        let mut driven: Vec<(usize, &Joint)> = Vec::new();
        for &(v, ..) in &law.entries {
            let own = |joint: &&Joint| (joint.v..joint.v + joint.nv).contains(&v);
            // What several inputs drive has one motor.
            if driven.iter().all(|(other, _)| *other != v) {
                driven.extend(M::JOINTS.iter().find(own).map(|joint| (v, joint)));
            }
        }
        let turns = driven.iter().any(|(_, joint)| joint.chart != Chart::Vector);
        let (velocity, feed_forward, beside) = (M::V::zeros(), M::V::zeros(), M::U::zeros());
        let motors = Vec::with_capacity(driven.len());
        let mut servos = Self { law, velocity, feed_forward, beside, driven, motors, turns };
        servos.set_feed_forward(&M::U::zeros());
        servos
    }

    /// With a feed-forward input u, (nu).
    #[must_use]
    pub fn feed_forward(mut self, u: &M::U) -> Self {
        self.set_feed_forward(u);
        self
    }

    /// Changes the configuration to be held.
    pub fn set_target(&mut self, target: M::Q) {
        self.law.set_target(target);
        self.list_motors();
    }

    /// Changes the velocity to be followed, (nv), which is zero at first.
    pub fn set_velocity(&mut self, velocity: M::V) {
        self.velocity = velocity;
        self.list_motors();
    }

    /// Changes the feed-forward input u, (nu), which is zero at first.
    pub fn set_feed_forward(&mut self, u: &M::U) {
        self.feed_forward = M::V::zeros();
        for &(v, input, b) in &self.law.entries {
            self.feed_forward[v] += b * u[input];
        }
        let mut tau = self.feed_forward.clone();
        for v in 0..M::NV {
            if self.law.stiffness[v] != 0.0 || self.law.damping[v] != 0.0 {
                tau[v] = 0.0;
            }
        }
        self.law.limit(&mut tau);
        self.beside = self.law.input_of(&tau);
        self.list_motors();
    }

    /// Writes the motors of a step from `q` with their velocity coordinates.
    ///
    /// # Errors
    ///
    /// [`SimulationError::Motor`] of gains, a target or an effort that a motor cannot have.
    pub(crate) fn write_motors(
        &self,
        q: &M::Q,
        to: &mut Vec<(usize, Motor)>,
    ) -> Result<(), SimulationError> {
        to.clone_from(&self.motors);
        if self.turns {
            self.turn(q, to);
        }
        for (v, motor) in &*to {
            motor.check().map_err(|error| SimulationError::Motor {
                joint: Table::of::<M>().joint_of(*v),
                error,
            })?;
        }
        Ok(())
    }

    /// Adds the rotation from `q` to the target to the positions of motors, in charts without places.
    fn turn(&self, q: &M::Q, motors: &mut [(usize, Motor)]) {
        let (mut away, target) = (M::V::zeros(), self.law.target.as_slice());
        manifold::difference(M::JOINTS, q.as_slice(), target, away.as_mut_slice());
        let turns = |of: &&(usize, &Joint)| of.1.chart != Chart::Vector;
        for (v, _) in self.driven.iter().filter(turns) {
            let own = motors.iter_mut().find(|(other, _)| other == v);
            if let Some((_, Motor::Servo { position, .. })) = own {
                *position += away[*v];
            }
        }
    }

    /// Finds the motors anew, after a change of what they depend on.
    fn list_motors(&mut self) {
        self.motors.clear();
        for &(v, joint) in &self.driven {
            let place = match joint.chart {
                Chart::Vector => self.law.target[joint.q + v - joint.v],
                _ => 0.0,
            };
            self.motors.extend(self.motor(v, place).map(|motor| (v, motor)));
        }
    }

    /// That of a coordinate towards a place; `None` of one without gains.
    fn motor(&self, v: usize, mut position: f64) -> Option<Motor> {
        let (stiffness, damping) = (self.law.stiffness[v], self.law.damping[v]);
        let (beside, force) = (self.feed_forward[v], self.law.effort[v]);
        if stiffness == 0.0 && damping == 0.0 {
            return None;
        }
        let mut velocity = self.velocity[v];
        // A force is a place that is further off.
        if beside != 0.0 && stiffness != 0.0 {
            position += beside / stiffness;
        } else if beside != 0.0 {
            velocity += beside / damping;
        }
        Some(Motor::Servo { position, velocity, stiffness, damping, force })
    }

    /// The feed-forward of coordinates without gains, as an input, (nu).
    pub(crate) fn others(&self) -> M::U {
        self.beside.clone()
    }

    /// The law at a state.
    fn force(&self, state: &State<M>) -> M::V {
        let mut tau = self.law.wanted(state);
        for v in 0..M::NV {
            tau[v] += self.law.damping[v] * self.velocity[v] + self.feed_forward[v];
        }
        self.law.limit(&mut tau);
        tau
    }
}

impl<M: Model> Controller<M> for Servos<M> {
    fn input(&mut self, state: &State<M>) -> M::U {
        self.law.input_of(&self.force(state))
    }

    fn servos(&mut self, _state: &State<M>) -> Option<&Self> {
        Some(self)
    }

    fn check(&self) -> Result<(), ModelError> {
        self.law.check_gains()
    }
}

impl<M: Model> Controller<M> for &Servos<M> {
    fn input(&mut self, state: &State<M>) -> M::U {
        self.law.input_of(&self.force(state))
    }

    fn servos(&mut self, _state: &State<M>) -> Option<&Servos<M>> {
        Some(self)
    }

    fn check(&self) -> Result<(), ModelError> {
        self.law.check_gains()
    }
}
