//! Rigid bodies in maximal coordinates, with joints, limits, motors and contacts as constraints.
//!
//! > M (u⁺ − ũ) = h f + Jᵀ Λ,  s⁺ = (s ⊕ h u⁺) ⊕ δ
//!
//! s holds the centre of mass and the quaternion of each body, u its velocity and angular velocity in world axes,
//! ũ is u with the gyroscopic term (`gyroscopic`), J the rows of all that acts (`row`, `joint`, `limit`, `motor`,
//! `contact`) and Λ impulses in N s or N m s. A row is an equation, or has the law of a bound or of Coulomb, between Λ
//! and w = J u⁺ − target + (K/h) Λ. δ puts errors right without velocities (`step`).
//!
//! Semi-implicit Euler steps, of first order. Velocities are along the rows of the beginning, so that a centre of mass
//! that goes round a hinge at ω loses up to (h ω)²/2 of its speed in a step.
//!
//! What touches is simple: points, balls and vertices of boxes touch half-spaces and balls, and no two boxes each other.
//!
//! A [`World`] is put together by hand, or made [from a robot](World::of) that the macro describes, for another opinion
//! of its motion.
//!
//! ```
//! use jourdain::maximal::{Body, Joint, Kind, World};
//! use jourdain::Pose;
//! use nalgebra::{Matrix3, Vector3};
//!
//! // A pendulum of 1 m on a hinge about y, released level.
//! let mut world = World::new(Vector3::new(0.0, 0.0, -9.81));
//! let bob = world.add_body(Body::ball(1.0, 0.1).at(Vector3::x()))?;
//! let z_along_y = Matrix3::from_columns(&[Vector3::z(), Vector3::x(), Vector3::y()]);
//! let pivot = Pose { rotation: z_along_y, position: Vector3::zeros() };
//! let hinge = Joint::here(Kind::Hinge, [None, Some(bob)], &pivot, world.bodies())?;
//! world.add_joint(hinge)?;
//! for _ in 0..100 {
//!     world.step(1e-3)?;
//! }
//! assert!((world.bodies()[bob].position.norm() - 1.0).abs() < 1e-9);
//! # Ok::<(), jourdain::maximal::Error>(())
//! ```
//!
//! # Source
//!
//! Erleben: Stable, Robust, and Versatile Multibody Dynamics Animation (2005), chapters 3 and 4, with rows derived
//! anew; Stewart, Trinkle: An Implicit Time-Stepping Scheme for Rigid Body Dynamics with Inelastic Collisions and
//! Coulomb Friction (1996); Smith: Open Dynamics Engine, user guide, for error reduction and constraint force mixing.

mod aim;
mod body;
mod collect;
mod contact;
mod coupling;
mod declared;
mod dependent;
mod direct;
mod elimination;
mod error;
mod forest;
mod gyroscopic;
mod joint;
mod limit;
mod motor;
mod newton;
mod orientation;
mod own;
mod parameter;
mod problem;
mod residual;
mod robot;
mod row;
mod screw;
mod shape;
mod sparse;
mod step;
mod sweeps;
mod unknown;
mod world;

pub use self::body::Body;
pub use self::contact::Contact;
pub use self::coupling::Coupling;
pub use self::error::Error;
pub use self::joint::{Joint, Kind};
pub use self::limit::{Gap, Limit, Region};
pub use self::motor::{DryFriction, Motor};
pub use self::orientation::Orientation;
pub use self::residual::Residual;
pub use self::row::Row;
pub use self::shape::{Shape, Solid};
pub use self::step::StepReport;
pub use self::world::{Method, Settings, World};
