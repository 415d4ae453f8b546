//! A mechanism as its user describes it: plain data, from attributes and URDF alike.
//!
//! Names are resolved to indices here and every number has a value, a default if the user gave
//! none; nothing is derived yet.

mod attached;
mod bound;
mod constraint;
mod geometry;

use crate::diagnostic::Name;
use crate::joint::Family;
use crate::scalar::Scalar;

pub use attached::{Actuator, Contact, Frame, Limit, Spring};
pub use bound::{Bound, Requirement, Severity};
pub use constraint::{Axis, Constraint, Law, Level, Place, Response, Rolling};
pub use geometry::{Geometry, Pair, Shape, Surface};

/// Three numbers.
pub type Triple = [Scalar; 3];

/// A robot.
#[derive(Clone, Debug)]
pub struct Description {
    /// The struct's name, or that of the file's `<robot>`.
    pub name: String,
    /// The struct's fields in order: the symbolic parameters.
    pub fields: Vec<String>,
    /// Acceleration of gravity in the world, m/s².
    pub gravity: Triple,
    /// The links, in any order.
    pub links: Vec<Link>,
    /// The joints, in the order of their coordinates.
    pub joints: Vec<Joint>,
    /// Points and spheres that touch the ground.
    pub contacts: Vec<Contact>,
    /// Named frames.
    pub frames: Vec<Frame>,
    /// What the inputs drive, in the order of u.
    pub actuators: Vec<Actuator>,
    /// Springs and dampers between two points.
    pub springs: Vec<Spring>,
    /// What holds whatever the forces are.
    pub constraints: Vec<Constraint>,
    /// What never becomes negative.
    pub limits: Vec<Limit>,
    /// Solids on links, and points that are paired with some.
    pub shapes: Vec<Shape>,
    /// Which of them touch each other, but for points and spheres: these are contacts.
    pub pairs: Vec<Pair>,
    /// The link to describe the mechanism from, if not the one that hangs on the world.
    pub root: Option<usize>,
}

impl Description {
    /// How many bodies move: each joint that is not fixed carries one.
    pub fn moving_bodies(&self) -> usize {
        self.joints.iter().filter(|joint| joint.family.nv() > 0).count()
    }

    /// The contacts whose rows are among those of constrained dynamics: their normals do not turn.
    pub fn held_contacts(&self) -> impl Iterator<Item = &Contact> {
        self.contacts.iter().filter(|contact| !contact.surface.turns())
    }

    /// Number of rows of all constraints.
    pub fn constraint_rows(&self) -> usize {
        self.constraints.iter().map(|constraint| constraint.law.levels().len()).sum()
    }
}

/// First configuration and velocity coordinate of each joint, and how many there are; a follower
/// has none of its own.
pub fn coordinates(joints: &[Joint]) -> (Vec<(usize, usize)>, usize, usize) {
    let (mut nq, mut nv) = (0, 0);
    let mut first = Vec::new();
    for joint in joints {
        first.push((nq, nv));
        if joint.mimic.is_none() {
            nq += joint.family.nq();
            nv += joint.family.nv();
        }
    }
    (first, nq, nv)
}

/// A rigid body.
#[derive(Clone, Debug)]
pub struct Link {
    /// Its name.
    pub name: Name,
    /// Its mass, in its own frame.
    pub inertial: Inertial,
}

/// Mass, centre of mass and inertia of a link, in the link's frame.
#[derive(Clone, Debug)]
pub struct Inertial {
    /// kg; zero for a link that is declared massless.
    pub mass: Scalar,
    /// Centre of mass, m.
    pub com: Triple,
    /// ixx, iyy, izz, ixy, ixz, iyz, kg m²; ixy is −∫ x y dm as in URDF.
    pub inertia: [Scalar; 6],
    /// The point that `inertia` is about.
    pub about: About,
    /// The axes in which `inertia` is given, relative to the link's.
    pub axes: Rotation,
}

impl Inertial {
    /// No mass at all.
    pub fn massless() -> Self {
        Self {
            mass: Scalar::ZERO,
            com: [Scalar::ZERO; 3],
            inertia: [Scalar::ZERO; 6],
            about: About::CenterOfMass,
            axes: Rotation::Identity,
        }
    }
}

/// The point that an inertia is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// The centre of mass.
    CenterOfMass,
    /// The origin of the link's frame.
    Origin,
}

/// An orientation relative to another frame.
#[derive(Clone, Debug)]
pub enum Rotation {
    /// The same axes.
    Identity,
    /// Roll, pitch, yaw about the fixed axes: R = Rz(yaw) Ry(pitch) Rx(roll).
    Rpy(Triple),
    /// qx, qy, qz, qw; of any length but zero.
    Quaternion([Scalar; 4]),
}

/// A pose relative to another frame.
#[derive(Clone, Debug)]
pub struct Placement {
    /// Origin, m.
    pub position: Triple,
    /// Axes.
    pub rotation: Rotation,
}

impl Placement {
    /// The same frame.
    pub fn identity() -> Self {
        Self { position: [Scalar::ZERO; 3], rotation: Rotation::Identity }
    }
}

/// What a joint hangs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parent {
    /// The world.
    World,
    /// The link of this index.
    Link(usize),
}

/// A joint.
#[derive(Clone, Debug)]
pub struct Joint {
    /// Its name.
    pub name: Name,
    /// Its family.
    pub family: &'static dyn Family,
    /// What it hangs on.
    pub parent: Parent,
    /// Index of the link that it carries.
    pub child: usize,
    /// Its frame relative to the parent's.
    pub origin: Placement,
    /// As many axes as the family takes, in the joint's frame, of any length but zero.
    pub axes: Vec<Triple>,
    /// Advance of a helical joint in metres per radian; zero otherwise.
    pub pitch: Scalar,
    /// One for each velocity coordinate.
    pub coordinates: Vec<Coordinate>,
    /// The joint that this one follows.
    pub mimic: Option<Mimic>,
}

/// What acts on a velocity coordinate, and how far it may go.
#[derive(Clone, Debug)]
pub struct Coordinate {
    /// Lower and upper limit of the configuration coordinate.
    pub limits: Option<[Scalar; 2]>,
    /// Largest speed.
    pub velocity_limit: Option<Scalar>,
    /// Largest force or torque.
    pub effort_limit: Option<Scalar>,
    /// Viscous damping: the force is −damping · v.
    pub damping: Scalar,
    /// Spring: the force is −stiffness · (q − rest).
    pub stiffness: Scalar,
    /// Configuration coordinate at which the spring is relaxed.
    pub rest: Scalar,
    /// Bound of the dry friction.
    pub friction: Scalar,
    /// Inertia that only this coordinate moves, added to its diagonal entry of M; rotors seen
    /// through their gears are in it.
    pub armature: Scalar,
}

impl Default for Coordinate {
    fn default() -> Self {
        Self {
            limits: None,
            velocity_limit: None,
            effort_limit: None,
            damping: Scalar::ZERO,
            stiffness: Scalar::ZERO,
            rest: Scalar::ZERO,
            friction: Scalar::ZERO,
            armature: Scalar::ZERO,
        }
    }
}

/// q = multiplier · q of another joint + offset.
#[derive(Clone, Debug)]
pub struct Mimic {
    /// Index of the other joint, which follows none itself.
    pub joint: usize,
    /// Ratio.
    pub multiplier: Scalar,
    /// Constant.
    pub offset: Scalar,
}
