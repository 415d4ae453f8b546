//! Compliant contact: forces of springs, dampers and friction in continuous time.
//!
//! > M v̇ + C v − τ_g = B u + τ_p + Jᵀ f(q, v, z) + Hᵀ λ,  ż = g(q, v, z)
//!
//! Contacts with the ground and of spheres, ends of joints and declared limits press by [springs](Spring); contacts have
//! [friction](Friction), smooth or by bristles whose deflections are z. Declared constraints hold exactly, in accelerations
//! and by projection after each step; their singular positions are passed as by a
//! [`HybridSimulation`](crate::HybridSimulation). Nothing is rigid, so that no impulse acts, forces are functions of the state, and
//! no complementarity problem is solved. What it costs is stiffness: the motion is integrated by a linearly implicit method
//! with error control ([`Adaptive::stiff`]).
//!
//! ```
//! use jourdain::compliant::Spring;
//! use jourdain::prelude::*;
//! use nalgebra::{SVector, vector};
//!
//! /// A ball that falls.
//! #[derive(Robot, Clone, Debug)]
//! #[robot(
//!     link(ball, mass = 2),
//!     joint(height, prismatic(world -> ball), axis = [0, 0, 1], passive),
//!     contact(foot, on = ball, sphere = 0.1),
//! )]
//! struct Ball;
//!
//! let mut simulation = CompliantSimulation::new(Ball)?
//!     .springs(Spring::linear_rebounding(1e6, 2.0, 0.5)?)
//!     .state(vector![0.6], vector![0.0])?;
//! let mut recording = Recording::new(100.0)?;
//! let idle = |_: &State<Ball>| SVector::<f64, 0>::zeros();
//! simulation.run_recorded(2.0, idle, &mut recording)?;
//! let [force] = &simulation.contact_forces()[..] else { panic!("it has come to rest") };
//! assert!((force.force.z - 2.0 * 9.81).abs() < 1e-6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Springs
//!
//! [`Spring::linear`] and [`Spring::hunt_crossley`] never pull. Parameters follow from [`Material`]s, by Hertz, and from the
//! share of its speed with which a body springs back; that of Hunt and Crossley's law depends on the speed, as that of
//! real bodies does. In the limit of stiffness a motion tends to one of a [`Simulation`](crate::Simulation) where both have
//! the same law of impact; what stands tends to the same posture, with an error in proportion to 1/k.
//!
//! # Friction
//!
//! [`Regularised`] friction is the simplest and creeps; [`Bristles`] stick and have two states for each contact. Both have
//! coefficients that may fall with speed, by [`Stribeck`]. Dry friction of joints is regularised.
//!
//! # Order
//!
//! Forces have kinks, and the linear damper jumps, where bodies touch and part. Steps end there: each is made as if all
//! that presses went on doing so, and counts as far as its dense output says that this is so. Right-hand sides are so
//! smooth within each step, and the method has its order and its error control.
//!
//! # Cost
//!
//! A step takes 8 evaluations, one of each derivative by differences, 2 nv + nz + 1, and one of all guards at nine times.
//! Solo 12, with 18 coordinates and four contacts with bristles, takes 1100 steps for landing and standing up within
//! three seconds, at a tolerance of 10⁻⁹ and with 10⁵ N/m: 0.08 s on one core. Stiffness makes little difference, since
//! stable motion limits no step, and what stands takes some steps a minute.
//!
//! # What it has not
//!
//! Pairs of solids other than spheres, whose points of contact jump from feature to feature, so that no force at these
//! points is continuous; torsional friction and rolling resistance.
//!
//! # Source
//!
//! Of the laws in their files. Gilardi, Sharf: Literature survey of contact dynamics modelling, Mechanism and Machine
//! Theory 37 (2002), for all of this; Hairer, Lubich, Wanner: Geometric Numerical Integration (second edition, 2006),
//! section IV.4, for projection.
//!
//! [`Adaptive::stiff`]: crate::integrate::Adaptive::stiff

mod accuracy;
mod branch;
mod bristles;
mod contacts;
mod element;
mod error;
mod events;
mod friction;
mod material;
mod moving;
mod place;
mod regularised;
mod restitution;
mod run;
mod setup;
mod spring;
mod stribeck;
mod system;
mod transport;

use alloc::vec::Vec;

pub use self::bristles::Bristles;
pub use self::error::Error;
pub use self::friction::Friction;
pub use self::material::Material;
pub use self::regularised::Regularised;
pub use self::spring::Spring;
pub use self::stribeck::Stribeck;

use self::moving::Core;
use crate::integrate::Effort;
use crate::model::contact_axes::ContactAxes;
use crate::model::one_sided::gaps;
use crate::model::{Model, Prepared};
use crate::simulate::{ContactForce, contact_points, pressing};
use crate::space::Storage;
use crate::state::State;

/// A robot on springs.
#[derive(Clone, Debug)]
pub struct CompliantSimulation<M: Model> {
    model: Prepared<M>,
    core: Core,
    /// That of the core.
    state: State<M>,
}

impl<M: Model> CompliantSimulation<M> {
    /// The robot.
    pub fn model(&self) -> &M {
        self.model.robot()
    }

    /// Time, configuration and velocity now.
    pub fn current(&self) -> &State<M> {
        &self.state
    }

    /// T + U in J, without what springs store, those of contacts among them.
    pub fn energy(&self) -> f64 {
        self.state.energy(self.model())
    }

    /// The deflections of bristles now, m: two numbers along its tangents for each contact that has them.
    pub fn deflections(&self) -> &[f64] {
        &self.core.motion.phase().z
    }

    /// What it took since it was set up.
    pub fn effort(&self) -> Effort {
        self.core.effort()
    }

    /// How often something touched, parted or would have pulled.
    pub fn event_count(&self) -> u64 {
        self.core.events
    }

    /// The gaps of the contacts now, in metres, negative where they press.
    pub fn gaps(&self) -> Vec<f64> {
        gaps(&self.model, &self.state.q)
    }

    /// The forces at all contacts that pressed at the end of the last run.
    pub fn contact_forces(&self) -> Vec<ContactForce> {
        let (robot, q) = (self.model.as_data(), self.state.q.as_slice());
        let mut axes = ContactAxes::new(robot);
        axes.turn(robot, q);
        let points = contact_points(robot, q);
        pressing(&robot, (&axes, &self.core.impulse), &points, 1.0)
    }
}
