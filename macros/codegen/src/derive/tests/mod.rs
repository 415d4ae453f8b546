//! Mechanisms that are described in two ways and must move alike.

mod constraints;
mod contacts;
mod cuts;
mod drives;
mod families;
mod follow;
mod limbs;
mod motion;
mod pairs;
mod prepare;
mod reroot;
mod rounds;
mod springs;
mod still;

use crate::derive::{Mechanism, symbols};
use crate::description::Description;
use crate::diagnostic::Errors;
use crate::expr::{Expr, Graph};
use crate::parse;

/// The description in the given entries of `#[robot(…)]`.
fn describe(entries: &str) -> Description {
    describe_struct(entries, "struct Robot;")
}

/// The same on a struct that may have fields.
fn describe_struct(entries: &str, item: &str) -> Description {
    let item = format!("#[robot({entries})] {item}");
    let item = syn::parse_str(&item).expect("an annotated struct");
    let mut errors = Errors::default();
    let parsed = parse::parse(&item, &mut errors);
    crate::validate::validate(&parsed, &mut errors);
    assert!(errors.is_empty(), "{}", errors.to_diagnostics());
    parsed.description
}

/// Configuration, velocity, and acceleration or force.
#[derive(Clone, Debug, Default)]
struct Numbers {
    q: Vec<f64>,
    v: Vec<f64>,
    a: Vec<f64>,
}

impl Numbers {
    fn of<'g>(&self, outputs: &[Expr<'g>], graph: &'g Graph) -> Vec<f64> {
        graph.evaluate(outputs, |symbol| {
            let set = match symbol.set {
                symbols::Q => &self.q,
                symbols::V => &self.v,
                symbols::A => &self.a,
                other => panic!("a symbol of set {other}"),
            };
            set[symbol.index as usize]
        })
    }
}

/// Derives a mechanism and shows it to `look`.
fn with<T>(description: &Description, look: impl FnOnce(&Mechanism<'_>) -> T) -> T {
    let graph = Graph::new();
    let mechanism = Mechanism::new(&graph, description).expect("nothing runs backwards");
    look(&mechanism)
}

fn close(what: &str, found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let scale = expected.iter().fold(1.0, |s: f64, x| s.max(x.abs()));
    for (k, (found, expected)) in found.iter().zip(expected).enumerate() {
        let near = (found - expected).abs() <= tolerance * scale;
        assert!(near, "{what}[{k}]: {found} instead of {expected}");
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
