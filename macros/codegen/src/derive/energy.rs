//! Energies, centre of mass, momentum, and the force of gravity.
//!
//! > T = ½ Σ (u · p + ω · l),  U = −g · Σ (m x + R h),
//!
//! with the momentum p = m u + ω × h of each body and its angular momentum l = h × u + I ω about
//! the body's origin. First moments and momenta are summed inwards to the world.
//!
//! Gravity acts on the composite of all that hangs on a joint, of mass m_c and first moment h_c:
//! τ_g = S · (h_c × g, m_c g).

use crate::expr::{Expr, Vector3};

use super::mechanism::{Column, Mechanism};
use super::newton_euler::Wrench;

impl<'g> Mechanism<'g> {
    /// T.
    pub fn kinetic_energy(&self) -> Expr<'g> {
        let velocity = self.velocities();
        let mut twice = self.graph.zero();
        for (body, velocity) in self.bodies.iter().zip(&velocity) {
            twice += body.moments.momentum(velocity).power(velocity);
        }
        for (dof, armature) in self.armatures() {
            twice += armature * self.state.v[dof].squared();
        }
        0.5 * twice
    }

    /// U, zero for a mass at the world's origin.
    pub fn potential_energy(&self) -> Expr<'g> {
        -self.gravity.dot(self.world_moment().1)
    }

    /// Centre of mass in the world.
    pub fn center_of_mass(&self) -> Vector3<'g> {
        let (mass, first) = self.world_moment();
        first * (self.graph.one() / mass)
    }

    /// Linear momentum, then angular momentum about the world's origin, in world axes.
    pub fn momentum(&self) -> Vec<Expr<'g>> {
        let velocity = self.velocities();
        let momenta = self.bodies.iter().zip(&velocity);
        let total = self.total(momenta.map(|(body, v)| body.moments.momentum(v)).collect());
        total.force.0.into_iter().chain(total.moment.0).collect()
    }

    /// τ_g.
    pub fn gravity_force(&self) -> Vec<Expr<'g>> {
        let still = vec![self.graph.zero(); self.nv()];
        let acceleration = self.accelerations(&still, &still, self.gravity);
        let (mass, first) = self.composite_first();
        let mut force = still;
        for (k, body) in self.bodies.iter().enumerate() {
            let g = acceleration[k].linear;
            let wrench = Wrench { force: g * mass[k], moment: first[k].cross(g) };
            for Column { dof, twist, .. } in &body.columns {
                force[*dof] += wrench.power(twist);
            }
        }
        force
    }

    /// Mass and first moment, in the world, of the whole mechanism that moves.
    fn world_moment(&self) -> (Expr<'g>, Vector3<'g>) {
        let (mass, first) = self.composite_first();
        let mut total = (self.graph.zero(), Vector3::zero(self.graph));
        for (k, body) in self.bodies.iter().enumerate().filter(|(_, body)| body.parent.is_none()) {
            total.0 += mass[k];
            total.1 += body.rotation.times(first[k]) + body.position * mass[k];
        }
        total
    }

    /// Mass and first moment of each body together with all that hangs on it.
    fn composite_first(&self) -> (Vec<Expr<'g>>, Vec<Vector3<'g>>) {
        let mut mass: Vec<_> = self.bodies.iter().map(|body| body.moments.mass).collect();
        let mut first: Vec<_> = self.bodies.iter().map(|body| body.moments.first).collect();
        for (k, body) in self.bodies.iter().enumerate().rev() {
            if let Some(parent) = body.parent {
                let carried = mass[k];
                mass[parent] += carried;
                first[parent] += body.position * carried;
            }
        }
        for (k, body) in self.bodies.iter().enumerate().rev() {
            if let Some(parent) = body.parent {
                let turned = body.rotation.times(first[k]);
                first[parent] += turned;
            }
        }
        (mass, first)
    }
}
