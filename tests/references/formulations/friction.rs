//! What friction holds, and what it does not.

use jourdain::contact::{Anitescu, Normal, Todorov};
use jourdain::prelude::*;

use super::{Block, G, MU, block, exact};
use crate::{Vector0, close};

#[test]
fn what_friction_holds_does_not_creep() -> Result<(), SimulationError> {
    for formulation in exact() {
        let mut block = block((0.999 * MU).atan(), formulation)?;
        block.run(10.0, |_: &State<Block>| Vector0::zeros())?;
        let speed = block.current().v.norm();
        assert!(speed < 1e-9, "{formulation:?} creeps at {speed:e}");
    }
    Ok(())
}

/// a = g (sin θ − μ cos θ); convex forms lift what slides, by h μ s or 2 κ μ s, and press it while they do.
#[test]
fn what_friction_does_not_hold_slides() -> Result<(), SimulationError> {
    let slope = (1.5 * MU).atan();
    let a = G * (slope.sin() - MU * slope.cos());
    let stiff = Todorov::new(1e-4, 2e-3).and_then(|law| law.margin(0.1)).expect("in range");
    let convex =
        [(Formulation::Anitescu(Anitescu::default()), 1e-2), (Formulation::Todorov(stiff), 1e-2)];
    let with_maximum_dissipation =
        exact().into_iter().filter(|f| !matches!(f, Formulation::Anitescu(_)));
    for (formulation, tolerance) in with_maximum_dissipation.map(|f| (f, 1e-9)).chain(convex) {
        let mut block = block(slope, formulation)?;
        block.run(0.5, |_: &State<Block>| Vector0::zeros())?;
        let (found, expected) = (block.current().v[0], 0.5 * a);
        assert!((found / expected - 1.0).abs() < tolerance, "{formulation:?}: {found} {expected}");
    }
    Ok(())
}

/// The round cone holds alike in all directions, where a polygon is weaker between two of its own.
#[test]
fn the_round_cone_has_no_directions() -> Result<(), SimulationError> {
    let slope = (0.9999 * MU).atan();
    for heading in [0.1, 0.39, 0.7, 1.3, 2.9] {
        let mut simulation = Simulation::new(Block { slope, heading })?;
        simulation.run(0.05, |_: &State<Block>| Vector0::zeros())?;
        assert!(simulation.current().v.norm() < 1e-11, "{heading}");
        let mut polygon = Simulation::new(Block { slope, heading: std::f64::consts::FRAC_PI_8 })?
            .formulation(Formulation::StewartTrinkle);
        polygon.run(0.05, |_: &State<Block>| Vector0::zeros())?;
        assert!(polygon.current().v.norm() > 1e-3);
    }
    Ok(())
}

#[test]
fn frictionless_contact_keeps_what_slides() -> Result<(), SimulationError> {
    let mut block = block(0.3, Formulation::Frictionless(Normal::Gap))?;
    block.run(1.0, |_: &State<Block>| Vector0::zeros())?;
    close("v", &[block.current().v[0]], &[G * f64::sin(0.3)], 1e-12);
    Ok(())
}

#[test]
fn infinite_friction_holds_on_any_slope() -> Result<(), SimulationError> {
    let mut block = block(1.5, Formulation::Sticking(Normal::Gap))?;
    block.run(1.0, |_: &State<Block>| Vector0::zeros())?;
    assert!(block.current().v.norm() < 1e-12);
    Ok(())
}
