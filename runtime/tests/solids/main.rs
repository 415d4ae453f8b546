//! Solids that rest on each other, hit each other and lie on ground of heights.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

#[path = "../common/numbers.rs"]
#[allow(dead_code, reason = "other tests draw whole numbers")]
mod numbers;

mod fast;
mod house;
mod impacts;
mod incline;
mod jams;
mod least_norm;
mod piles;
mod poisson;
mod rest;
mod ridges;
mod rolling;
mod rows;
mod shaken;
mod spinning;
mod tumbling;

use jourdain::Model;
use jourdain::contact::{Transition, residual};
use jourdain::prelude::*;
use nalgebra::SVector;

/// How long what stands is looked at, in seconds: unoptimised, a minute of it takes several of ours.
const MINUTE: f64 = if cfg!(debug_assertions) { 1.0 } else { 60.0 };

/// No inputs.
type Vector0 = SVector<f64, 0>;

/// Numbers one by one.
fn near(found: &[f64], expected: &[f64], error: f64) {
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < error, "{found} instead of {expected}");
    }
}

/// Steps of a robot without inputs, each audited from its result alone; the largest residual.
fn run<M>(simulation: &mut Simulation<M>, steps: usize) -> Result<f64, SimulationError>
where
    M: Model<U = Vector0>,
{
    let mut worst = 0.0_f64;
    for _ in 0..steps {
        let before = simulation.current().clone();
        simulation.step(&Vector0::zeros())?;
        let after = simulation.current();
        let transition = Transition {
            conditions: simulation.conditions(),
            time: before.time,
            step_size: simulation.time_step(),
            q: &before.q,
            v: &before.v,
            force: &simulation.model().passive_force(&before.q, &before.v),
            v_next: &after.v,
            impulse: simulation.impulse(),
        };
        worst = worst.max(residual(simulation.model(), &transition).max());
    }
    Ok(worst)
}
