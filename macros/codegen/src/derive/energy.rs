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

use super::inertia::Moments;
use super::mechanism::{Column, Mechanism};
use super::newton_euler::Wrench;

impl<'g> Mechanism<'g> {
    /// T.
    pub fn kinetic_energy(&self) -> Expr<'g> {
        let velocity = self.velocities();
        let mut twice = self.graph.zero();
        for (body, velocity) in self.bodies.iter().zip(&velocity) {
            twice += body.moments.momentum(velocity).power(velocity).gathered(body.lanes);
        }
        for (dof, &armature) in self.armature.iter().enumerate() {
            let twice_of_rotor = armature * self.state.v[dof].squared();
            twice += twice_of_rotor.gathered(self.lanes[dof].len());
        }
        0.5 * twice
    }

    /// U, zero for a mass at the world's origin.
    pub fn potential_energy(&self) -> Expr<'g> {
        -self.gravity.dot(self.world_moment().1)
    }

    /// Mass of all that moves.
    pub fn total_mass(&self) -> Expr<'g> {
        self.world_moment().0
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

    /// p = M v, then ∂T/∂q at fixed v. With the momentum l of all that hangs on a column S, p = S · l, and so
    /// ṗ = Ṡ · l + S · l̇. Forces make the second part; the first one is ∂T/∂q.
    pub fn generalized_momentum(&self) -> Vec<Expr<'g>> {
        let velocity = self.velocities();
        let momenta = self.bodies.iter().zip(&velocity);
        let sums = self.sum_inwards(momenta.map(|(body, v)| body.moments.momentum(v)).collect());
        let still = vec![self.graph.zero(); self.nv()];
        let (mut momentum, mut rate) = (still.clone(), still);
        for ((body, rates), sum) in self.bodies.iter().zip(&self.column_rates()).zip(&sums) {
            for (column, change) in body.columns.iter().zip(rates) {
                momentum[column.dof] += sum.power(&column.twist);
                rate[column.dof] += sum.power(change);
            }
        }
        for (dof, &armature) in self.armature.iter().enumerate() {
            momentum[dof] += armature * self.state.v[dof];
        }
        [self.spread(&momentum), self.spread(&rate)].concat()
    }

    /// τ_g.
    pub fn gravity_force(&self) -> Vec<Expr<'g>> {
        let still = vec![self.graph.zero(); self.nv()];
        let acceleration = self.accelerations(&still, &still, self.gravity);
        let mut force = still;
        for ((body, composite), acceleration) in
            self.bodies.iter().zip(self.first_composites()).zip(acceleration)
        {
            let g = acceleration.linear;
            let wrench = Wrench { force: g * composite.mass, moment: composite.first.cross(g) };
            for Column { dof, twist, .. } in &body.columns {
                force[*dof] += wrench.power(twist);
            }
        }
        self.spread(&force)
    }

    /// Mass and first moment, in the world, of the whole mechanism that moves.
    fn world_moment(&self) -> (Expr<'g>, Vector3<'g>) {
        let composites = self.first_composites();
        let mut total = Moments::zero(self.graph);
        for (body, composite) in self.bodies.iter().zip(composites) {
            if body.parent.is_none() {
                let first = body.rotation.times(composite.first) + body.position * composite.mass;
                let moved = Moments { mass: composite.mass, first, ..Moments::zero(self.graph) };
                total.add(moved.gathered(body.repeats));
            }
        }
        (total.mass, total.first)
    }

    /// Mass and first moment of each body together with all that hangs on it.
    fn first_composites(&self) -> Vec<Moments<'g>> {
        let zero = Moments::zero(self.graph);
        let own = self.bodies.iter().map(|body| Moments { second: zero.second, ..body.moments });
        let mut sum: Vec<_> = own.collect();
        for (k, body) in self.bodies.iter().enumerate().rev() {
            if let Some(parent) = body.parent {
                let (mass, first) = (sum[k].mass, body.position * sum[k].mass);
                sum[parent].add(Moments { mass, first, ..zero }.gathered(body.repeats));
            }
        }
        for (k, body) in self.bodies.iter().enumerate().rev() {
            if let Some(parent) = body.parent {
                let first = body.rotation.times(sum[k].first);
                sum[parent].add(Moments { first, ..zero }.gathered(body.repeats));
            }
        }
        sum
    }
}
