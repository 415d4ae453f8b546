//! What strikes without restitution stays, whatever it falls from and however long the step is.

use jourdain::contact::{AnitescuPotra, Formulation, Normal};
use jourdain::nalgebra::{SVector, vector};
use jourdain::prelude::*;

use super::every_formulation;

type Run = Result<(), Box<dyn std::error::Error>>;

/// A point mass over the ground.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(point, mass = 1),
    joint(height, prismatic(world -> point), axis = [0, 0, 1]),
    contact(tip, on = point, at = [0, 0, 0], friction = 0.5),
)]
struct Point;

/// A rod in a plane, with both ends over the ground.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(slide, massless),
    joint(x, prismatic(world -> slide), axis = [1, 0, 0]),
    link(lift, massless),
    joint(z, prismatic(slide -> lift), axis = [0, 0, 1]),
    link(rod, mass = 1, inertia = [0.0833, 0.0833, 0.01]),
    joint(angle, revolute(lift -> rod), axis = [0, 1, 0]),
    contact(left, on = rod, at = [-0.5, 0, 0], friction = 0.5),
    contact(right, on = rod, at = [0.5, 0, 0], friction = 0.5),
)]
struct Rod;

/// All that are rigid: the springs of Todorov's form return what they take.
fn laws() -> impl Iterator<Item = Formulation> {
    let velocity = [(1.0, 1e-5), (0.2, 1e-5), (1.0, 1e-3), (0.5, 0.0)];
    let laws = velocity.map(|(share, margin)| AnitescuPotra::new(share, margin).unwrap());
    let of = |law| {
        let normal = Normal::Velocity(law);
        [
            Formulation::AnitescuPotra(law),
            Formulation::Coulomb(normal),
            Formulation::Frictionless(normal),
        ]
    };
    let rigid =
        every_formulation().into_iter().filter(|law| !matches!(law, Formulation::Todorov(_)));
    rigid.chain(laws.into_iter().flat_map(of))
}

#[test]
fn a_point_that_falls_stays_on_the_ground() -> Run {
    for formulation in laws() {
        for h in [1e-2, 3e-3, 1e-3, 1e-4] {
            let simulation = Simulation::new(Point)?.step_size(h)?.formulation(formulation);
            let mut simulation = simulation.state(vector![1.0], vector![0.0])?;
            let (mut rebound, mut deepest): (f64, f64) = (0.0, 0.0);
            for _ in 0..(0.8 / h) as usize {
                simulation.step(&SVector::zeros())?;
                rebound = rebound.max(simulation.current().v[0]);
                deepest = deepest.min(simulation.current().q[0]);
            }
            assert!(rebound < 1e-9, "{formulation:?}, {h}: {rebound}");
            assert!(deepest > -1e-9, "{formulation:?}, {h}: {deepest}");
        }
    }
    Ok(())
}

#[test]
fn a_rods_end_does_not_bounce() -> Run {
    for formulation in laws() {
        for h in [1e-2, 1e-3, 1e-4] {
            let simulation = Simulation::new(Rod)?.step_size(h)?.formulation(formulation);
            let mut simulation =
                simulation.state(vector![0.0, 0.6, 0.5], vector![0.0, -4.0, 0.0])?;
            let (mut energy, mut struck) = (simulation.energy(), None);
            for _ in 0..(0.5 / h) as usize {
                simulation.step(&SVector::zeros())?;
                let (now, gaps) = (simulation.energy(), simulation.gaps());
                let time = simulation.current().time;
                struck = struck.or_else(|| Some((gaps.iter().position(|gap| *gap < 1e-6)?, time)));
                if let Some((end, since)) = struck.filter(|(_, since)| time < since + 0.03) {
                    // Turning lifts it by some mm; thrown back it would be at 0.15 m.
                    assert!(gaps[end] < 1e-2, "{formulation:?}, {h}: {} after {since}", gaps[end]);
                }
                // What a step may add is of the second order.
                assert!(
                    now < energy + 100.0 * h * h + 1e-9,
                    "{formulation:?}, {h}: {energy} {now}"
                );
                energy = now;
            }
        }
    }
    Ok(())
}
