//! From expressions to Rust.
//!
//! `program` orders a quantity's operations, `parts` cuts long ones, `text` and `operation` write them,
//! and `kernel` makes the body of a kernel of them. `tables` writes what a model says of itself, `pair`
//! the methods of a quantity, `model` puts the kernels, constants and methods together, and `document`
//! says in the generated items' documentation what they are.

mod calls;
mod captures;
mod document;
mod kernel;
mod lane_program;
mod measures;
mod methods;
mod model;
mod operation;
mod pair;
mod parts;
mod program;
mod requested;
mod rounds;
mod source;
mod stretch;
mod tables;
mod text;
mod turns;

pub use model::emit;
pub use parts::Cut;
pub use source::Source;
