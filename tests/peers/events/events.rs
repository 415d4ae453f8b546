//! Event times of the three systems, located: `events SCENE` prints one time in seconds per line.

use std::error::Error;

use jourdain::hybrid::Event;
use jourdain::hybrid::contact::HybridSimulation;
use jourdain::nalgebra::SVector;
use jourdain::prelude::*;

/// A point of 1 kg.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(ball, mass = 1),
    joint(height, prismatic(world -> ball), axis = [0, 0, 1], passive),
    contact(ground, on = ball, restitution = 0.9),
)]
struct Ball;

/// A block of 0.2 m by 1 m on its two corners, by the height of its middle and its angle.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(lift, massless),
    joint(height, prismatic(world -> lift), axis = [0, 0, 1], passive),
    link(block, mass = 1, inertia = [1, 1.04 / 12, 1]),
    joint(angle, revolute(lift -> block), axis = [0, -1, 0], passive),
    contact(left, on = block, at = [-0.1, 0, -0.5]),
    contact(right, on = block, at = [0.1, 0, -0.5]),
)]
struct Block;

/// A block on a belt, in axes that move with the belt.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(slide, massless),
    joint(x, prismatic(world -> slide), axis = [1, 0, 0], actuated),
    link(block, mass = 1),
    joint(z, prismatic(slide -> block), axis = [0, 0, 1], passive),
    contact(belt, on = block, friction = 0.5),
)]
struct Held;

/// N/m and m/s.
const STIFFNESS: f64 = 10.0;
const BELT: f64 = 0.5;

fn main() -> Result<(), Box<dyn Error>> {
    match std::env::args().nth(1).as_deref() {
        Some("bouncing_ball") => {
            let ball =
                HybridSimulation::new(Ball)?.state(SVector::from([1.0]), SVector::from([0.0]))?;
            print(ball, 4.0, |_: &State<Ball>| SVector::<f64, 0>::zeros())
        }
        Some("rocking_block") => {
            let (sine, cosine) = f64::sin_cos(0.1);
            let start = SVector::from([0.5 * cosine + 0.1 * sine, 0.1]);
            let block = HybridSimulation::new(Block)?.state(start, SVector::from([0.0, 0.0]))?;
            print(block, 0.75, |_: &State<Block>| SVector::<f64, 0>::zeros())
        }
        Some("stick_slip") => {
            let block = HybridSimulation::new(Held)?
                .state(SVector::from([1.0, 0.0]), SVector::from([-BELT, 0.0]))?;
            let spring = |state: &State<Held>| {
                SVector::from([-STIFFNESS * (state.q[0] + BELT * state.time)])
            };
            print(block, 2.5, spring)
        }
        _ => Err("expected bouncing_ball, rocking_block or stick_slip".into()),
    }
}

fn print<M: Model>(
    mut simulation: HybridSimulation<M>,
    duration: f64,
    controller: impl Controller<M>,
) -> Result<(), Box<dyn Error>> {
    simulation.run(duration, controller)?;
    simulation.events().iter().map(Event::time).for_each(|time| println!("{time:?}"));
    Ok(())
}
