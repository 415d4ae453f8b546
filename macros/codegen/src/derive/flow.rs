//! The velocity-dependent force of a body as a matrix B, linear in its velocity.
//!
//! B v = v ×* I v and B + Bᵀ = İ. With the moment N = ∫ ṙ rᵀ dm and the momentum p = ∫ ṙ dm,
//!
//! > N = [ω]× Σ + u hᵀ,  B (e, s) = (tr(N) e − N e,  e × p),  Bᵀ (e, s) = (tr(N) e − Nᵀ e + p × s, 0).
//!
//! N and p add over bodies and move as moments do: N' = R N Rᵀ + (R p) rᵀ.
//!
//! Source: B is ½ [(v ×*) I − I (v ×) + (I v) ×̄*] of Echeandia and Wensing, Numerical Methods to
//! Compute the Coriolis Matrix and Christoffel Symbols for Rigid-Body Systems (2021), written out on
//! the moments.

use crate::expr::{Expr, Matrix3, Vector3};
use crate::joint::Twist;

use super::inertia::Moments;
use super::mechanism::{Body, Mechanism};
use super::newton_euler::Wrench;

/// N and p of a body.
#[derive(Clone, Copy)]
pub(super) struct Flow<'g> {
    moment: Matrix3<'g>,
    momentum: Vector3<'g>,
}

impl<'g> Flow<'g> {
    /// Of one body that moves with `v`.
    fn of(moments: &Moments<'g>, v: &Twist<'g>) -> Self {
        Self {
            moment: v.angular.skew() * moments.second + v.linear.outer(moments.first),
            momentum: v.linear * moments.mass + v.angular.cross(moments.first),
        }
    }

    /// B S.
    pub(super) fn times(&self, twist: &Twist<'g>) -> Wrench<'g> {
        let (n, e) = (&self.moment, twist.angular);
        Wrench { moment: e * n.trace() - *n * e, force: e.cross(self.momentum) }
    }

    /// Bᵀ S, whose force is zero.
    pub(super) fn transposed_times(&self, twist: &Twist<'g>) -> Wrench<'g> {
        let (n, e) = (&self.moment, twist.angular);
        let moment = e * n.trace() - n.transpose() * e + self.momentum.cross(twist.linear);
        Wrench { moment, force: Vector3::zero(n[0][0].graph()) }
    }

    /// The same about the origin and in the axes of the body's parent.
    fn inwards(&self, body: &Body<'g>) -> Self {
        let momentum = body.rotation.times(self.momentum);
        let turned = body.rotation.conjugate(self.moment);
        Self { moment: turned + momentum.outer(body.position), momentum }
    }

    /// The sum of so many lanes.
    fn gathered(&self, lanes: usize) -> Self {
        Self { moment: self.moment.gathered(lanes), momentum: self.momentum.gathered(lanes) }
    }

    fn add(&mut self, other: Self) {
        self.moment += other.moment;
        self.momentum += other.momentum;
    }
}

impl<'g> Mechanism<'g> {
    /// `factor` times N and p of each body together with all that hangs on it. The factor is put to
    /// the constant moments, where it costs nothing.
    pub(super) fn flows(&self, factor: Expr<'g>) -> Vec<Flow<'g>> {
        let velocities = self.velocities();
        let of = |(body, v): (&Body<'g>, _)| Flow::of(&body.moments.scaled(factor), v);
        let mut flows: Vec<_> = self.bodies.iter().zip(&velocities).map(of).collect();
        for (k, body) in self.bodies.iter().enumerate().rev() {
            if let Some(parent) = body.parent {
                let moved = flows[k].inwards(body);
                flows[parent].add(moved.gathered(body.repeats));
            }
        }
        flows
    }
}
