//! The momentum at the end of a step.
//!
//! > pₙ₊₁ = D₂L_d(qₙ, qₙ₊₁) + H(qₙ₊₁)ᵀ λ + J(qₙ₊₁)ᵀ Λ,  ḣ(qₙ₊₁, vₙ₊₁) = 0,  0 ≤ Λₙ ⟂ J vₙ₊₁ + e J vₙ ≥ 0
//!
//! of what touches there, with pₙ₊₁ = M vₙ₊₁ and friction that dissipates most. The velocity that comes back is by
//! Newton's law the one that the contact closed with at the beginning of the step, if it did so and was pressed on.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::linear::Linear;
use super::motion::{Motion, Start};
use super::one_sided::{Acting, OneSided, TOUCHING};
use super::phase::Phase;
use crate::contact::Error;
use crate::model::Model;
use crate::slices::{add, multiply, zeros};
use crate::space::Storage;

/// The momentum that a step arrives with and the impulses there.
#[derive(Clone, Debug)]
pub(super) struct Arrival<M: Model> {
    pub(super) phase: Phase<M>,
    /// pₙ₊₁ and vₙ₊₁, in the axes of qₙ₊₁.
    pub(super) momentum: M::V,
    pub(super) velocity: M::V,
    /// −e J vₙ of each thing that acts: how fast it has to open at least, m/s or rad/s.
    rebound: Vec<f64>,
    /// ḣ or h_v of the bilateral rows at the end, (nc).
    pub(super) rates: Vec<f64>,
    missing: Vec<f64>,
    /// M v − p at the end, (nv).
    pub(super) imbalance: Vec<f64>,
    mass: Box<M::Mass>,
}

impl<M: Model> Arrival<M> {
    pub(super) fn new(model: &M) -> Self {
        Self {
            phase: Phase::new(model),
            momentum: M::V::zeros(),
            velocity: M::V::zeros(),
            rebound: Vec::new(),
            rates: Vec::new(),
            missing: Vec::new(),
            imbalance: Vec::new(),
            mass: Box::new(M::Mass::zeros()),
        }
    }

    /// Solves for the momentum where a motion ends.
    ///
    /// # Errors
    ///
    /// [`Error::MassMatrix`] and [`Error::Cone`].
    pub(super) fn solve(
        &mut self,
        model: &M,
        start: &Start<'_, M>,
        motion: &Motion<M>,
        (linear, one_sided): (&mut Linear, &mut OneSided),
    ) -> Result<(), Error> {
        self.momentum.clone_from(start.p);
        motion.phase.add_impulse(self.momentum.as_mut_slice());
        motion.chord.carry(start.q, &mut self.momentum);
        model.mass_matrix_into(&motion.chord.end, &mut self.mass);
        self.velocity = divided(model, &motion.chord.end, &self.momentum);
        self.let_touching_act(model, start, motion, one_sided);
        if self.phase.is_free() {
            self.write_imbalance();
            return Ok(());
        }
        self.phase.follow_rows();
        self.phase.hold(linear, self.mass.as_slice())?;
        let (arriving, time) = (self.momentum.clone(), start.time + start.h);
        // Rows of velocities need not be linear in these.
        for _ in 0..if M::NC > 0 { 2 } else { 1 } {
            self.write_rates(model, &motion.chord.end, time);
            self.missing.clear();
            self.missing.extend(self.rates.iter().map(|rate| -rate));
            let balanced = M::V::zeros();
            self.phase.solve(linear, balanced.as_slice(), &self.missing)?;
            add(self.velocity.as_mut_slice(), 1.0, &linear.x);
            self.momentum.clone_from(&arriving);
            self.phase.add_impulse(self.momentum.as_mut_slice());
        }
        self.write_rates(model, &motion.chord.end, time);
        self.write_imbalance();
        Ok(())
    }

    /// Lets act what touches, and says how it springs back.
    fn let_touching_act(
        &mut self,
        model: &M,
        start: &Start<'_, M>,
        motion: &Motion<M>,
        one_sided: &mut OneSided,
    ) {
        let Self { phase, rebound, velocity, .. } = self;
        let end = &motion.chord.end;
        phase.begin(model, (end, velocity), start.time + start.h);
        rebound.clear();
        if one_sided.is_empty() {
            return;
        }
        one_sided.linearise(model, end);
        let mut touching = Vec::new();
        for (one, _, rows) in motion.phase.parts() {
            if let Acting::Servo(servo) = one {
                let at_end = servo.at_end(motion.chord.middle.1.as_slice(), start.h);
                rebound.extend(at_end.map(|one| one.target()));
                touching.extend(at_end);
                continue;
            }
            let closing = motion.phase.velocity(rows.start, start.v.as_slice());
            let hits = closing < 0.0 && motion.phase.impulses[rows.start] > 0.0;
            if one_sided.gap(one, end.as_slice()).is_none_or(|gap| gap <= TOUCHING) {
                touching.push(*one);
                rebound.push(if hits { -one_sided.restitution(one) * closing } else { 0.0 });
            }
        }
        phase.let_act(one_sided, touching.iter(), 0.5 * start.h);
    }

    /// The rates of the bilateral rows, and w = J v, less the rebound along normals and v* of servos, with σ Λ.
    fn write_rates(&mut self, model: &M, q: &M::Q, time: f64) {
        let Self { phase, velocity, rebound, rates, .. } = self;
        let rates = zeros(rates, M::NC);
        if M::NC > 0 {
            model.constraint_rate_into(q, velocity, time, rates);
        }
        let mut w = core::mem::take(&mut phase.w);
        w.clear();
        for ((_, _, rows), rebound) in phase.parts().zip(rebound) {
            let first = rows.start;
            w.extend(rows.map(|row| phase.velocity(row, velocity.as_slice())));
            w[first] -= *rebound;
        }
        phase.add_softness(&mut w);
        phase.w = w;
    }

    /// Writes by how much M v is not p.
    fn write_imbalance(&mut self) {
        let imbalance = zeros(&mut self.imbalance, M::NV);
        multiply(imbalance, self.mass.as_slice(), self.velocity.as_slice());
        add(imbalance, -1.0, self.momentum.as_slice());
    }
}

/// M⁻¹ p, by the forward dynamics that are generated: the acceleration of what is at rest under p, without gravity.
fn divided<M: Model>(model: &M, q: &M::Q, p: &M::V) -> M::V {
    let mut force = p.clone();
    add(force.as_mut_slice(), -1.0, model.gravity_force(q).as_slice());
    model.forward_dynamics(q, &M::V::zeros(), &force)
}
