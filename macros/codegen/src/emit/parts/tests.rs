//! An expansion is the same each time, as reproducible builds and whoever compares two of them expect.

use quote::quote;

use super::Cut;
use crate::derive::{Equations, Forms, Mechanism};
use crate::diagnostic::Errors;
use crate::emit::{Source, emit};
use crate::expr::Graph;
use crate::kernels::Family;
use crate::{parse, validate};

/// Legs in lanes, contacts in rounds, a loop, and parts that hand values on.
fn walker() -> String {
    const BODY: &str = "mass = 1, inertia = [1, 1, 1]";
    let mut entries = format!("link(base, {BODY}), joint(free, floating(world -> base)),");
    for leg in 0..4 {
        let (x, y) = (leg % 2, leg / 2);
        entries += &format!(
            "link(thigh{leg}, {BODY}), link(shank{leg}, {BODY}, com = [0.1, 0.2, 0.3]),
            joint(hip{leg}, revolute(base -> thigh{leg}), at = [{x}, {y}, 0], axis = [1, 0, 0]),
            joint(knee{leg}, revolute(thigh{leg} -> shank{leg}), at = [0, 0, -1], axis = [0, 1, 0]),
            contact(foot{leg}, on = shank{leg}, at = [0, 0, -1], friction = 0.5),"
        );
    }
    for k in 0..16 {
        let at = format!("[0.1 * {}, 0.1 * {}, 0]", k % 4, k / 4);
        entries += &format!("contact(belly{k}, on = base, at = {at}, friction = 0.5),");
    }
    format!(
        "#[robot({entries} closure(tie, a = shank0 @ [0, 0, -1], b = shank1 @ [0, 0, -1]))]
        struct Walker;"
    )
}

fn expansion(item: &str, cut: Cut) -> String {
    let input = syn::parse_str(item).expect("a struct");
    let mut errors = Errors::default();
    let parsed = parse::parse(&input, &mut errors);
    let requirements = validate::validate(&parsed, &mut errors);
    assert!(errors.is_empty(), "{}", errors.to_diagnostics());
    let graph = Graph::new();
    let mechanism = Mechanism::new(&graph, &parsed.description).expect("a tree");
    let kernels = &Family::ALL;
    let equations = Equations::derive(&mechanism, &requirements, kernels, &Forms::default());
    let source = Source {
        ident: &input.ident,
        runtime: &quote!(::jourdain),
        description: &parsed.description,
        requirements: &requirements,
        kernels,
        cut,
        files: &[],
        equations: Some((&graph, &equations)),
    };
    emit(&source).to_string()
}

#[test]
fn expansions_are_the_same_each_time() {
    let item = walker();
    for cut in [Cut::default(), Cut { whole: 40, part: 15 }] {
        let first = expansion(&item, cut);
        for _ in 0..2 {
            let again = expansion(&item, cut);
            let place = first.bytes().zip(again.bytes()).position(|(a, b)| a != b);
            let from = place.unwrap_or(0).saturating_sub(100);
            assert!(first == again, "{:?}\n{:?}", first.get(from..), again.get(from..));
        }
    }
}
