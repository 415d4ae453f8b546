//! What touches the ground: `contact(name, on = link, …)`, and the `ground(…)` itself.

use super::attached::{bounded, whole};
use super::geometry::{KEYS, shape};
use super::keys::{Form, Keys, Known};
use super::reader::{At, Reader};
use super::state::State;
use super::syntax::Item;
use crate::description::{Bound, Contact, Link, Shape, Surface, Triple};
use crate::diagnostic::Name;
use crate::scalar::Scalar;

/// Directions of a polyhedral friction cone, unless they are stated.
pub(super) const DIRECTIONS: usize = 4;
/// Polygons of more are round to 5·10⁻⁶, and need much room.
const MOST_DIRECTIONS: usize = 1000;

/// `contact(name, on = link, …)`: its contacts, one for each vertex, and what it is itself.
pub(super) fn contact(
    reader: &mut Reader<'_>,
    links: &[Link],
    ground: &Surface,
    name: Name,
    items: &[Item],
) -> Option<(Vec<Contact>, Shape)> {
    let own: &Known = &[
        ("sphere", Form::Value),
        ("capsule", Form::Value),
        ("box", Form::Value),
        ("hull", Form::Value),
        ("plane", Form::Call),
        ("height", Form::Value),
        ("directions", Form::Value),
        ("torsion", Form::Value),
        ("rolling", Form::Value),
    ];
    let keys = Keys::read(reader, "a contact", items, &[&KEYS, own].concat());
    let of = format!("contact `{name}`");
    let surface = match (keys.at("plane"), keys.at("height")) {
        (None, None) => Some(ground.clone()),
        (Some(_), None) => {
            let (normal, offset) = plane(reader, &keys, &of);
            Some(Surface::Plane { normal, offset })
        }
        (None, Some(_)) => height(reader, &keys, &of),
        (Some(_), Some(second)) => {
            reader.error(&second, "expected one of `plane` and `height`, found both");
            None
        }
    };
    let directions = directions(reader, &keys);
    let mut lever = |key: &str, what: &str| {
        bounded(reader, &keys, key, &format!("the {what} of {of}"), Bound::NonNegative)
    };
    let levers = [lever("torsion", "torsional friction"), lever("rolling", "rolling resistance")];
    let shape = shape(reader, &keys, links, name, &of)?;
    Some((vertices(&shape, &surface?, &levers, directions), shape))
}

/// A contact for each vertex, with the name of the whole and a number, but for points and spheres.
fn vertices(
    shape: &Shape,
    surface: &Surface,
    [torsion, rolling]: &[Scalar; 2],
    directions: usize,
) -> Vec<Contact> {
    let Some((points, radius)) = shape.geometry.vertices() else { return Vec::new() };
    let contact = |(k, point): (usize, &Triple)| Contact {
        name: match shape.geometry.is_round() {
            true => shape.name.clone(),
            false => Name { text: format!("{}_{k}", shape.name), at: shape.name.at.clone() },
        },
        link: shape.link,
        position: shape.placement.of(point),
        radius: radius.clone(),
        friction: shape.friction.clone(),
        restitution: shape.restitution.clone(),
        torsion: torsion.clone(),
        rolling: rolling.clone(),
        surface: surface.clone(),
        directions,
    };
    points.iter().enumerate().map(contact).collect()
}

/// `ground(normal = […], offset = …)` or `ground(height = …)`, which contacts touch that say nothing
/// else.
pub(super) fn ground(reader: &mut Reader<'_>, keys: &Keys<'_>) -> Surface {
    let Some((_, items)) = keys.call(reader, "ground") else { return Surface::level() };
    let known = &[("normal", Form::Value), ("offset", Form::Value), ("height", Form::Value)];
    let keys = Keys::read(reader, "the ground", items, known);
    let beside = keys.at("normal").or(keys.at("offset"));
    match (keys.at("height"), beside) {
        (Some(_), Some(second)) => {
            let message = "expected a plane, `normal` and `offset`, or `height`; found both";
            reader.error(&second, message);
            Surface::level()
        }
        (Some(_), None) => height(reader, &keys, "the ground").unwrap_or_else(Surface::level),
        (None, _) => {
            let (normal, offset) = normal_and_offset(reader, &keys, "the ground");
            Surface::Plane { normal, offset }
        }
    }
}

/// `height = …`, an expression of fields, `x` and `y`.
fn height(reader: &mut Reader<'_>, keys: &Keys<'_>, of: &str) -> Option<Surface> {
    let At { value, at } = keys.expression(reader, "height", &State::ground())?;
    reader.require_finite_fields(&value, format!("the height of {of}"), &at);
    Some(Surface::Height(value))
}

/// `plane(normal = […], offset = …)`; z = 0, if it is not given.
pub(super) fn plane(reader: &mut Reader<'_>, keys: &Keys<'_>, of: &str) -> (Triple, Scalar) {
    let items = keys.call(reader, "plane").map_or(&[][..], |(_, items)| items);
    let known = &[("normal", Form::Value), ("offset", Form::Value)];
    let keys = Keys::read(reader, "a plane", items, known);
    normal_and_offset(reader, &keys, of)
}

fn normal_and_offset(reader: &mut Reader<'_>, keys: &Keys<'_>, of: &str) -> (Triple, Scalar) {
    let up = [Scalar::ZERO, Scalar::ZERO, Scalar::ONE];
    let normal = keys.array(reader, "normal").map_or(up, |At { value, at }| {
        reader.require(format!("the normal of {of}"), Bound::Direction, &value, &at);
        value
    });
    let quantity = format!("the offset of {of}");
    (normal, bounded(reader, keys, "offset", &quantity, Bound::Finite))
}

/// `directions = …`.
pub(super) fn directions(reader: &mut Reader<'_>, keys: &Keys<'_>) -> usize {
    let Some(value) = keys.value("directions") else {
        return DIRECTIONS;
    };
    match whole(value) {
        Some(count) if (4..=MOST_DIRECTIONS).contains(&count) && count % 2 == 0 => count,
        other => {
            let found = other.map_or(String::new(), |count| format!(", found {count}"));
            let message =
                format!("expected an even number of directions from 4 to {MOST_DIRECTIONS}{found}");
            reader.error(&value.at(), message);
            DIRECTIONS
        }
    }
}
