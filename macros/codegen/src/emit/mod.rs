//! From expressions to Rust.
//!
//! `program` orders a quantity's operations, `text` writes them as the body of a kernel,
//! `model` puts the kernels, constants and methods together, and `document` says in the
//! generated items' documentation what they are.

mod calls;
mod document;
mod measures;
mod methods;
mod model;
mod operation;
mod program;
mod requested;
mod source;
mod text;

pub use model::emit;
pub use source::Source;
pub use text::{Lengths, kernel_source};
