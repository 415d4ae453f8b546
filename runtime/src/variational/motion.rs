//! The configuration at the end of a step.
//!
//! > pₙ + H(qₙ)ᵀ λ + J(qₙ)ᵀ Λ = −D₁L_d(qₙ, qₙ₊₁),  h(qₙ₊₁) = 0,  0 ≤ Λ ⟂ φ(qₙ₊₁) ≥ 0
//!
//! by Newton's method, with friction that dissipates most along the slip J(q(½)) ξ(½). Its matrix is that of
//! [`Chord`] where the step is expected to lead, and its rows those of the places where errors, gaps and slips are taken, so
//! that errors shrink by the order of h² each time. Where that is slow, as for what turns far in a step and for springs that
//! are stiff for it, differences of all of them make Newton's matrix, and errors are squared each time.

use alloc::vec::Vec;

use super::chord::Chord;
use super::linear::Linear;
use super::one_sided::OneSided;
use super::phase::Phase;
use super::rule::Rule;
use crate::contact::Error;
use crate::description::Level;
use crate::manifold::{chord, fastest_turn, integrate};
use crate::model::Model;
use crate::slices::{add, largest, scale, zeros};
use crate::space::Storage;

/// Iterations after which a step is given up.
const LIMIT: usize = 40;
/// Newton's matrix is made anew where more iterations than this would follow as changes shrink.
const SOON: i32 = 3;
/// How far something turns in a step, in rad, for Newton's matrix to be made of differences at once.
const FAR: f64 = 0.1;
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

impl<M: Model> Start<'_, M> {
    /// v̇ where nothing but forces acts.
    pub(super) fn acceleration(&self, model: &M) -> M::V {
        let mut force = model.passive_force(self.q, self.v);
        add(force.as_mut_slice(), 1.0, self.input.as_slice());
        model.forward_dynamics(self.q, self.v, &force)
    }
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
    /// v + ½ h v̇ where nothing but forces acts.
    pub(super) free: M::V,
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
            free: M::V::zeros(),
            matrix: Vec::new(),
            coriolis: Vec::new(),
            rates: Vec::new(),
        }
    }

    /// Evaluates the bilateral rows at the start.
    ///
    /// # Errors
    ///
    /// [`Error::Violated`].
    pub(super) fn begin(&mut self, model: &M, start: &Start<'_, M>) -> Result<(), Error> {
        self.phase.begin(model, (start.q, start.v), start.time);
        let violated = self.phase.violated();
        violated.map_or(Ok(()), |(constraint, error)| Err(Error::Violated { constraint, error }))
    }

    /// Evaluates the bilateral rows half a step ahead instead: where those of the start lose rank, what begins to move along a
    /// branch is held by what holds there.
    pub(super) fn begin_ahead(&mut self, model: &M, start: &Start<'_, M>) {
        let Start { q, v, time, h, .. } = *start;
        let mut ahead = q.clone();
        integrate(M::JOINTS, v.as_slice(), 0.5 * h, ahead.as_mut_slice());
        self.phase.begin_ahead(model, q, (&ahead, v), time + 0.5 * h);
    }

    /// Solves for the end and the impulses after a beginning. Returns the number of iterations; how good the end is, is to be
    /// judged.
    ///
    /// # Errors
    ///
    /// [`Error::Gap`]; [`Error::MassMatrix`] and [`Error::Cone`] of an iteration.
    pub(super) fn solve(
        &mut self,
        model: &M,
        start: &Start<'_, M>,
        (linear, one_sided): (&mut Linear, &mut OneSided),
    ) -> Result<usize, Error> {
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
        let v_dot = start.acceleration(model);
        self.free.clone_from(start.v);
        add(self.free.as_mut_slice(), 0.5 * start.h, v_dot.as_slice());
        let from = (start.q.as_slice(), self.free.as_slice());
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
        let turn = start.h * fastest_turn(M::JOINTS, self.chord.middle.1.as_slice());
        let mut is_exact = turn > FAR;
        if is_exact {
            self.measure(model, start, one_sided);
        } else {
            self.predict(model, start, one_sided);
        }
        self.phase.hold(linear, &self.matrix)?;
        for iteration in 1..=LIMIT {
            self.step(start.h, linear)?;
            self.evaluate(model, start, one_sided);
            let change = largest(&linear.x);
            let scale = largest(self.chord.middle.1.as_slice()).max(change).max(1.0);
            let rate = if last.is_finite() { change / last } else { 1.0 };
            let shrinks = if is_exact { (rate * rate).max(DIFFERENCE) } else { rate };
            let settled = change * shrinks.min(1.0) <= f64::EPSILON * scale;
            let stalled = rate > 0.5 && change <= ROUNDING * scale;
            if settled || stalled || !change.is_finite() {
                return Ok(iteration);
            }
            let soon = (0..SOON).fold(change, |change, _| change * rate);
            if soon > f64::EPSILON * scale && last.is_finite() {
                self.measure(model, start, one_sided);
                self.phase.hold(linear, &self.matrix)?;
                is_exact = true;
            }
            last = change;
        }
        Ok(LIMIT)
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

    /// Makes the matrix of M and C, and slopes of the rows at the places where errors and gaps are taken.
    fn predict(&mut self, model: &M, start: &Start<'_, M>, one_sided: &mut OneSided) {
        let Self { chord, phase, matrix, coriolis, .. } = self;
        let (matrix, coriolis) = (zeros(matrix, M::NV * M::NV), zeros(coriolis, M::NV * M::NV));
        chord.means(matrix, coriolis);
        for i in 0..M::NV {
            for j in 0..M::NV {
                let skew = coriolis[j * M::NV + i] - coriolis[i * M::NV + j];
                matrix[j * M::NV + i] += 0.5 * start.h * skew;
            }
        }
        let (middle, end) = (&chord.middle, &chord.end);
        phase.follow_chord(model, one_sided, (middle, end), (start.time, start.h));
    }

    /// Makes the matrix, and slopes of errors and gaps, of differences.
    fn measure(&mut self, model: &M, start: &Start<'_, M>, one_sided: &mut OneSided) {
        let here = (self.chord.d.clone(), self.chord.end.clone(), self.chord.departure.clone());
        let (d, end, departure) = &here;
        let (errors, w) = (self.errors.clone(), self.phase.w.clone());
        let size = DIFFERENCE * largest(self.chord.middle.1.as_slice()).max(1.0);
        let slope = |(moved, still): (&f64, &f64)| (moved - still) / size;
        self.matrix.clear();
        self.phase.error_slopes.clear();
        let mut slopes = core::mem::take(&mut self.phase.slopes);
        zeros(&mut slopes, w.len() * M::NV);
        for j in 0..M::NV {
            let mut delta = M::V::zeros();
            delta[j] = start.h * size;
            self.chord.d.clone_from(d);
            let varied = (end.as_slice(), delta.as_slice());
            chord::vary(M::JOINTS, varied, self.chord.d.as_mut_slice());
            self.evaluate(model, start, one_sided);
            let Self { chord, phase, matrix, errors: moved, .. } = self;
            let both = chord.departure.as_slice().iter().zip(departure.as_slice());
            matrix.extend(both.map(slope));
            phase.error_slopes.extend(moved.iter().zip(&errors).map(slope));
            let of_gaps = phase.w.iter().zip(&w).map(slope).enumerate();
            of_gaps.for_each(|(row, slope)| slopes[row * M::NV + j] = slope);
        }
        self.phase.slopes = slopes;
        self.chord.d.clone_from(d);
        self.evaluate(model, start, one_sided);
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

    /// w: (φ(q₁) − floor) / h, and the slip of contacts, dry friction and servos.
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
        phase.add_softness(&mut w);
        phase.w = w;
    }
}
