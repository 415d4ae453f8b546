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

use crate::expr::{Expr, Matrix3, Vector3};

use super::kinematics::Acceleration;
use super::mechanism::{Body, Column, Mechanism};

/// Force, and moment about the origin of a body, in its axes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wrench<'g> {
    pub(super) force: Vector3<'g>,
    pub(super) moment: Vector3<'g>,
}

impl<'g> Wrench<'g> {
    /// The power of this wrench in a motion.
    pub(super) fn power(&self, twist: &crate::joint::Twist<'g>) -> Expr<'g> {
        self.moment.dot(twist.angular) + self.force.dot(twist.linear)
    }

    /// The same wrench about the origin and in the axes of the body's parent.
    pub(super) fn inwards(&self, body: &Body<'g>) -> Self {
        let force = body.rotation.times(self.force);
        let moment = body.rotation.times(self.moment) + body.position.cross(force);
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
        let acceleration = self.accelerations(v, a, -self.gravity);
        let wrenches = self.bodies.iter().zip(&acceleration);
        let wrenches = wrenches.map(|(body, acceleration)| body.inertial_wrench(acceleration));
        let mut force = self.project(wrenches.collect());
        for (dof, armature) in self.armatures() {
            force[dof] += armature * a[dof];
        }
        force
    }

    /// C v − τ_g.
    pub fn bias_force(&self) -> Vec<Expr<'g>> {
        self.inverse_dynamics(&self.state.v, &vec![self.graph.zero(); self.nv()])
    }

    /// Sums the wrenches of the bodies inwards and projects them on the coordinates.
    pub(super) fn project(&self, mut wrenches: Vec<Wrench<'g>>) -> Vec<Expr<'g>> {
        let mut force = vec![self.graph.zero(); self.nv()];
        for (k, body) in self.bodies.iter().enumerate().rev() {
            let wrench = wrenches[k];
            for Column { dof, twist, .. } in &body.columns {
                force[*dof] += wrench.power(twist);
            }
            if let Some(parent) = body.parent {
                wrenches[parent].add(wrench.inwards(body));
            }
        }
        force
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
