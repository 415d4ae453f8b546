//! Derivatives: rules by identity, and both sweeps against central differences and each other.

use fastrand::Rng;

use super::{random, value, variables};
use crate::expr::{Expr, Graph};

const EXPRESSIONS: u64 = 500;

#[test]
fn rules() {
    let graph = Graph::new();
    let [x, y, _] = variables(&graph);
    assert_eq!((x * x).derivative(x), 2.0 * x);
    assert_eq!(x.derivative(x), graph.one());
    assert_eq!(x.derivative(y), graph.zero());
    assert_eq!((x + y).derivative(y), graph.one());
    assert_eq!((x - y).derivative(y), graph.constant(-1.0));
    assert_eq!((x * y).derivative(x), y);
    assert_eq!(x.sin().derivative(x), x.cos());
    assert_eq!(x.cos().derivative(x), -x.sin());
    assert_eq!(x.sqrt().derivative(x), graph.one() / (2.0 * x.sqrt()));
    assert_eq!((x / y).derivative(x), graph.one() / y);
    assert_eq!((x / y).derivative(y), -(x / y / y));
    assert_eq!((2.0 * x).sin().derivative(x), 2.0 * (2.0 * x).cos());
    assert_eq!(graph.constant(7.0).derivative(x), graph.zero());
    assert_eq!(x.derivative(x * x), graph.zero(), "only a variable has a derivative by it");
}

#[test]
fn second_derivatives_are_derivatives() {
    let graph = Graph::new();
    let [x, y, _] = variables(&graph);
    assert_eq!(x.sin().derivative(x).derivative(x), -x.sin());
    let f = x * x * y;
    assert_eq!(f.derivative(x).derivative(y), f.derivative(y).derivative(x));
}

fn gradient<'g>(graph: &'g Graph, f: Expr<'g>) -> Vec<Expr<'g>> {
    let symbols: Vec<_> = variables(graph).iter().filter_map(|x| x.as_symbol()).collect();
    graph.gradient(f, &symbols)
}

#[test]
fn gradients_equal_central_differences() {
    const STEP: f64 = 1e-5;
    for seed in 0..EXPRESSIONS {
        let graph = Graph::new();
        let rng = &mut Rng::with_seed(seed);
        let f = random::expression(&graph, rng);
        let gradient = gradient(&graph, f);
        let at = random::point(rng);
        for k in 0..3 {
            let shifted = |step: f64| {
                let mut x = at;
                x[k] += step;
                value(f, &x)
            };
            let difference = (shifted(STEP) - shifted(-STEP)) / (2.0 * STEP);
            let exact = value(gradient[k], &at);
            let error = (exact - difference).abs() / exact.abs().max(10.0);
            assert!(error < 1e-7, "seed {seed}: {exact} and {difference}");
        }
    }
}

#[test]
fn directional_derivative_is_gradient_times_direction() {
    for seed in 0..EXPRESSIONS {
        let graph = Graph::new();
        let rng = &mut Rng::with_seed(seed);
        let f = random::expression(&graph, rng);
        let (at, direction) = (random::point(rng), random::point(rng));
        let rate = |k: u32| graph.constant(direction[k as usize]);
        let forward = graph.directional_derivative(&[f], |symbol| Some(rate(symbol.index)))[0];
        let backward = gradient(&graph, f);
        let dot: f64 = (0..3).map(|k| value(backward[k], &at) * direction[k]).sum();
        let found = value(forward, &at);
        let error = (found - dot).abs() / dot.abs().max(1.0);
        assert!(error < 1e-12, "seed {seed}: {found} and {dot}");
    }
}

#[test]
fn variables_without_a_rate_stay() {
    let graph = Graph::new();
    let [x, y, z] = variables(&graph);
    let rates = graph
        .directional_derivative(&[x * y, y.sin(), z], |symbol| (symbol.index == 0).then_some(z));
    assert_eq!(rates, [y * z, graph.zero(), graph.zero()]);
    assert!(graph.directional_derivative(&[], |_| None).is_empty());
}

/// A simplified expression has the value of what was written.
#[test]
fn simplification_keeps_the_value() {
    for seed in 0..EXPRESSIONS {
        let rng = &mut Rng::with_seed(seed);
        let graph = Graph::new();
        let f = random::expression(&graph, rng);
        let at = random::point(rng);
        let constant = Graph::new();
        let folded = rebuild(&constant, &graph, f, at);
        let error = (folded - value(f, &at)).abs();
        assert!(error < 1e-12 * folded.abs().max(1.0), "seed {seed}");
    }
}

/// f with constants in place of its variables, which folds to one number.
fn rebuild(constants: &Graph, graph: &Graph, f: Expr<'_>, at: [f64; 3]) -> f64 {
    use crate::expr::Node;
    let mut built: Vec<Expr<'_>> = vec![constants.zero(); f.id().index() + 1];
    for id in graph.reachable(&[f]) {
        let x = |id: crate::expr::NodeId| built[id.index()];
        built[id.index()] = match graph.node(id) {
            Node::Constant(bits) => constants.constant(f64::from_bits(bits)),
            Node::Symbol(symbol) => constants.constant(at[symbol.index as usize]),
            Node::Add(a, b) => x(a) + x(b),
            Node::Sub(a, b) => x(a) - x(b),
            Node::Mul(a, b) => x(a) * x(b),
            Node::Div(a, b) => x(a) / x(b),
            Node::Neg(a) => -x(a),
            Node::Sin(a) => x(a).sin(),
            Node::Cos(a) => x(a).cos(),
            Node::Sqrt(a) => x(a).sqrt(),
            Node::Pair(lanes) => constants.pack(&lanes.map(x)),
            Node::Quad(lanes) => constants.pack(&lanes.map(x)),
            Node::Lane(a, k) => x(a).lane(usize::from(k)),
            Node::Sum(a) => x(a).gathered(graph.width(a)),
        };
    }
    built[f.id().index()].value().unwrap_or(f64::NAN)
}
