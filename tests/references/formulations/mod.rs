//! The laws of contact side by side, on scenes with known answers.

mod convex;
mod friction;
mod motion;

use jourdain::contact::{Anitescu, AnitescuPotra, Normal};
use jourdain::prelude::*;

const G: f64 = 9.81;
const MU: f64 = 0.6;

/// A block on a slope that falls in the direction `heading`, free along all three axes.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [9.81 * sin(slope) * cos(heading), 9.81 * sin(slope) * sin(heading), -9.81 * cos(slope)],
    link(first, massless),
    joint(x, prismatic(world -> first), axis = [1, 0, 0]),
    link(second, massless),
    joint(y, prismatic(first -> second), axis = [0, 1, 0]),
    link(block, mass = 2),
    joint(z, prismatic(second -> block), axis = [0, 0, 1]),
    contact(sole, on = block, friction = 0.6),
)]
struct Block {
    slope: f64,
    heading: f64,
}

fn exact() -> [Formulation; 4] {
    [
        Formulation::StewartTrinkle,
        Formulation::AnitescuPotra(AnitescuPotra::default()),
        Formulation::Anitescu(Anitescu::default()),
        Formulation::Coulomb(Normal::Gap),
    ]
}

fn block(slope: f64, formulation: Formulation) -> Result<Simulation<Block>, SimulationError> {
    Ok(Simulation::new(Block { slope, heading: 0.0 })?.formulation(formulation))
}
