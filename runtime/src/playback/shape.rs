//! Shapes and their colours.

use nalgebra::{Matrix3, Rotation3, Vector3};

use crate::Pose;

/// A coloured solid, fixed to a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// Form and size.
    pub geometry: Geometry,
    /// Shape to body.
    pub pose: Pose,
    /// Colour of its surface.
    pub color: Color,
}

/// Form and size of a shape, all but hulls centred at its origin; lengths in metres.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Geometry {
    /// A ball.
    Sphere {
        /// Distance of the surface from the centre.
        radius: f64,
    },
    /// A cuboid along the axes.
    Box {
        /// Half of its edges along x, y, z.
        half_extents: Vector3<f64>,
    },
    /// A cylinder along z.
    Cylinder {
        /// Distance of the lateral surface from the axis.
        radius: f64,
        /// Distance between its two discs.
        length: f64,
    },
    /// A cylinder along z with a half ball at each end.
    Capsule {
        /// Of the cylinder and of the half balls.
        radius: f64,
        /// Distance between the centres of the half balls.
        length: f64,
    },
    /// The convex hull of points; nothing, if it has no volume.
    Hull {
        /// In the shape's frame.
        points: Vec<Vector3<f64>>,
    },
}

impl Shape {
    /// A shape whose axes are the body's.
    pub fn new(geometry: Geometry, color: Color) -> Self {
        let pose = Pose { rotation: Matrix3::identity(), position: Vector3::zeros() };
        Self { geometry, pose, color }
    }

    /// A ball around the body's origin.
    pub fn sphere(radius: f64, color: Color) -> Self {
        Self::new(Geometry::Sphere { radius }, color)
    }

    /// A cuboid around the body's origin, from half of its edges.
    pub fn cuboid(half_extents: Vector3<f64>, color: Color) -> Self {
        Self::new(Geometry::Box { half_extents }, color)
    }

    /// A cylinder around the body's z axis.
    pub fn cylinder(radius: f64, length: f64, color: Color) -> Self {
        Self::new(Geometry::Cylinder { radius, length }, color)
    }

    /// The convex hull of points of the body.
    pub fn hull(points: impl IntoIterator<Item = Vector3<f64>>, color: Color) -> Self {
        Self::new(Geometry::Hull { points: points.into_iter().collect() }, color)
    }

    /// A capsule around the segment between two points of the body.
    pub fn capsule(from: Vector3<f64>, to: Vector3<f64>, radius: f64, color: Color) -> Self {
        let along = to - from;
        let geometry = Geometry::Capsule { radius, length: along.norm() };
        Self {
            geometry,
            pose: Pose { rotation: turn_z_to(&along), position: (from + to) / 2.0 },
            color,
        }
    }

    /// The same shape with its centre moved by `offset` in the body.
    pub fn at(mut self, offset: Vector3<f64>) -> Self {
        self.pose.position += offset;
        self
    }
}

/// A rotation that takes the z axis to the given direction.
pub(super) fn turn_z_to(direction: &Vector3<f64>) -> Matrix3<f64> {
    // No rotation is singled out for the opposite direction; half a turn about x is one.
    Rotation3::rotation_between(&Vector3::z(), direction).map_or_else(
        || Matrix3::from_diagonal(&Vector3::new(1.0, -1.0, -1.0)),
        Rotation3::into_inner,
    )
}

/// Red, green and blue in sRGB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color(pub u8, pub u8, pub u8);

impl Color {
    /// Near black.
    pub const GRAPHITE: Self = Self(52, 58, 68);
    /// A middle grey.
    pub const STEEL: Self = Self(132, 143, 158);
    /// Near white.
    pub const CHALK: Self = Self(214, 219, 225);
    /// A warm accent.
    pub const ORANGE: Self = Self(233, 122, 46);
    /// A cool accent.
    pub const BLUE: Self = Self(58, 118, 204);
    /// A green accent.
    pub const GREEN: Self = Self(52, 150, 112);
    /// A red accent.
    pub const RED: Self = Self(201, 66, 72);
}
