//! Chains whose Coriolis forces are those at the beginning of steps: energy of no force is refused, and nothing else.

use std::error::Error;

use jourdain::contact::Motor;
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
fn steps_that_give_energy_are_refused() -> Result<(), Box<dyn Error>> {
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
            assert!(time < 100.0 && most < 1e3 * before, "{h} {speed}: {most} of {before} J");
        };
        assert!(matches!(failure, SimulationError::Diverged { .. }), "{failure}");
        // The state is that before, and the leapfrog goes on from it in shorter steps.
        assert_eq!(simulation.step(&SVector::zeros()), Err(failure));
        let mut simulation = simulation.symplectic(true).step_size(0.1 * h)?;
        simulation.run(10.0 * h, |_: &State<Flail>| SVector::zeros())?;
    }
    Ok(())
}

/// An arm that falls on the ground, or is braked at once.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(upper, mass = 2, com = [0.2, 0, 0], inertia = [1e-3, 0.03, 0.03]),
    joint(shoulder, revolute(world -> upper), at = [0, 0, 0.5], axis = [0, 1, 0]),
    link(lower, mass = 1, com = [0.2, 0, 0], inertia = [1e-3, 0.015, 0.015]),
    joint(elbow, revolute(upper -> lower), at = [0.4, 0, 0], axis = [0, 1, 0]),
    contact(knuckle, on = lower, sphere = 0.02, friction = 0.6),
    contact(tip, on = lower, at = [0.4, 0, 0], sphere = 0.02, friction = 0.6),
)]
struct Slap;

#[test]
fn what_is_stopped_is_not() -> Result<(), Box<dyn Error>> {
    for k in 0..120 {
        let (turn, speed) = (0.05 * f64::from(k % 12), 40.0 + 10.0 * f64::from(k / 12));
        for start in [vector![-0.4 + turn, 0.3], vector![turn, -2.0 * turn]] {
            let mut simulation = Simulation::new(Slap)?.state(start, vector![speed, 0.3 * speed]);
            let Ok(simulation) = &mut simulation else { continue };
            if simulation.gaps().iter().any(|gap| *gap < 0.0) {
                continue;
            }
            simulation.run(0.03, |_: &State<Slap>| SVector::zeros())?;
        }
        for elbow in [-2.0, -1.0, 1.0, 2.0] {
            let brake = Motor::Velocity { velocity: 0.0, force: 1e5 };
            let start = (vector![-2.0, elbow], vector![speed, speed]);
            let mut simulation = Simulation::new(Slap)?.state(start.0, start.1)?;
            simulation.set_motor("shoulder", Some(brake))?;
            simulation.set_motor("elbow", Some(brake))?;
            simulation.step(&SVector::zeros())?;
            assert!(simulation.current().v.amax() < 1e-9);
        }
    }
    Ok(())
}

/// Two rods that a cord ties, in flight.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(a, mass = 0.3, inertia = [0.0025, 0.0025, 5e-5]),
    joint(free, floating(world -> a)),
    link(b, mass = 0.3, com = [0, 0, -0.2], inertia = [0.0025, 0.0025, 5e-5]),
    joint(cord, spherical(a -> b), at = [0, 0, -0.17]),
)]
struct Nunchaku;

/// The equations of a step of the leapfrog have solutions that are no motion.
#[test]
fn a_leap_is_none_to_another_motion() -> Result<(), Box<dyn Error>> {
    let (sin, cos) = (f64::sin, f64::cos);
    let q = vector![0.0, 0.0, 0.6, 0.0, sin(0.3), 0.0, cos(0.3), 0.0, sin(0.25), 0.0, cos(0.25)];
    let mut accepted = 0;
    for k in 1..60 {
        let speed = 5.0 * f64::from(k);
        let v = vector![0.3, 0.0, 0.0, 0.0, speed, 20.0, 10.0, -0.5 * speed, 0.0];
        for h in [2e-4, 5e-4, 1e-3, 2e-3] {
            let mut simulation = Simulation::new(Nunchaku)?.step_size(h)?.state(q, v)?;
            let (energy, momentum) = (simulation.energy(), Nunchaku.momentum(&q, &v));
            for _ in 0..20 {
                if simulation.step(&SVector::zeros()).is_err() {
                    break;
                }
                accepted += 1;
                let State { q, v, time } = *simulation.current();
                let energy_now = simulation.energy();
                assert!(
                    (energy_now / energy - 1.0).abs() < 0.3,
                    "{speed} {h} {time}: {energy_now} of {energy}"
                );
                let weight = 0.6 * 9.81 * time;
                let lost = Nunchaku.momentum(&q, &v) - momentum;
                assert!(
                    lost.iter()
                        .enumerate()
                        .all(|(k, x)| x.abs() < 1e-9 * speed + f64::from(k >= 2) * weight),
                    "{lost}"
                );
            }
        }
    }
    assert!(accepted > 500, "{accepted}");
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
