//! Limits of coordinates, which act only where something violates them.

use alloc::vec::Vec;

use super::Candidate;
use super::source::Source;
use crate::contact::Impulse;
use crate::contact::conditions::Conditions;
use crate::contact::demand::Approach;
use crate::contact::limit::{Limit, Spans};
use crate::contact::phase::Phase;
use crate::kernel::Real;

/// Adds the limits that the velocity `end` violates, of those that are not yet there; whether there are any. `v`
/// is the velocity at the beginning.
#[inline(always)]
pub(in crate::contact) fn add_limits<A: Real>(
    candidates: &mut Vec<Candidate>,
    spans: &Spans,
    (q, v, end): (&[f64], &[f64], &[f64]),
    (h, conditions): (f64, &Conditions),
    phase: Phase,
) -> bool {
    // What is apart, and stays so, is no matter in any formulation.
    let margin = conditions.formulation.normal().margin();
    if spans.are_free::<A>((q, end), h, margin) {
        return false;
    }
    let mut found = false;
    for limit in spans.near((q, end), (h, margin)) {
        let along = limit.sign() * end[limit.v];
        found |= add_limit(candidates, limit, (v, along), (h, conditions, phase));
    }
    found
}

/// Adds one of them, whose gap changes at the rate `along` at the end of the step; whether it is new.
#[cold]
fn add_limit(
    candidates: &mut Vec<Candidate>,
    limit: Limit,
    (v, along): (&[f64], f64),
    (h, conditions, phase): (f64, &Conditions, Phase),
) -> bool {
    // What a limit is passed by is put right, but by no compression.
    let gap = if phase == Phase::Compression { limit.gap.max(0.0) } else { limit.gap };
    let Some(candidate) = of_limit(limit, gap, v, (h, conditions)) else { return false };
    let slack = [along - candidate.demand.target[0], 0.0, 0.0];
    let known = candidates.iter().any(|other| other.is_limit(&limit));
    let found = candidate.lacks(&conditions.formulation, slack) && !known;
    if found {
        candidates.push(candidate);
    }
    found
}

/// Lists the limits that have an impulse.
pub(in crate::contact) fn list_pressing(
    candidates: &mut Vec<Candidate>,
    spans: &Spans,
    impulse: &Impulse,
    (q, v): (&[f64], &[f64]),
    laws: (f64, &Conditions),
) {
    if impulse.limits.as_flattened().iter().all(|&limit| limit == 0.0) {
        return;
    }
    let presses = |v: usize| impulse.limits[v] != [0.0; 2];
    for limit in spans.iter().filter(|span| presses(span.v)).flat_map(|span| span.limits(q)) {
        if impulse.limits[limit.v][usize::from(limit.upper)] != 0.0 {
            candidates.extend(of_limit(limit, limit.gap, v, laws));
        }
    }
}

/// Lists the limits whose gaps are at most h `by`, and those that v reaches within the step; `by` is in m/s or rad/s. What is listed
/// already is skipped.
pub(in crate::contact) fn list_near(
    candidates: &mut Vec<Candidate>,
    spans: &Spans,
    (q, v): (&[f64], &[f64]),
    (h, conditions): (f64, &Conditions),
    by: f64,
) {
    for limit in spans.near((q, v), (h, h * by)) {
        if !candidates.iter().any(|other| other.is_limit(&limit)) {
            candidates.extend(of_limit(limit, limit.gap, v, (h, conditions)));
        }
    }
}

/// A limit in the problem, with the gap that it is seen at.
fn of_limit(
    limit: Limit,
    gap: f64,
    v: &[f64],
    (h, conditions): (f64, &Conditions),
) -> Option<Candidate> {
    let velocity = [limit.sign() * v[limit.v], 0.0, 0.0];
    let approach = Approach { gap, velocity, restitution: 0.0, step_size: h };
    let demand = conditions.demand_of_limit(limit.v, &approach)?;
    let candidate = Candidate::new(Source::Limit(limit), demand, 0.0);
    Some(Candidate { included: true, ..candidate })
}

impl Candidate {
    /// The limit that this is, as the expansion has it.
    pub(in crate::contact) fn limit_in_expansion(
        &self,
        v: &[f64],
        laws: (f64, &Conditions),
    ) -> Option<Self> {
        match self.source {
            Source::Limit(limit) => of_limit(limit, limit.gap, v, laws),
            _ => None,
        }
    }
}
