//! Chains whose Coriolis forces are those at the beginning of steps: energy of no force is refused, and nothing else.

use std::error::Error;

use jourdain::prelude::*;
use nalgebra::{SVector, vector};

/// U of the flail that hangs, J.
const LEAST: f64 = -9.81 * (0.15 + 0.5 * 0.45 + 0.2 * 0.75);

/// Three rods on a peg.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(a, mass = 1, com = [0, 0, -0.15], inertia = [8e-3, 8e-3, 1e-4]),
    joint(first, revolute(world -> a), axis = [0, 1, 0]),
    link(b, mass = 0.5, com = [0, 0, -0.15], inertia = [4e-3, 4e-3, 1e-4]),
    joint(second, revolute(a -> b), at = [0, 0, -0.3], axis = [0, 1, 0]),
    link(c, mass = 0.2, com = [0, 0, -0.15], inertia = [2e-3, 2e-3, 1e-4]),
    joint(third, revolute(b -> c), at = [0, 0, -0.3], axis = [0, 1, 0]),
)]
struct Flail;

/// A cart on a wheel that is out of balance by nothing, and an arm.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(cart, mass = 5, inertia = [0.1, 0.1, 0.1]),
    joint(way, prismatic(world -> cart), axis = [1, 0, 0]),
    link(wheel, mass = 1, inertia = [5e-3, 1e-2, 5e-3]),
    joint(axle, revolute(cart -> wheel), axis = [0, 1, 0], damping = 1e-4, actuated),
    link(arm, mass = 1, com = [0, 0, -0.2], inertia = [1e-2, 1e-2, 1e-3]),
    joint(shoulder, revolute(cart -> arm), axis = [0, 1, 0]),
)]
struct Cart;

#[test]
fn energy_of_no_force_is_refused() -> Result<(), Box<dyn Error>> {
    for (h, speed) in [(1e-3, 20.0), (1e-3, 60.0), (1e-2, 15.0), (1e-4, 300.0)] {
        let simulation = Simulation::new(Flail)?.symplectic(false).step_size(h)?;
        let mut simulation =
            simulation.state(vector![0.3, 1.0, -0.5], vector![speed, -speed, speed])?;
        let before = simulation.energy() - LEAST;
        let mut most = before;
        let failure = loop {
            match simulation.step(&SVector::zeros()) {
                Ok(_) => most = most.max(simulation.energy() - LEAST),
                Err(failure) => break failure,
            }
            let time = simulation.current().time;
            assert!(
                time < 100.0 && most < 100.0 * before,
                "{h} {speed}: {time} s, {most} of {before} J"
            );
        };
        println!("{h:e} {speed}: {before} J, {most} J, {failure}");
        assert!(matches!(failure, SimulationError::EnergyDrift { .. }), "{failure}");
        // The state is that before, and the leapfrog goes on from it.
        let state = simulation.current().clone();
        let mut simulation = simulation.symplectic(true);
        assert_eq!(simulation.current(), &state);
        simulation.run(0.1, |_: &State<Flail>| SVector::zeros())?;
    }
    Ok(())
}

#[test]
fn what_forces_give_is_not() -> Result<(), Box<dyn Error>> {
    let wheel = |speed: f64| vector![0.0, speed, 0.0];
    let mut coasting =
        Simulation::new(Cart)?.symplectic(false).state(vector![0.0, 0.0, 0.5], wheel(900.0))?;
    coasting.run(5.0, |_: &State<Cart>| vector![0.0])?;
    let mut driven =
        Simulation::new(Cart)?.symplectic(false).state(vector![0.0, 0.0, 0.5], wheel(0.0))?;
    driven.run(5.0, |_: &State<Cart>| vector![2.0])?;
    assert!(driven.current().v[1] > 500.0);
    Ok(())
}
