//! The graph's promises. Equality of expressions is identity of nodes.

mod calculus;
mod constants;
mod frames;
mod random;
mod rules;
mod scale;

use super::{Expr, Graph};

/// The variables x, y, z of a graph.
fn variables(graph: &Graph) -> [Expr<'_>; 3] {
    [0, 1, 2].map(|k| graph.symbol(0, k))
}

/// The value of one expression where the variables of set 0 are `values`.
fn value(x: Expr<'_>, values: &[f64]) -> f64 {
    x.graph().evaluate(&[x], |symbol| values[symbol.index as usize])[0]
}
