//! What is known of constraints while compiling: what they leave of the motion, and whether they
//! contradict one another.

use super::{describe_struct, with};
use crate::diagnostic::Errors;
use crate::parse::parse;
use crate::validate::validate;

fn mobility(entries: &str, item: &str) -> Option<usize> {
    let text = format!("#[robot({entries})] {item}");
    let mut errors = Errors::default();
    let parsed = parse(&syn::parse_str(&text).unwrap(), &mut errors);
    let requirements = validate(&parsed, &mut errors);
    assert!(errors.is_empty(), "{:?}", errors.messages());
    let found = with(&parsed.description, |m| m.mobility(&m.constraints(), &requirements));
    found.map(|mobility| mobility.freedoms)
}

/// The lengths of a four-bar do not matter as long as it closes, and its height above the ground neither.
#[test]
fn mobility_in_spite_of_fields() {
    let bars = "link(a, mass = m), joint(one, revolute(world -> a), axis = [0, 1, 0]),
        link(b, mass = m), joint(two, revolute(a -> b), at = [l1, 0, 0], axis = [0, 1, 0]),
        link(c, mass = m), joint(three, revolute(world -> c), at = [l4, 0, h], axis = [0, 1, 0]),";
    let fields = "struct R { m: f64, l1: f64, l2: f64, l3: f64, l4: f64, h: f64 }";
    let of = |pin: &str| mobility(&format!("{bars} closure(pin, {pin})"), fields);
    assert_eq!(of("a = b @ [l2, 0, 0], b = c @ [l3, 0, 0], axes = [x, z]"), Some(1));
    assert_eq!(of("a = b @ [l2, 0, 0], b = c @ [l3, 0, 0], axes = [x, y, z, rx, rz]"), Some(1));
    assert_eq!(of("a = b @ [l2, 0, 0], b = c @ [l3, h, 0], axes = [x, y, z]"), None);
}

/// The bar reaches for hardly any place of the pin.
#[test]
fn mobility_that_fields_decide() {
    let arm = "link(a, mass = 1), joint(one, revolute(world -> a), axis = [0, 1, 0]),
        rod(bar, a = a @ [1, 0, 0], b = world @ [x, 0, 0], length = 0.01)";
    assert_eq!(mobility(arm, "struct R { x: f64 }"), None);
    assert_eq!(mobility(&arm.replace("@ [x, 0", "@ [1, 0"), "struct R;"), Some(0));
    let wide = arm.replace("length = 0.01", "length = x");
    assert_eq!(mobility(&wide, "struct R { x: f64 }"), Some(0));
}

const TREE: &str = "link(a, mass = 1, inertia = [1, 1, 1]), joint(free, floating(world -> a)),
    link(b, mass = 1), joint(one, revolute(a -> b), axis = [0, 1, 0]),
    link(c, mass = 1), joint(two, revolute(b -> c), at = [1, 0, 0], axis = [0, 1, 0]),
    link(d, mass = 1), joint(three, revolute(c -> d), at = [0.5, 0.2, 0.1], axis = [1, 0, 0], mimic(two, multiplier = 2)),";

/// The constraints that contradict others, with those and by how much.
fn contradictions(constraints: &str) -> Vec<(Vec<usize>, f64)> {
    let description =
        describe_struct(&format!("{TREE} {constraints}"), "struct R { l: f64, k: f64 }");
    let found = with(&description, |m| m.contradictions(&m.constraints(), &[]));
    found.into_iter().map(|one| (one.constraints, one.disagreement)).collect()
}

#[test]
fn contradictions_are_found_whatever_the_configuration() {
    for (constraints, expected) in [
        ("closure(p, a = world, b = c), closure(q, a = world @ [0.5, 0, 0], b = c)", 0.5),
        (
            "closure(p, a = world, b = c), closure(q, a = world, b = c @ [0, 0, 2], axes = [x, y, z])",
            2.0,
        ),
        ("closure(p, a = world, b = c), closure(q, a = c, b = world @ [0.5, 0, 0])", 0.5),
        ("closure(p, a = c @ [0, 2, 0], b = world), closure(q, a = world, b = c)", 2.0),
        ("closure(p, a = b, b = d), closure(q, a = d @ [0, 0.5, 0], b = b, axes = [y, z])", 0.5),
        (
            "closure(p, a = world, b = c), \
          point_on_plane(q, a = c @ [0, 0, 3], b = world, normal = [0, 0, 1])",
            3.0,
        ),
        ("closure(p, a = b @ [l, 0, 0], b = d), closure(q, a = b @ [l, 0, 3], b = d)", 3.0),
        ("coupling(p, joint = one, to = two), coupling(q, joint = two, to = one, offset = 1)", 1.0),
        (
            "coupling(p, joint = one, to = two, offset = l), coupling(q, joint = one, to = two, offset = l + 1)",
            1.0,
        ),
        (
            "drive(p, joint = one, rate = 1), drive(q, joint = two, rate = 1), \
          coupling(r, joint = one, to = two, multiplier = 3)",
            2.0,
        ),
        ("constraint(p, h = one - l), drive(q, joint = one, rate = 2)", 2.0),
    ] {
        let found = contradictions(constraints);
        let [(_, by)] = found[..] else { panic!("{constraints}: {found:?}") };
        assert!((by.abs() - expected).abs() < 1e-9, "{constraints}: {found:?}");
    }
}

#[test]
fn rows_that_agree_or_may_agree_are_none() {
    for constraints in [
        "closure(p, a = world, b = c), closure(q, a = world, b = c)",
        "closure(p, a = world @ [1, 0, 0], b = c @ [1, 0, 0]), closure(q, a = world, b = c)",
        "closure(p, a = world, b = c), rod(q, a = world @ [9, 0, 0], b = c, length = 1)",
        "coupling(p, joint = one, to = two, offset = l), coupling(q, joint = one, to = two, offset = k)",
        "constraint(p, h = one - t), drive(q, joint = one, rate = 1)",
        "drive(p, joint = one, rate = 1), drive(q, joint = two, rate = one)",
        "closure(p, a = world, b = c), closure(q, a = c, b = world)",
        "closure(p, a = world, b = c @ [l, 0, 0]), closure(q, a = c @ [k, 0, 0], b = world)",
        "drive(p, joint = one, rate = k), drive(q, joint = one, rate = l)",
    ] {
        let found = contradictions(constraints);
        assert!(found.is_empty(), "{constraints}: {found:?}");
    }
}

/// What is required leaves few of the values that are tried, or one: of rows that depend on fields nothing is
/// said then, of others what is to be said.
#[test]
fn few_values_of_fields_tell_nothing() {
    let found = |pair: &str, least: &str| {
        let text = format!(
            "#[robot({TREE} {pair}, rod(bar, a = world, b = d, length = l - {least}))]
             struct R {{ l: f64, k: f64 }}"
        );
        let mut errors = Errors::default();
        let parsed = parse(&syn::parse_str(&text).unwrap(), &mut errors);
        let requirements = validate(&parsed, &mut errors);
        assert!(errors.is_empty(), "{:?}", errors.messages());
        with(&parsed.description, |m| m.contradictions(&m.constraints(), &requirements).len())
    };
    let coupled = "coupling(p, joint = one, to = two), coupling(q, joint = one, to = two, offset =";
    for least in ["22", "24"] {
        assert_eq!(found(&format!("{coupled} k)"), least), 0, "{least}");
        assert_eq!(found(&format!("{coupled} 1)"), least), 1, "{least}");
    }
}

/// Two rates of one coordinate contradict one another, unless the fields may make them agree: so are drives
/// declared of which one at a time is to be active.
#[test]
fn drives_of_one_joint() {
    let refused = |rates: [&str; 2]| {
        let [p, q] = rates;
        let text = format!(
            "#[robot({TREE} drive(p, joint = one, rate = {p}), drive(q, joint = one, rate = {q}))]
             struct R {{ l: f64, k: f64 }}"
        );
        let mut errors = Errors::default();
        let parsed = parse(&syn::parse_str(&text).unwrap(), &mut errors);
        let requirements = validate(&parsed, &mut errors);
        let of = with(&parsed.description, |m| m.contradictions(&m.constraints(), &requirements));
        !errors.is_empty() || !of.is_empty()
    };
    for rates in [["1", "2"], ["1", "2 * t"], ["two", "t"], ["l", "l + 1"]] {
        assert!(refused(rates), "{rates:?}");
    }
    for rates in [["l", "k"], ["1", "k"], ["l * t", "two"]] {
        assert!(!refused(rates), "{rates:?}");
    }
}
