//! Robot dynamics from a declarative description.
//!
//! Annotate a struct with [`macro@Robot`]; its equations of motion are derived while the crate
//! compiles and become ordinary, specialised Rust:
//!
//! > M(q) v̇ + C(q, v) v = τ_g(q) + B u + Jᵀ f,  q̇ = N(q) v
//!
//! [`Model`] is what every described robot can do; [`Simulation`] moves it.
#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;
extern crate self as jourdain;

pub mod arithmetic;
mod bound;
mod check;
pub mod contact;
pub mod control;
#[cfg(feature = "std")]
pub mod csv;
pub mod description;
pub mod error;
pub mod frame;
pub mod kernel;
pub mod lcp;
pub mod manifold;
pub mod model;
#[cfg(feature = "std")]
pub mod playback;
pub mod quantities;
pub mod record;
pub mod simulate;
pub mod space;

pub use control::Controller;
pub use description::FrameId;
pub use error::ModelError;
pub use frame::{Pose, ReferenceFrame};
pub use jourdain_macros::Robot;
pub use model::Model;
#[doc(hidden)]
pub use nalgebra;
pub use record::Recording;
pub use simulate::{Simulation, SimulationError, State};

/// What a program that uses a robot needs in scope.
pub mod prelude {
    pub use crate::contact::{AnitescuPotra, Formulation};
    pub use crate::control::{Controller, Pd};
    pub use crate::{
        FrameId, Model, ModelError, Pose, Recording, ReferenceFrame, Robot, Simulation,
        SimulationError, State,
    };
}
