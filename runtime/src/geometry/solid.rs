//! A convex solid: a core, and the radius of a ball that moves in it.

use nalgebra::Vector3;

use super::Error;
use super::core_shape::Core;
use super::hull::Hull;
use crate::bound::Bound;
use crate::description::ShapeKind;
#[cfg(feature = "std")]
use crate::frame::Pose;

/// A convex solid in its own frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Solid {
    pub(super) core: Core,
    /// m.
    pub(super) radius: f64,
}

impl Solid {
    /// Of a kind and its sizes, in the order and the units of
    /// [`ShapeParameters`](crate::description::ShapeParameters).
    ///
    /// # Errors
    ///
    /// [`Error::Count`] and [`Error::Size`] of the sizes; [`Error::Flat`] of a hull without volume.
    pub fn new(kind: ShapeKind, sizes: &[f64]) -> Result<Self, Error> {
        let solid = name(kind);
        let (expected, found) = (kind.sizes(), sizes.len());
        if expected != found {
            return Err(Error::Count { solid, expected, found });
        }
        for (index, &value) in sizes.iter().enumerate() {
            let expected = bound(kind, index);
            if expected.violation(&[value]).is_some() {
                return Err(Error::Size { solid, index, value, expected });
            }
        }
        let line = |half: f64| Core::Box(Vector3::new(0.0, 0.0, half));
        let (core, radius) = match (kind, sizes) {
            (ShapeKind::Sphere, &[radius]) => (line(0.0), radius),
            (ShapeKind::Capsule, &[radius, length]) => (line(0.5 * length), radius),
            (ShapeKind::Box, &[x, y, z]) => (Core::Box(0.5 * Vector3::new(x, y, z)), 0.0),
            (ShapeKind::Cylinder, &[radius, length]) => {
                (Core::Cylinder { radius, half: 0.5 * length }, 0.0)
            }
            (ShapeKind::Hull { .. }, points) => (Core::Hull(Hull::new(points)?), 0.0),
            _ => (line(0.0), 0.0),
        };
        Ok(Self { core, radius })
    }

    /// The radius of the smallest ball about its frame's origin that holds it, m.
    pub fn extent(&self) -> f64 {
        self.core.extent() + self.radius
    }

    /// The least and the largest coordinates of its points in the world, where it has this pose, m.
    #[cfg(feature = "std")]
    pub(crate) fn bounds(&self, pose: &Pose) -> [Vector3<f64>; 2] {
        let (mut low, mut high) = (pose.position, pose.position);
        for k in 0..3 {
            // The axis of the world, in those of the solid.
            let axis = pose.rotation.row(k).transpose();
            low[k] += axis.dot(&self.core.support(&-axis)) - self.radius;
            high[k] += axis.dot(&self.core.support(&axis)) + self.radius;
        }
        [low, high]
    }

    /// The corners of each face of a hull, counterclockwise as seen from outside; other solids have none here.
    #[cfg(feature = "std")]
    pub(crate) fn faces(&self) -> alloc::vec::Vec<alloc::vec::Vec<Vector3<f64>>> {
        let Core::Hull(hull) = &self.core else { return alloc::vec::Vec::new() };
        let corners = |face: &super::hull::Face| {
            face.corners.iter().map(|&k| hull.points[usize::from(k)]).collect()
        };
        hull.faces.iter().map(corners).collect()
    }

    /// Whether these two can be compared.
    ///
    /// # Errors
    ///
    /// [`Error::Unsupported`] without the feature `std`, for what has no closed form.
    pub fn check_pair(&self, other: &Self) -> Result<(), Error> {
        let closed = |one: &Self, other: &Self| match one.core {
            Core::Box(_) => matches!(other.core, Core::Box(_)),
            Core::Cylinder { .. } => other.core.is_point(),
            Core::Hull(_) => false,
        };
        if cfg!(feature = "std") || closed(self, other) || closed(other, self) {
            return Ok(());
        }
        let (first, second) = (self.core.name(), other.core.name());
        Err(Error::Unsupported { first, second })
    }
}

const fn name(kind: ShapeKind) -> &'static str {
    match kind {
        ShapeKind::Point => "point",
        ShapeKind::Sphere => "sphere",
        ShapeKind::Capsule => "capsule",
        ShapeKind::Box => "box",
        ShapeKind::Cylinder => "cylinder",
        ShapeKind::Hull { .. } => "hull",
    }
}

const fn bound(kind: ShapeKind, index: usize) -> Bound {
    match (kind, index) {
        (ShapeKind::Hull { .. }, _) => Bound::Finite,
        (ShapeKind::Sphere, _) | (ShapeKind::Capsule, 1) => Bound::NonNegative,
        _ => Bound::Positive,
    }
}
