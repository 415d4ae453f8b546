//! Compliant contact: laws against closed forms, friction, energy, the stiff limit, and bad input.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

#[path = "../common/unoffered.rs"]
mod unoffered;

#[path = "../common/linkages.rs"]
#[allow(dead_code, reason = "other tests have all of them")]
mod linkages;

mod bounces;
mod friction;
mod limit;
mod mechanisms;
mod refusals;
mod robots;
mod singular;

use jourdain::compliant::{Bristles, Regularised, Spring, Stribeck};
use jourdain::prelude::*;
use nalgebra::SVector;

/// No inputs.
type Vector0 = SVector<f64, 0>;

const G: f64 = 9.81;

fn idle<M: Model<U = Vector0>>(_: &State<M>) -> Vector0 {
    Vector0::zeros()
}
