//! Limits of coordinates, which act only where something violates them.

use alloc::vec::Vec;

use super::{Candidate, Source};
use crate::contact::conditions::Conditions;
use crate::contact::formulation::Approach;
use crate::contact::limit::{Limit, Spans};

/// Adds the limits that the velocity `end` violates, of those that are not yet there; whether there are any. `v`
/// is the velocity at the beginning.
#[inline(always)]
pub(in crate::contact) fn add_limits(
    candidates: &mut Vec<Candidate>,
    spans: &Spans,
    (q, v, end): (&[f64], &[f64], &[f64]),
    (h, conditions): (f64, &Conditions),
) -> bool {
    // What is apart, and stays so, is no matter in any formulation.
    if spans.are_free((q, end), h, conditions.formulation.margin()) {
        return false;
    }
    let limits = spans.iter().flat_map(|span| span.limits(q));
    limits
        .fold(false, |found, limit| add_limit(candidates, limit, (v, end), (h, conditions)) | found)
}

/// Adds one of them; whether it is new.
#[cold]
fn add_limit(
    candidates: &mut Vec<Candidate>,
    limit: Limit,
    (v, end): (&[f64], &[f64]),
    (h, conditions): (f64, &Conditions),
) -> bool {
    let along = limit.sign() * end[limit.v];
    if limit.gap > conditions.formulation.margin() && limit.gap + h * along > 0.0 {
        return false;
    }
    let velocity = [limit.sign() * v[limit.v], 0.0, 0.0];
    let approach = Approach { gap: limit.gap, velocity, restitution: 0.0, step_size: h };
    let Some(demand) = conditions.demand_of_limit(limit.v, &approach) else { return false };
    let candidate = Candidate::new(Source::Limit(limit), demand, 0.0);
    let slack = [along - demand.0.target[0], 0.0, 0.0];
    let known = candidates.iter().any(|other| other.is_limit(&limit));
    let found = candidate.lacks(&conditions.formulation, slack) && !known;
    if found {
        candidates.push(Candidate { included: true, ..candidate });
    }
    found
}
