//! What overlaps at the beginning of a step is put right, and leaves with no speed of that.
//!
//! Curved motion overlaps: what slides through a bowl along its tangents comes below the ground by h² κ v²/2 in each step,
//! and comes down there at h κ v²/2, as fast as −φ/h. If it leaves at that speed, its path is one of chords, along which energy is
//! kept to second order. So velocities put right what they have made, and no more: gaps are seen no deeper than they came
//! within a step,
//!
//! > φ̂ = max(ρ φ, h min(n v, 0)) where φ < 0,
//!
//! with n v at the beginning, and the share ρ of [`recovery`](Conditions::recovery), or of what gives way. So it is as by
//! Newton's law with e up to 1: alone and without friction a contact gains nothing, among others little (a slab of 3 kg that
//! comes down on crests of its ground up to 5 mJ). What is at rest has φ̂ = 0. The rest is no motion, but a displacement,
//!
//! > min ½ cᵀ M c  subject to  n c ≥ γ (φ̂ − ρ φ)/h where φ < 0,  φ/h + n c ≥ 0 elsewhere,
//!
//! with the share γ of Anitescu and Potra's stabilization, which is 1 in other formulations, and the step leads to
//! (q ⊕ h c) ⊕ h v⁺: v⁺ knows nothing of depths, and no correction throws what overlaps. c is the smallest that takes a share
//! ρ γ of each depth away, without friction, with H c = 0 along declared constraints. It takes a problem of its own, in steps
//! alone in which there is a rest. What overlaps without a way apart is moved to where all of it is as near to that as may be.
//!
//! Springs that contacts and limits are said to be, and those of Todorov's form, push out what is within them by themselves.

use alloc::vec;
use alloc::vec::Vec;

use super::candidate::{Candidate, Source, VIOLATION};
use super::demand::Demand;
use super::depth::NONE;
use super::limit::{Limit, Spans};
use super::phase::Phase;
use super::stepper::Core;
use super::{Conditions, Error, Formulation};
use crate::cone;
use crate::lcp;
use crate::model::Robot;
use crate::slices::larger;

/// By how much of its own mobility each row gives way where there is no way apart, so that there is a solution.
pub(super) const REGULAR: f64 = 1e-7;

/// Whether what overlaps may have no way apart by such an error: there is no displacement, or none was found.
pub(super) fn has_no_way_apart(error: &Error) -> bool {
    matches!(
        error,
        Error::Complementarity(
            lcp::Error::Infeasible { .. } | lcp::Error::Ray { .. } | lcp::Error::Unsolved { .. }
        ) | Error::Cone(cone::Error::Unsolved { .. } | cone::Error::Limit { .. })
    )
}

/// `q` with a share of what overlaps there put right by a displacement; `None` where nothing does.
///
/// # Errors
///
/// As a [step](super::Stepper::step) from rest at `time` has them.
pub(crate) fn separate(
    robot: Robot<'_>,
    q: &[f64],
    (time, recovery): (f64, f64),
) -> Result<Option<Vec<f64>>, Error> {
    let (mut core, still) = (Core::new(robot)?, vec![0.0; robot.nv]);
    let conditions = Conditions { recovery, ..Conditions::default() };
    // From rest nothing is left to velocities, however long the step is.
    core.step(robot, (q, &still), &still, (time, 1e-3), &conditions)?;
    Ok(core.overlap.take_displaced(&robot, q))
}

/// A part of what overlaps, or may: what has a gap, with its rate, and the least velocity of a displacement along its normal.
#[inline(always)]
fn part(source: Source, [gap, rate]: [f64; 2], least: f64, h: f64) -> Candidate {
    let demand = Demand::of_normal(rate + least);
    let mut part = Candidate::new(source, (demand, 0.0), 0.0);
    part.included = must_move(gap, least, h);
    part
}

/// Whether what has a gap is to be displaced at this least velocity, by more than rounding.
#[inline(always)]
pub(super) fn must_move(gap: f64, least: f64, h: f64) -> bool {
    gap < 0.0 && h * least > NONE
}

fn part_of_limit(
    limit: Limit,
    v: &[f64],
    (h, conditions): (f64, &Conditions),
) -> Option<Candidate> {
    let at = [limit.gap, limit.sign() * v[limit.v]];
    let least = conditions.separation_of_limit(limit.v, at, h)?;
    Some(part(Source::Limit(limit), at, least, h))
}

fn limits(spans: &Spans, q: &[f64]) -> impl Iterator<Item = Limit> {
    spans.iter().flat_map(|span| span.limits(q))
}

impl Core {
    /// Finds the displacement of a step.
    ///
    /// # Errors
    ///
    /// Those of the problem's solver.
    #[inline(always)]
    pub(super) fn put_right(
        &mut self,
        state: (&[f64], &[f64]),
        laws: (f64, &Conditions),
    ) -> Result<(), Error> {
        self.overlap.displacement.clear();
        if self.overlaps(state.0, laws.1) { self.find_displacement(state, laws) } else { Ok(()) }
    }

    /// Whether something overlaps, or is beyond a limit, by more than rounding, and is to be displaced.
    #[inline(always)]
    pub(super) fn overlaps(&self, q: &[f64], conditions: &Conditions) -> bool {
        let points = &self.explicit.pairs.points;
        conditions.displaces_any()
            && (self.dynamics.penetration() > NONE
                || points.iter().any(|point| point.touch.gap < -NONE)
                || self.explicit.declared.value.iter().any(|gap| *gap < -NONE)
                || self.spans.are_passed(q, NONE))
    }

    #[cold]
    fn find_displacement(
        &mut self,
        (q, v): (&[f64], &[f64]),
        (h, conditions): (f64, &Conditions),
    ) -> Result<(), Error> {
        if !self.list_gaps((q, v), (h, conditions)) {
            return Ok(());
        }
        self.begin_displacement(v);
        let mut solved = self.separate((q, v), (h, conditions));
        if solved.as_ref().is_err_and(has_no_way_apart) {
            self.give_way(REGULAR);
            solved = self.separate((q, v), (h, conditions));
        }
        self.end_displacement(v, h, solved.is_ok());
        solved
    }

    /// Forgets the displacement of the last step, and lists what has a gap in this one; whether any of it must be displaced.
    #[cfg(feature = "std")]
    pub(super) fn list_overlaps(
        &mut self,
        state: (&[f64], &[f64]),
        laws: (f64, &Conditions),
    ) -> bool {
        self.overlap.displacement.clear();
        self.list_gaps(state, laws)
    }

    /// Has what is listed, and `v` as the motion without impulses, in the place of those of the step.
    pub(super) fn begin_displacement(&mut self, v: &[f64]) {
        self.overlap.free.set(v);
        // The last step may have ended in an expansion.
        self.compression.phase = Phase::Whole;
        self.exchange_overlap();
    }

    /// Lets each row give way by this share of its own mobility.
    pub(super) fn give_way(&mut self, by: f64) {
        let all = self.candidates.iter_mut();
        all.for_each(|candidate| candidate.demand.regularization = by);
    }

    /// Keeps the displacement of a step of `h` seconds, if it was found, and goes back to what the step has.
    pub(super) fn end_displacement(&mut self, v: &[f64], h: f64, is_found: bool) {
        if is_found {
            let ends = self.velocity.iter().zip(v);
            self.overlap.displacement.extend(ends.map(|(end, v)| h * (end - v)));
        }
        self.exchange_overlap();
        self.dynamics.rest();
    }

    /// Lists all that has a gap, with velocities that put right what is negative of it, beside v. Of limits, those that are passed.
    /// Returns whether any of it must be displaced.
    fn list_gaps(&mut self, (q, v): (&[f64], &[f64]), laws: (f64, &Conditions)) -> bool {
        let (h, conditions) = laws;
        let Self { overlap, dynamics, explicit, spans, .. } = self;
        overlap.candidates.clear();
        let mut push = |source, at: [f64; 2], least: Option<f64>| {
            overlap.candidates.extend(least.map(|least| part(source, at, least, h)));
        };
        for (i, &gap) in dynamics.gap().iter().enumerate() {
            let at = [gap, dynamics.contact_velocity(i)[0]];
            push(Source::Contact(i), at, conditions.separation_of_contact(i, at, h));
        }
        for (i, point) in explicit.pairs.points.iter().enumerate() {
            let at = [point.touch.gap, explicit.pairs.velocity(i, v)[0]];
            push(Source::Pair(i), at, conditions.separation(at, h));
        }
        for (i, &gap) in explicit.declared.value.iter().enumerate() {
            let at = [gap, explicit.declared.velocity(i, v)];
            push(Source::Declared(i), at, conditions.separation(at, h));
        }
        if spans.are_passed(q, 0.0) {
            let passed = limits(spans, q).filter(|limit| limit.gap < 0.0);
            overlap.candidates.extend(passed.filter_map(|limit| part_of_limit(limit, v, laws)));
        }
        overlap.candidates.iter().any(|candidate| candidate.included)
    }

    /// Lists the limits that v + c passes and v does not.
    #[cold]
    fn list_limits(&mut self, (q, v): (&[f64], &[f64]), laws: (f64, &Conditions)) {
        let Self { candidates, spans, velocity, .. } = self;
        let change = |limit: &Limit| limit.sign() * (velocity[limit.v] - v[limit.v]);
        for limit in limits(spans, q).filter(|limit| limit.gap >= 0.0) {
            let is_listed = candidates.iter().any(|other| other.is_limit(&limit));
            if !is_listed && limit.gap + laws.0 * change(&limit) < 0.0 {
                candidates.extend(part_of_limit(limit, v, laws));
            }
        }
    }

    /// Takes what is listed, and v as the motion without impulses, for that of the step, or back.
    fn exchange_overlap(&mut self) {
        let Self { overlap, dynamics, candidates, impulse, .. } = self;
        core::mem::swap(candidates, &mut overlap.candidates);
        core::mem::swap(impulse, &mut overlap.impulse);
        dynamics.exchange(&mut overlap.free);
    }

    /// v + c.
    fn separate(&mut self, state: (&[f64], &[f64]), laws: (f64, &Conditions)) -> Result<(), Error> {
        let law = Formulation::coulomb();
        self.begin_separation(state.1);
        self.overlap.solvers.forget();
        loop {
            self.arrange(&law);
            crate::slices::zeros(&mut self.impulses, self.problem.rows());
            self.overlap.solvers.solve(&law, &self.problem, &mut self.impulses)?;
            self.move_by_rows();
            if !self.include_overlapping(state, laws, &law) {
                return Ok(());
            }
        }
    }

    /// Begins a displacement with none.
    pub(super) fn begin_separation(&mut self, v: &[f64]) {
        self.velocity.copy_from_slice(v);
        self.rows.rewind();
        self.dynamics.rest();
        self.impulse.clear();
        self.explicit.pairs.list(&mut self.impulse.pairs);
    }

    /// Includes what v + c violates; whether there is any.
    pub(super) fn include_overlapping(
        &mut self,
        (q, v): (&[f64], &[f64]),
        laws: (f64, &Conditions),
        law: &Formulation,
    ) -> bool {
        if self.spans.are_crossed(q, [v, &self.velocity], laws.0) {
            self.list_limits((q, v), laws);
        }
        let Self { candidates, explicit, dynamics, velocity, .. } = self;
        let mut found = false;
        for one in candidates.iter_mut().filter(|one| !one.included) {
            one.included = match one.source {
                Source::Limit(limit) => {
                    let rate = limit.sign() * velocity[limit.v];
                    rate - one.demand.target[0] < -VIOLATION * larger(rate.abs(), 1.0)
                }
                _ => one.is_violated(law, explicit, dynamics, velocity),
            };
            found |= one.included;
        }
        found
    }
}
