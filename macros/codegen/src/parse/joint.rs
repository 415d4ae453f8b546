//! `joint(name, family(parent -> child), …)`.

use syn::Expr;

use super::draft::{Connection, Drive, Hook, Joint, Mimic, QUANTITIES};
use super::keys::{Form, Keys, array, elements, numbers, ungrouped};
use super::reader::{At, Reader};
use super::syntax::{Body, Content, Item, Value, Word};
use crate::description::Triple;
use crate::diagnostic::{Location, Name};
use crate::joint::{FAMILIES, Family, family};
use crate::scalar::Scalar;

/// The keys of a joint beside its family and [`QUANTITIES`].
const KEYS: [(&str, Form); 10] = [
    ("at", Form::Value),
    ("rpy", Form::Value),
    ("quaternion", Form::Value),
    ("axis", Form::Value),
    ("axes", Form::Value),
    ("pitch", Form::Value),
    ("limits", Form::Value),
    ("actuated", Form::Flag),
    ("passive", Form::Flag),
    ("mimic", Form::Call),
];

/// Reads what stands behind the joint's name.
pub(super) fn read(reader: &mut Reader<'_>, name: Name, items: &[Item]) -> Joint {
    let before = reader.errors.len();
    let families = FAMILIES.iter().map(|family| (family.keyword(), Form::Call));
    let quantities = QUANTITIES.map(|key| (key, Form::Value));
    let known: Vec<_> = families.chain(KEYS).chain(quantities).collect();
    let keys = Keys::read(reader, "a joint", items, &known);
    let mut joint = Joint::new(name);
    joint.connection = connection(reader, items);
    joint.position = keys.array(reader, "at");
    joint.rotation = keys.rotation(reader);
    joint.axes = axes(reader, &keys);
    joint.pitch = keys.scalar(reader, "pitch");
    joint.limits = limits(reader, &keys);
    for key in QUANTITIES {
        if let Some(values) = keys.scalars(reader, key) {
            joint.quantities.insert(key, values);
        }
    }
    joint.drive = drive(reader, &keys);
    joint.mimic = keys.call(reader, "mimic").and_then(|(at, items)| mimic(reader, &at, items));
    joint.broken = reader.errors.len() > before;
    joint
}

fn connection(reader: &mut Reader<'_>, items: &[Item]) -> Option<Connection> {
    let mut found = items.iter().filter_map(|item| match &item.body {
        Body::Call(ends) => family(&item.key.text).map(|family| (&item.key, family, ends)),
        _ => None,
    });
    let (key, family, ends) = found.next()?;
    // The same family twice is a key given twice, which is reported as such.
    if let Some((second, ..)) = found.find(|(other, ..)| other.text != key.text) {
        reader.error(&second.at(), format!("the joint is `{}` already", key.text));
    }
    joined(reader, key, family, ends)
}

/// Reads `parent -> child`.
fn joined(
    reader: &mut Reader<'_>,
    key: &Word,
    family: &'static dyn Family,
    ends: &Content,
) -> Option<Connection> {
    let [Item { key: parent, body: Body::Arrow(child), .. }] = reader.items(ends) else {
        if ends.errors.is_empty() {
            reader.error(&key.at(), format!("expected `{}(parent -> child)`", key.text));
        }
        reader.complete = false;
        return None;
    };
    if child.is_world() {
        reader.gap(&child.at(), "the world cannot be carried by a joint; swap the two ends");
        return None;
    }
    Some(Connection { family, parent: Hook::new(parent), child: child.name() })
}

/// `axis = […]` or `axes = [[…], […]]`.
fn axes(reader: &mut Reader<'_>, keys: &Keys<'_>) -> Option<At<Vec<Triple>>> {
    if let (Some(_), Some(second)) = (keys.at("axis"), keys.at("axes")) {
        reader.error(&second, "expected one of `axis` and `axes`, found both");
    }
    if let Some(At { value, at }) = keys.array(reader, "axis") {
        return Some(At { value: vec![value], at });
    }
    let value = keys.value("axes")?;
    let Some(list) = elements(value) else {
        reader.error(&value.at(), "expected a list of axes, `[[x, y, z], [x, y, z]]`");
        return None;
    };
    let axes: Vec<_> = list.map(|axis| numbers(reader, axis)).collect();
    Some(At { value: axes.into_iter().collect::<Option<_>>()?, at: value.at() })
}

/// `limits = [lower, upper]` or a list of such pairs.
fn limits(reader: &mut Reader<'_>, keys: &Keys<'_>) -> Option<At<Vec<[Scalar; 2]>>> {
    let value = keys.value("limits")?;
    let pairs = match elements(value) {
        Some(list) if matches!(first(value).map(ungrouped), Some(Expr::Array(_))) => {
            let pairs: Vec<_> = list.map(|pair| numbers(reader, pair)).collect();
            pairs.into_iter().collect::<Option<_>>()?
        }
        Some(_) => vec![array(reader, value)?],
        None => {
            reader.error(&value.at(), "expected limits, `[lower, upper]`, or a list of such pairs");
            return None;
        }
    };
    Some(At { value: pairs, at: value.at() })
}

fn first(value: &Value) -> Option<&Expr> {
    elements(value)?.next()
}

fn drive(reader: &mut Reader<'_>, keys: &Keys<'_>) -> Option<Drive> {
    match (keys.at("actuated"), keys.at("passive")) {
        (Some(_), Some(at)) => {
            reader.error(&at, "expected one of `actuated` and `passive`, found both");
            None
        }
        (Some(at), None) => Some(Drive::Actuated(at)),
        (None, Some(_)) => Some(Drive::Passive),
        (None, None) => None,
    }
}

/// Reads `joint, multiplier = …, offset = …`.
fn mimic(reader: &mut Reader<'_>, at: &Location, items: &[Item]) -> Option<Mimic> {
    let Some((Item { key, body: Body::Bare, .. }, rest)) = items.split_first() else {
        reader.error(at, "expected `mimic(joint, multiplier = …, offset = …)`");
        return None;
    };
    let known = &[("multiplier", Form::Value), ("offset", Form::Value)];
    let keys = Keys::read(reader, "`mimic`", rest, known);
    let at = key.at();
    let multiplier = keys.scalar(reader, "multiplier");
    let offset = keys.scalar(reader, "offset");
    let default = |value: Scalar, at: Location| At { value, at };
    Some(Mimic {
        joint: key.name(),
        multiplier: multiplier.unwrap_or_else(|| default(Scalar::ONE, at.clone())),
        offset: offset.unwrap_or_else(|| default(Scalar::ZERO, at)),
    })
}
