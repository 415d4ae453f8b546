//! Contacts and limits, which act in one sense only, and what may touch.

use alloc::vec::Vec;

use nalgebra::Vector3;

use crate::frame::Pose;

/// A declared contact with the ground, or a declared pair of spheres.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contact {
    /// Its name in the description.
    pub name: &'static str,
    /// Index of the link that carries it.
    pub link: usize,
    /// Index of the link that it touches; `None` for the ground.
    pub other: Option<usize>,
    /// η, into how many directions a polyhedral friction cone is divided: even, from 4 to 1000. The polygon is inscribed,
    /// so that halfway between two directions friction is up to μ cos(π/η).
    pub directions: usize,
    /// Whether its normal and tangents depend on q, as those over ground of varying height
    /// and of pairs do.
    pub turns: bool,
    /// The velocity coordinates that move it, from the root to the outermost.
    pub coordinates: &'static [usize],
}

/// What a shape is in its own frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShapeKind {
    /// The origin.
    Point,
    /// A ball about the origin.
    Sphere,
    /// All that is nearer than a radius to a line along z whose middle is the origin.
    Capsule,
    /// A box about the origin.
    Box,
    /// A cylinder along z about the origin.
    Cylinder,
    /// The convex hull of points.
    Hull {
        /// How many.
        points: usize,
    },
}

impl ShapeKind {
    /// How many sizes it has.
    pub const fn sizes(self) -> usize {
        match self {
            ShapeKind::Point => 0,
            ShapeKind::Sphere => 1,
            ShapeKind::Capsule | ShapeKind::Cylinder => 2,
            ShapeKind::Box => 3,
            ShapeKind::Hull { points } => 3 * points,
        }
    }
}

/// A declared shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Its name in the description.
    pub name: &'static str,
    /// Index of the link that carries it.
    pub link: usize,
    /// What it is.
    pub kind: ShapeKind,
}

/// Where a shape is, how large, and what it is like.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapeParameters {
    /// Its frame in the link's.
    pub pose: Pose,
    /// In metres: the radius of a sphere, radius and length of a capsule (without its round ends) or a
    /// cylinder, the whole edges of a box, the points of a hull one after the other.
    pub sizes: Vec<f64>,
    /// Coefficient of friction μ.
    pub friction: f64,
    /// Coefficient of restitution e.
    pub restitution: f64,
}

/// Two declared shapes that may touch each other, and are not both points or spheres.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The names of both, with `_` between them.
    pub name: &'static str,
    /// Their places in [`SHAPES`](crate::Model::SHAPES).
    pub shapes: [usize; 2],
    /// Into how many directions a polyhedral friction cone is divided: even, from 4 to 1000.
    pub directions: usize,
}

/// Friction and restitution of a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairParameters {
    /// Coefficient of friction μ.
    pub friction: f64,
    /// Coefficient of restitution e.
    pub restitution: f64,
    /// Coefficient of torsional friction of each of its points, m: how large a moment about the normal is at most, by
    /// the normal force.
    pub torsion: f64,
    /// Coefficient of rolling resistance of each of its points, m: how large a moment about its tangents is at most, by the normal
    /// force.
    pub rolling: f64,
}

impl PairParameters {
    pub(crate) fn from_slice(x: &[f64]) -> Self {
        Self { friction: x[0], restitution: x[1], torsion: x[2], rolling: x[3] }
    }
}

/// What resists turning is called, by ν and ϱ; `None` if both are zero.
pub(crate) fn resistance(levers: [f64; 2]) -> Option<&'static str> {
    match levers {
        [_, rolling] if rolling > 0.0 => Some("rolling resistance"),
        [torsion, _] if torsion > 0.0 => Some("torsional friction"),
        _ => None,
    }
}

/// A declared limit C(q) ≥ 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// Its name in the description.
    pub name: &'static str,
}

/// Friction, restitution and axes of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactParameters {
    /// Coefficient of friction μ.
    pub friction: f64,
    /// Coefficient of restitution e.
    pub restitution: f64,
    /// Unit normal in the world, out of the ground. It is NaN, as are the tangents, where it
    /// [turns](Contact::turns) and no configuration was given.
    pub normal: Vector3<f64>,
    /// Unit tangents in the world; normal, first and second make a right-handed frame.
    pub tangents: [Vector3<f64>; 2],
    /// Of the sphere, m; zero of a point.
    pub radius: f64,
    /// Coefficient of torsional friction, m: how large a moment about the normal is at most, by the normal force.
    pub torsion: f64,
    /// Coefficient of rolling resistance, m: how large a moment about the tangents is at most, by the normal force.
    pub rolling: f64,
}

impl ContactParameters {
    pub(crate) fn from_slice(x: &[f64]) -> Self {
        let zero = Vector3::zeros();
        let mut parameters = Self {
            friction: x[0],
            restitution: x[1],
            normal: zero,
            tangents: [zero; 2],
            radius: x[11],
            torsion: x[12],
            rolling: x[13],
        };
        parameters.set_axes(&x[2..11]);
        parameters
    }

    /// Normal, first and second tangent.
    pub(crate) fn set_axes(&mut self, x: &[f64]) {
        let at = |k: usize| Vector3::new(x[k], x[k + 1], x[k + 2]);
        (self.normal, self.tangents) = (at(0), [at(3), at(6)]);
    }
}
