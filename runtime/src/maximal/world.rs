//! What a world consists of, and how it is put together.

use alloc::vec::Vec;

use nalgebra::Vector3;

use super::Error;
use super::body::Body;
use super::contact::{self, Contact};
use super::coupling::Coupling;
use super::direct::Direct;
use super::forest::Forest;
use super::joint::{Joint, Kind};
use super::limit::{self, Limit};
use super::motor::{DryFriction, Motor};
use super::newton::Newton;
use super::orientation::Orientation;
use super::own::{Own, State};
use super::parameter::{self, Range};
use super::problem::Problem;
use super::shape::Solid;
use super::step::Memory;
use super::sweeps::Sweeps;
use crate::clock::Clock;

/// What solves a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Elimination along the trees of joints, and the cone solver for the rest: exact; for up to some hundred rows
    /// of contacts, limits, motors and loops.
    #[default]
    Direct,
    /// Block Gauss–Seidel: for piles. Every body must have an inertia that is positive definite.
    Sweeps {
        /// Pairs of sweeps at most, forwards and backwards.
        limit: usize,
    },
    /// Newton's method on the sparse system of all bodies, from where sweeps lead: for piles of some hundred balls and a
    /// small residual. With a hundred balls, 740 rows and steps of 5 ms, a step took 1, 20, 33 and 132 ms at tolerances of
    /// 5e-3, 1e-4, 1e-6 and 1e-8 m/s, on one core; a pile of 400 that still moves is not always solved to 1e-6. Every
    /// body must have an inertia that is positive definite.
    Newton {
        /// Steps at most, each with a factorisation.
        limit: usize,
    },
}

/// How a world moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// What solves a step; [`Method::Direct`] unless stated.
    pub method: Method,
    /// The largest [`Residual::max`](super::Residual::max) of a step, m/s or rad/s; 1e-9 unless stated.
    pub tolerance: f64,
    /// How orientations follow angular velocities; [`Orientation::Finite`] unless stated.
    pub orientation: Orientation,
    /// γ of limits and contacts: the share of a penetration that a step puts right; 1 unless stated.
    pub reduction: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            method: Method::default(),
            tolerance: 1e-9,
            orientation: Orientation::default(),
            reduction: 1.0,
        }
    }
}

/// Bodies, joints and solids.
#[derive(Clone, Debug)]
pub struct World {
    pub(super) gravity: Vector3<f64>,
    /// How it moves.
    pub settings: Settings,
    pub(super) bodies: Vec<Body>,
    pub(super) joints: Vec<Joint>,
    pub(super) couplings: Vec<Coupling>,
    pub(super) limits: Vec<Limit>,
    pub(super) motors: Vec<Motor>,
    pub(super) frictions: Vec<DryFriction>,
    pub(super) solids: Vec<Solid>,
    /// Seconds since it was made.
    pub(super) time: f64,
    pub(super) clock: Clock,
    /// Of a robot.
    pub(super) own: Option<Own>,
    pub(super) forest: Forest,
    pub(super) problem: Problem,
    pub(super) direct: Direct,
    pub(super) sweeps: Sweeps,
    pub(super) newton: Newton,
    pub(super) memory: Memory,
}

impl World {
    /// An empty one with this acceleration of gravity, m/s².
    pub fn new(gravity: Vector3<f64>) -> Self {
        Self {
            gravity,
            settings: Settings::default(),
            bodies: Vec::new(),
            joints: Vec::new(),
            couplings: Vec::new(),
            limits: Vec::new(),
            motors: Vec::new(),
            frictions: Vec::new(),
            solids: Vec::new(),
            time: 0.0,
            clock: Clock::default(),
            own: None,
            forest: Forest::default(),
            problem: Problem::default(),
            direct: Direct::default(),
            sweeps: Sweeps::default(),
            newton: Newton::default(),
            memory: Memory::default(),
        }
    }

    /// Adds a body, and returns its place.
    ///
    /// # Errors
    ///
    /// [`Error::Parameter`] and [`Error::NotFinite`].
    pub fn add_body(&mut self, body: Body) -> Result<usize, Error> {
        let place = self.bodies.len();
        body.check(place)?;
        self.bodies.push(body);
        Ok(place)
    }

    /// Adds a joint, and returns its place.
    ///
    /// # Errors
    ///
    /// [`Error::Body`], [`Error::Joint`] and [`Error::Parameter`].
    pub fn add_joint(&mut self, joint: Joint) -> Result<usize, Error> {
        joint.check(self.bodies.len())?;
        self.joints.push(joint);
        Ok(self.joints.len() - 1)
    }

    /// Adds a coupling, and returns its place.
    ///
    /// # Errors
    ///
    /// [`Error::Coordinate`] if a joint has not one coordinate, and [`Error::Parameter`].
    pub fn add_coupling(&mut self, coupling: Coupling) -> Result<usize, Error> {
        coupling.check(&self.joints, &self.bodies)?;
        self.couplings.push(coupling);
        Ok(self.couplings.len() - 1)
    }

    /// Adds a limit, and returns its place.
    ///
    /// # Errors
    ///
    /// [`Error::Coordinate`] if one of its joints has none, or several in a region, and [`Error::Parameter`].
    pub fn add_limit(&mut self, limit: Limit) -> Result<usize, Error> {
        for (joint, coordinate) in limit.coordinates() {
            let only = matches!(limit, Limit::Region { .. });
            let of = self.joints.get(joint).map_or(0, |of| of.count(only, &self.bodies));
            if coordinate >= of {
                return Err(Error::Coordinate { joint, coordinate });
            }
        }
        if let Limit::Range { ends: [lower, upper], .. } = limit {
            let width = upper - lower;
            let ordered = if width > 0.0 { 0.0 } else { width };
            parameter::check("the width of a limit", ordered, Range::NotNegative)?;
        }
        self.limits.push(limit);
        Ok(self.limits.len() - 1)
    }

    /// Adds a motor, and returns its place.
    ///
    /// # Errors
    ///
    /// [`Error::Coordinate`] if its joint has none, and [`Error::Parameter`].
    pub fn add_motor(&mut self, motor: Motor) -> Result<usize, Error> {
        let (joint, coordinate) = (motor.joint, motor.coordinate);
        if limit::coordinate((joint, coordinate), &self.joints, &self.bodies).is_none() {
            return Err(Error::Coordinate { joint, coordinate });
        }
        motor.check()?;
        self.motors.push(motor);
        Ok(self.motors.len() - 1)
    }

    /// Adds the dry friction of a ball joint, and returns its place; that of other joints is a [motor](Motor) of each
    /// coordinate that seeks no velocity.
    ///
    /// # Errors
    ///
    /// [`Error::Coordinate`] if its joint is no ball, and [`Error::Parameter`].
    pub fn add_friction(&mut self, friction: DryFriction) -> Result<usize, Error> {
        let joint = friction.joint;
        if self.joints.get(joint).is_none_or(|joint| joint.kind != Kind::Ball) {
            return Err(Error::Coordinate { joint, coordinate: 2 });
        }
        friction.check()?;
        self.frictions.push(friction);
        Ok(self.frictions.len() - 1)
    }

    /// Adds a solid, which touches those of other bodies as their [forms](super::Shape) let them, and returns its place.
    ///
    /// # Errors
    ///
    /// [`Error::Body`], [`Error::Solid`], [`Error::Frame`] and [`Error::Parameter`].
    pub fn add_solid(&mut self, solid: Solid) -> Result<usize, Error> {
        solid.check((self.bodies.len(), self.solids.len()))?;
        self.solids.push(solid);
        Ok(self.solids.len() - 1)
    }

    /// The bodies now.
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// The bodies, to change their states, masses or applied forces; the next step checks them.
    pub fn bodies_mut(&mut self) -> &mut [Body] {
        &mut self.bodies
    }

    /// The joints.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// The motors, to change what they seek; the next step checks them.
    pub fn motors_mut(&mut self) -> &mut [Motor] {
        &mut self.motors
    }

    /// Angle of a hinge or a screw, which counts turns, or displacement of a slider; `None` of others.
    pub fn coordinate(&self, joint: usize) -> Option<f64> {
        Some(self.joints.get(joint)?.coordinate(&self.bodies)?.value)
    }

    /// Places of solids no further apart than `reach` m.
    pub fn contacts(&self, reach: f64) -> Vec<Contact> {
        contact::detect(&self.solids, &self.bodies, |_| 0.5 * reach)
    }

    /// Σ ½ m v² + ½ ω · I ω, and ½ a θ̇² of rotors, in J.
    pub fn kinetic_energy(&self) -> f64 {
        let bodies: f64 = self.bodies.iter().map(Body::kinetic_energy).sum();
        bodies + self.joints.iter().map(|joint| joint.rotor_energy(&self.bodies)).sum::<f64>()
    }

    /// −Σ m g · r, in J.
    pub fn potential_energy(&self) -> f64 {
        self.bodies.iter().map(|body| -body.mass * self.gravity.dot(&body.position)).sum()
    }

    /// The trees of bodies, as they are with all that was added.
    pub(super) fn update_forest(&mut self) {
        let (bodies, joints) = (self.bodies.len(), self.joints.len());
        if self.forest.order.len() != bodies || self.forest.closes.len() != joints {
            self.forest = Forest::new(bodies, &self.joints);
        }
    }

    /// What a robot says of these bodies, for a step of `h` seconds or for places alone.
    pub(super) fn own_state(&self, bodies: &[Body], h: Option<f64>) -> Option<State> {
        Some(self.own.as_ref()?.state(&self.joints, bodies, (self.time, h)))
    }
}
