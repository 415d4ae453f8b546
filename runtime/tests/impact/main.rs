//! Impacts: what is known in closed form, and what holds of random robots.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

mod energetic;
mod known;
mod laws;
mod refusals;
mod robots;
mod sequences;
mod steps;

use jourdain::Model;
use jourdain::impact::{Among, Error, Impacts, Law, Outcome, Part};

/// Numbers one by one.
fn near(found: &[f64], expected: &[f64], error: f64) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() <= error, "{found} instead of {expected}");
    }
}

/// v⁺ and the outcome, whose sides of energy are equal.
fn strike<M: Model>(
    robot: &M,
    law: Law,
    (q, v): (&M::Q, &M::V),
    parts: &[Part],
) -> Result<(M::V, Outcome), Error> {
    let mut impacts = Impacts::new(robot, law)?;
    let mut v_plus = v.clone();
    let outcome = impacts.resolve(robot, 0.0, q, v, Among::Listed(parts), &mut v_plus)?.clone();
    assert!(outcome.residual <= 1e-9, "{}", outcome.residual);
    let energy = outcome.kinetic_energy;
    let error = (outcome.energy_change() - outcome.work).abs();
    assert!(error <= 1e-9 * energy[0].max(energy[1]), "{error} of {energy:?}");
    Ok((v_plus, outcome))
}

/// So many contacts.
fn contacts(count: usize) -> Vec<Part> {
    (0..count).map(Part::Contact).collect()
}
