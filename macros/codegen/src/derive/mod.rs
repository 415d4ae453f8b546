//! From a description to the equations of motion, as expressions.
//!
//! A [`Mechanism`] is the description with every number on the graph and fixed links merged into
//! bodies. The recursive algorithms of rigid-body dynamics are then executed on symbols, one file a
//! quantity; what they leave is the straight-line program to emit. This module knows no tokens.

mod across;
mod articulated;
mod assemble;
mod centroidal;
mod constraints;
mod contact_dynamics;
mod contact_hubs;
mod contact_layout;
mod contact_numbers;
mod contact_patches;
mod contact_response;
mod contacts;
mod coriolis;
mod cost;
mod derivatives;
mod energy;
mod equations;
mod factor;
mod features;
mod flow;
mod forms;
mod forward_dynamics;
mod frames;
mod held;
mod inertia;
mod jacobians;
mod kinematics;
mod lower;
mod mass_matrix;
mod mass_rate;
mod mechanism;
mod newton_euler;
mod parameters;
mod passive;
mod prepare;
mod quantity;
mod regressor;
mod requested;
mod responses;
mod rest;
mod root;
mod rounds;
mod spread;
pub mod symbols;
mod tangent;

#[cfg(test)]
mod tests;

pub use constraints::{ConstraintRows, Contradiction, Mobility};
pub(crate) use contact_layout::LANES;
pub use contact_numbers::Arrangement;
pub use derivatives::Derivatives;
pub use equations::Equations;
pub use forms::{Axes, Candidate, Forms, Limbs, Masses, Solver};
pub use forward_dynamics::ForwardDerivatives;
pub use held::Hub;
pub use inertia::Moments;
pub use kinematics::{Acceleration, Poses};
pub use mechanism::{Body, Column, Mechanism, NotReversible, Placed, State};
pub use quantity::{Quantity, Shape};
pub use rest::Rest;
pub use rounds::{Rounds, Source, unrolled};
