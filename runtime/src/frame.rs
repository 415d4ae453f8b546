//! Poses, and the frames in which a Jacobian can be expressed.
//!
//! One Jacobian is generated, in the frame's own axes; the others follow by a rotation at run
//! time.

use nalgebra::{Matrix3, Vector3, Vector6};

/// Where something is: x_world = rotation · x_local + position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Rotation matrix, local to world.
    pub rotation: Matrix3<f64>,
    /// Origin in the world, in metres.
    pub position: Vector3<f64>,
}

impl Default for Pose {
    /// That of the world.
    fn default() -> Self {
        Self { rotation: Matrix3::identity(), position: Vector3::zeros() }
    }
}

impl Pose {
    /// At (x, y, z) in metres, with the axes of the world.
    pub fn at(x: f64, y: f64, z: f64) -> Self {
        Self { position: Vector3::new(x, y, z), ..Self::default() }
    }

    /// The same, turned about its z axis by `angle` rad.
    #[must_use]
    pub fn turned(self, angle: f64) -> Self {
        let (sine, cosine) = libm::sincos(angle);
        let turn = Matrix3::new(cosine, -sine, 0.0, sine, cosine, 0.0, 0.0, 0.0, 1.0);
        Self { rotation: self.rotation * turn, ..self }
    }

    /// From nine numbers of the rotation, column by column, and three of the position.
    pub(crate) fn from_slice(x: &[f64]) -> Self {
        Self {
            rotation: Matrix3::from_column_slice(&x[..9]),
            position: Vector3::from_column_slice(&x[9..12]),
        }
    }

    /// The world position of a point given in local coordinates.
    pub fn point(&self, local: &Vector3<f64>) -> Vector3<f64> {
        self.rotation * local + self.position
    }
}

/// Where a spatial velocity is taken and in which axes it is expressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReferenceFrame {
    /// At the frame's origin, in its own axes.
    Local,
    /// At the world's origin, in world axes.
    World,
    /// At the frame's origin, in world axes.
    LocalWorldAligned,
}

impl ReferenceFrame {
    /// Expresses velocities that are columns of six numbers in local axes as `self` says.
    pub(crate) fn turn_columns(self, pose: &Pose, columns: &mut [f64]) {
        for column in columns.chunks_exact_mut(6) {
            let turned = self.turn(pose, &Vector6::from_column_slice(column));
            column.copy_from_slice(turned.as_slice());
        }
    }

    fn turn(self, pose: &Pose, local: &Vector6<f64>) -> Vector6<f64> {
        if self == ReferenceFrame::Local {
            return *local;
        }
        let mut linear = pose.rotation * local.fixed_rows::<3>(0);
        let angular = pose.rotation * local.fixed_rows::<3>(3);
        if self == ReferenceFrame::World {
            linear += pose.position.cross(&angular);
        }
        stack(&linear, &angular)
    }

    /// The derivative of the velocity as `self` says, from the velocity and the classical
    /// acceleration in local axes.
    pub(crate) fn turn_bias(
        self,
        pose: &Pose,
        velocity: &Vector6<f64>,
        acceleration: &Vector6<f64>,
    ) -> Vector6<f64> {
        let turned = Self::LocalWorldAligned.turn(pose, acceleration);
        if self == ReferenceFrame::LocalWorldAligned {
            return turned;
        }
        let (u, w) = (velocity.fixed_rows::<3>(0), velocity.fixed_rows::<3>(3));
        let mut spatial = *acceleration;
        let mut linear = spatial.fixed_rows_mut::<3>(0);
        linear -= w.cross(&u);
        self.turn(pose, &spatial)
    }
}

fn stack(linear: &Vector3<f64>, angular: &Vector3<f64>) -> Vector6<f64> {
    Vector6::new(linear.x, linear.y, linear.z, angular.x, angular.y, angular.z)
}
