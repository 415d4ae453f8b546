//! The expression graph: hash-consed arithmetic on symbols.
//!
//! Every node exists once, so that equal expressions are the same node and common subexpressions
//! are shared from the start. Nodes are simplified as they are made, by local rules that keep the
//! value: constants fold, signs float out of products, like terms meet. The graph knows no robots;
//! a [`Symbol`] is a pair of numbers that its user gives a meaning.

mod count;
mod differentiate;
mod evaluate;
mod fold;
mod graph;
mod hash;
mod lanes;
mod linear;
mod rotation;
mod simplify;
#[cfg(test)]
mod tests;

pub use count::Operations;
pub(crate) use fold::{fold_sin_cos, fold_sum};
pub use graph::{Expr, Graph, Node, NodeId, Symbol};
pub use linear::{Matrix3, Vector3};
pub use rotation::{Rotation, tangents, tangents_of};
