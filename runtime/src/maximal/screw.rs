//! Screws: displacements of rigid bodies as velocities of a second.
//!
//! > exp(ξ) = X₁ X₀⁻¹,  ξ = (ω, u): the point x moves at u + ω × x
//!
//! in world axes. The turn is at most half of one.

use nalgebra::{Rotation3, UnitQuaternion, Vector3};

use super::body::Body;
use crate::description::{Chart, Joint};
use crate::frame::Pose;
use crate::manifold;

/// A motion below this, in rad or m, is none.
const NONE: f64 = 1e-9;

/// A pose as a joint's coordinates.
const POSE: [Joint; 1] =
    [Joint { name: "", family: "floating", q: 0, nq: 7, v: 0, nv: 6, chart: Chart::Pose }];

#[derive(Clone, Copy, Debug)]
pub(super) struct Screw {
    /// ω.
    pub(super) angular: Vector3<f64>,
    /// u, of the point at the world's origin.
    pub(super) linear: Vector3<f64>,
}

impl Screw {
    pub(super) const ZERO: Self =
        Self { angular: Vector3::new(0.0, 0.0, 0.0), linear: Vector3::new(0.0, 0.0, 0.0) };

    pub(super) fn between(from: &Pose, to: &Pose) -> Self {
        let turn = Rotation3::from_matrix_unchecked(to.rotation * from.rotation.transpose());
        let moved = to.position - turn * from.position;
        let turn = UnitQuaternion::from_rotation_matrix(&turn).coords;
        let identity = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
        let place = [moved.x, moved.y, moved.z, turn.x, turn.y, turn.z, turn.w];
        let mut screw = [0.0; 6];
        manifold::difference(&POSE, &identity, &place, &mut screw);
        let [x, y, z, a, b, c] = screw;
        Self { linear: Vector3::new(x, y, z), angular: Vector3::new(a, b, c) }
    }

    pub(super) fn plus(&self, other: &Self) -> Self {
        Self { angular: self.angular + other.angular, linear: self.linear + other.linear }
    }

    pub(super) fn times(&self, factor: f64) -> Self {
        Self { angular: factor * self.angular, linear: factor * self.linear }
    }

    /// Velocity of the point x.
    pub(super) fn at(&self, x: &Vector3<f64>) -> Vector3<f64> {
        self.linear + self.angular.cross(x)
    }

    /// ½ m v² + ½ ω · I ω of a body that moves so.
    pub(super) fn energy(&self, body: &Body) -> f64 {
        let spin = self.angular.dot(&(body.world_inertia() * self.angular));
        0.5 * (body.mass * self.at(&body.position).norm_squared() + spin)
    }

    pub(super) fn is_some_motion(&self) -> bool {
        self.angular.amax().max(self.linear.amax()) > NONE
    }
}
