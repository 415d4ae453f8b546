//! Steps and runs of small robots with known answers, laws of contact, and bad input.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

#[path = "../common/numbers.rs"]
mod numbers;

mod audits;
mod ball_friction;
#[path = "../common/bench.rs"]
mod bench;
mod chains;
mod coordinates;
mod falling;
mod far_turns;
mod feedback;
mod fights;
mod held_chains;
mod laws;
mod memory;
mod messages;
mod one_word;
mod overlaps;
#[path = "../common/passivity.rs"]
mod passivity;
mod pressing;
mod recording;
mod reference;
mod refusals;
mod robots;
mod runs;
mod slides;
mod soles;
mod spinning;
mod springs;
mod star;
mod starts;
mod steps;

use jourdain::contact::{Cone, Formulation, Todorov};

/// Each formulation as it is by default, Todorov's with both cones.
fn every_formulation() -> [Formulation; 8] {
    [
        Formulation::stewart_trinkle(),
        Formulation::anitescu_potra(),
        Formulation::anitescu(),
        Formulation::todorov(),
        Formulation::Todorov(Todorov::default().cone(Cone::Pyramid)),
        Formulation::coulomb(),
        Formulation::frictionless(),
        Formulation::sticking(),
    ]
}
