//! Random expressions that are smooth and of moderate size where their variables are.

use fastrand::Rng;

use super::variables;
use crate::expr::{Expr, Graph};

/// Every operation is used; divisors and radicands are at least 1.
pub(super) fn expression<'g>(graph: &'g Graph, rng: &mut Rng) -> Expr<'g> {
    let mut known = variables(graph).to_vec();
    known.push(graph.constant(2.0 * rng.f64() - 1.0));
    for _ in 0..20 {
        let (a, b) = (known[rng.usize(..known.len())], known[rng.usize(..known.len())]);
        let above_one = b.sin() + graph.constant(2.0);
        known.push(match rng.u8(0..8) {
            0 => a + b,
            1 => a - b,
            2 => a.sin() * b.cos(),
            3 => a / above_one,
            4 => (a.sin() + graph.constant(2.0)).sqrt(),
            5 => -a,
            6 => (2.0 * rng.f64() - 1.0) * a,
            _ => a.cos() * b.sin(),
        });
    }
    let last = known.split_off(known.len() - 4);
    last.into_iter().fold(graph.zero(), |sum, x| sum + x)
}

/// Values of the three variables.
pub(super) fn point(rng: &mut Rng) -> [f64; 3] {
    [0; 3].map(|_| 2.0 * rng.f64() - 1.0)
}
