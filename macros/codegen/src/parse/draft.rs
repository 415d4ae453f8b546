//! Links and joints as they were written: names unresolved, defaults not yet filled in.
//!
//! A file and the attribute both give drafts. Where both speak of the same link or joint, what the
//! attribute says replaces what the file says, key by key.

use std::collections::BTreeMap;

use super::reader::At;
use super::solid::Solid;
use super::syntax::Word;
use crate::description::{About, Axis, Placement, Rotation, Triple};
use crate::diagnostic::{Location, Name};
use crate::joint::Family;
use crate::scalar::Scalar;

/// What files call the world.
pub(super) const WORLD: &str = "world";

/// A link.
#[derive(Clone, Debug)]
pub(super) struct Link {
    pub(super) name: Name,
    pub(super) mass: Option<At<Mass>>,
    pub(super) com: Option<At<Triple>>,
    pub(super) extent: Option<At<Extent>>,
    /// Axes of the inertia, or of the solid.
    pub(super) rotation: Option<At<Rotation>>,
    pub(super) massless: Option<Location>,
    /// Whether an error in it was reported, so that none follows for what is missing.
    pub(super) broken: bool,
}

/// How much a link weighs.
#[derive(Clone, Debug)]
pub(super) enum Mass {
    /// kg.
    Total(Scalar),
    /// kg/m³ of a solid.
    Density(Scalar),
}

/// How the mass of a link is spread.
#[derive(Clone, Debug)]
pub(super) enum Extent {
    /// ixx, iyy, izz, ixy, ixz, iyz.
    Inertia([Scalar; 6], About),
    /// Evenly over a solid.
    Solid(Solid),
}

impl Link {
    pub(super) fn new(name: Name) -> Self {
        let (mass, com, extent, rotation, massless) = (None, None, None, None, None);
        Self { name, mass, com, extent, rotation, massless, broken: false }
    }

    /// Replaces what `over` says.
    pub(super) fn override_with(&mut self, over: Link) {
        if over.massless.is_some() {
            *self = Self { name: self.name.clone(), ..over };
            return;
        }
        if over.mass.is_some() {
            self.massless = None;
        }
        if over.extent.is_some() {
            self.rotation = None;
        }
        replace(&mut self.mass, over.mass);
        replace(&mut self.com, over.com);
        replace(&mut self.extent, over.extent);
        replace(&mut self.rotation, over.rotation);
        self.broken |= over.broken;
    }
}

/// What a joint hangs on.
#[derive(Clone, Debug)]
pub(super) enum Hook {
    World,
    Link(Name),
}

impl Hook {
    pub(super) fn new(word: &Word) -> Self {
        if word.is_world() { Hook::World } else { Hook::Link(word.name()) }
    }
}

/// A joint.
#[derive(Clone, Debug)]
pub(super) struct Joint {
    pub(super) name: Name,
    pub(super) connection: Option<Connection>,
    /// What to say of the type that a file states, if it is none and no entry gives a family.
    pub(super) family_fault: Option<At<String>>,
    pub(super) position: Option<At<Triple>>,
    pub(super) rotation: Option<At<Rotation>>,
    pub(super) axes: Option<At<Vec<Triple>>>,
    pub(super) pitch: Option<At<Scalar>>,
    pub(super) limits: Option<At<Vec<[Scalar; 2]>>>,
    /// The quantities of [`QUANTITIES`] that are given: one number, or one for each coordinate.
    pub(super) quantities: BTreeMap<&'static str, At<Vec<Scalar>>>,
    pub(super) drive: Option<Drive>,
    pub(super) mimic: Option<Mimic>,
    /// Whether an error in it was reported, so that none follows for what is missing.
    pub(super) broken: bool,
}

/// What a joint may say of each of its velocity coordinates.
pub(super) const QUANTITIES: [&str; 9] = [
    "velocity",
    "effort",
    "damping",
    "stiffness",
    "rest",
    "friction",
    "armature",
    "gear",
    "rotor_inertia",
];

/// What a joint joins, and how.
#[derive(Clone, Debug)]
pub(super) struct Connection {
    pub(super) family: &'static dyn Family,
    pub(super) parent: Hook,
    pub(super) child: Name,
}

/// Whether a joint has an actuator for each of its coordinates, and where that is said.
#[derive(Clone, Debug)]
pub(super) enum Drive {
    Actuated(Location),
    Passive,
}

/// Two frames of links that a file ties to each other.
#[derive(Clone, Debug)]
pub(super) struct Closure {
    pub(super) name: Name,
    pub(super) ends: [End; 2],
    /// Along and about which they do not move, in those of the first frame.
    pub(super) axes: Vec<Axis>,
}

/// A frame of a link.
#[derive(Clone, Debug)]
pub(super) struct End {
    pub(super) link: Name,
    pub(super) placement: Placement,
}

/// The joint that a joint follows.
#[derive(Clone, Debug)]
pub(super) struct Mimic {
    pub(super) joint: Name,
    pub(super) multiplier: At<Scalar>,
    pub(super) offset: At<Scalar>,
}

impl Joint {
    pub(super) fn new(name: Name) -> Self {
        Self {
            name,
            connection: None,
            family_fault: None,
            position: None,
            rotation: None,
            axes: None,
            pitch: None,
            limits: None,
            quantities: BTreeMap::new(),
            drive: None,
            mimic: None,
            broken: false,
        }
    }

    /// Replaces what `over` says.
    pub(super) fn override_with(&mut self, over: Joint) {
        if let Some(connection) = &over.connection {
            self.become_of(connection.family);
        }
        replace(&mut self.connection, over.connection);
        replace(&mut self.position, over.position);
        replace(&mut self.rotation, over.rotation);
        replace(&mut self.axes, over.axes);
        replace(&mut self.pitch, over.pitch);
        replace(&mut self.limits, over.limits);
        self.quantities.extend(over.quantities);
        if over.mimic.is_some() {
            self.drive = None;
        }
        replace(&mut self.mimic, over.mimic);
        replace(&mut self.drive, over.drive);
        self.broken |= over.broken;
    }
}

impl Joint {
    /// Drops what this family has not. One whose type was unknown has an actuator as others have.
    fn become_of(&mut self, family: &dyn Family) {
        let facts = family.facts();
        let is_new = self.family_fault.take().is_some();
        if self.axes.as_ref().is_some_and(|axes| axes.value.len() != facts.axes) {
            self.axes = None;
        }
        if !facts.has_limits {
            self.limits = None;
        }
        if !facts.has_pitch {
            self.pitch = None;
        }
        if facts.nv != 1 {
            self.mimic = None;
        }
        if facts.nv == 0 {
            self.quantities.clear();
            self.drive = None;
        }
        if is_new && facts.nv == 1 && self.mimic.is_none() {
            self.drive = Some(Drive::Actuated(self.name.at.clone()));
        }
    }
}

fn replace<T>(old: &mut Option<T>, new: Option<T>) {
    if new.is_some() {
        *old = new;
    }
}
