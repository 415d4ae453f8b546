//! What touches: points, balls, the vertices of boxes, and half-spaces.
//!
//! A solid is a shape in a frame on a body. Where it is now, it is a half-space n · x ≤ d, or points c with a radius ρ,
//! which is zero of vertices.

use alloc::vec::Vec;

use nalgebra::{Matrix3, Vector3};

use super::Error;
use super::body::Body;
use super::parameter::{self, Range};
use crate::frame::Pose;

/// A form. Points, balls and the vertices of boxes touch half-spaces and balls; faces and edges of boxes touch nothing, so
/// that two boxes pass through each other. Boxes that touch are for a robot with declared pairs of shapes, and
/// [`Simulation`](crate::Simulation).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// The frame's origin.
    Point,
    /// A ball about the frame's origin.
    Ball {
        /// In m.
        radius: f64,
    },
    /// A box about the frame's origin with these whole edges, in m.
    Box {
        /// Along x, y and z of the frame.
        size: Vector3<f64>,
    },
    /// All that is below z = 0 of the frame.
    HalfSpace,
}

/// A shape on a body, or in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solid {
    /// The body; `None` is the world.
    pub body: Option<usize>,
    /// The shape's frame, from the centre of mass in the body's axes.
    pub frame: Pose,
    /// Its form.
    pub shape: Shape,
    /// μ ≥ 0; that of a contact is √(μ_a μ_b).
    pub friction: f64,
    /// e from 0 to 1; that of a contact is √(e_a e_b).
    pub restitution: f64,
    /// The solid, of those that there are, that it touches; any, if none is given.
    pub only: Option<usize>,
}

/// A ball about a point; of no radius, a vertex.
#[derive(Clone, Copy, Debug)]
pub(super) struct Round {
    pub(super) vertex: usize,
    pub(super) center: Vector3<f64>,
    pub(super) radius: f64,
}

/// A solid where it is now.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub(super) solid: Solid,
    /// Centre of mass of its body.
    pub(super) center: Vector3<f64>,
    /// Of a half-space: n and d.
    pub(super) plane: Option<(Vector3<f64>, f64)>,
    pub(super) rounds: Vec<Round>,
    /// How far off something may be to be looked at, together with what it has itself.
    pub(super) reach: f64,
    /// Least and largest x, with that.
    pub(super) extent: [f64; 2],
}

impl Solid {
    /// # Errors
    ///
    /// [`Error::Body`], [`Error::Solid`], [`Error::Frame`] and [`Error::Parameter`], among so many bodies and solids.
    pub(super) fn check(&self, (bodies, solids): (usize, usize)) -> Result<(), Error> {
        if let Some(body) = self.body.filter(|&body| body >= bodies) {
            return Err(Error::Body { body });
        }
        if let Some(solid) = self.only.filter(|&solid| solid >= solids) {
            return Err(Error::Solid { solid });
        }
        let Pose { rotation, position } = &self.frame;
        let skew = (rotation.tr_mul(rotation) - Matrix3::identity()).amax();
        // A comparison with NaN is false.
        let is_frame = skew <= 1e-6 && rotation.determinant() > 0.0;
        if !is_frame || !position.iter().all(|x| x.is_finite()) {
            return Err(Error::Frame);
        }
        match self.shape {
            Shape::Ball { radius } => parameter::check("a radius", radius, Range::Positive)?,
            Shape::Box { size } => parameter::check("an edge", size.min(), Range::Positive)?,
            Shape::Point | Shape::HalfSpace => {}
        }
        parameter::check("friction", self.friction, Range::NotNegative)?;
        parameter::check("restitution", self.restitution, Range::Share)
    }

    pub(super) fn place(&self, bodies: &[Body], reach: f64) -> Placed {
        let body = self.body.and_then(|body| bodies.get(body));
        let frame = match body.map(Body::pose) {
            None => self.frame,
            Some(pose) => Pose {
                rotation: pose.rotation * self.frame.rotation,
                position: pose.point(&self.frame.position),
            },
        };
        let round = |vertex, center, radius| Round { vertex, center, radius };
        let rounds: Vec<Round> = match self.shape {
            Shape::Point => alloc::vec![round(0, frame.position, 0.0)],
            Shape::Ball { radius } => alloc::vec![round(0, frame.position, radius)],
            Shape::Box { size } => {
                (0..8).map(|k| round(k, frame.point(&corner(k, &size)), 0.0)).collect()
            }
            Shape::HalfSpace => Vec::new(),
        };
        let normal = frame.rotation.column(2).into_owned();
        let plane = (self.shape == Shape::HalfSpace).then(|| (normal, normal.dot(&frame.position)));
        let far = |r: &Round| r.radius + reach;
        let ends = rounds.iter().map(|r| [r.center.x - far(r), r.center.x + far(r)]);
        let whole = [f64::NEG_INFINITY, f64::INFINITY];
        let joined = |a: [f64; 2], b: [f64; 2]| [a[0].min(b[0]), a[1].max(b[1])];
        let extent = ends.reduce(joined).unwrap_or(whole);
        let center = body.map_or(Vector3::zeros(), |body| body.position);
        Placed { solid: *self, center, plane, rounds, reach, extent }
    }
}

/// The corner of a box; in binary, x counts first.
fn corner(k: usize, size: &Vector3<f64>) -> Vector3<f64> {
    let side = |axis: usize| if k >> axis & 1 == 0 { -0.5 } else { 0.5 };
    Vector3::new(side(0), side(1), side(2)).component_mul(size)
}
