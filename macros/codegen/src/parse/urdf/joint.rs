//! `<joint>`.

use super::super::draft::{Connection, Drive, Hook, Joint, Mimic};
use super::super::reader::{At, Reader};
use super::super::suggest::{did_you_mean, list};
use super::Followers;
use super::link::rotation;
use super::source::{Element, scalar, scalars};
use crate::diagnostic::Name;
use crate::joint::{Family, family};
use crate::scalar::Scalar;

/// The types of the specification, which are families here.
const TYPES: [&str; 6] = ["revolute", "continuous", "prismatic", "fixed", "floating", "planar"];

/// Reads a joint.
pub(super) fn read(
    reader: &mut Reader<'_>,
    element: Element<'_, '_>,
    followers: Followers,
) -> Option<Joint> {
    let before = reader.errors.len();
    let mut joint = Joint::new(element.name(reader, "name")?);
    let family = kind(reader, element);
    let parent = end(reader, element, "parent");
    let child = end(reader, element, "child");
    if let Some(origin) = element.child("origin") {
        joint.position = origin.numbers(reader, "xyz").map(scalars);
        joint.rotation = rotation(reader, origin);
    }
    if let (Some(family), Some(parent), Some(child)) = (family, parent, child) {
        joint.connection = Some(Connection { family, parent: Hook::Link(parent), child });
        if family.facts().axes > 0 {
            joint.axes = Some(axis(reader, element));
        }
        if family.nv() == 1 {
            coordinate(reader, element, family, &mut joint);
            follow(reader, element, followers, &mut joint);
        }
    }
    joint.broken = reader.errors.len() > before;
    Some(joint)
}

fn kind(reader: &mut Reader<'_>, element: Element<'_, '_>) -> Option<&'static dyn Family> {
    let Name { text, at } = element.name(reader, "type")?;
    let family = TYPES.contains(&text.as_str()).then(|| family(&text)).flatten();
    if family.is_none() {
        let (hint, types) = (did_you_mean(&text, TYPES), list(TYPES));
        reader.gap(&at, format!("`{text}` is no type of joint; there are {types}{hint}"));
    }
    family
}

fn end(reader: &mut Reader<'_>, element: Element<'_, '_>, name: &'static str) -> Option<Name> {
    element.required(reader, name)?.name(reader, "link")
}

/// The axis, x if none is given.
fn axis(reader: &mut Reader<'_>, element: Element<'_, '_>) -> At<Vec<[Scalar; 3]>> {
    let axis = element.child("axis").and_then(|axis| axis.numbers(reader, "xyz"));
    let At { value, at } = axis.unwrap_or(At { value: [1.0, 0.0, 0.0], at: element.at() });
    At { value: vec![value.map(Scalar::Number)], at }
}

/// Limits and dynamics of a joint with one coordinate.
fn coordinate(
    reader: &mut Reader<'_>,
    element: Element<'_, '_>,
    family: &dyn Family,
    joint: &mut Joint,
) {
    if let Some(limit) = element.child("limit") {
        if family.facts().has_limits {
            joint.limits = range(reader, limit);
        }
        for key in ["effort", "velocity"] {
            let stated = limit.number(reader, key).filter(|number| number.value != 0.0);
            set(joint, key, stated);
        }
    }
    if let Some(dynamics) = element.child("dynamics") {
        for key in ["damping", "friction"] {
            set(joint, key, dynamics.number(reader, key));
        }
    }
}

fn set(joint: &mut Joint, key: &'static str, number: Option<At<f64>>) {
    if let Some(At { value, at }) = number {
        joint.quantities.insert(key, At { value: vec![Scalar::Number(value)], at });
    }
}

/// The range of the coordinate; an end that is not given is zero, and equal ends state none.
fn range(reader: &mut Reader<'_>, limit: Element<'_, '_>) -> Option<At<Vec<[Scalar; 2]>>> {
    let ends = ["lower", "upper"].map(|key| limit.number(reader, key).map_or(0.0, |end| end.value));
    let pair = ends.map(Scalar::Number);
    (ends[0] != ends[1]).then(|| At { value: vec![pair], at: limit.at() })
}

/// A joint that follows another, or has an actuator.
fn follow(
    reader: &mut Reader<'_>,
    element: Element<'_, '_>,
    followers: Followers,
    joint: &mut Joint,
) {
    let mimic = element.child("mimic").filter(|_| followers == Followers::Follow);
    let Some(mimic) = mimic else {
        joint.drive = Some(Drive::Actuated(joint.name.at.clone()));
        return;
    };
    let mut number = |key, default| {
        let number = mimic.number(reader, key).unwrap_or(At { value: default, at: mimic.at() });
        scalar(number)
    };
    let (multiplier, offset) = (number("multiplier", 1.0), number("offset", 0.0));
    let leader = mimic.name(reader, "joint");
    joint.mimic = leader.map(|joint| Mimic { joint, multiplier, offset });
}
