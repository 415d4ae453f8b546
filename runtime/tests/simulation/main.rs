//! Steps and runs of small robots with known answers, laws of contact, and bad input.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

#[path = "../common/numbers.rs"]
mod numbers;

mod laws;
mod refusals;
mod robots;
mod runs;
mod star;
mod starts;
mod steps;

use jourdain::contact::{Anitescu, AnitescuPotra, Cone, Formulation, Normal, Todorov};

/// Each formulation as it is by default, Todorov's with both cones.
fn every_formulation() -> [Formulation; 8] {
    [
        Formulation::StewartTrinkle,
        Formulation::AnitescuPotra(AnitescuPotra::default()),
        Formulation::Anitescu(Anitescu::default()),
        Formulation::Todorov(Todorov::default()),
        Formulation::Todorov(Todorov::default().cone(Cone::Pyramid)),
        Formulation::Coulomb(Normal::default()),
        Formulation::Frictionless(Normal::default()),
        Formulation::Sticking(Normal::default()),
    ]
}
