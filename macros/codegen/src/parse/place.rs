//! The frames that a constraint joins, and the axes along which it does.

use super::constraint::Draft;
use super::keys::{elements, numbers};
use super::resolve::link_or_world;
use super::syntax::{Value, Word};
use crate::description::{Axis, Parent, Place, Placement, Rotation};
use crate::diagnostic::Location;
use crate::scalar::Scalar;

impl Draft<'_, '_, '_> {
    /// `a` and `b`.
    pub(super) fn ends(&mut self, example: &str) -> Option<[Place; 2]> {
        if self.keys.lacks("a") || self.keys.lacks("b") {
            let message = format!("{} joins two places, `{example}`", self.of);
            self.reader.error(&self.name.at, message);
        }
        let [a, b] = ["a", "b"].map(|key| self.place(key));
        let (a, b) = (a?, b?);
        if a.parent == b.parent {
            let message = format!("both ends of {} are on the same link", self.of);
            self.reader.error(&self.name.at, message);
            return None;
        }
        Some([a, b])
    }

    /// `link`, `link @ [x, y, z]`, `link @ [x, y, z, roll, pitch, yaw]` or `link @ frame`.
    fn place(&mut self, key: &str) -> Option<Place> {
        let (word, placement) = match self.keys.value(key)? {
            Value::Word(word) => (word, Some(Placement::identity())),
            Value::Point(word, place) => (word, self.placement(key, word, place)),
            value @ Value::Expr(_) => {
                let message = "expected a link, `link @ [x, y, z]` or `link @ frame`";
                self.reader.error(&value.at(), message);
                return None;
            }
        };
        let parent = if word.is_world() {
            Parent::World
        } else {
            Parent::Link(link_or_world(self.reader, &self.description.links, &word.name())?)
        };
        Some(Place { parent, placement: placement? })
    }

    fn placement(&mut self, key: &str, carrier: &Word, place: &syn::Expr) -> Option<Placement> {
        let at = Location::tokens(place);
        if let syn::Expr::Path(path) = place {
            let name = path.path.get_ident()?.to_string();
            let links = &self.description.links;
            let frames = &self.description.frames;
            let found = frames.iter().find(|frame| frame.name.text == name);
            let on = found.map(|frame| &links[frame.link].name.text);
            if on == Some(&carrier.text) {
                return found.map(|frame| frame.placement.clone());
            }
            let message = match on {
                Some(link) => format!("frame `{name}` is on link `{link}`"),
                None => format!("there is no frame `{name}`"),
            };
            self.reader.error(&at, message);
            return None;
        }
        let value = Value::Expr(place.clone());
        let quantity = format!("end `{key}` of {}", self.of);
        if elements(&value).is_some_and(|elements| elements.count() == 6) {
            let [x, y, z, roll, pitch, yaw] = numbers(self.reader, place)?;
            let all = [&x, &y, &z, &roll, &pitch, &yaw].map(Scalar::clone);
            self.reader.require_finite(quantity, &all, &at);
            let rotation = Rotation::Rpy([roll, pitch, yaw]);
            return Some(Placement { position: [x, y, z], rotation });
        }
        let position = numbers(self.reader, place)?;
        self.reader.require_finite(quantity, &position, &at);
        Some(Placement { position, rotation: Rotation::Identity })
    }

    /// `axes = [x, rz, [0, 0, p, 0, 0, 1]]`; all six, if it is not given.
    pub(super) fn axes(&mut self) -> Option<Vec<Axis>> {
        let Some(value) = self.keys.value("axes") else {
            let [along, about] = [Axis::Along, Axis::About].map(|axis| [0, 1, 2].map(axis));
            return Some([along, about].concat());
        };
        let Some(elements) = elements(value) else {
            self.reader.error(&value.at(), "expected a list of axes, `[x, y, rz]`");
            return None;
        };
        let mut seen: Vec<String> = Vec::new();
        let axes: Vec<_> = elements.map(|element| self.axis(element, &mut seen)).collect();
        if axes.is_empty() {
            self.reader.error(&value.at(), "expected at least one axis");
            return None;
        }
        axes.into_iter().collect()
    }

    fn axis(&mut self, element: &syn::Expr, seen: &mut Vec<String>) -> Option<Axis> {
        let at = Location::tokens(element);
        let syn::Expr::Path(path) = element else {
            let screw = numbers(self.reader, element)?;
            return Some(Axis::Screw(screw));
        };
        let word = path.path.get_ident().map(ToString::to_string).unwrap_or_default();
        if seen.contains(&word) {
            self.reader.error(&at, format!("axis `{word}` is given twice"));
            return None;
        }
        let axis = match word.as_str() {
            "x" => Axis::Along(0),
            "y" => Axis::Along(1),
            "z" => Axis::Along(2),
            "rx" => Axis::About(0),
            "ry" => Axis::About(1),
            "rz" => Axis::About(2),
            _ => {
                let message =
                    "expected `x`, `y`, `z`, `rx`, `ry`, `rz` or six numbers, linear first";
                self.reader.error(&at, message);
                return None;
            }
        };
        seen.push(word);
        Some(axis)
    }
}
