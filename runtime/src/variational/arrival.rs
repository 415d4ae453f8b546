//! The momentum at the end of a step.
//!
//! > pₙ₊₁ = D₂L_d(qₙ, qₙ₊₁) + H(qₙ₊₁)ᵀ λ + J(qₙ₊₁)ᵀ Λ,  ḣ(qₙ₊₁, vₙ₊₁) = 0,  0 ≤ Λₙ ⟂ J vₙ₊₁ + e J vₙ ≥ 0
//!
//! of what touches there, with pₙ₊₁ = M vₙ₊₁ and friction that dissipates most. The velocity that comes back is by
//! Newton's law the one that the contact closed with at the beginning of the step, if it did so and was pressed on.

use alloc::vec;
use alloc::vec::Vec;

use super::linear::Linear;
use super::motion::{Motion, Start};
use super::one_sided::{Acting, OneSided, TOUCHING};
use super::phase::Phase;
use crate::contact::Error;
use crate::model::Robot;
use crate::slices::{add, copy, dot, multiply, sqrt, zeros};

/// The momentum that a step arrives with and the impulses there.
#[derive(Clone, Debug)]
pub(super) struct Arrival {
    pub(super) phase: Phase,
    /// pₙ₊₁ and vₙ₊₁, in the axes of qₙ₊₁.
    pub(super) momentum: Vec<f64>,
    pub(super) velocity: Vec<f64>,
    /// −e J vₙ of each thing that acts: how fast it has to open at least, m/s or rad/s.
    rebound: Vec<f64>,
    /// ḣ or h_v of the bilateral rows at the end, (nc).
    pub(super) rates: Vec<f64>,
    missing: Vec<f64>,
    /// M v − p at the end, (nv).
    pub(super) imbalance: Vec<f64>,
    /// M at the end, (nv, nv).
    mass: Vec<f64>,
    /// p without what acts at the end; room for a force, and for another vector, (nv) each.
    arriving: Vec<f64>,
    force: Vec<f64>,
    room: Vec<f64>,
}

impl Arrival {
    pub(super) fn new(robot: Robot<'_>) -> Self {
        let nv = robot.nv;
        Self {
            phase: Phase::new(robot),
            momentum: vec![0.0; nv],
            velocity: vec![0.0; nv],
            rebound: Vec::new(),
            rates: Vec::new(),
            missing: Vec::new(),
            imbalance: Vec::new(),
            mass: vec![0.0; nv * nv],
            arriving: vec![0.0; nv],
            force: vec![0.0; nv],
            room: vec![0.0; nv],
        }
    }

    /// Solves for the momentum where a motion ends.
    ///
    /// # Errors
    ///
    /// [`Error::MassMatrix`] and [`Error::Cone`].
    pub(super) fn solve(
        &mut self,
        robot: Robot<'_>,
        start: &Start<'_>,
        motion: &Motion,
        (linear, one_sided): (&mut Linear, &mut OneSided),
    ) -> Result<(), Error> {
        let momentum = copy(&mut self.momentum, start.p);
        motion.phase.add_impulse(momentum);
        motion.chord.carry(robot.joints, start.q, momentum, &mut self.room);
        robot.mass_matrix_into(&motion.chord.end, &mut self.mass);
        self.divide(robot, &motion.chord.end);
        self.let_touching_act(robot, start, motion, one_sided);
        if self.phase.is_free() {
            self.write_imbalance();
            return Ok(());
        }
        self.phase.follow_rows();
        self.phase.hold(linear, &self.mass)?;
        let time = start.time + start.h;
        copy(&mut self.arriving, &self.momentum);
        // Rows of velocities need not be linear in these.
        for _ in 0..if robot.nc > 0 { 2 } else { 1 } {
            self.write_rates(robot, &motion.chord.end, time);
            self.missing.clear();
            self.missing.extend(self.rates.iter().map(|rate| -rate));
            let balanced = zeros(&mut self.room, robot.nv);
            self.phase.solve(linear, balanced, &self.missing)?;
            add(&mut self.velocity, 1.0, &linear.x);
            let momentum = copy(&mut self.momentum, &self.arriving);
            self.phase.add_impulse(momentum);
        }
        self.write_rates(robot, &motion.chord.end, time);
        self.write_imbalance();
        Ok(())
    }

    /// Lets act what touches, and says how it springs back.
    fn let_touching_act(
        &mut self,
        robot: Robot<'_>,
        start: &Start<'_>,
        motion: &Motion,
        one_sided: &mut OneSided,
    ) {
        let Self { phase, rebound, velocity, .. } = self;
        let end = &motion.chord.end;
        phase.begin(robot, (end, velocity), start.time + start.h);
        rebound.clear();
        if one_sided.is_empty() {
            return;
        }
        one_sided.linearise(robot, end);
        let mut touching = Vec::new();
        for (one, _, rows) in motion.phase.parts() {
            if let Acting::Servo(servo) = one {
                let at_end = servo.at_end(&motion.chord.middle.1, start.h);
                rebound.extend(at_end.map(|one| one.target()));
                touching.extend(at_end);
                continue;
            }
            let closing = motion.phase.velocity(rows.start, start.v);
            let hits = closing < 0.0 && motion.phase.impulses[rows.start] > 0.0;
            if one_sided.gap(one, end).is_none_or(|gap| gap <= TOUCHING) {
                touching.push(*one);
                rebound.push(if hits { -one_sided.restitution(one) * closing } else { 0.0 });
            }
        }
        phase.let_act(one_sided, touching.iter(), 0.5 * start.h);
    }

    /// The rates of the bilateral rows, and w = J v, less the rebound along normals and v* of servos, with σ Λ.
    fn write_rates(&mut self, robot: Robot<'_>, q: &[f64], time: f64) {
        let Self { phase, velocity, rebound, rates, .. } = self;
        let rates = zeros(rates, robot.nc);
        if robot.nc > 0 {
            robot.constraint_rate_into(q, velocity, time, rates);
        }
        let mut w = core::mem::take(&mut phase.w);
        w.clear();
        for ((_, _, rows), rebound) in phase.parts().zip(rebound) {
            let first = rows.start;
            w.extend(rows.map(|row| phase.velocity(row, velocity)));
            w[first] -= *rebound;
        }
        phase.add_softness(&mut w);
        phase.w = w;
    }

    /// Writes by how much M v is not p.
    fn write_imbalance(&mut self) {
        let imbalance = zeros(&mut self.imbalance, self.velocity.len());
        multiply(imbalance, &self.mass, &self.velocity);
        add(imbalance, -1.0, &self.momentum);
    }

    /// v = M⁻¹ p, by the forward dynamics that are generated: the acceleration of what is at rest under p, without gravity.
    fn divide(&mut self, robot: Robot<'_>, q: &[f64]) {
        let gravity = zeros(&mut self.room, robot.nv);
        robot.gravity_force_into(q, gravity);
        let force = copy(&mut self.force, &self.momentum);
        add(force, -1.0, gravity);
        let (rest, velocity) =
            (zeros(&mut self.room, robot.nv), zeros(&mut self.velocity, robot.nv));
        robot.forward_dynamics_into(q, rest, force, velocity);
    }

    /// Whether the cosine of the angle from `v` to the velocity at the end, `q`, is at least this, by M there.
    pub(super) fn goes_along(
        &mut self,
        robot: Robot<'_>,
        (q, v): (&[f64], &[f64]),
        least: f64,
    ) -> bool {
        let Self { mass, velocity: end, room, .. } = self;
        robot.mass_matrix_into(q, mass);
        let mut along = |x: &[f64], y: &[f64]| {
            let momentum = zeros(room, robot.nv);
            multiply(momentum, mass, x);
            dot(momentum, y)
        };
        along(v, end) >= least * sqrt(along(v, v) * along(end, end))
    }
}
