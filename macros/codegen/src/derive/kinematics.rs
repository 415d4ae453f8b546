//! Where the bodies are and how they move.
//!
//! Outwards from the world, for a body at r = [`Body::position`] of its parent p, turned by R:
//!
//! > ω = Rᵀ ω_p + ω_J,  u = Rᵀ (u_p + ω_p × r) + u_J
//! > α = Rᵀ α_p + α_J + Rᵀ ω_p × ω_J,
//! > a = Rᵀ (a_p + U_p r) + a_J + 2 Rᵀ ω_p × u_J + ω_J × u_J,  U = [α]× + [ω]ײ
//!
//! with ω_J, u_J = S v and α_J, a_J = S v̇ + S̊ v of the joint. All is expressed in the body's own
//! axes; a is the classical acceleration of its origin.

use crate::expr::{Expr, Matrix3, Vector3};
use crate::joint::Twist;

use super::mechanism::{Body, Column, Mechanism, Placed};

/// Poses of the bodies in the world.
#[derive(Debug)]
pub struct Poses<'g> {
    /// From each body's axes to the world's.
    pub rotation: Vec<Matrix3<'g>>,
    /// Each body's origin.
    pub position: Vec<Vector3<'g>>,
}

/// Acceleration of a body in its own axes.
#[derive(Clone, Copy, Debug)]
pub struct Acceleration<'g> {
    /// α.
    pub angular: Vector3<'g>,
    /// Classical acceleration a of the origin.
    pub linear: Vector3<'g>,
    /// U = `[α]× + [ω]ײ`: the point r of the body has the acceleration a + U r.
    pub field: Matrix3<'g>,
}

impl<'g> Acceleration<'g> {
    /// Of a world that accelerates by `base`.
    pub(super) fn of_base(base: Vector3<'g>) -> Self {
        let graph = base[0].graph();
        Self { angular: Vector3::zero(graph), linear: base, field: Matrix3::zero(graph) }
    }
}

impl<'g> Mechanism<'g> {
    /// Poses of all bodies in the world.
    pub fn poses(&self) -> Poses<'g> {
        let world = (Matrix3::identity(self.graph), Vector3::zero(self.graph));
        let mut poses = Poses { rotation: Vec::new(), position: Vec::new() };
        for body in &self.bodies {
            let (rotation, position) =
                body.parent.map_or(world, |p| (poses.rotation[p], poses.position[p]));
            poses.position.push(position + rotation * body.position);
            poses.rotation.push(body.rotation.after(rotation));
        }
        poses
    }

    /// Velocities of all bodies, each in its own axes.
    pub fn velocities(&self) -> Vec<Twist<'g>> {
        let still = Twist::zero(self.graph);
        let mut velocity: Vec<Twist<'g>> = Vec::new();
        for body in &self.bodies {
            let above = body.parent.map_or(still, |p| velocity[p]);
            velocity
                .push(body.carried(&above) + body.combine(&self.state.v, |column| column.twist));
        }
        velocity
    }

    /// Accelerations of all bodies for the velocity `v` and the joint accelerations `a`, where the
    /// world itself accelerates by `base`.
    pub fn accelerations(
        &self,
        v: &[Expr<'g>],
        a: &[Expr<'g>],
        base: Vector3<'g>,
    ) -> Vec<Acceleration<'g>> {
        let zero = Vector3::zero(self.graph);
        let still = Acceleration::of_base(base);
        let mut angular_velocity: Vec<Vector3<'g>> = Vec::new();
        let mut acceleration: Vec<Acceleration<'g>> = Vec::new();
        for body in &self.bodies {
            let above = body.parent.map_or(still, |p| acceleration[p]);
            let carried = body.parent.map_or(zero, |p| angular_velocity[p]);
            let (w, change) = body.velocity_terms(v, carried);
            let driven = body.combine(a, |column| column.twist);
            let angular =
                body.rotation.transposed_times(above.angular) + driven.angular + change.angular;
            let dragged = above.linear + above.field * body.position;
            let linear = body.rotation.transposed_times(dragged) + driven.linear + change.linear;
            let field = angular.skew() + w.skew_squared();
            acceleration.push(Acceleration { angular, linear, field });
            angular_velocity.push(w);
        }
        acceleration
    }

    /// Pose in the world of something that has a constant pose in a body.
    pub fn pose(&self, poses: &Poses<'g>, placed: &Placed<'g>) -> (Matrix3<'g>, Vector3<'g>) {
        let local = placed.rotation.to_matrix(self.graph);
        match placed.body {
            None => (local, placed.position),
            Some(k) => (
                placed.rotation.after(poses.rotation[k]),
                poses.position[k] + poses.rotation[k] * placed.position,
            ),
        }
    }

    /// Angular velocity, and velocity of the point `x` that moves along, in world axes, for a unit
    /// velocity of each coordinate of the given bodies.
    pub fn world_columns(
        &self,
        poses: &Poses<'g>,
        bodies: impl Iterator<Item = usize>,
        x: Vector3<'g>,
    ) -> Vec<(usize, Twist<'g>)> {
        let mut columns = Vec::new();
        for k in bodies {
            let (rotation, arm) = (poses.rotation[k], x - poses.position[k]);
            for column in &self.bodies[k].columns {
                let angular = rotation * column.twist.angular;
                let linear = rotation * column.twist.linear + angular.cross(arm);
                columns.push((column.dof, Twist { angular, linear }));
            }
        }
        columns
    }
}

impl<'g> Body<'g> {
    /// The motion of the parent where the body's origin is, in the body's axes.
    pub(super) fn carried(&self, above: &Twist<'g>) -> Twist<'g> {
        let dragged = above.linear + above.angular.cross(self.position);
        Twist {
            angular: self.rotation.transposed_times(above.angular),
            linear: self.rotation.transposed_times(dragged),
        }
    }

    /// Σ (twist of a column) · x of its coordinate.
    pub(super) fn combine(
        &self,
        x: &[Expr<'g>],
        twist: impl Fn(&Column<'g>) -> Twist<'g>,
    ) -> Twist<'g> {
        let mut sum = Twist::zero(self.moments.mass.graph());
        for column in &self.columns {
            sum = sum + twist(column) * x[column.dof];
        }
        sum
    }

    /// Angular velocity, and what velocity adds to the acceleration: Rᵀ ω_p × ω_J and
    /// 2 Rᵀ ω_p × u_J + ω_J × u_J beside S̊ v, for the parent's angular velocity ω_p.
    pub(super) fn velocity_terms(
        &self,
        v: &[Expr<'g>],
        parent: Vector3<'g>,
    ) -> (Vector3<'g>, Twist<'g>) {
        let carried = self.rotation.transposed_times(parent);
        let joint = self.combine(v, |column| column.twist);
        let turned = self.combine(v, |column| column.rate);
        let w = carried + joint.angular;
        let change = Twist {
            angular: turned.angular + carried.cross(joint.angular),
            linear: turned.linear + (carried + w).cross(joint.linear),
        };
        (w, change)
    }
}
