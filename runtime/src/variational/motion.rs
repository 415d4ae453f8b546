//! The configuration at the end of a step.
//!
//! > pₙ + H(qₙ)ᵀ λ + J(qₙ)ᵀ Λ = −D₁L_d(qₙ, qₙ₊₁),  h(qₙ₊₁) = 0,  0 ≤ Λ ⟂ φ(qₙ₊₁) ≥ 0
//!
//! by Newton's method, with friction that dissipates most along the slip J(q(½)) ξ(½). Its matrix is that of
//! [`Chord`] where the step is expected to lead, without C − Cᵀ if something acts, so that errors shrink by the order of h²
//! or h each time. Where that is slow, as with springs that are stiff for the step, differences of momenta make the matrix.

use alloc::vec::Vec;

use super::chord::Chord;
use super::linear::Linear;
use super::one_sided::OneSided;
use super::phase::Phase;
use super::rule::Rule;
use crate::contact::Error;
use crate::description::Level;
use crate::manifold::chord;
use crate::model::Model;
use crate::slices::{add, largest, scale, zeros};
use crate::space::Storage;

/// Iterations after which a step is given up.
const LIMIT: usize = 40;
/// A share of the last change from which on Newton's matrix is made anew.
const SLOW: f64 = 0.05;
/// Of velocities, for differences: halfway between what rounds and what curves.
const DIFFERENCE: f64 = 1e-7;
/// A change of velocity, by the largest velocity, that is rounding if it shrinks no more.
const ROUNDING: f64 = 1e-9;

/// Where a step starts, and what acts in it.
#[derive(Debug)]
pub(super) struct Start<'a, M: Model> {
    /// Configuration, velocity, and momentum in the axes of the configuration.
    pub(super) q: &'a M::Q,
    pub(super) v: &'a M::V,
    pub(super) p: &'a M::V,
    /// t and h.
    pub(super) time: f64,
    pub(super) h: f64,
    /// B u.
    pub(super) input: &'a M::V,
    /// The share of what is violated at the start that the motion puts right.
    pub(super) recovery: f64,
}

/// The motion of a step and the impulses at its beginning.
#[derive(Clone, Debug)]
pub(super) struct Motion<M: Model> {
    pub(super) chord: Chord<M>,
    pub(super) phase: Phase<M>,
    /// What of the momentum at the beginning does not become motion, (nv).
    pub(super) missing: Vec<f64>,
    /// e: what the bilateral rows miss, (nc), in m/s or rad/s.
    pub(super) errors: Vec<f64>,
    /// h K, (nv, nv).
    matrix: Vec<f64>,
    coriolis: Vec<f64>,
    rates: Vec<f64>,
}

impl<M: Model> Motion<M> {
    pub(super) fn new(model: &M, rule: Rule) -> Self {
        Self {
            chord: Chord::new(rule),
            phase: Phase::new(model),
            missing: Vec::new(),
            errors: Vec::new(),
            matrix: Vec::new(),
            coriolis: Vec::new(),
            rates: Vec::new(),
        }
    }

    /// Solves for the end and the impulses. Returns the number of iterations; how good the end is, is to be judged.
    ///
    /// # Errors
    ///
    /// [`Error::Violated`] and [`Error::Gap`]; [`Error::MassMatrix`], [`Error::Bilateral`] and [`Error::Cone`] of an
    /// iteration.
    pub(super) fn solve(
        &mut self,
        model: &M,
        start: &Start<'_, M>,
        (linear, one_sided): (&mut Linear, &mut OneSided),
    ) -> Result<usize, Error> {
        self.phase.begin(model, (start.q, start.v), start.time);
        if let Some((constraint, error)) = self.phase.violated() {
            return Err(Error::Violated { constraint, error });
        }
        one_sided.begin(model, start.q, start.recovery);
        self.expect(model, start);
        let mut iterations = 0;
        loop {
            one_sided.linearise(model, start.q);
            self.phase.let_act(one_sided, one_sided.acting(), 0.5 * start.h);
            iterations += self.converge(model, start, (linear, one_sided))?;
            if one_sided.is_empty() || !one_sided.include_violated(model, &self.chord.end) {
                break;
            }
        }
        one_sided.unknown().map_or(Ok(iterations), |contact| Err(Error::Gap { contact }))
    }

    /// Lays the chord along v + ½ h v̇, where nothing but forces acts.
    fn expect(&mut self, model: &M, start: &Start<'_, M>) {
        let mut force = model.passive_force(start.q, start.v);
        add(force.as_mut_slice(), 1.0, start.input.as_slice());
        let v_dot = model.forward_dynamics(start.q, start.v, &force);
        let mut v = start.v.clone();
        add(v.as_mut_slice(), 0.5 * start.h, v_dot.as_slice());
        let from = (start.q.as_slice(), v.as_slice());
        chord::beginning(M::JOINTS, from, start.h, self.chord.d.as_mut_slice());
    }

    /// Iterates until velocities change no more.
    fn converge(
        &mut self,
        model: &M,
        start: &Start<'_, M>,
        (linear, one_sided): (&mut Linear, &mut OneSided),
    ) -> Result<usize, Error> {
        let mut last = f64::INFINITY;
        self.evaluate(model, start, one_sided);
        self.predict(start.h);
        self.factor(linear)?;
        for iteration in 1..=LIMIT {
            self.step(start.h, linear)?;
            self.evaluate(model, start, one_sided);
            let change = largest(&linear.x);
            let scale = largest(self.chord.middle.1.as_slice()).max(change).max(1.0);
            let rate = if last.is_finite() { change / last } else { 1.0 };
            let settled = change * rate.min(1.0) <= f64::EPSILON * scale;
            let stalled = rate > 0.5 && change <= ROUNDING * scale;
            if settled || stalled || !change.is_finite() {
                return Ok(iteration);
            }
            if rate > SLOW && last.is_finite() {
                self.measure(model, start);
                self.factor(linear)?;
            }
            last = change;
        }
        Ok(LIMIT)
    }

    /// Takes the matrix and the rows to the equations of Newton's steps.
    fn factor(&mut self, linear: &mut Linear) -> Result<(), Error> {
        if self.phase.is_free() {
            return linear.factor(M::NV, &self.matrix);
        }
        symmetrise(M::NV, &mut self.matrix);
        self.phase.hold(linear, &self.matrix)
    }

    /// One of Newton's steps.
    fn step(&mut self, h: f64, linear: &mut Linear) -> Result<(), Error> {
        let Self { chord, phase, missing, errors, .. } = self;
        scale(errors, -1.0);
        phase.solve(linear, missing, errors)?;
        let mut delta = M::V::zeros();
        add(delta.as_mut_slice(), h, &linear.x);
        let varied = (chord.end.as_slice(), delta.as_slice());
        chord::vary(M::JOINTS, varied, chord.d.as_mut_slice());
        Ok(())
    }

    /// Makes the matrix of M and C.
    fn predict(&mut self, h: f64) {
        let Self { chord, matrix, coriolis, .. } = self;
        let (matrix, coriolis) = (zeros(matrix, M::NV * M::NV), zeros(coriolis, M::NV * M::NV));
        chord.means(matrix, coriolis);
        for i in 0..M::NV {
            for j in 0..M::NV {
                let skew = coriolis[j * M::NV + i] - coriolis[i * M::NV + j];
                matrix[j * M::NV + i] += 0.5 * h * skew;
            }
        }
    }

    /// Makes the matrix of differences of the momentum that the chord departs with.
    fn measure(&mut self, model: &M, start: &Start<'_, M>) {
        let Start { q, h, input, .. } = *start;
        let Self { chord, matrix, .. } = self;
        let (here, departure) = (chord.d.clone(), chord.departure.clone());
        let end = chord.end.clone();
        let size = DIFFERENCE * largest(chord.middle.1.as_slice()).max(1.0);
        matrix.clear();
        for j in 0..M::NV {
            let mut delta = M::V::zeros();
            delta[j] = h * size;
            chord.d.clone_from(&here);
            chord::vary(M::JOINTS, (end.as_slice(), delta.as_slice()), chord.d.as_mut_slice());
            chord.evaluate(model, q, input, h);
            let both = chord.departure.as_slice().iter().zip(departure.as_slice());
            matrix.extend(both.map(|(moved, still)| (moved - still) / size));
        }
        chord.d.clone_from(&here);
        chord.evaluate(model, q, input, h);
    }

    /// Evaluates the chord and what is missing.
    fn evaluate(&mut self, model: &M, start: &Start<'_, M>, one_sided: &mut OneSided) {
        self.chord.evaluate(model, start.q, start.input, start.h);
        self.missing.clear();
        self.missing.extend_from_slice(start.p.as_slice());
        self.phase.add_impulse(&mut self.missing);
        add(&mut self.missing, -1.0, self.chord.departure.as_slice());
        self.write_errors(model, (start.time, start.h));
        self.write_gaps(model, start.h, one_sided);
    }

    /// e = h(q₁, t₁) / h of rows of positions, h_v(q(½), ξ(½), t(½)) of those of velocities.
    fn write_errors(&mut self, model: &M, (time, h): (f64, f64)) {
        let Self { chord, errors, rates, .. } = self;
        let (errors, rates) = (zeros(errors, M::NC), zeros(rates, M::NC));
        if M::NC == 0 {
            return;
        }
        model.constraint_into(&chord.end, time + h, errors);
        model.constraint_rate_into(&chord.middle.0, &chord.middle.1, time + 0.5 * h, rates);
        let levels = M::CONSTRAINTS.iter().flat_map(|constraint| constraint.levels);
        for ((level, error), rate) in levels.zip(errors).zip(rates) {
            *error = if *level == Level::Position { *error / h } else { *rate };
        }
    }

    /// w: (φ(q₁) − floor) / h, and the slip of contacts and dry friction.
    fn write_gaps(&mut self, model: &M, h: f64, one_sided: &mut OneSided) {
        let Self { chord, phase, .. } = self;
        if one_sided.is_empty() {
            return;
        }
        one_sided.measure(model, &chord.end);
        one_sided.linearise(model, &chord.middle.0);
        let mut w = core::mem::take(&mut phase.w);
        w.clear();
        for (one, _, rows) in phase.parts() {
            one_sided.push_velocity(one, chord.middle.1.as_slice(), &mut w);
            if let Some(room) = one_sided.room(one, chord.end.as_slice()) {
                w[rows.start] = room / h;
            }
        }
        phase.w = w;
    }
}

/// Takes the mean of a matrix, (n, n), and its transposed one.
fn symmetrise(n: usize, matrix: &mut [f64]) {
    for i in 0..n {
        for j in 0..i {
            let mean = 0.5 * (matrix[j * n + i] + matrix[i * n + j]);
            (matrix[j * n + i], matrix[i * n + j]) = (mean, mean);
        }
    }
}
