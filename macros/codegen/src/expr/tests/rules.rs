//! Rules of simplification: both sides are the same node.

use super::variables;
use crate::expr::{Graph, Node};

#[test]
fn equal_expressions_are_one_node() {
    let graph = Graph::new();
    let [x, y, z] = variables(&graph);
    let first = (x * y + z).sin() / (x - y).sqrt();
    let count = graph.len();
    let second = (z + y * x).sin() / (x - y).sqrt();
    assert_eq!(first, second);
    assert_eq!(graph.len(), count);
    assert_eq!(graph.symbol(0, 0), x);
    assert_ne!(graph.symbol(1, 0), x, "sets of variables are apart");
    assert_ne!(Graph::new().constant(1.0), graph.constant(1.0), "graphs are apart");
}

#[test]
fn sums_and_products_commute() {
    let graph = Graph::new();
    let [x, y, _] = variables(&graph);
    assert_eq!(x + y, y + x);
    assert_eq!(x * y, y * x);
    let (a, b) = (x.sin(), 3.0 * y);
    assert_eq!(a + b, b + a);
    assert_eq!(a * b, b * a);
}

#[test]
fn like_terms_meet() {
    let graph = Graph::new();
    let [x, y, _] = variables(&graph);
    assert_eq!(x + x, 2.0 * x);
    assert_eq!(3.0 * x - 2.0 * x, x);
    assert_eq!(x + x + x, 3.0 * x);
    assert_eq!(x - 3.0 * x, -(2.0 * x));
    assert_eq!(x - x, graph.zero());
    assert_eq!(x + -x, graph.zero());
    assert_eq!(-x - x, -(2.0 * x));
    assert_eq!(0.5 * (x * y) + 0.5 * (y * x), x * y);
    assert_eq!(0.1 * x + 0.2 * x - 0.3 * x, graph.zero());
    assert_eq!(2.0 * (3.0 * x), 6.0 * x);
    assert_eq!(0.5 * (2.0 * x), x);
}

#[test]
fn what_was_added_can_be_taken_away() {
    let graph = Graph::new();
    let [x, y, _] = variables(&graph);
    assert_eq!((x - y) + y, x);
    assert_eq!(y + (x - y), x);
    assert_eq!((x + y) - y, x);
    assert_eq!((x + y) - x, y);
    assert_eq!((x - y) - x, -y);
    assert_eq!(x - (x - y), y);
    assert_eq!((x - 2.0 * y) + 2.0 * y, x);
}

#[test]
fn zero_and_one_are_neutral() {
    let graph = Graph::new();
    let [x, _, _] = variables(&graph);
    let (zero, one) = (graph.zero(), graph.one());
    assert_eq!(x + zero, x);
    assert_eq!(zero + x, x);
    assert_eq!(x - zero, x);
    assert_eq!(zero - x, -x);
    assert_eq!(x * zero, zero);
    assert_eq!(zero * x, zero);
    assert_eq!(x * one, x);
    assert_eq!(x / one, x);
    assert_eq!(zero / x, zero);
    assert_eq!(x / x, one);
    assert_eq!(graph.constant(-0.0), zero);
}

#[test]
fn signs_float_out() {
    let graph = Graph::new();
    let [x, y, _] = variables(&graph);
    assert_eq!(-(-x), x);
    assert_eq!(-x * y, -(x * y));
    assert_eq!(x * -y, -(x * y));
    assert_eq!(-x * -y, x * y);
    assert_eq!(-x / y, -(x / y));
    assert_eq!(x / -y, -(x / y));
    assert_eq!(-x / -y, x / y);
    assert_eq!(-2.0 * x, -(2.0 * x));
    assert_eq!(x + -y, x - y);
    assert_eq!(-x + y, y - x);
    assert_eq!(x - -y, x + y);
    assert_eq!(-x - y, -(x + y));
    assert_eq!(-x - -y, y - x);
    assert_eq!((-x).sin(), -(x.sin()));
    assert_eq!((-x).cos(), x.cos());
    assert_eq!((-2.0 * x).sin(), -((2.0 * x).sin()));
    assert!(matches!((-2.0 * x).node(), Node::Neg(_)), "a constant factor is positive");
}

#[test]
fn a_difference_shares_its_opposite() {
    let graph = Graph::new();
    let [x, y, _] = variables(&graph);
    let forward = x - y;
    assert_eq!(y - x, -forward);
    assert_eq!(-(y - x), forward);
    assert_eq!(-forward, y - x);
    assert_eq!((x - y) + (y - x), graph.zero());
    assert_eq!((y - x).squared(), (x - y).squared());
}

#[test]
fn the_opposite_is_shared_whichever_comes_first() {
    let graph = Graph::new();
    let [x, y, _] = variables(&graph);
    let negated = -(x - y);
    assert_eq!(y - x, negated);
}

#[test]
fn nothing_else_is_rewritten() {
    let graph = Graph::new();
    let [x, y, z] = variables(&graph);
    assert_ne!(x * (y + z), x * y + x * z, "products are not expanded");
    assert_ne!((x + y) + z, x + (y + z), "sums are not regrouped");
    assert_ne!(x.sin().squared() + x.cos().squared(), graph.one());
    assert_ne!(x.squared().sqrt(), x, "which is false for x < 0");
}
