//! Counts, values that are no numbers, and graphs that are deep.

use super::{value, variables};
use crate::expr::{Graph, Operations};

#[test]
fn operations_are_counted_once() {
    let graph = Graph::new();
    let [x, y, _] = variables(&graph);
    let shared = x * y + x.sin();
    let counted = graph.operations(&[shared / y, -shared.sqrt(), shared]);
    let expected = Operations {
        additions: 1,
        multiplications: 1,
        divisions: 1,
        roots: 1,
        trigonometric: 1,
        contractions: 1,
        moves: 0,
    };
    assert_eq!(counted, expected);
    assert_eq!(counted.arithmetic(), 4);
    assert_eq!(graph.operations(&[]), Operations::default());
    assert_eq!(graph.operations(&[x, graph.one(), -y]), Operations::default());
}

#[test]
fn what_follows_from_given_variables_is_not_counted() {
    let graph = Graph::new();
    let [x, y, z] = variables(&graph);
    let known = (x * x + y).sqrt();
    let given = [x, y].map(|x| x.as_symbol());
    let counted = graph.operations_beyond(&[known, known * z], |s| given.contains(&Some(s)));
    assert_eq!(counted, Operations { multiplications: 1, ..Operations::default() });
}

#[test]
fn what_an_output_does_not_need_is_not_counted() {
    let graph = Graph::new();
    let [x, y, _] = variables(&graph);
    let _unused = x.sin() * y;
    let sum = x + y;
    assert_eq!(graph.operations(&[sum]).trigonometric, 0);
    assert_eq!(graph.reachable(&[sum]).len(), 3);
}

#[test]
fn values_that_are_no_numbers_propagate() {
    let graph = Graph::new();
    let [x, y, _] = variables(&graph);
    for f in [x + y, x - y, x * y, x / y, y / x, -x, x.sin(), x.cos(), x.sqrt()] {
        assert!(value(f, &[f64::NAN, 2.0]).is_nan(), "{f:?}");
    }
    assert_eq!(value(x + y, &[f64::INFINITY, 2.0]), f64::INFINITY);
    assert!(value(x - y, &[f64::INFINITY; 2]).is_nan());
    assert!(value(x * y, &[f64::INFINITY, 0.0]).is_nan());
    assert!(value(x.sin(), &[f64::INFINITY]).is_nan());
    assert_eq!(value(x / y, &[1.0, f64::INFINITY]), 0.0);
}

/// x ↦ y sin x + y, a hundred thousand deep: nothing recurses.
#[test]
fn deep_chains_are_no_burden() {
    let graph = Graph::new();
    let [x, y, _] = variables(&graph);
    let deep = (0..100_000).fold(x, |f, _| y * f.sin() + y);
    assert_eq!(graph.operations(&[deep]).trigonometric, 100_000);
    let at = [0.3, 0.4];
    let exact = (0..100_000).fold(at[0], |f: f64, _| at[1] * f.sin() + at[1]);
    assert_eq!(value(deep, &at), exact);
    assert!(value(deep.derivative(y), &at).is_finite());
    let forward = graph.directional_derivative(&[deep], |_| Some(graph.one()))[0];
    assert!(value(forward, &at).is_finite());
}

/// A chain that doubles: 2¹⁰⁰⁰ paths, a thousand nodes.
#[test]
fn shared_nodes_are_visited_once() {
    let graph = Graph::new();
    let [x, y, _] = variables(&graph);
    let wide = (0..1000).fold(x, |f, _| f.sin() * f.cos() + y);
    assert!(graph.len() < 5000);
    assert!(value(wide.derivative(x), &[0.3, 0.4]).is_finite());
}

#[test]
fn a_graph_without_outputs_or_nodes_is_no_special_case() {
    let graph = Graph::new();
    assert!(graph.is_empty());
    assert!(graph.reachable(&[]).is_empty());
    assert!(graph.evaluate(&[], |_| f64::NAN).is_empty());
    assert!(graph.is_empty());
}
