//! What holds whatever the forces are: `closure`, `coupling`, `rod`, `point_on_line`,
//! `point_on_plane`, `rolling`, `drive` and `constraint`.

use super::attached::{bounded, on, point};
use super::contact::plane;
use super::keys::{Form, Keys, Known};
use super::reader::{At, Reader};
use super::resolve::joint;
use super::state::State;
use super::syntax::Item;
use crate::description::{Bound, Constraint, Description, Law, Response, Rolling, Triple};
use crate::diagnostic::Name;
use crate::scalar::Scalar;

/// The kinds of entries that are constraints.
pub(super) const KINDS: [&str; 8] = [
    "closure",
    "coupling",
    "rod",
    "point_on_line",
    "point_on_plane",
    "rolling",
    "drive",
    "constraint",
];

/// Keys that every constraint has.
const RESPONSE: [(&str, Form); 5] = [
    ("alpha", Form::Value),
    ("time_constant", Form::Value),
    ("acceleration", Form::Value),
    ("velocity_after", Form::Value),
    ("restitution", Form::Value),
];

/// The constraint of this kind.
pub(super) fn read(
    reader: &mut Reader<'_>,
    description: &Description,
    kind: &str,
    name: Name,
    items: &[Item],
) -> Option<Constraint> {
    let own: &Known = match kind {
        "closure" => &[("a", Form::Value), ("b", Form::Value), ("axes", Form::Value)],
        "coupling" => &[
            ("joint", Form::Value),
            ("to", Form::Value),
            ("multiplier", Form::Value),
            ("offset", Form::Value),
        ],
        "rod" => &[("a", Form::Value), ("b", Form::Value), ("length", Form::Value)],
        "point_on_line" => &[("a", Form::Value), ("b", Form::Value), ("direction", Form::Value)],
        "point_on_plane" => &[("a", Form::Value), ("b", Form::Value), ("normal", Form::Value)],
        "rolling" => &[
            ("on", Form::Value),
            ("at", Form::Value),
            ("radius", Form::Value),
            ("axis", Form::Value),
            ("plane", Form::Call),
            ("tangential", Form::Flag),
        ],
        "drive" => &[("joint", Form::Value), ("coordinate", Form::Value), ("rate", Form::Value)],
        _ => &[("h", Form::Value), ("h_v", Form::Value)],
    };
    let article = format!("a {kind}");
    let keys = Keys::read(reader, &article, items, &[own, &RESPONSE].concat());
    let response = response(reader, &keys, &format!("{kind} `{name}`"));
    let mut draft = Draft { reader, description, keys, of: format!("{kind} `{name}`"), name };
    let law = match kind {
        "closure" => draft.closure(),
        "coupling" => draft.coupling(),
        "rod" => draft.rod(),
        "point_on_line" => draft.point_on_line(),
        "point_on_plane" => draft.point_on_plane(),
        "rolling" => draft.rolling(),
        "drive" => draft.drive(),
        _ => draft.general(),
    }?;
    Some(Constraint { name: draft.name, law, response })
}

/// How errors die out, and what is prescribed.
fn response(reader: &mut Reader<'_>, keys: &Keys<'_>, of: &str) -> Response {
    if let (Some(_), Some(second)) = (keys.at("alpha"), keys.at("time_constant")) {
        reader.error(&second, "expected one of `alpha` and `time_constant`, found both");
    }
    let alpha = bounded(reader, keys, "alpha", &format!("`alpha` of {of}"), Bound::NonNegative);
    let stabilization = match keys.scalar(reader, "time_constant") {
        Some(At { value, at }) => {
            let quantity = format!("the time constant of {of}");
            reader.require(quantity, Bound::Positive, std::slice::from_ref(&value), &at);
            Scalar::ONE / value
        }
        None => alpha,
    };
    let mut number = |key: &str, quantity: &str, bound| {
        bounded(reader, keys, key, &format!("the {quantity} of {of}"), bound)
    };
    Response {
        stabilization,
        acceleration: number("acceleration", "acceleration", Bound::Finite),
        velocity_after: number("velocity_after", "velocity after an impact", Bound::Finite),
        restitution: number("restitution", "restitution", Bound::Fraction),
    }
}

/// A constraint while it is read.
pub(super) struct Draft<'r, 'e, 'a> {
    pub(super) reader: &'r mut Reader<'e>,
    pub(super) description: &'a Description,
    pub(super) keys: Keys<'a>,
    /// What it is called.
    pub(super) of: String,
    pub(super) name: Name,
}

impl Draft<'_, '_, '_> {
    fn closure(&mut self) -> Option<Law> {
        let frames = self.ends("a = link @ frame, b = link @ frame");
        let axes = self.axes();
        Some(Law::Closure { frames: frames?, axes: axes? })
    }

    fn rod(&mut self) -> Option<Law> {
        let ends = self.ends("a = link @ [x, y, z], b = world @ [x, y, z]");
        let length = self.needed("length", "length", Bound::Positive);
        Some(Law::Rod { ends: ends?, length: length? })
    }

    fn point_on_line(&mut self) -> Option<Law> {
        let points = self.ends("a = link @ [x, y, z], b = link @ [x, y, z]");
        let direction = self.direction("direction");
        Some(Law::PointOnLine { points: points?, direction: direction? })
    }

    fn point_on_plane(&mut self) -> Option<Law> {
        let points = self.ends("a = link @ [x, y, z], b = link @ [x, y, z]");
        let normal = self.direction("normal");
        Some(Law::PointOnPlane { points: points?, normal: normal? })
    }

    /// q = multiplier · q of another joint + offset.
    fn coupling(&mut self) -> Option<Law> {
        let multiplier = match self.keys.at("multiplier") {
            Some(_) => self.number("multiplier", Bound::Finite),
            None => Scalar::ONE,
        };
        let offset = self.number("offset", Bound::Finite);
        let [follower, leader] = ["joint", "to"].map(|key| self.coordinate(key));
        let (follower, leader) = (follower?, leader?);
        if follower == leader {
            let message = format!("{} couples a joint to itself", self.of);
            self.reader.error(&self.name.at, message);
            return None;
        }
        Some(Law::Position(follower - (multiplier * leader + offset)))
    }

    fn rolling(&mut self) -> Option<Law> {
        let center = point(self.reader, &self.keys, "at", &self.of);
        let radius = self.needed("radius", "radius", Bound::Positive);
        let axis = match self.keys.at("axis") {
            Some(_) => Some(self.direction("axis")?),
            None => None,
        };
        let (normal, offset) = plane(self.reader, &self.keys, &self.of);
        let links = &self.description.links;
        let link = on(self.reader, &self.keys, links, &self.of, &self.name)?;
        let tangential = self.keys.at("tangential").is_some();
        let radius = radius?;
        Some(Law::Rolling(Rolling { link, center, radius, axis, normal, offset, tangential }))
    }

    /// h_v = v − rate.
    fn drive(&mut self) -> Option<Law> {
        let state = State::configuration(&self.description.joints);
        let rate = self.keys.expression(self.reader, "rate", &state);
        if self.keys.lacks("rate") {
            let message = format!("{} needs `rate = …`, an expression of time", self.of);
            self.reader.error(&self.name.at, message);
        }
        let word = self.joint("joint")?;
        let index = super::attached::coordinate(
            self.reader,
            &self.description.joints,
            word.1,
            self.keys.value("coordinate"),
            &word.0,
        )?;
        let state = State::velocity(&self.description.joints);
        let own = state.rate(&word.0.text, Some(index))?.ok()?;
        Some(Law::Velocity(own - rate?.value))
    }

    /// `h = …` or `h_v = …`.
    fn general(&mut self) -> Option<Law> {
        let at = (self.keys.at("h"), self.keys.at("h_v"));
        if at.0.is_some() == at.1.is_some() {
            if self.keys.lacks("h") || at.1.is_some() {
                let message = format!(
                    "{} is either `h = …` of joints, fields and `t`, or `h_v = …` of `rate(joint)` too",
                    self.of
                );
                self.reader.error(&self.name.at, message);
            }
            return None;
        }
        let joints = &self.description.joints;
        if at.0.is_some() {
            let state = State::configuration(joints);
            let h = self.keys.expression(self.reader, "h", &state)?;
            self.depends(&h, "a joint", |x| matches!(x, Scalar::Configuration(_)))?;
            return Some(Law::Position(h.value));
        }
        let h = self.keys.expression(self.reader, "h_v", &State::velocity(joints))?;
        self.depends(&h, "the `rate(…)` of a joint", |x| matches!(x, Scalar::Velocity(_)))?;
        Some(Law::Velocity(h.value))
    }

    fn depends(&mut self, h: &At<Scalar>, what: &str, of: impl Fn(&Scalar) -> bool) -> Option<()> {
        if h.value.contains(&of) {
            return Some(());
        }
        let message = format!("{} must depend on {what}, or no motion can satisfy it", self.of);
        self.reader.error(&h.at, message);
        None
    }

    fn number(&mut self, key: &str, bound: Bound) -> Scalar {
        let quantity = format!("the {key} of {}", self.of);
        bounded(self.reader, &self.keys, key, &quantity, bound)
    }

    /// A number that must be given.
    fn needed(&mut self, key: &str, quantity: &str, bound: Bound) -> Option<Scalar> {
        if self.keys.lacks(key) {
            let message = format!("{} needs a {quantity}, `{key} = …`", self.of);
            self.reader.error(&self.name.at, message);
        }
        self.keys.at(key).map(|_| self.number(key, bound))
    }

    fn direction(&mut self, key: &str) -> Option<Triple> {
        if self.keys.lacks(key) {
            let message = format!("{} needs `{key} = [x, y, z]`", self.of);
            self.reader.error(&self.name.at, message);
        }
        let At { value, at } = self.keys.array(self.reader, key)?;
        let quantity = format!("the {key} of {}", self.of);
        self.reader.require(quantity, Bound::Direction, &value, &at);
        Some(value)
    }

    fn joint(&mut self, key: &str) -> Option<(Name, usize)> {
        if self.keys.lacks(key) {
            let message = format!("{} needs `{key} = …`, a joint", self.of);
            self.reader.error(&self.name.at, message);
        }
        let name = self.keys.name(self.reader, key)?;
        let index = joint(self.reader, &self.description.joints, &name)?;
        Some((name, index))
    }

    /// The one coordinate of the joint that the key names.
    fn coordinate(&mut self, key: &str) -> Option<Scalar> {
        let (name, _) = self.joint(key)?;
        let state = State::configuration(&self.description.joints);
        match state.coordinate(&name.text, None)? {
            Ok(scalar) => Some(scalar),
            Err(message) => {
                self.reader.error(&name.at, message);
                None
            }
        }
    }
}
