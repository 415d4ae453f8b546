//! What touches each other: `shape(name, on = link, …)`, `pair(a, b, …)` and `collide(all)`.

use super::attached::bounded;
use super::contact::directions;
use super::geometry::{self, KEYS};
use super::keys::{Form, Keys, Known};
use super::reader::Reader;
use super::suggest::did_you_mean;
use super::syntax::{Body, Item};
use crate::description::{Bound, Contact, Geometry, Joint, Link, Pair, Parent, Shape, Surface};
use crate::diagnostic::Name;
use crate::scalar::Scalar;

/// `shape(name, on = link, …)`.
pub(super) fn shape(
    reader: &mut Reader<'_>,
    links: &[Link],
    name: Name,
    items: &[Item],
) -> Option<Shape> {
    let own: &Known = &[
        ("sphere", Form::Value),
        ("capsule", Form::Value),
        ("box", Form::Value),
        ("cylinder", Form::Value),
        ("hull", Form::Value),
    ];
    let keys = Keys::read(reader, "a shape", items, &[&KEYS, own].concat());
    let of = format!("shape `{name}`");
    let given = own.iter().any(|(key, _)| keys.at(key).is_some());
    if !given && own.iter().all(|(key, _)| keys.lacks(key)) {
        let message =
            format!("{of} needs one of `sphere`, `capsule`, `box`, `cylinder` and `hull`");
        reader.error(&name.at, message);
    }
    geometry::shape(reader, &keys, links, name, &of)
}

/// What may touch, and which of it does.
pub(super) struct Touching<'a> {
    joints: &'a [Joint],
    /// The shapes, then the contacts as what they are.
    all: Vec<Shape>,
    /// Names of entries that could not be read, so that pairs of them are no errors too.
    broken: Vec<&'a str>,
    pairs: Vec<Pair>,
}

impl<'a> Touching<'a> {
    pub(super) fn new(joints: &'a [Joint], all: Vec<Shape>, broken: Vec<&'a str>) -> Self {
        Self { joints, all, broken, pairs: Vec::new() }
    }

    /// `pair(a, b, …)`.
    pub(super) fn pair(&mut self, reader: &mut Reader<'_>, first: &Name, items: &[Item]) {
        let Some((Item { key, body: Body::Bare, .. }, items)) = items.split_first() else {
            reader.error(&first.at, "expected two names first, `pair(a, b, …)`");
            return;
        };
        let second = key.name();
        let known = &[
            ("friction", Form::Value),
            ("restitution", Form::Value),
            ("torsion", Form::Value),
            ("rolling", Form::Value),
            ("directions", Form::Value),
        ];
        let keys = Keys::read(reader, "a pair", items, known);
        let of = format!("pair `{first}`, `{second}`");
        let mut number = |key: &str, what: &str, bound| {
            let number = bounded(reader, &keys, key, &format!("the {what} of {of}"), bound);
            keys.at(key).map(|_| number)
        };
        let friction = number("friction", "friction", Bound::NonNegative);
        let restitution = number("restitution", "restitution", Bound::Fraction);
        let torsion = number("torsion", "torsional friction", Bound::NonNegative);
        let rolling = number("rolling", "rolling resistance", Bound::NonNegative);
        let directions = directions(reader, &keys);
        let [a, b] = [first, &second].map(|name| self.find(reader, name));
        let (Some(a), Some(b)) = (a, b) else { return };
        if let Some(message) = self.fault([a, b]) {
            reader.error(&second.at, message);
            return;
        }
        let [one, other] = [&self.all[a], &self.all[b]];
        let name = Name { text: format!("{first}_{second}"), at: first.at.clone() };
        let friction = friction.unwrap_or_else(|| mean(&one.friction, &other.friction));
        let restitution = restitution.unwrap_or_else(|| mean(&one.restitution, &other.restitution));
        let [torsion, rolling] = [torsion, rolling].map(|lever| lever.unwrap_or(Scalar::ZERO));
        let shapes = [a, b];
        self.pairs.push(Pair { name, shapes, friction, restitution, torsion, rolling, directions });
    }

    fn find(&self, reader: &mut Reader<'_>, name: &Name) -> Option<usize> {
        let index = self.all.iter().position(|shape| shape.name.text == name.text);
        if index.is_none() && !self.broken.contains(&name.text.as_str()) && !reader.lost {
            let names = self.all.iter().map(|shape| shape.name.text.as_str());
            let hint = did_you_mean(&name.text, names);
            reader.error(&name.at, format!("there is no shape or contact `{name}`{hint}"));
        }
        index
    }

    /// Why two shapes make no pair.
    fn fault(&self, [a, b]: [usize; 2]) -> Option<String> {
        let [one, other] = [&self.all[a], &self.all[b]];
        let points = [one, other].iter().all(|shape| matches!(shape.geometry, Geometry::Point));
        if a == b {
            Some(format!("`{}` is paired with itself", one.name))
        } else if self.body(one.link) == self.body(other.link) {
            Some(format!("no joint moves `{}` relative to `{}`", other.name, one.name))
        } else if points {
            Some(format!("`{}` and `{}` are points, which never touch", one.name, other.name))
        } else {
            let same = self.paired([a, b])?;
            Some(format!("this pair is described on {} already", same.name.at))
        }
    }

    fn paired(&self, [a, b]: [usize; 2]) -> Option<&Pair> {
        self.pairs.iter().find(|pair| pair.shapes == [a, b] || pair.shapes == [b, a])
    }

    /// `collide(all)`: all solids on links that are not neighbours, unless they are paired already.
    pub(super) fn collide(&mut self) {
        for b in 0..self.all.len() {
            for a in 0..b {
                let [one, other] = [&self.all[a], &self.all[b]];
                let solid = [one, other].iter().all(|s| !matches!(s.geometry, Geometry::Point));
                if !solid || self.fault([a, b]).is_some() || self.neighbors(one.link, other.link) {
                    continue;
                }
                let text = format!("{}_{}", one.name, other.name);
                self.pairs.push(Pair {
                    name: Name { text, at: other.name.at.clone() },
                    shapes: [a, b],
                    friction: mean(&one.friction, &other.friction),
                    restitution: mean(&one.restitution, &other.restitution),
                    torsion: Scalar::ZERO,
                    rolling: Scalar::ZERO,
                    directions: super::contact::DIRECTIONS,
                });
            }
        }
    }

    /// The first of the links that are fixed together with this one; none of what is fixed to the world.
    fn body(&self, link: usize) -> Option<usize> {
        let mut link = link;
        // No way to the world is longer, but where joints make a cycle, which is reported elsewhere.
        for _ in 0..=self.joints.len() {
            let carrier = self.joints.iter().find(|joint| joint.child == link)?;
            match carrier.parent {
                _ if carrier.family.nv() > 0 => return Some(link),
                Parent::World => return None,
                Parent::Link(parent) => link = parent,
            }
        }
        None
    }

    /// Whether a joint, but no floating one, joins what the links are fixed to.
    fn neighbors(&self, a: usize, b: usize) -> bool {
        let bodies = [self.body(a), self.body(b)];
        let joins = |joint: &Joint| {
            let parent = match joint.parent {
                Parent::World => None,
                Parent::Link(link) => self.body(link),
            };
            let ends = [parent, self.body(joint.child)];
            ends == bodies || ends == [bodies[1], bodies[0]]
        };
        let tied = self.joints.iter().filter(|joint| joint.family.keyword() != "floating");
        tied.filter(|joint| joint.family.nv() > 0).any(joins)
    }

    /// Pairs of points and spheres become contacts, all others pairs of the description, whose shapes are
    /// the first `own` ones and what else is paired.
    pub(super) fn finish(mut self, own: usize) -> (Vec<Contact>, Vec<Shape>, Vec<Pair>) {
        let (mut contacts, mut pairs) = (Vec::new(), Vec::new());
        let mut places: Vec<usize> = (0..own).collect();
        for mut pair in std::mem::take(&mut self.pairs) {
            if pair.shapes.iter().all(|&k| self.all[k].geometry.is_round()) {
                contacts.push(self.contact(&pair));
                continue;
            }
            for shape in &mut pair.shapes {
                let found = places.iter().position(|place| place == shape);
                *shape = found.unwrap_or_else(|| {
                    places.push(*shape);
                    places.len() - 1
                });
            }
            pairs.push(pair);
        }
        let shapes = places.into_iter().map(|place| self.all[place].clone()).collect();
        (contacts, shapes, pairs)
    }

    /// Of two balls, on the one that moves in the world.
    fn contact(&self, pair: &Pair) -> Contact {
        let [mut one, mut other] = pair.shapes.map(|k| &self.all[k]);
        if self.body(one.link).is_none() {
            (one, other) = (other, one);
        }
        let surface = Surface::Sphere {
            link: other.link,
            position: other.placement.position.clone(),
            radius: radius(other),
        };
        Contact {
            name: pair.name.clone(),
            link: one.link,
            position: one.placement.position.clone(),
            radius: radius(one),
            friction: pair.friction.clone(),
            restitution: pair.restitution.clone(),
            torsion: pair.torsion.clone(),
            rolling: pair.rolling.clone(),
            surface,
            directions: pair.directions,
        }
    }
}

/// Of a ball; zero of a point.
fn radius(shape: &Shape) -> Scalar {
    match &shape.geometry {
        Geometry::Sphere { radius } => radius.clone(),
        _ => Scalar::ZERO,
    }
}

/// √(a b), which is zero if one is.
fn mean(a: &Scalar, b: &Scalar) -> Scalar {
    if a == b { a.clone() } else { (a.clone() * b.clone()).sqrt() }
}
