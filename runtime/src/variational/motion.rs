//! The configuration at the end of a step.
//!
//! > pₙ + H(qₙ)ᵀ λ + J(qₙ)ᵀ Λ = −D₁L_d(qₙ, qₙ₊₁),  h(qₙ₊₁) = 0,  0 ≤ Λ ⟂ φ(qₙ₊₁) ≥ 0
//!
//! by Newton's method, with friction that dissipates most along the slip J(q(½)) ξ(½). Its matrix is that of
//! [`Chord`] where the step is expected to lead, and its rows those of the places where errors, gaps and slips are taken, so
//! that errors shrink by the order of h² each time. Where that is slow, as for what turns far in a step and for springs that
//! are stiff for it, differences of all of them make Newton's matrix, and errors are squared each time.

use alloc::vec;
use alloc::vec::Vec;

use super::chord::Chord;
use super::linear::Linear;
use super::one_sided::OneSided;
use super::phase::Phase;
use super::rule::Rule;
use crate::contact::Error;
use crate::description::Level;
use crate::manifold::{chord, fastest_turn, integrate};
use crate::model::{Discrete, Robot};
use crate::slices::{add, copy, largest, scale, zeros};

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
#[derive(Clone, Copy, Debug)]
pub(super) struct Start<'a> {
    /// Configuration, velocity, and momentum in the axes of the configuration.
    pub(super) q: &'a [f64],
    pub(super) v: &'a [f64],
    pub(super) p: &'a [f64],
    /// t and h.
    pub(super) time: f64,
    pub(super) h: f64,
    /// B u.
    pub(super) input: &'a [f64],
    /// The share of what is violated at the start that the motion puts right.
    pub(super) recovery: f64,
}

/// The motion of a step and the impulses at its beginning.
#[derive(Clone, Debug)]
pub(super) struct Motion {
    pub(super) chord: Chord,
    pub(super) phase: Phase,
    /// What of the momentum at the beginning does not become motion, (nv).
    pub(super) missing: Vec<f64>,
    /// e: what the bilateral rows miss, (nc), in m/s or rad/s.
    pub(super) errors: Vec<f64>,
    /// v̇ at the start where nothing but forces acts, and v + ½ h v̇.
    pub(super) acceleration: Vec<f64>,
    pub(super) free: Vec<f64>,
    /// h K, (nv, nv).
    matrix: Vec<f64>,
    coriolis: Vec<f64>,
    rates: Vec<f64>,
    /// Room for a force and for the change of an end, (nv) each, and for what is measured about.
    force: Vec<f64>,
    delta: Vec<f64>,
    still: Still,
}

/// Where slopes are measured: d, q₁, −D₁L_d, e, and w.
#[derive(Clone, Debug, Default)]
struct Still {
    d: Vec<f64>,
    end: Vec<f64>,
    departure: Vec<f64>,
    errors: Vec<f64>,
    w: Vec<f64>,
}

impl Motion {
    pub(super) fn new(robot: Robot<'_>, discrete: &'static Discrete, rule: Rule) -> Self {
        Self {
            chord: Chord::new(&robot, discrete, rule),
            phase: Phase::new(robot),
            missing: Vec::new(),
            errors: Vec::new(),
            acceleration: vec![0.0; robot.nv],
            free: vec![0.0; robot.nv],
            matrix: Vec::new(),
            coriolis: Vec::new(),
            rates: Vec::new(),
            force: vec![0.0; robot.nv],
            delta: vec![0.0; robot.nv],
            still: Still::default(),
        }
    }

    /// Evaluates the bilateral rows at the start.
    ///
    /// # Errors
    ///
    /// [`Error::Violated`].
    pub(super) fn begin(&mut self, robot: Robot<'_>, start: &Start<'_>) -> Result<(), Error> {
        self.phase.begin(robot, (start.q, start.v), start.time);
        let violated = self.phase.violated();
        violated.map_or(Ok(()), |(constraint, error)| Err(Error::Violated { constraint, error }))
    }

    /// Evaluates the bilateral rows half a step ahead instead: where those of the start lose rank, what begins to move along a
    /// branch is held by what holds there.
    pub(super) fn begin_ahead(&mut self, robot: Robot<'_>, start: &Start<'_>) {
        let Start { q, v, time, h, .. } = *start;
        let mut ahead = q.to_vec();
        integrate(robot.joints, v, 0.5 * h, &mut ahead);
        self.phase.begin_ahead(robot, q, (&ahead, v), time + 0.5 * h);
    }

    /// Solves for the end and the impulses after a beginning. Returns the number of iterations; how good the end is, is to be
    /// judged.
    ///
    /// # Errors
    ///
    /// [`Error::Gap`]; [`Error::MassMatrix`] and [`Error::Cone`] of an iteration.
    pub(super) fn solve(
        &mut self,
        robot: Robot<'_>,
        start: &Start<'_>,
        (linear, one_sided): (&mut Linear, &mut OneSided),
    ) -> Result<usize, Error> {
        one_sided.begin(robot, start.q, start.recovery);
        self.expect(robot, start);
        let mut iterations = 0;
        loop {
            one_sided.linearise(robot, start.q);
            self.phase.let_act(one_sided, one_sided.acting(), 0.5 * start.h);
            iterations += self.converge(robot, start, (linear, one_sided))?;
            if one_sided.is_empty() || !one_sided.include_violated(robot, &self.chord.end) {
                break;
            }
        }
        one_sided.unknown().map_or(Ok(iterations), |contact| Err(Error::Gap { contact }))
    }

    /// Finds v̇ at the start where nothing but forces acts.
    pub(super) fn accelerate(&mut self, robot: Robot<'_>, start: &Start<'_>) {
        let force = zeros(&mut self.force, robot.nv);
        robot.passive_force_into(start.q, start.v, force);
        add(force, 1.0, start.input);
        let v_dot = zeros(&mut self.acceleration, robot.nv);
        robot.forward_dynamics_into(start.q, start.v, force, v_dot);
    }

    /// Lays the chord along v + ½ h v̇, where nothing but forces acts.
    fn expect(&mut self, robot: Robot<'_>, start: &Start<'_>) {
        self.accelerate(robot, start);
        let free = copy(&mut self.free, start.v);
        add(free, 0.5 * start.h, &self.acceleration);
        chord::beginning(robot.joints, (start.q, free), start.h, &mut self.chord.d);
    }

    /// Iterates until velocities change no more.
    fn converge(
        &mut self,
        robot: Robot<'_>,
        start: &Start<'_>,
        (linear, one_sided): (&mut Linear, &mut OneSided),
    ) -> Result<usize, Error> {
        let mut last = f64::INFINITY;
        self.evaluate(robot, start, one_sided);
        let turn = start.h * fastest_turn(robot.joints, &self.chord.middle.1);
        let mut is_exact = turn > FAR;
        if is_exact {
            self.measure(robot, start, one_sided);
        } else {
            self.predict(robot, start, one_sided);
        }
        self.phase.hold(linear, &self.matrix)?;
        for iteration in 1..=LIMIT {
            self.step(robot, start.h, linear)?;
            self.evaluate(robot, start, one_sided);
            let change = largest(&linear.x);
            let scale = largest(&self.chord.middle.1).max(change).max(1.0);
            let rate = if last.is_finite() { change / last } else { 1.0 };
            let shrinks = if is_exact { (rate * rate).max(DIFFERENCE) } else { rate };
            let settled = change * shrinks.min(1.0) <= f64::EPSILON * scale;
            let stalled = rate > 0.5 && change <= ROUNDING * scale;
            if settled || stalled || !change.is_finite() {
                return Ok(iteration);
            }
            let soon = (0..SOON).fold(change, |change, _| change * rate);
            if soon > f64::EPSILON * scale && last.is_finite() {
                self.measure(robot, start, one_sided);
                self.phase.hold(linear, &self.matrix)?;
                is_exact = true;
            }
            last = change;
        }
        Ok(LIMIT)
    }

    /// One of Newton's steps.
    fn step(&mut self, robot: Robot<'_>, h: f64, linear: &mut Linear) -> Result<(), Error> {
        let Self { chord, phase, missing, errors, delta, .. } = self;
        scale(errors, -1.0);
        phase.solve(linear, missing, errors)?;
        let delta = zeros(delta, robot.nv);
        add(delta, h, &linear.x);
        chord::vary(robot.joints, (&chord.end, delta), &mut chord.d);
        Ok(())
    }

    /// Makes the matrix of M and C, and slopes of the rows at the places where errors and gaps are taken.
    fn predict(&mut self, robot: Robot<'_>, start: &Start<'_>, one_sided: &mut OneSided) {
        let Self { chord, phase, matrix, coriolis, .. } = self;
        let nv = robot.nv;
        let (matrix, coriolis) = (zeros(matrix, nv * nv), zeros(coriolis, nv * nv));
        chord.means(matrix, coriolis);
        for i in 0..nv {
            for j in 0..nv {
                let skew = coriolis[j * nv + i] - coriolis[i * nv + j];
                matrix[j * nv + i] += 0.5 * start.h * skew;
            }
        }
        let (middle, end) = ((&chord.middle.0[..], &chord.middle.1[..]), &chord.end[..]);
        phase.follow_chord(robot, one_sided, (middle, end), (start.time, start.h));
    }

    /// Makes the matrix, and slopes of errors and gaps, of differences.
    fn measure(&mut self, robot: Robot<'_>, start: &Start<'_>, one_sided: &mut OneSided) {
        let nv = robot.nv;
        let size = DIFFERENCE * largest(&self.chord.middle.1).max(1.0);
        let slope = |(moved, still): (&f64, &f64)| (moved - still) / size;
        let still = self.still();
        self.matrix.clear();
        self.phase.error_slopes.clear();
        let mut slopes = core::mem::take(&mut self.phase.slopes);
        zeros(&mut slopes, still.w.len() * nv);
        for j in 0..nv {
            let delta = zeros(&mut self.delta, nv);
            delta[j] = start.h * size;
            let d = copy(&mut self.chord.d, &still.d);
            chord::vary(robot.joints, (&still.end, delta), d);
            self.evaluate(robot, start, one_sided);
            let Self { chord, phase, matrix, errors: moved, .. } = self;
            matrix.extend(chord.departure.iter().zip(&still.departure).map(slope));
            phase.error_slopes.extend(moved.iter().zip(&still.errors).map(slope));
            let of_gaps = phase.w.iter().zip(&still.w).map(slope).enumerate();
            of_gaps.for_each(|(row, slope)| slopes[row * nv + j] = slope);
        }
        self.phase.slopes = slopes;
        copy(&mut self.chord.d, &still.d);
        self.evaluate(robot, start, one_sided);
        self.still = still;
    }

    /// What there is where the chord was evaluated last.
    fn still(&mut self) -> Still {
        let Self { chord, phase, errors, still, .. } = self;
        let mut still = core::mem::take(still);
        copy(&mut still.d, &chord.d);
        copy(&mut still.end, &chord.end);
        copy(&mut still.departure, &chord.departure);
        copy(&mut still.errors, errors);
        copy(&mut still.w, &phase.w);
        still
    }

    /// Evaluates the chord and what is missing.
    fn evaluate(&mut self, robot: Robot<'_>, start: &Start<'_>, one_sided: &mut OneSided) {
        self.chord.evaluate(robot, start.q, start.input, start.h);
        copy(&mut self.missing, start.p);
        self.phase.add_impulse(&mut self.missing);
        add(&mut self.missing, -1.0, &self.chord.departure);
        self.write_errors(robot, (start.time, start.h));
        self.write_gaps(robot, start.h, one_sided);
    }

    /// e = h(q₁, t₁) / h of rows of positions, h_v(q(½), ξ(½), t(½)) of those of velocities.
    fn write_errors(&mut self, robot: Robot<'_>, (time, h): (f64, f64)) {
        let Self { chord, errors, rates, .. } = self;
        let (errors, rates) = (zeros(errors, robot.nc), zeros(rates, robot.nc));
        if robot.nc == 0 {
            return;
        }
        robot.constraint_into(&chord.end, time + h, errors);
        robot.constraint_rate_into(&chord.middle.0, &chord.middle.1, time + 0.5 * h, rates);
        let levels = robot.constraints.iter().flat_map(|constraint| constraint.levels);
        for ((level, error), rate) in levels.zip(errors).zip(rates) {
            *error = if *level == Level::Position { *error / h } else { *rate };
        }
    }

    /// w: (φ(q₁) − floor) / h, and the slip of contacts, dry friction and servos.
    fn write_gaps(&mut self, robot: Robot<'_>, h: f64, one_sided: &mut OneSided) {
        let Self { chord, phase, .. } = self;
        if one_sided.is_empty() {
            return;
        }
        one_sided.measure(robot, &chord.end);
        one_sided.linearise(robot, &chord.middle.0);
        let mut w = core::mem::take(&mut phase.w);
        w.clear();
        for (one, _, rows) in phase.parts() {
            one_sided.push_velocity(one, &chord.middle.1, &mut w);
            if let Some(room) = one_sided.room(one, &chord.end) {
                w[rows.start] = room / h;
            }
        }
        phase.add_softness(&mut w);
        phase.w = w;
    }
}
