//! A robot in contact, event-driven.
mod automaton;
mod decide;
mod error;
mod guard;
mod held;
mod machine;
mod mark;
mod memory;
mod mode;
mod parts;
mod press;
mod sample;
mod setup;
mod simulation;
mod start;

pub use automaton::InContact;
pub use error::ContactError;
pub use guard::Guard;
pub use mode::{Mode, Touch};
pub use simulation::HybridSimulation;
