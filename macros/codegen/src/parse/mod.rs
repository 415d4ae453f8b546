//! Names.

mod name;

pub use name::{constant, identifier};
