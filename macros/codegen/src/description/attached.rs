//! What is attached to links and joints.

use super::{Parent, Placement, Surface, Triple};
use crate::diagnostic::Name;
use crate::scalar::Scalar;

/// What one input drives: a coordinate through a gear.
#[derive(Clone, Debug)]
pub struct Actuator {
    /// Its name.
    pub name: Name,
    /// Index of the joint.
    pub joint: usize,
    /// Which of the joint's velocity coordinates.
    pub coordinate: usize,
    /// Generalised force for an input of one.
    pub gear: Scalar,
}

/// A point or sphere of a link that can touch the ground.
#[derive(Clone, Debug)]
pub struct Contact {
    /// Its name.
    pub name: Name,
    /// Index of the link.
    pub link: usize,
    /// The point, or the sphere's centre, in the link's frame.
    pub position: Triple,
    /// Radius; zero for a point.
    pub radius: Scalar,
    /// Coefficient of friction μ.
    pub friction: Scalar,
    /// Coefficient of restitution e.
    pub restitution: Scalar,
    /// Coefficient of torsional friction, m: the moment about the normal by the normal force, at most.
    pub torsion: Scalar,
    /// Coefficient of rolling resistance, m: the moment about the tangents by the normal force, at most.
    pub rolling: Scalar,
    /// What it touches.
    pub surface: Surface,
    /// Directions of a polyhedral friction cone: even, at least 4.
    pub directions: usize,
}

/// A named frame on a link.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Its name.
    pub name: Name,
    /// Index of the link.
    pub link: usize,
    /// Its pose in the link's frame.
    pub placement: Placement,
    /// Whether its rows are among those of constrained dynamics.
    pub held: bool,
}

/// A spring and damper between two points.
#[derive(Clone, Debug)]
pub struct Spring {
    /// Its name.
    pub name: Name,
    /// The two points: a link or the world, and a position in its frame.
    pub ends: [(Parent, Triple); 2],
    /// N/m.
    pub stiffness: Scalar,
    /// N s/m, along the line between the points.
    pub damping: Scalar,
    /// Length at which it pulls nowhere, m.
    pub rest: Scalar,
}

/// A function of the configuration that never becomes negative.
#[derive(Clone, Debug)]
pub struct Limit {
    /// Its name.
    pub name: Name,
    /// C(q).
    pub function: Scalar,
}
