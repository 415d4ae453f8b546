//! A rigid body in excess coordinates.
//!
//! > s = (r, Q),  u = (v, ω),  ṙ = v,  Q̇ = ½ (0, ω) Q
//! > m v̇ = f,  I ω̇ = τ − ω × I ω,  I = R I_b Rᵀ
//!
//! r is the centre of mass and Q the unit quaternion from body to world axes; v, ω, f and τ are in world axes,
//! I_b in the body's.

use nalgebra::{Matrix3, Matrix6, UnitQuaternion, Vector3, Vector6};

use super::Error;
use super::gyroscopic;
use super::orientation::Orientation;
use super::parameter::{self, Range};
use crate::frame::Pose;

/// A moment of inertia that is negative by less than this part of the largest is zero.
const ROUNDING: f64 = 1e-9;

/// Mass, place and motion of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// m ≥ 0, in kg. It may be zero under the same conditions as the inertia may be singular.
    pub mass: f64,
    /// I_b about the centre of mass in the body's axes, kg m²; positive semidefinite. It may be singular, as that
    /// of a point is, where joints leave no motion without inertia and the world is solved [directly].
    ///
    /// [directly]: super::Method::Direct
    pub inertia: Matrix3<f64>,
    /// Centre of mass in the world, m.
    pub position: Vector3<f64>,
    /// From the body's axes to the world's.
    pub rotation: UnitQuaternion<f64>,
    /// Velocity of the centre of mass in world axes, m/s.
    pub linear: Vector3<f64>,
    /// Angular velocity in world axes, rad/s.
    pub angular: Vector3<f64>,
    /// Force at the centre of mass beside gravity in every step, in world axes, N.
    pub force: Vector3<f64>,
    /// Moment in every step, in world axes, N m.
    pub moment: Vector3<f64>,
}

impl Body {
    /// At rest at the origin, without applied force.
    pub fn new(mass: f64, inertia: Matrix3<f64>) -> Self {
        let zero = Vector3::zeros();
        Self {
            mass,
            inertia,
            position: zero,
            rotation: UnitQuaternion::identity(),
            linear: zero,
            angular: zero,
            force: zero,
            moment: zero,
        }
    }

    /// A homogeneous ball.
    pub fn ball(mass: f64, radius: f64) -> Self {
        Self::new(mass, Matrix3::identity() * (0.4 * mass * radius * radius))
    }

    /// A homogeneous box with the whole edges `size`.
    pub fn cuboid(mass: f64, size: Vector3<f64>) -> Self {
        let square = size.component_mul(&size) * (mass / 12.0);
        let moments = Vector3::repeat(square.sum()) - square;
        Self::new(mass, Matrix3::from_diagonal(&moments))
    }

    /// The same with its centre of mass elsewhere.
    #[must_use]
    pub fn at(mut self, position: Vector3<f64>) -> Self {
        self.position = position;
        self
    }

    /// The frame in the centre of mass.
    pub fn pose(&self) -> Pose {
        let rotation = self.rotation.to_rotation_matrix().into_inner();
        Pose { rotation, position: self.position }
    }

    /// A frame of the world as it is seen from the body.
    pub fn local(&self, frame: &Pose) -> Pose {
        let turn = self.rotation.to_rotation_matrix().into_inner().transpose();
        let position = turn * (frame.position - self.position);
        Pose { rotation: turn * frame.rotation, position }
    }

    /// I in world axes.
    pub fn world_inertia(&self) -> Matrix3<f64> {
        let rotation = self.rotation.to_rotation_matrix().into_inner();
        rotation * self.inertia * rotation.transpose()
    }

    /// (v, ω).
    pub fn velocity(&self) -> Vector6<f64> {
        stack(&self.linear, &self.angular)
    }

    /// ½ m v² + ½ ω · I ω, in J.
    pub fn kinetic_energy(&self) -> f64 {
        let spin = self.angular.dot(&(self.world_inertia() * self.angular));
        0.5 * (self.mass * self.linear.norm_squared() + spin)
    }

    pub(super) fn set_velocity(&mut self, velocity: &Vector6<f64>) {
        (self.linear, self.angular) = split(velocity);
    }

    /// diag(m, I) in world axes.
    pub(super) fn mass_matrix(&self) -> Matrix6<f64> {
        let mut matrix = Matrix6::from_diagonal_element(self.mass);
        matrix.fixed_view_mut::<3, 3>(3, 3).copy_from(&self.world_inertia());
        matrix
    }

    /// The momentum (m v, I ω) after `h` seconds without joints and contacts.
    pub(super) fn free_momentum(&self, gravity: &Vector3<f64>, h: f64) -> Vector6<f64> {
        let linear = self.mass * (self.linear + h * gravity) + h * self.force;
        let spin = gyroscopic::turned(&self.inertia, &self.rotation, &self.angular, h);
        stack(&linear, &(self.world_inertia() * spin + h * self.moment))
    }

    /// Moves on by the displacement h u.
    pub(super) fn displace(&mut self, by: &Vector6<f64>, orientation: Orientation) {
        let (linear, angular) = split(by);
        self.position += linear;
        self.rotation = orientation.turned(&self.rotation, &angular);
    }

    /// Displaces it with its angular velocity, which turns along, so that the kinetic energy stays.
    pub(super) fn carry(&mut self, by: &Vector6<f64>) {
        let (_, turn) = split(by);
        self.displace(by, Orientation::Finite);
        self.angular = UnitQuaternion::from_scaled_axis(turn) * self.angular;
    }

    /// # Errors
    ///
    /// [`Error::Parameter`] for a mass or an inertia that no body has, [`Error::NotFinite`] for a state.
    pub(super) fn check(&self, index: usize) -> Result<(), Error> {
        parameter::check("the mass of a body", self.mass, Range::NotNegative)?;
        self.check_state(index)?;
        let moments = self.inertia.symmetric_eigenvalues();
        let (least, rounding) = (moments.min(), ROUNDING * moments.amax());
        let asymmetry = (self.inertia - self.inertia.transpose()).amax();
        let refuse =
            |what, value| Err(Error::Parameter { what, value, expected: Range::NotNegative });
        if asymmetry > rounding {
            return refuse(
                "the least difference of two opposite entries of an inertia",
                -asymmetry,
            );
        }
        if least < -rounding {
            return refuse("a principal moment of inertia", least);
        }
        Ok(())
    }

    /// # Errors
    ///
    /// [`Error::NotFinite`] for the first number that is not.
    pub(super) fn check_state(&self, index: usize) -> Result<(), Error> {
        let vectors = [self.position, self.linear, self.angular, self.force, self.moment];
        let others = self.rotation.coords.iter().chain(self.inertia.iter());
        let all = vectors.iter().flat_map(|vector| vector.iter()).chain(others);
        match all.copied().find(|x| !x.is_finite()) {
            Some(value) => Err(Error::NotFinite { body: index, value }),
            None => Ok(()),
        }
    }
}

pub(super) fn stack(linear: &Vector3<f64>, angular: &Vector3<f64>) -> Vector6<f64> {
    Vector6::new(linear.x, linear.y, linear.z, angular.x, angular.y, angular.z)
}

pub(super) fn split(x: &Vector6<f64>) -> (Vector3<f64>, Vector3<f64>) {
    (Vector3::new(x[0], x[1], x[2]), Vector3::new(x[3], x[4], x[5]))
}
