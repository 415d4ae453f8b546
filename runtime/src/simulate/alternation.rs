//! Velocities that alternate and grow from step to step because a controller is too stiff for them.
//!
//! An input −d v of the beginning of a step on what moves with a mass m makes v⁺ = (1 − h d/m) v: beyond h d = 2 m the
//! velocity changes its sign in each step and grows by r = h d/m − 1. Whatever else acts, contacts among it, is in the m that
//! a robot shows; from r alone follows that steps up to 2 h/(1 + r) are stable. Stiffness alone lets a step be
//! 2 √r h/(1 + r) long, which is more.
//!
//! That is what is looked for, at each coordinate that an input drives: a stretch of steps in each of which the velocity changes
//! its sign and grows while the input gives power, ½ (v + v⁺) B u > 0, until it is so many times as fast. Sums of
//! vibrations that die out may do so too, but then grow less and less from step to step; what grows by powers of a number
//! does not. An input within the effort that a description states makes nothing grow for ever: it ends in chatter, which is
//! let through.
//!
//! # Source
//!
//! Derived here. Roots z = −r of z² − (2 − a − b) z + 1 − b = 0 with a = h² k/m and b = h d/m have (1 + r)² = a r + b (1 + r),
//! and steps are stable up to a + 2 b = 4.

use alloc::vec::Vec;

use crate::control::{Entry, entries};
use crate::failure::SimulationError;
use crate::model::{Robot, Table};

/// By how much a velocity has grown, and in how many steps at least.
const GROWTH: f64 = 1e3;
const STEPS: u32 = 4;
/// As many of a motion that has diverged.
const FEWEST: u32 = 2;

/// How far a coordinate goes at least in a step, m or rad: less, as a light foot may do while it is in the air, is let be.
const MOVED: f64 = 1e-2;

/// What is beyond an effort, and not by rounding.
const EXCESS: f64 = 1.0 + 1e-9;

/// The least share of the mean growth that the last step of a stretch has. Of growth by k^p it has less, for p up to ten.
const STEADY: f64 = 0.8;

/// What inputs drive, and for how long it has alternated and grown.
#[derive(Clone, Debug)]
pub(crate) struct Alternation {
    stretches: Vec<Stretch>,
    /// Inputs and their entries of B, coordinate by coordinate.
    entries: Vec<(usize, f64)>,
}

/// Steps in which a velocity alternates and grows.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    /// Velocity coordinate, and where its entries are from and to.
    v: usize,
    first_entry: usize,
    end_entry: usize,
    /// The largest force that the joint states.
    effort: f64,
    /// How many.
    steps: u32,
    /// |v| at the first beginning, and at the last beginning and end.
    first: f64,
    last: [f64; 2],
}

impl Stretch {
    /// Whether a step from this velocity would be the next one.
    fn leads_to(&self, v: f64) -> bool {
        self.steps > 0 && self.last[1] == v.abs()
    }

    /// B u, of all inputs together that drive the coordinate.
    #[inline(always)]
    fn force(&self, entries: &[(usize, f64)], u: &[f64]) -> f64 {
        let mut force = 0.0;
        for &(input, b) in &entries[self.first_entry..self.end_entry] {
            force += b * u[input];
        }
        force
    }

    /// Whether the force of the inputs is beyond what the joint states, if it states one.
    fn is_free(&self, force: f64) -> bool {
        self.effort == f64::INFINITY || force.abs() > EXCESS * self.effort
    }

    /// By how much the velocity has grown.
    fn growth(&self) -> f64 {
        self.last[1] / self.first
    }

    /// The growth of the last step.
    fn ratio(&self) -> f64 {
        self.last[1] / self.last[0]
    }

    /// Whether it grows by powers of a number.
    fn is_steady(&self) -> bool {
        let mean = libm::pow(self.growth(), 1.0 / f64::from(self.steps));
        self.ratio() - 1.0 >= STEADY * (mean - 1.0)
    }
}

impl Alternation {
    pub(crate) fn new(robot: Robot<'_>) -> Self {
        let limits = robot.coordinate_parameters();
        let all = entries(&robot.input_matrix(), robot.nv);
        let (mut stretches, mut entries) = (Vec::new(), Vec::new());
        for (v, limit) in limits.iter().enumerate() {
            let first_entry = entries.len();
            let own = all.iter().filter(|(driven, ..)| *driven == v);
            entries.extend(own.map(|&(_, input, b): &Entry| (input, b)));
            let (end_entry, effort) = (entries.len(), limit.effort);
            if end_entry > first_entry {
                let (steps, first, last) = (0, 0.0, [0.0; 2]);
                stretches.push(Stretch { v, first_entry, end_entry, effort, steps, first, last });
            }
        }
        Self { stretches, entries }
    }

    /// Takes a step of `h` seconds into account, from the velocity `v` to `v_next` with the input `u`; the coordinate that
    /// is seen to be unstable, and its growth from step to step.
    #[inline]
    fn add(&mut self, u: &[f64], [v, v_next]: [&[f64]; 2], h: f64) -> Option<(usize, f64)> {
        let mut grown = false;
        let Self { stretches, entries } = self;
        for of in stretches {
            let (from, to) = (v[of.v], v_next[of.v]);
            let alternates = (from * to < 0.0) & (to.abs() > from.abs());
            if alternates && of.force(entries, u) * (from + to) > 0.0 {
                if !of.leads_to(from) {
                    (of.first, of.steps) = (from.abs(), 0);
                }
                of.steps = of.steps.saturating_add(1);
                of.last = [from.abs(), to.abs()];
                grown |= (of.steps >= STEPS) & (to.abs() > GROWTH * of.first);
            } else {
                of.steps = 0;
            }
        }
        if grown { self.find(u, h) } else { None }
    }

    /// Forgets the step that was taken into account last.
    fn forget_last(&mut self) {
        for of in self.stretches.iter_mut().filter(|of| of.steps > 0) {
            of.steps -= 1;
            of.last[1] = of.last[0];
        }
    }

    /// The fastest of what has grown enough; what did not do so steadily begins anew.
    #[cold]
    fn find(&mut self, u: &[f64], h: f64) -> Option<(usize, f64)> {
        let mut found: Option<Stretch> = None;
        let Self { stretches, entries } = self;
        for of in stretches {
            let has_grown = of.steps >= STEPS && of.growth() > GROWTH;
            if has_grown && !of.is_steady() {
                of.steps = 0;
            } else if has_grown
                && h * of.last[1] > MOVED
                && of.is_free(of.force(entries, u))
                && found.is_none_or(|other| of.last[1] > other.last[1])
            {
                found = Some(*of);
            }
        }
        found.map(|of| (of.v, of.ratio()))
    }

    /// The same where a step from the velocity `v` diverges.
    fn of_diverged(&self, v: &[f64]) -> Option<(usize, f64)> {
        let grown = self.stretches.iter().filter(|of| {
            of.leads_to(v[of.v]) && of.steps >= FEWEST && of.growth() > GROWTH && of.is_steady()
        });
        let fastest = grown.reduce(|a, b| if b.last[1] > a.last[1] { b } else { a });
        fastest.map(|of| (of.v, of.ratio()))
    }
}

/// What watches a simulation: its alternation, the velocities before and after the last step, and h.
pub(crate) type Watched<'a> = (&'a mut Alternation, [&'a [f64]; 2], f64);

/// Takes the step from `time` into account that was made with a controller's input.
///
/// # Errors
///
/// [`SimulationError::Unstable`] where that makes velocities alternate and grow; then it is not taken into account.
#[inline]
pub(super) fn watch(
    table: &Table,
    (alternation, velocities, h): Watched<'_>,
    u: &[f64],
    time: f64,
) -> Result<(), SimulationError> {
    match alternation.add(u, velocities, h) {
        None => Ok(()),
        Some(found) => {
            alternation.forget_last();
            Err(unstable(table, found, time, h))
        }
    }
}

/// Why a step failed that a controller's input drove.
#[cold]
pub(super) fn blame(
    table: &Table,
    (alternation, [_, v], h): Watched<'_>,
    error: SimulationError,
    time: f64,
) -> SimulationError {
    match (&error, alternation.of_diverged(v)) {
        (SimulationError::Diverged { .. }, Some(found)) => unstable(table, found, time, h),
        _ => error,
    }
}

#[cold]
fn unstable(
    table: &Table,
    (v, growth): (usize, f64),
    time: f64,
    step_size: f64,
) -> SimulationError {
    SimulationError::Unstable {
        time,
        joint: table.joint_of(v),
        growth,
        step_size,
        stable: 2.0 * step_size / (1.0 + growth),
    }
}
