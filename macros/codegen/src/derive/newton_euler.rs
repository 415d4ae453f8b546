//! Inverse dynamics by recursion on forces, and the bias force as its special case.
//!
//! With the acceleration field a + U r of each body, its inertial force and moment about its
//! origin are
//!
//! > f = m a + U h,  n = h × a + ∫ r × U r dm,
//!
//! where the integral is the axial vector of U Σ: its first entry is (U Σ)₃₂ − (U Σ)₂₃. Forces are
//! summed inwards; τ = Sᵀ (n, f). Gravity is an acceleration −g of the world.
//!
//! Source: Luh, Walker, Paul, On-Line Computational Scheme for Mechanical Manipulators (1980), in
//! the form with U of Balafoutis and Patel (1989).

use crate::expr::{Expr, Graph, Matrix3, Vector3};
use crate::joint::Twist;

use super::kinematics::Acceleration;
use super::mechanism::{Body, Column, Mechanism, Placed};

/// Force, and moment about the origin of a body, in its axes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wrench<'g> {
    pub(super) force: Vector3<'g>,
    pub(super) moment: Vector3<'g>,
}

impl<'g> Wrench<'g> {
    /// No force.
    pub(super) fn zero(graph: &'g Graph) -> Self {
        Self { force: Vector3::zero(graph), moment: Vector3::zero(graph) }
    }

    /// The power of this wrench in a motion.
    pub(super) fn power(&self, twist: &Twist<'g>) -> Expr<'g> {
        self.moment.dot(twist.angular) + self.force.dot(twist.linear)
    }

    /// twist ×* self: how the wrench changes, as seen from outside, where it is carried along.
    pub(super) fn carried_by(&self, twist: &Twist<'g>) -> Self {
        let (e, s) = (twist.angular, twist.linear);
        Self { force: e.cross(self.force), moment: e.cross(self.moment) + s.cross(self.force) }
    }

    /// The same wrench about the origin and in the axes of the body's parent.
    pub(super) fn inwards(&self, body: &Body<'g>) -> Self {
        let force = body.rotation.times(self.force);
        let moment = body.rotation.times(self.moment) + body.position.cross(force);
        Self { force, moment }
    }

    /// The sum of the wrenches of so many lanes.
    pub(super) fn gathered(&self, lanes: usize) -> Self {
        Self { force: self.force.gathered(lanes), moment: self.moment.gathered(lanes) }
    }

    /// The same wrench, about the origin and in the axes of what has the given pose in a body, about
    /// the origin and in the axes of that body.
    pub(super) fn placed(&self, place: &Placed<'g>) -> Self {
        let force = place.rotation.times(self.force);
        let moment = place.rotation.times(self.moment) + place.position.cross(force);
        Self { force, moment }
    }

    pub(super) fn add(&mut self, other: Self) {
        self.force += other.force;
        self.moment += other.moment;
    }
}

impl<'g> Mechanism<'g> {
    /// M v̇ + C v − τ_g.
    pub fn inverse_dynamics(&self, v: &[Expr<'g>], a: &[Expr<'g>]) -> Vec<Expr<'g>> {
        self.spread(&self.inverse_dynamics_in_lanes(v, a))
    }

    pub(super) fn inverse_dynamics_in_lanes(
        &self,
        v: &[Expr<'g>],
        a: &[Expr<'g>],
    ) -> Vec<Expr<'g>> {
        let mut force = self.project(self.inertial_wrenches(v, a, -self.gravity));
        for (dof, &armature) in self.armature.iter().enumerate() {
            force[dof] += armature * a[dof];
        }
        force
    }

    /// C v − τ_g.
    pub fn bias_force(&self) -> Vec<Expr<'g>> {
        self.spread(&self.bias_force_in_lanes())
    }

    pub(super) fn bias_force_in_lanes(&self) -> Vec<Expr<'g>> {
        self.inverse_dynamics_in_lanes(&self.state.v, &vec![self.graph.zero(); self.nv()])
    }

    /// What moves each body with the given accelerations of the joints and of the world.
    pub(super) fn inertial_wrenches(
        &self,
        v: &[Expr<'g>],
        a: &[Expr<'g>],
        base: Vector3<'g>,
    ) -> Vec<Wrench<'g>> {
        let accelerations = self.accelerations(v, a, base);
        let bodies = self.bodies.iter().zip(&accelerations);
        bodies.map(|(body, acceleration)| body.inertial_wrench(acceleration)).collect()
    }

    /// Sums the wrenches of the bodies inwards and projects them on the coordinates.
    pub(super) fn project(&self, wrenches: Vec<Wrench<'g>>) -> Vec<Expr<'g>> {
        let mut force = vec![self.graph.zero(); self.nv()];
        let sums = self.sum_inwards(wrenches);
        for (body, wrench) in self.bodies.iter().zip(&sums).rev() {
            for Column { dof, twist, .. } in &body.columns {
                force[*dof] += wrench.power(twist);
            }
        }
        force
    }

    /// The sum of the wrenches of all bodies about the world's origin, in world axes.
    pub(super) fn total(&self, wrenches: Vec<Wrench<'g>>) -> Wrench<'g> {
        let mut total = Wrench::zero(self.graph);
        for (body, wrench) in self.bodies.iter().zip(self.sum_inwards(wrenches)) {
            if body.parent.is_none() {
                total.add(wrench.inwards(body).gathered(body.repeats));
            }
        }
        total
    }

    /// The wrench on each body together with all that hangs on it.
    pub(super) fn sum_inwards(&self, mut wrenches: Vec<Wrench<'g>>) -> Vec<Wrench<'g>> {
        for (k, body) in self.bodies.iter().enumerate().rev() {
            if let Some(parent) = body.parent {
                let moved = wrenches[k].inwards(body);
                wrenches[parent].add(moved.gathered(body.repeats));
            }
        }
        wrenches
    }
}

impl<'g> Body<'g> {
    /// The wrench that accelerates the body so, about its origin.
    pub(super) fn inertial_wrench(&self, acceleration: &Acceleration<'g>) -> Wrench<'g> {
        let Acceleration { linear: a, field, .. } = *acceleration;
        let (m, h, second) = (self.moments.mass, self.moments.first, &self.moments.second);
        Wrench { force: a * m + field * h, moment: axial(&field, second) + h.cross(a) }
    }
}

/// The axial vector of U Σ for a symmetric Σ, written so that equal products of Σ meet.
fn axial<'g>(u: &Matrix3<'g>, s: &Matrix3<'g>) -> Vector3<'g> {
    let entry = |i: usize, j: usize, k: usize| {
        s[j][j] * u[k][j] - s[k][k] * u[j][k]
            + (s[i][j] * u[k][i] - s[i][k] * u[j][i])
            + s[j][k] * (u[k][k] - u[j][j])
    };
    Vector3([entry(0, 1, 2), entry(1, 2, 0), entry(2, 0, 1)])
}
