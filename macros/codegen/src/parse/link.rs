//! `link(name, …)`.

use super::draft::{Extent, Link, Mass};
use super::keys::{Form, Keys, Known, elements};
use super::reader::{At, Reader};
use super::solid::Solid;
use super::syntax::Item;
use crate::description::{About, Bound};
use crate::diagnostic::{Location, Name};
use crate::scalar::Scalar;

const KEYS: &Known = &[
    ("mass", Form::Value),
    ("density", Form::Value),
    ("com", Form::Value),
    ("inertia", Form::Value),
    ("at_origin", Form::Flag),
    ("rpy", Form::Value),
    ("quaternion", Form::Value),
    ("sphere", Form::Call),
    ("box", Form::Call),
    ("cylinder", Form::Call),
    ("capsule", Form::Call),
    ("massless", Form::Flag),
];

/// Keys that say how the mass is spread, of which a link has one at most.
const EXTENTS: [&str; 5] = ["inertia", "sphere", "box", "cylinder", "capsule"];

/// Reads what stands behind the link's name.
pub(super) fn read(reader: &mut Reader<'_>, name: Name, items: &[Item]) -> Link {
    let before = reader.errors.len();
    let keys = Keys::read(reader, "a link", items, KEYS);
    let mut link = Link::new(name);
    link.massless = keys.at("massless");
    link.com = keys.array(reader, "com");
    link.rotation = keys.rotation(reader);
    link.mass = mass(reader, &keys);
    link.extent = extent(reader, &keys, &link.name);
    conflicts(reader, &keys, &link);
    link.broken = reader.errors.len() > before;
    link
}

fn mass(reader: &mut Reader<'_>, keys: &Keys<'_>) -> Option<At<Mass>> {
    if let (Some(_), Some(second)) = (keys.at("mass"), keys.at("density")) {
        reader.error(&second, "expected one of `mass` and `density`, found both");
    }
    let density = keys.scalar(reader, "density");
    if let Some(At { value, at }) = keys.scalar(reader, "mass") {
        return Some(At { value: Mass::Total(value), at });
    }
    density.map(|At { value, at }| At { value: Mass::Density(value), at })
}

fn extent(reader: &mut Reader<'_>, keys: &Keys<'_>, name: &Name) -> Option<At<Extent>> {
    let mut given = EXTENTS.iter().filter_map(|key| keys.at(key).map(|at| (*key, at)));
    let (key, at) = given.next()?;
    if let Some((other, second)) = given.next() {
        reader.error(&second, format!("expected one of `{key}` and `{other}`, found both"));
    }
    if key == "inertia" {
        return inertia(reader, keys);
    }
    let content = keys.call(reader, key)?;
    let solid = solid(reader, key, content, name)?;
    Some(At { value: Extent::Solid(solid), at })
}

fn inertia(reader: &mut Reader<'_>, keys: &Keys<'_>) -> Option<At<Extent>> {
    let about = keys.at("at_origin").map_or(About::CenterOfMass, |_| About::Origin);
    let value = keys.value("inertia")?;
    let six = match elements(value).map_or(0, Iterator::count) {
        3 => {
            let At { value: [xx, yy, zz], .. } = keys.array(reader, "inertia")?;
            [xx, yy, zz, Scalar::ZERO, Scalar::ZERO, Scalar::ZERO]
        }
        6 => keys.array(reader, "inertia")?.value,
        _ => {
            let message = "expected `[ixx, iyy, izz]` or `[ixx, iyy, izz, ixy, ixz, iyz]`";
            reader.error(&value.at(), message);
            return None;
        }
    };
    Some(At { value: Extent::Inertia(six, about), at: value.at() })
}

fn solid(
    reader: &mut Reader<'_>,
    kind: &str,
    (at, items): (Location, &[Item]),
    name: &Name,
) -> Option<Solid> {
    let known: &Known = match kind {
        "sphere" => &[("radius", Form::Value)],
        "box" => &[("size", Form::Value)],
        _ => &[("radius", Form::Value), ("length", Form::Value)],
    };
    let keys = Keys::read(reader, &format!("a {kind}"), items, known);
    if known.iter().any(|(key, _)| keys.lacks(key)) {
        reader.error(&at, format!("expected `{kind}({})`", example(known)));
    }
    if kind == "box" {
        let size = keys.array(reader, "size")?;
        for edge in &size.value {
            let edge = std::slice::from_ref(edge);
            reader.require(format!("an edge of link `{name}`"), Bound::Positive, edge, &size.at);
        }
        return Some(Solid::Box { size: size.value });
    }
    let radius = length(reader, &keys, "radius", name);
    if kind == "sphere" {
        return Some(Solid::Sphere { radius: radius? });
    }
    let (radius, length) = (radius, length(reader, &keys, "length", name));
    let (radius, length) = (radius?, length?);
    Some(match kind {
        "cylinder" => Solid::Cylinder { radius, length },
        _ => Solid::Capsule { radius, length },
    })
}

fn example(known: &Known) -> String {
    known.iter().map(|(key, _)| format!("{key} = …")).collect::<Vec<_>>().join(", ")
}

fn length(reader: &mut Reader<'_>, keys: &Keys<'_>, key: &str, name: &Name) -> Option<Scalar> {
    let At { value, at } = keys.scalar(reader, key)?;
    let quantity = format!("the {key} of link `{name}`");
    reader.require(quantity, Bound::Positive, std::slice::from_ref(&value), &at);
    Some(value)
}

/// Reports keys that contradict each other.
fn conflicts(reader: &mut Reader<'_>, keys: &Keys<'_>, link: &Link) {
    let solid = EXTENTS.iter().any(|key| *key != "inertia" && keys.at(key).is_some());
    if link.massless.is_some() {
        for key in ["mass", "density", "com"].iter().chain(&EXTENTS) {
            if let Some(at) = keys.at(key) {
                reader.error(&at, format!("link `{}` is `massless` and has no `{key}`", link.name));
            }
        }
    }
    if let Some(at) = keys.at("density").filter(|_| !solid) {
        reader.error(&at, "`density` needs a solid: `sphere`, `box`, `cylinder` or `capsule`");
    }
    if let Some(at) = keys.at("at_origin") {
        if keys.at("inertia").is_none() {
            reader.error(&at, "`at_origin` says what `inertia` is about, which is not given");
        } else if link.rotation.is_some() {
            reader.error(&at, "an inertia `at_origin` stands in the axes of the link");
        }
    }
    if let Some(At { at, .. }) = link.rotation.as_ref().filter(|_| link.extent.is_none()) {
        let message = "a rotation turns an `inertia` or a solid, and none is given";
        reader.error(at, message);
    }
}
