//! `<joint>`, and Drake's `<drake:joint>`, which may be a `ball`, a `screw` or `universal`.

use std::f64::consts::TAU;

use super::super::draft::{Connection, Drive, Hook, Joint, Mimic};
use super::super::reader::{At, Reader};
use super::super::suggest::{did_you_mean, list};
use super::source::{Element, Version, scalar};
use super::{Followers, origin};
use crate::diagnostic::Name;
use crate::joint::{Family, family};
use crate::scalar::Scalar;

/// The types of the specification, which are families here, and one that several readers know beside them.
const TYPES: [&str; 7] =
    ["revolute", "continuous", "prismatic", "fixed", "floating", "planar", "spherical"];

/// Those of `<drake:joint>`, and their families.
const DRAKE: [(&str, &str); 3] =
    [("ball", "spherical"), ("screw", "helical"), ("universal", "universal")];

const DRAKE_JOINT: &str = "drake꞉joint";

/// Whether a child of `<robot>` is a joint.
pub(super) fn is_joint(element: Element<'_, '_>) -> bool {
    matches!(element.node.tag_name().name(), "joint" | DRAKE_JOINT)
}

/// Reads a joint.
pub(super) fn read(
    reader: &mut Reader<'_>,
    element: Element<'_, '_>,
    followers: Followers,
) -> Option<Joint> {
    let before = reader.errors.len();
    let mut joint = Joint::new(element.name(reader, "name")?);
    let kind = kind(reader, element);
    let parent = end(reader, element, "parent");
    let child = end(reader, element, "child");
    if let Some(origin) = element.child("origin") {
        (joint.position, joint.rotation) = origin::read(reader, origin);
    }
    if let (Some(family), Some(parent), Some(child)) = (kind, parent, child) {
        let (family, fault) = match family {
            Ok(family) => (Some(family), None),
            // An entry may say what it is; all that is stated is read for it.
            Err(fault) => (self::family("fixed"), Some(fault)),
        };
        let connect = |family| Connection { family, parent: Hook::Link(parent), child };
        joint.connection = family.map(connect);
        joint.family_fault = fault;
        moves(reader, element, followers, &mut joint);
    }
    joint.broken = reader.errors.len() > before;
    Some(joint)
}

/// How it moves, and what acts on it.
fn moves(
    reader: &mut Reader<'_>,
    element: Element<'_, '_>,
    followers: Followers,
    joint: &mut Joint,
) {
    let Some(family) = joint.connection.as_ref().map(|connection| connection.family) else {
        return;
    };
    let is_open = joint.family_fault.is_some();
    axes(reader, element, family, is_open, joint);
    if family.nv() == 1 || is_open {
        coordinate(reader, element, family.facts().has_limits || is_open, joint);
    }
    dynamics(reader, element, family, is_open, joint);
    follow(reader, element, followers, joint);
    unread(reader, element, family, is_open);
}

/// The family, or what to say if no entry gives one; an error if no type is stated.
fn kind(
    reader: &mut Reader<'_>,
    element: Element<'_, '_>,
) -> Option<Result<&'static dyn Family, At<String>>> {
    let Name { text, at } = element.name(reader, "type")?;
    let is_drakes = element.node.tag_name().name() == DRAKE_JOINT;
    let drakes = DRAKE.iter().find(|(word, _)| is_drakes && *word == text);
    let keyword = TYPES.iter().find(|word| **word == text).or(drakes.map(|(_, word)| word));
    if let Some(family) = keyword.and_then(|keyword| family(keyword)) {
        return Some(Ok(family));
    }
    let plain = text.trim().to_ascii_lowercase();
    let nearest = did_you_mean(&text, TYPES);
    let hint = if TYPES.contains(&plain.as_str()) {
        format!("; did you mean `{plain}`, in small letters and without blanks?")
    } else if nearest.is_empty() {
        let families = DRAKE.iter().find(|(word, _)| *word == plain);
        let keyword = families.map_or("family", |(_, keyword)| keyword);
        format!("; an entry `joint(…, {keyword}(parent -> child))` can say what it is")
    } else {
        nearest
    };
    let message = format!("`{text}` is no type of joint; there are {}{hint}", list(TYPES));
    Some(Err(At { value: message, at }))
}

fn end(reader: &mut Reader<'_>, element: Element<'_, '_>, name: &'static str) -> Option<Name> {
    element.required(reader, name)?.name(reader, "link")
}

/// The axis, x if none is given; those of a universal joint are x and y.
fn axes(
    reader: &mut Reader<'_>,
    element: Element<'_, '_>,
    family: &dyn Family,
    is_open: bool,
    joint: &mut Joint,
) {
    let facts = family.facts();
    let [x, y] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(|axis| axis.map(Scalar::Number));
    let at = element.at();
    let given = match facts.axes {
        0 if !is_open => None,
        2 => Some(At { value: vec![x, y], at }),
        _ => {
            let axis = element.child("axis").and_then(|axis| axis.numbers(reader, "xyz"));
            let along =
                |At { value, at }: At<[f64; 3]>| At { value: vec![value.map(Scalar::Number)], at };
            Some(axis.map_or(At { value: vec![x], at }, along))
        }
    };
    joint.axes = given;
    let pitch = element.child("drake꞉screw_thread_pitch").filter(|_| facts.has_pitch);
    let turn = pitch.and_then(|pitch| pitch.required_number(reader, "value"));
    // The file states the advance of a turn.
    joint.pitch = turn.map(|At { value, at }| scalar(At { value: value / TAU, at }));
}

/// Limits of a joint with one coordinate.
fn coordinate(
    reader: &mut Reader<'_>,
    element: Element<'_, '_>,
    has_limits: bool,
    joint: &mut Joint,
) {
    let Some(limit) = element.child("limit") else { return };
    if has_limits {
        joint.limits = range(reader, limit);
    }
    for key in ["effort", "velocity"] {
        set(joint, key, limit.number(reader, key).filter(|number| number.value != f64::INFINITY));
    }
}

/// Damping and friction, those of several coordinates the same.
fn dynamics(
    reader: &mut Reader<'_>,
    element: Element<'_, '_>,
    family: &dyn Family,
    is_open: bool,
    joint: &mut Joint,
) {
    let Some(dynamics) = element.child("dynamics") else { return };
    let is_read = is_open || (family.nv() > 0 && family.keyword() != "floating");
    for key in ["damping", "friction"] {
        let number = dynamics.number(reader, key);
        if is_read {
            set(joint, key, number);
        } else if let Some(At { at, .. }) = number.filter(|number| number.value != 0.0) {
            reader.warn(&at, format!("the {key} of a {} joint is not read", family.keyword()));
        }
    }
}

fn set(joint: &mut Joint, key: &'static str, number: Option<At<f64>>) {
    if let Some(At { value, at }) = number {
        joint.quantities.insert(key, At { value: vec![Scalar::Number(value)], at });
    }
}

/// The range of the coordinate; an end that is not given is zero, infinite from version 1.2 on, and equal
/// ends state none.
fn range(reader: &mut Reader<'_>, limit: Element<'_, '_>) -> Option<At<Vec<[Scalar; 2]>>> {
    let ends = ["lower", "upper"].map(|key| limit.number(reader, key).map(|end| end.value));
    if ends == [None, None] {
        return None;
    }
    let defaults = match limit.source.version {
        Version::V1_0 | Version::V1_1 => [0.0, 0.0],
        Version::V1_2 => [f64::NEG_INFINITY, f64::INFINITY],
    };
    let ends = [0, 1].map(|k| ends[k].unwrap_or(defaults[k]));
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
    let mimic = element.child("mimic").or_else(|| element.child("drake꞉mimic"));
    let mimic = mimic.filter(|_| followers == Followers::Follow);
    let family = joint.connection.as_ref().map(|connection| connection.family);
    let nv = family.map_or(0, Family::nv);
    match mimic {
        None if nv == 1 => joint.drive = Some(Drive::Actuated(joint.name.at.clone())),
        None => {}
        Some(mimic) if nv == 1 || joint.family_fault.is_some() => {
            joint.mimic = self::mimic(reader, mimic);
        }
        Some(mimic) => {
            let keyword = family.map_or("fixed", Family::keyword);
            let message = format!("a {keyword} joint follows none: its `<mimic>` is not read");
            reader.warn(&mimic.at(), message);
        }
    }
}

fn mimic(reader: &mut Reader<'_>, mimic: Element<'_, '_>) -> Option<Mimic> {
    let mut number = |key, default| {
        let number = mimic.number(reader, key).unwrap_or(At { value: default, at: mimic.at() });
        scalar(number)
    };
    let (multiplier, offset) = (number("multiplier", 1.0), number("offset", 0.0));
    let leader = mimic.name(reader, "joint");
    leader.map(|joint| Mimic { joint, multiplier, offset })
}

/// Warns of limits that joints of several coordinates state.
fn unread(reader: &mut Reader<'_>, element: Element<'_, '_>, family: &dyn Family, is_open: bool) {
    let Some(limit) = element.child("limit").filter(|_| family.nv() > 1 && !is_open) else {
        return;
    };
    let stated = |key| limit.number(reader, key).is_some_and(|number| number.value != 0.0);
    if ["lower", "upper", "effort", "velocity"].into_iter().any(stated) {
        let message = format!("the limits of a {} joint are not read", family.keyword());
        reader.warn(&limit.at(), message);
    }
}
