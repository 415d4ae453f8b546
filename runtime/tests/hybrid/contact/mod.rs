//! Robots in contact, event-driven, against closed forms.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

mod bouncing;
mod derivatives;
mod differences;
mod drops;
mod failures;
mod laws;
mod oscillator;
mod quadruped;
mod redundant;
mod returns;
mod rocking;
mod rods;
mod sled;
mod slices;
mod sliding;
mod slopes;
mod solids;
mod starts;
mod tables;
mod wheel;

use jourdain::space::Storage;
use jourdain::{Model, State};

/// No input.
fn nothing<M: Model>(_: &State<M>) -> M::U {
    M::U::zeros()
}
