//! The expression graph.

use std::marker::PhantomData;

/// A node of a graph.
#[derive(Clone, Copy, Debug)]
pub struct Expr<'g>(PhantomData<&'g ()>);
