//! Discrete mechanics: steps that extremise an action instead of approximating its differential equations.
//!
//! A discrete Lagrangian L_d(q₀, q₁) stands for the action of a step of h seconds. Where the sum of these is stationary,
//! the momentum that one step arrives with is the one that the next departs with,
//!
//! > pₙ = −D₁L_d(qₙ, qₙ₊₁),  pₙ₊₁ = D₂L_d(qₙ, qₙ₊₁),
//!
//! which is a map (q, p) → (q, p) that is symplectic, that keeps the momentum map of each symmetry of L_d exactly, and
//! whose energy error is bounded, of the order h², for times that grow exponentially as h shrinks.
//!
//! L_d is a [`Rule`] on the chord from q₀ to q₁: a straight line in coordinates with q̇ = v; R₀ exp(c w) for what turns,
//! and a straight line besides for the origin of a floating body. Such chords are moved and turned as wholes with the
//! world's axes, and L_d with them; so a robot that floats freely keeps linear and angular momentum to rounding. What is
//! generated of a robot is M, C and τ_g: since C is that of the Levi-Civita connection, they say what ∂L/∂q is and, to the
//! first order in h, Newton's matrix (`chord.rs`).
//!
//! - **Forces** τ of inputs, springs and dampers act by the discrete principle of Lagrange and d'Alembert: with the
//!   rule's weights, at its nodes, along the motion of these with q₀ and q₁. Springs so are part of L_d. An input is that
//!   of the [`Controller`](crate::Controller) at the beginning, held for the step. [Servos](crate::control::Servos) have
//!   half of their impulse at either end, by the place and the velocity that it leads to, Λ = ½ h K (q* − q₁) + ½ h D (v* − ξ(½))
//!   and Λ = ½ h K (q* − q₁ − ½ h v₁) + ½ h D (v* − v₁), |Λ| ≤ ½ h F: of the first order, and stable at any step and with any
//!   gains.
//! - **Constraints** that are declared hold at the end: h(qₙ₊₁) = 0 by impulses along H(qₙ)ᵀ, and ḣ(qₙ₊₁, vₙ₊₁) = 0 by
//!   impulses along H(qₙ₊₁)ᵀ (RATTLE), which is symplectic on what they leave. Rows of velocities, h_v, hold at the
//!   chord's middle and at its end. What stabilises them elsewhere has no meaning here.
//! - **Contacts**, ends of joints and declared limits are discrete mechanics with impacts: φ(qₙ₊₁) ≥ 0 is a constraint
//!   of the principle, with impulses Λ ≥ 0 that are not zero only where φ(qₙ₊₁) = 0, and friction in the disc μ Λ dissipates
//!   most, all being solved jointly with qₙ₊₁. What touches there has impulses at the end of the step too, by the same law
//!   for velocities, with Newton's restitution; so what has landed rests. Dry friction of joints likewise.
//!
//! What penetrates at the start, or is beyond a limit, would be put right within one step, at whatever speed that takes. So
//! it is an error, unless [`recovery`](Variational::recovery) lets steps put it right by and by.
//!
//! Half of a step's impulse so acts at either end: sliding is of the second order, impacts, whose time is rounded to
//! whole steps, of the first.
//!
//! ```
//! use jourdain::prelude::*;
//! use nalgebra::{SVector, vector};
//!
//! /// A pendulum.
//! #[derive(Robot, Clone, Copy, Debug)]
//! #[robot(
//!     link(bob, mass = 1, com = [0, 0, -1]),
//!     joint(pivot, continuous(world -> bob), axis = [0, 1, 0]),
//! )]
//! struct Pendulum;
//!
//! let mut pendulum = Variational::new(Pendulum)?.step_size(0.05)?.state(vector![2.0], vector![0.0])?;
//! let energy = pendulum.energy();
//! pendulum.run(1000.0, |_: &State<Pendulum>| SVector::<f64, 0>::zeros())?;
//! assert!((pendulum.energy() - energy).abs() < 0.1);
//! # Ok::<(), SimulationError>(())
//! ```
//!
//! # Source
//!
//! Marsden, West: Discrete Mechanics and Variational Integrators, Acta Numerica (2001), sections 1.3 (equations), 1.5 (momentum
//! maps), 3.2 (forces), 3.4 (constraints). Bou-Rabee, Marsden: Hamilton–Pontryagin Integrators on Lie Groups (2009) and
//! Kobilarov, Marsden: Discrete Geometric Optimal Control on Lie Groups (2011), for rotations. Andersen: Rattle (1983). Fetecau,
//! Marsden, Ortiz, West: Nonsmooth Lagrangian Mechanics and Variational Collision Integrators (2003) and Manchester,
//! Kuindersma: Variational Contact-Implicit Trajectory Optimization (2017), for contact.

mod arrival;
mod branch;
mod chord;
mod linear;
mod motion;
mod moving;
mod one_sided;
mod phase;
mod residual;
mod rounding;
mod rule;
mod run;
mod setup;
mod step;

use alloc::vec::Vec;

pub use self::rule::Rule;
pub use self::run::{RunReport, StepReport};

use self::moving::Core;
use crate::contact::Impulse;
use crate::description::ContactParameters;
use crate::model::one_sided::gaps;
use crate::model::{Model, Prepared, Table};
use crate::simulate::{ContactForce, contact_points, pressing};
use crate::space::Storage;
use crate::state::State;

/// A robot that moves by discrete mechanics.
///
/// A step is a function of time, configuration, momentum and input, and of nothing before.
#[derive(Clone, Debug)]
pub struct Variational<M: Model> {
    model: Prepared<M>,
    core: Core,
    /// Those of the core.
    state: State<M>,
    momentum: M::V,
}

impl<M: Model> Variational<M> {
    /// The robot.
    pub fn model(&self) -> &M {
        self.model.robot()
    }

    /// Time, configuration, and the velocity M⁻¹ p of the momentum.
    pub fn current(&self) -> &State<M> {
        &self.state
    }

    /// The discrete momentum p, (nv), in N s and N m s, in the axes that velocities are in: of a floating joint linear, then
    /// angular about its origin, in the body's axes.
    pub fn momentum(&self) -> &M::V {
        &self.momentum
    }

    /// T + U = ½ pᵀ M⁻¹ p + U in J, without what springs store.
    pub fn energy(&self) -> f64 {
        self.state.energy(self.model())
    }

    /// h in seconds.
    pub fn time_step(&self) -> f64 {
        self.core.step_size
    }

    /// The impulses of the last step that was tried, at both of its ends together.
    pub fn impulse(&self) -> &Impulse {
        &self.core.impulse
    }

    /// Friction, restitution and axes of the contacts, those that the last step began with.
    pub fn contacts(&self) -> &[ContactParameters] {
        &self.core.contacts
    }

    /// The mean generalised force of [servos](crate::control::Servos) in the last step, (nv), in N or N m; zero before the
    /// first one.
    pub fn motor_force(&self) -> M::V {
        let mut force = M::V::zeros();
        let motors = force.as_mut_slice().iter_mut().zip(&self.core.impulse.motors);
        motors.for_each(|(force, impulse)| *force = impulse / self.core.led_by);
        force
    }

    /// The gaps of the contacts now, in the order of [`Model::CONTACTS`], which names them, in metres, positive apart.
    pub fn gaps(&self) -> Vec<f64> {
        gaps(&self.model, &self.state.q)
    }

    /// The mean forces at all contacts that pressed in the last step.
    pub fn contact_forces(&self) -> Vec<ContactForce> {
        let points = contact_points(self.model.as_data(), &self.core.state.q);
        pressing(Table::of::<M>(), (self.contacts(), self.impulse()), &points, self.core.led_by)
    }
}
