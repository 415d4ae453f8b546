//! Points and solids on links: the keys `at`, `rpy` or `quaternion`, and one of `sphere`, `capsule`,
//! `box`, `cylinder` and `hull`.

use super::attached::{bounded, on, point};
use super::keys::{Form, Keys, elements, numbers};
use super::reader::{At, Reader};
use super::resolve::rotation;
use crate::description::{Bound, Geometry, Link, Placement, Shape, Triple};
use crate::diagnostic::{Location, Name};
use crate::scalar::Scalar;

/// Keys of everything that touches.
pub(super) const KEYS: [(&str, Form); 6] = [
    ("on", Form::Value),
    ("at", Form::Value),
    ("rpy", Form::Value),
    ("quaternion", Form::Value),
    ("friction", Form::Value),
    ("restitution", Form::Value),
];

/// Where it is, what it is, and how it touches; a point, if no solid is given.
pub(super) fn shape(
    reader: &mut Reader<'_>,
    keys: &Keys<'_>,
    links: &[Link],
    name: Name,
    of: &str,
) -> Option<Shape> {
    let position = point(reader, keys, "at", of);
    let given = keys.rotation(reader);
    let placement = Placement { position, rotation: rotation(reader, of, given) };
    let geometry = geometry(reader, keys, of);
    let mut number = |key, bound| bounded(reader, keys, key, &format!("the {key} of {of}"), bound);
    let friction = number("friction", Bound::NonNegative);
    let restitution = number("restitution", Bound::Fraction);
    let link = on(reader, keys, links, of, &name)?;
    Some(Shape { name, link, placement, geometry: geometry?, friction, restitution })
}

/// `None` if it was given and is wrong.
fn geometry(reader: &mut Reader<'_>, keys: &Keys<'_>, of: &str) -> Option<Geometry> {
    let all = ["sphere", "capsule", "box", "cylinder", "hull"];
    let mut given = all.into_iter().filter_map(|key| Some((key, keys.at(key)?)));
    let Some((key, _)) = given.next() else { return Some(Geometry::Point) };
    if let Some((second, at)) = given.next() {
        reader.error(&at, format!("expected one solid, found `{key}` and `{second}`"));
        return None;
    }
    let mut solid = Solid { reader, keys, of };
    match key {
        "sphere" => Some(Geometry::Sphere { radius: solid.sphere() }),
        "capsule" => {
            let [radius, length] = solid.round(key, Bound::NonNegative)?;
            Some(Geometry::Capsule { radius, length })
        }
        "cylinder" => {
            let [radius, length] = solid.round(key, Bound::Positive)?;
            Some(Geometry::Cylinder { radius, length })
        }
        "box" => solid.size().map(|size| Geometry::Box { size }),
        _ => solid.points().map(|points| Geometry::Hull { points }),
    }
}

/// A solid while it is read.
struct Solid<'r, 'e, 'k> {
    reader: &'r mut Reader<'e>,
    keys: &'r Keys<'k>,
    of: &'r str,
}

impl Solid<'_, '_, '_> {
    /// The radius; of a point it may be zero.
    fn sphere(&mut self) -> Scalar {
        let quantity = format!("the radius of {}", self.of);
        bounded(self.reader, self.keys, "sphere", &quantity, Bound::NonNegative)
    }

    /// `[radius, length]`.
    fn round(&mut self, key: &str, length_is: Bound) -> Option<[Scalar; 2]> {
        let At { value, at } = self.keys.array(self.reader, key)?;
        let bounds = [("radius", Bound::Positive), ("length", length_is)];
        for ((quantity, bound), value) in bounds.into_iter().zip(&value) {
            self.require(quantity, bound, value, &at);
        }
        Some(value)
    }

    /// `[x, y, z]`.
    fn size(&mut self) -> Option<Triple> {
        let At { value, at } = self.keys.array(self.reader, "box")?;
        value.iter().for_each(|edge| self.require("size", Bound::Positive, edge, &at));
        Some(value)
    }

    /// `[[x, y, z], …]`.
    fn points(&mut self) -> Option<Vec<Triple>> {
        let value = self.keys.value("hull")?;
        let expected = "expected a list of points, `[[x, y, z], …]`";
        let Some(points) = elements(value) else {
            self.reader.error(&value.at(), expected);
            return None;
        };
        let points: Vec<Option<Triple>> = points.map(|point| self.vertex(point)).collect();
        if points.is_empty() {
            self.reader.error(&value.at(), format!("{expected}, at least one"));
            return None;
        }
        points.into_iter().collect()
    }

    fn vertex(&mut self, point: &syn::Expr) -> Option<Triple> {
        let numbers: Triple = numbers(self.reader, point)?;
        let at = Location::tokens(point);
        self.reader.require_finite(format!("a point of {}", self.of), &numbers, &at);
        Some(numbers)
    }

    fn require(&mut self, quantity: &str, bound: Bound, value: &Scalar, at: &Location) {
        let quantity = format!("the {quantity} of {}", self.of);
        self.reader.require(quantity, bound, std::slice::from_ref(value), at);
    }
}
