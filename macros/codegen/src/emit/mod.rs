//! From expressions to Rust.
//!
//! `program` orders a quantity's operations, `text` and `operation` write them as the body of a
//! kernel, `tables` writes what a model says of itself, `model` puts the kernels, constants and methods
//! together, and `document` says in the generated items' documentation what they are.

mod calls;
mod document;
mod lane_program;
mod measures;
mod methods;
mod model;
mod operation;
mod program;
mod requested;
mod source;
mod stretch;
mod tables;
mod text;

pub use model::emit;
pub use source::Source;
pub use text::{Lengths, kernel_source};
