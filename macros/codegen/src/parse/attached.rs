//! What is attached to links and joints: `frame`, `actuator` and `spring`, and what their entries share.

use super::keys::{Form, Keys, Known, numbers, ungrouped};
use super::reader::{At, Reader};
use super::resolve::{joint, link, rotation};
use super::syntax::{Item, Value};
use crate::description::{Actuator, Bound, Frame, Joint, Link, Parent, Placement, Spring, Triple};
use crate::diagnostic::{Location, Name};
use crate::scalar::Scalar;

/// `frame(name, on = link, …)`.
pub(super) fn frame(
    reader: &mut Reader<'_>,
    links: &[Link],
    name: Name,
    items: &[Item],
) -> Option<Frame> {
    let known: &Known = &[
        ("on", Form::Value),
        ("at", Form::Value),
        ("rpy", Form::Value),
        ("quaternion", Form::Value),
        ("held", Form::Flag),
    ];
    let keys = Keys::read(reader, "a frame", items, known);
    let of = format!("frame `{name}`");
    let position = point(reader, &keys, "at", &of);
    let given = keys.rotation(reader);
    let rotation = rotation(reader, &of, given);
    let link = on(reader, &keys, links, &of, &name)?;
    let held = keys.at("held").is_some();
    Some(Frame { name, link, placement: Placement { position, rotation }, held })
}

/// `actuator(name, joint = joint, …)`.
pub(super) fn actuator(
    reader: &mut Reader<'_>,
    joints: &[Joint],
    name: Name,
    items: &[Item],
) -> Option<Actuator> {
    let known: &Known =
        &[("joint", Form::Value), ("coordinate", Form::Value), ("gear", Form::Value)];
    let keys = Keys::read(reader, "an actuator", items, known);
    let gear = match keys.at("gear") {
        Some(_) => {
            let quantity = format!("the gear of actuator `{name}`");
            bounded(reader, &keys, "gear", &quantity, Bound::Finite)
        }
        None => Scalar::ONE,
    };
    if keys.lacks("joint") {
        reader.error(&name.at, format!("actuator `{name}` needs `joint = …`"));
    }
    let driven = keys.name(reader, "joint")?;
    let joint = joint(reader, joints, &driven)?;
    let coordinate = coordinate(reader, joints, joint, keys.value("coordinate"), &driven)?;
    Some(Actuator { name, joint, coordinate, gear })
}

pub(super) fn coordinate(
    reader: &mut Reader<'_>,
    joints: &[Joint],
    joint: usize,
    value: Option<&Value>,
    driven: &Name,
) -> Option<usize> {
    let joint = &joints[joint];
    if let Some(leader) = &joint.mimic {
        let leader = &joints[leader.joint].name;
        let message = format!("joint `{driven}` follows `{leader}`; drive that one");
        reader.error(&driven.at, message);
        return None;
    }
    let nv = joint.family.nv();
    match (value, nv) {
        (_, 0) => {
            let message = format!("joint `{driven}` is fixed and has nothing to drive");
            reader.error(&driven.at, message);
            None
        }
        (None, 1) => Some(0),
        (None, _) => {
            let message = format!("joint `{driven}` has {nv} coordinates: say which, from 0 on");
            reader.error(&driven.at, format!("{message}, `coordinate = …`"));
            None
        }
        (Some(value), _) => {
            let index = whole(value).filter(|&index| index < nv);
            if index.is_none() {
                let message =
                    format!("expected a whole number below {nv}, a coordinate of `{driven}`");
                reader.error(&value.at(), message);
            }
            index
        }
    }
}

/// `spring(name, a = link @ […], b = link @ […], …)`.
pub(super) fn spring(
    reader: &mut Reader<'_>,
    links: &[Link],
    name: Name,
    items: &[Item],
) -> Option<Spring> {
    let known: &Known = &[
        ("a", Form::Value),
        ("b", Form::Value),
        ("stiffness", Form::Value),
        ("damping", Form::Value),
        ("rest", Form::Value),
    ];
    let keys = Keys::read(reader, "a spring", items, known);
    let of = format!("spring `{name}`");
    let mut number =
        |key: &str| bounded(reader, &keys, key, &format!("the {key} of {of}"), Bound::NonNegative);
    let (stiffness, damping, rest) = (number("stiffness"), number("damping"), number("rest"));
    if keys.lacks("a") || keys.lacks("b") {
        let message =
            format!("{of} joins two points, `a = link @ [x, y, z], b = world @ [x, y, z]`");
        reader.error(&name.at, message);
    }
    let (a, b) = (end(reader, &keys, "a", links, &of), end(reader, &keys, "b", links, &of));
    Some(Spring { name, ends: [a?, b?], stiffness, damping, rest })
}

/// `link @ [x, y, z]`, or `link` for its origin.
fn end(
    reader: &mut Reader<'_>,
    keys: &Keys<'_>,
    key: &str,
    links: &[Link],
    of: &str,
) -> Option<(Parent, Triple)> {
    let (word, position) = match keys.value(key)? {
        Value::Word(word) => (word, [Scalar::ZERO; 3]),
        Value::Point(word, position) => {
            let at = Location::tokens(position);
            let position = numbers(reader, position)?;
            reader.require_finite(format!("end `{key}` of {of}"), &position, &at);
            (word, position)
        }
        value @ Value::Expr(_) => {
            reader.error(&value.at(), "expected a link or `link @ [x, y, z]`");
            return None;
        }
    };
    if word.is_world() {
        return Some((Parent::World, position));
    }
    link(reader, links, &word.name()).map(|index| (Parent::Link(index), position))
}

/// `on = link`.
pub(super) fn on(
    reader: &mut Reader<'_>,
    keys: &Keys<'_>,
    links: &[Link],
    of: &str,
    name: &Name,
) -> Option<usize> {
    if keys.lacks("on") {
        reader.error(&name.at, format!("{of} needs a link, `on = …`"));
    }
    let word = keys.word(reader, "on")?;
    let known = links.iter().any(|link| link.name.text == word.text);
    if word.is_world() && !known {
        reader.error(&word.at(), format!("{of} needs a link, and `world` is none"));
        return None;
    }
    link(reader, links, &word.name())
}

/// A point, the origin if the key is not given.
pub(super) fn point(reader: &mut Reader<'_>, keys: &Keys<'_>, key: &str, of: &str) -> Triple {
    let Some(At { value, at }) = keys.array(reader, key) else {
        return [Scalar::ZERO; 3];
    };
    reader.require_finite(format!("the position of {of}"), &value, &at);
    value
}

/// A number under a bound, zero if the key is not given.
pub(super) fn bounded(
    reader: &mut Reader<'_>,
    keys: &Keys<'_>,
    key: &str,
    quantity: &str,
    bound: Bound,
) -> Scalar {
    let Some(At { value, at }) = keys.scalar(reader, key) else {
        return Scalar::ZERO;
    };
    reader.require(quantity, bound, std::slice::from_ref(&value), &at);
    value
}

/// A whole number that is written as a literal.
pub(super) fn whole(value: &Value) -> Option<usize> {
    let Value::Expr(expr) = value else { return None };
    match ungrouped(expr) {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(int), .. }) => int.base10_parse().ok(),
        _ => None,
    }
}

/// Reports entries of one kind that share a name.
pub(super) fn unique<'a>(
    reader: &mut Reader<'_>,
    kind: &str,
    names: impl Iterator<Item = &'a Name>,
) {
    let mut seen: Vec<&Name> = Vec::new();
    for name in names {
        match seen.iter().find(|first| first.text == name.text) {
            Some(first) => {
                let message = format!("{kind} `{name}` is described twice, first on {}", first.at);
                reader.error(&name.at, message);
            }
            None => seen.push(name),
        }
    }
}
