//! A robot in contact, event-driven.
mod automaton;
mod decide;
mod error;
mod held;
mod machine;
mod memory;
mod mode;
mod parts;
mod press;
mod sample;
mod simulation;
mod start;

pub use automaton::{Guard, InContact};
pub use error::ContactError;
pub use mode::{Mode, Touch};
pub use simulation::HybridSimulation;
