//! Event times of the three systems, located: `events SCENE START` prints one time in seconds per line.

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

/// A block of 0.2 m by 1 m on its two corners, by the place of its middle and its angle.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(slide, massless),
    joint(x, prismatic(world -> slide), axis = [1, 0, 0], passive),
    link(lift, massless),
    joint(z, prismatic(slide -> lift), axis = [0, 0, 1], passive),
    link(block, mass = 1, inertia = [1, 1.04 / 12, 1]),
    joint(angle, revolute(lift -> block), axis = [0, -1, 0], passive),
    contact(left, on = block, at = [-0.1, 0, -0.5], friction = 0.9),
    contact(right, on = block, at = [0.1, 0, -0.5], friction = 0.9),
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
    let arguments: Vec<String> = std::env::args().collect();
    let [_, scene, start] = &arguments[..] else { return Err("expected SCENE START".into()) };
    let start: f64 = start.parse()?;
    match scene.as_str() {
        "bouncing_ball" => {
            let ball = HybridSimulation::new(Ball)?.state([start].into(), [0.0].into())?;
            print(ball, 4.0, |_: &State<Ball>| SVector::<f64, 0>::zeros())
        }
        "rocking_block" => {
            let (sine, cosine) = start.sin_cos();
            let q = [0.0, 0.5 * cosine + 0.1 * sine, start].into();
            let block = HybridSimulation::new(Block)?.state(q, SVector::zeros())?;
            print(block, 2.2, |_: &State<Block>| SVector::<f64, 0>::zeros())
        }
        "stick_slip" => {
            let block =
                HybridSimulation::new(Held)?.state([start, 0.0].into(), [-BELT, 0.0].into())?;
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
