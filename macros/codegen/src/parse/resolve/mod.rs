//! From drafts to a description: file and attribute are merged, names become indices, defaults are
//! filled in, and every bound on a number is stated with the place where the number stands.

mod closures;
mod inertial;
mod joints;
mod mimic;

use super::draft;
use super::reader::{At, Reader};
use super::suggest::did_you_mean;
use crate::description::{Bound, Description, Joint, Link, Rotation};
use crate::diagnostic::Name;
use crate::scalar::Scalar;

pub(super) use closures::closures;

/// Acceleration of gravity unless stated otherwise, m/s².
const GRAVITY: [f64; 3] = [0.0, 0.0, -9.81];

/// Something that a file may describe and the attribute may add to.
pub(super) trait Draft {
    const KIND: &'static str;
    fn name(&self) -> &Name;
    fn override_with(&mut self, over: Self);
}

impl Draft for draft::Link {
    const KIND: &'static str = "link";

    fn name(&self) -> &Name {
        &self.name
    }

    fn override_with(&mut self, over: Self) {
        self.override_with(over);
    }
}

impl Draft for draft::Joint {
    const KIND: &'static str = "joint";

    fn name(&self) -> &Name {
        &self.name
    }

    fn override_with(&mut self, over: Self) {
        self.override_with(over);
    }
}

/// Links or joints of a file, and of the attribute.
#[derive(Debug)]
pub(super) struct Drafts<T> {
    list: Vec<T>,
    /// For each of those from a file, where the attribute overrides it.
    overridden: Vec<Option<Name>>,
}

impl<T: Draft> Drafts<T> {
    /// Starts with what a file says.
    pub(super) fn new(reader: &mut Reader<'_>, file: Vec<T>) -> Self {
        let mut drafts = Self { list: Vec::new(), overridden: Vec::new() };
        for draft in file {
            drafts.push(reader, draft);
        }
        drafts.overridden = vec![None; drafts.list.len()];
        drafts
    }

    /// Adds a draft of the attribute, or overrides what the file says of the same name.
    pub(super) fn add(&mut self, reader: &mut Reader<'_>, draft: T) {
        let name = draft.name().clone();
        let index = self.list.iter().position(|old| old.name().text == name.text);
        let slot = index.and_then(|index| self.overridden.get_mut(index).map(|slot| (index, slot)));
        match slot {
            Some((_, Some(first))) => {
                let kind = T::KIND;
                reader.error(
                    &name.at,
                    format!("{kind} `{name}` is described on {} already", first.at),
                );
            }
            Some((index, slot)) => {
                *slot = Some(name);
                self.list[index].override_with(draft);
            }
            None => self.push(reader, draft),
        }
    }

    fn push(&mut self, reader: &mut Reader<'_>, draft: T) {
        let (kind, name) = (T::KIND, draft.name());
        match self.list.iter().find(|old| old.name().text == name.text) {
            Some(first) => {
                let first = &first.name().at;
                reader
                    .gap(&name.at, format!("{kind} `{name}` is described twice, first on {first}"));
            }
            None => self.list.push(draft),
        }
    }
}

/// The links, joints and their actuators under the default gravity.
pub(super) fn description(
    reader: &mut Reader<'_>,
    name: String,
    links: Drafts<draft::Link>,
    joints: &Drafts<draft::Joint>,
) -> Description {
    let resolve = |draft: draft::Link| {
        let inertial = inertial::resolve(reader, &draft);
        Link { name: draft.name, inertial }
    };
    let links: Vec<Link> = links.list.into_iter().map(resolve).collect();
    let (joints, actuators) = joints::resolve(reader, joints, &links);
    Description {
        name,
        fields: reader.fields.clone(),
        gravity: GRAVITY.map(Scalar::Number),
        links,
        joints,
        contacts: Vec::new(),
        frames: Vec::new(),
        actuators,
        springs: Vec::new(),
        constraints: Vec::new(),
        limits: Vec::new(),
        shapes: Vec::new(),
        pairs: Vec::new(),
        root: None,
    }
}

/// The index of the link of this name; an error if there is none.
pub(super) fn link(reader: &mut Reader<'_>, links: &[Link], name: &Name) -> Option<usize> {
    link_beside(reader, links, name, None)
}

/// The same where the world could stand too.
pub(super) fn link_or_world(reader: &mut Reader<'_>, links: &[Link], name: &Name) -> Option<usize> {
    link_beside(reader, links, name, Some("world"))
}

fn link_beside(
    reader: &mut Reader<'_>,
    links: &[Link],
    name: &Name,
    beside: Option<&str>,
) -> Option<usize> {
    let index = links.iter().position(|link| link.name.text == name.text);
    if index.is_none() && !reader.lost {
        let names = links.iter().map(|link| link.name.text.as_str());
        let hint = did_you_mean(&name.text, names.chain(beside));
        reader.gap(&name.at, format!("there is no link `{name}`{hint}"));
    }
    index
}

/// The index of the joint of this name; an error if none is described.
pub(super) fn joint(reader: &mut Reader<'_>, joints: &[Joint], name: &Name) -> Option<usize> {
    let index = joints.iter().position(|joint| joint.name.text == name.text);
    if index.is_none() && !reader.lost && !reader.unresolved.contains(&name.text) {
        let hint = did_you_mean(&name.text, joints.iter().map(|joint| joint.name.text.as_str()));
        let way_out = way_out(name);
        reader.error(&name.at, format!("there is no joint `{name}`{hint}{way_out}"));
    }
    index
}

/// How to read a file that names this joint all the same; only `<mimic>` names one.
fn way_out(name: &Name) -> &'static str {
    match name.at.file {
        Some(_) => "; `mimic = ignore` lets such joints move freely",
        None => "",
    }
}

/// The rotation, whose numbers are stated to be sound, or none.
pub(super) fn rotation(reader: &mut Reader<'_>, of: &str, given: Option<At<Rotation>>) -> Rotation {
    let Some(At { value, at }) = given else {
        return Rotation::Identity;
    };
    match &value {
        Rotation::Identity => {}
        Rotation::Rpy(angles) => reader.require_finite(format!("an angle of {of}"), angles, &at),
        Rotation::Quaternion(parts) => {
            let squares = parts.iter().cloned().map(|part| part.clone() * part);
            let length = squares.fold(Scalar::ZERO, |sum, square| sum + square);
            let quantity = format!("the squared length of the quaternion of {of}");
            reader.require(quantity, Bound::Positive, &[length], &at);
        }
    }
    value
}
