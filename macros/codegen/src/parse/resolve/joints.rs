//! Joints and their actuators from drafts.

use super::super::draft::{Connection, Drive, Hook, Joint as Draft};
use super::super::reader::{At, Reader};
use super::super::suggest::did_you_mean;
use super::{Drafts, link, link_or_world, mimic, rotation};
use crate::description::{Actuator, Bound, Coordinate, Joint, Link, Parent, Placement, Triple};
use crate::diagnostic::{Location, Name};
use crate::joint::{Chart, Family};
use crate::scalar::Scalar;

/// The joints of the description and the actuators that are stated with them.
pub(super) fn resolve(
    reader: &mut Reader<'_>,
    drafts: &Drafts<Draft>,
    links: &[Link],
) -> (Vec<Joint>, Vec<Actuator>) {
    let (mut joints, mut driven, mut kept) = (Vec::new(), Vec::new(), Vec::new());
    for draft in &drafts.list {
        match connected(reader, draft, &drafts.list, links) {
            Some((connection, parent, child)) => {
                driven.extend(actuators(reader, draft, connection.family, joints.len()));
                joints.push(joint(reader, draft, connection, parent, child));
                kept.push(draft);
            }
            None => {
                reader.complete = false;
                reader.unresolved.push(draft.name.text.clone());
            }
        }
    }
    mimic::resolve(reader, &kept, &mut joints);
    (joints, driven)
}

/// What the joint joins; an error if it does not say so.
fn connected<'d>(
    reader: &mut Reader<'_>,
    draft: &'d Draft,
    all: &[Draft],
    links: &[Link],
) -> Option<(&'d Connection, Parent, usize)> {
    let name = &draft.name;
    let Some(connection) = &draft.connection else {
        if !draft.broken && !reader.lost {
            let others = all.iter().filter(|other| other.connection.is_some());
            let hint = did_you_mean(&name.text, others.map(|other| other.name.text.as_str()));
            let message = "does not say what it joins, such as `revolute(parent -> child)`";
            reader.gap(&name.at, format!("joint `{name}` {message}{hint}"));
        }
        return None;
    };
    if let Some(At { value, at }) = &draft.family_fault {
        reader.gap(at, value);
        return None;
    }
    let parent = match &connection.parent {
        Hook::World => Some(Parent::World),
        Hook::Link(name) => link_or_world(reader, links, name).map(Parent::Link),
    };
    let child = link(reader, links, &connection.child);
    Some((connection, parent?, child?))
}

fn joint(
    reader: &mut Reader<'_>,
    draft: &Draft,
    connection: &Connection,
    parent: Parent,
    child: usize,
) -> Joint {
    let (family, of) = (connection.family, format!("joint `{}`", draft.name));
    if let Some(At { value, at }) = &draft.position {
        reader.require_finite(format!("the origin of {of}"), value, at);
    }
    let position = draft.position.clone().map_or([Scalar::ZERO; 3], |at| at.value);
    let rotation = rotation(reader, &of, draft.rotation.clone());
    Joint {
        name: draft.name.clone(),
        family,
        parent,
        child,
        origin: Placement { position, rotation },
        axes: axes(reader, draft, family, &of),
        pitch: pitch(reader, draft, family, &of),
        coordinates: Coordinates { draft, family, of: &of }.resolve(reader),
        mimic: None,
    }
}

fn axes(reader: &mut Reader<'_>, draft: &Draft, family: &dyn Family, of: &str) -> Vec<Triple> {
    let keyword = family.keyword();
    let unit_z = [Scalar::ZERO, Scalar::ZERO, Scalar::ONE];
    let count = family.facts().axes;
    let fallback = || vec![unit_z.clone(); count];
    let expected = match count {
        0 => "no axis",
        1 => "one axis, `axis = [x, y, z]`",
        _ => "two axes, `axes = [[x, y, z], [x, y, z]]`",
    };
    let Some(At { value, at }) = &draft.axes else {
        if count > 0 && keyword != "planar" && !draft.broken {
            reader.error(&draft.name.at, format!("{of} is {keyword} and needs {expected}"));
        }
        return fallback();
    };
    if value.len() != count {
        reader.error(at, format!("{of} is {keyword} and takes {expected}"));
        return fallback();
    }
    for axis in value {
        reader.require(format!("the axis of {of}"), Bound::Direction, axis, at);
    }
    if let [a, b] = &value[..] {
        let quantity = format!("the cross product of the axes of {of}");
        reader.require(quantity, Bound::Direction, &cross(a, b), at);
    }
    value.clone()
}

fn cross(a: &Triple, b: &Triple) -> Triple {
    let minor = |i: usize, j: usize| a[i].clone() * b[j].clone() - a[j].clone() * b[i].clone();
    [minor(1, 2), minor(2, 0), minor(0, 1)]
}

fn pitch(reader: &mut Reader<'_>, draft: &Draft, family: &dyn Family, of: &str) -> Scalar {
    let keyword = family.keyword();
    match &draft.pitch {
        Some(At { at, .. }) if !family.facts().has_pitch => {
            reader.error(at, format!("{of} is {keyword} and has no pitch"));
        }
        Some(At { value, at }) => {
            reader.require_finite(format!("the pitch of {of}"), std::slice::from_ref(value), at);
            return value.clone();
        }
        None if family.facts().has_pitch && !draft.broken => {
            let message = format!("{of} is {keyword} and needs `pitch = …`, in metres per radian");
            reader.error(&draft.name.at, message);
        }
        None => {}
    }
    Scalar::ZERO
}

/// A quantity of a coordinate: its key, its bound, and where it goes.
type Setter = (&'static str, Bound, fn(&mut Coordinate, Scalar));

const SETTERS: [Setter; 7] = [
    ("velocity", Bound::Positive, |c, x| c.velocity_limit = Some(x)),
    ("effort", Bound::Positive, |c, x| c.effort_limit = Some(x)),
    ("damping", Bound::NonNegative, |c, x| c.damping = x),
    ("stiffness", Bound::NonNegative, |c, x| c.stiffness = x),
    ("rest", Bound::Finite, |c, x| c.rest = x),
    ("friction", Bound::NonNegative, |c, x| c.friction = x),
    ("armature", Bound::NonNegative, |c, x| c.armature = x),
];

/// What a joint says of its coordinates.
struct Coordinates<'a> {
    draft: &'a Draft,
    family: &'a dyn Family,
    of: &'a str,
}

impl Coordinates<'_> {
    fn resolve(&self, reader: &mut Reader<'_>) -> Vec<Coordinate> {
        let mut coordinates = vec![Coordinate::default(); self.family.nv()];
        self.limits(reader, &mut coordinates);
        for (key, bound, set) in SETTERS {
            for (coordinate, x) in coordinates.iter_mut().zip(self.values(reader, key, bound)) {
                set(coordinate, x);
            }
        }
        self.rotors(reader, &mut coordinates);
        self.idle(reader);
        coordinates
    }

    fn limits(&self, reader: &mut Reader<'_>, coordinates: &mut [Coordinate]) {
        let Some(At { value, at }) = &self.draft.limits else {
            return;
        };
        if !self.family.facts().has_limits {
            let keyword = self.family.keyword();
            return reader.error(at, format!("{} is {keyword} and has no limits", self.of));
        }
        if at.file.is_some() && is_reversed(value) {
            let message = "has its lower limit above the upper one, and is not limited";
            return reader.warn(at, format!("{} {message}", self.of));
        }
        for pair in value {
            reader.require(format!("the lower limit of {}", self.of), Bound::Interval, pair, at);
        }
        let Some(spread) = spread(value, coordinates.len()) else {
            return self.wrong_count(reader, "limits", value.len(), at);
        };
        for (coordinate, pair) in coordinates.iter_mut().zip(spread) {
            coordinate.limits = Some(pair);
        }
    }

    /// The values of a quantity, one for each coordinate; none if it is not given.
    fn values(&self, reader: &mut Reader<'_>, key: &str, bound: Bound) -> Vec<Scalar> {
        let Some(At { value, at }) = self.draft.quantities.get(key) else {
            return Vec::new();
        };
        let (of, keyword) = (self.of, self.family.keyword());
        let spring = matches!(key, "stiffness" | "rest");
        if self.family.nv() == 0 || (spring && self.family.chart() != Chart::Vector) {
            reader.error(at, format!("{of} is {keyword} and has no `{key}`"));
            return Vec::new();
        }
        let quantity = format!("the {} of {of}", key.replace('_', " "));
        let is_zero = || value.iter().all(|x| x.constant() == Some(0.0));
        if at.file.is_some() && matches!(key, "velocity" | "effort") && is_zero() {
            reader.warn(at, format!("{quantity} is 0, and is not limited"));
            return Vec::new();
        }
        for x in value {
            reader.require(&quantity, bound, std::slice::from_ref(x), at);
        }
        spread(value, self.family.nv()).unwrap_or_else(|| {
            self.wrong_count(reader, key, value.len(), at);
            Vec::new()
        })
    }

    fn wrong_count(&self, reader: &mut Reader<'_>, key: &str, found: usize, at: &Location) {
        let (of, nv) = (self.of, self.family.nv());
        let message = format!("{of} has {nv} coordinates: expected one `{key}` for all, or {nv}");
        reader.error(at, format!("{message}; found {found}"));
    }

    /// Rotors seen through their gears: gear² · rotor inertia.
    fn rotors(&self, reader: &mut Reader<'_>, coordinates: &mut [Coordinate]) {
        let rotors = self.values(reader, "rotor_inertia", Bound::NonNegative);
        let gears = gears(self.draft, self.family.nv());
        for ((coordinate, rotor), gear) in coordinates.iter_mut().zip(rotors).zip(gears) {
            let reflected = gear.clone() * gear * rotor;
            coordinate.armature = coordinate.armature.clone() + reflected;
        }
    }

    /// Reports keys that would have no effect, and states that gears are finite.
    fn idle(&self, reader: &mut Reader<'_>) {
        self.values(reader, "gear", Bound::Finite);
        let given = |key: &str| self.draft.quantities.get(key);
        if let (Some(rest), None) = (given("rest"), given("stiffness")) {
            let message = "`rest` is where a spring is relaxed: give it a `stiffness`";
            reader.error(&rest.at, message);
        }
        let driven = matches!(self.draft.drive, Some(Drive::Actuated(_)));
        if let (Some(gear), None, false) = (given("gear"), given("rotor_inertia"), driven) {
            let message = "`gear` has no effect on a joint without `actuated` or `rotor_inertia`";
            reader.error(&gear.at, message);
        }
    }
}

/// Whether a lower limit is above its upper one.
fn is_reversed(pairs: &[[Scalar; 2]]) -> bool {
    pairs.iter().any(|[lower, upper]| {
        matches!((lower.constant(), upper.constant()), (Some(lower), Some(upper)) if lower > upper)
    })
}

/// One value for all, or as many as there are coordinates.
fn spread<T: Clone>(values: &[T], count: usize) -> Option<Vec<T>> {
    match values {
        [one] => Some(vec![one.clone(); count]),
        all if all.len() == count => Some(all.to_vec()),
        _ => None,
    }
}

fn gears(draft: &Draft, count: usize) -> Vec<Scalar> {
    let given = draft.quantities.get("gear").and_then(|gear| spread(&gear.value, count));
    given.unwrap_or_else(|| vec![Scalar::ONE; count])
}

/// One actuator for each coordinate of an actuated joint, which has the joint's name, followed by
/// `_0`, `_1` … if there are several.
fn actuators(
    reader: &mut Reader<'_>,
    draft: &Draft,
    family: &dyn Family,
    joint: usize,
) -> Vec<Actuator> {
    let Some(Drive::Actuated(at)) = &draft.drive else {
        return Vec::new();
    };
    let (name, count) = (&draft.name, family.nv());
    if count == 0 {
        reader.error(at, format!("joint `{name}` is fixed and has nothing to drive"));
    }
    if let Some(mimic) = &draft.mimic {
        let leader = &mimic.joint;
        reader.error(at, format!("joint `{name}` follows `{leader}`; actuate that one"));
    }
    let actuator = |(coordinate, gear)| {
        let text = if count == 1 { name.text.clone() } else { format!("{name}_{coordinate}") };
        Actuator { name: Name { text, at: name.at.clone() }, joint, coordinate, gear }
    };
    gears(draft, count).into_iter().enumerate().map(actuator).collect()
}
