//! One time step of a brick against a wall, and of a brick with friction, in closed form.
//!
//! > wall at q = 0:  v⁺ = max(v + h u/m, −q/h),  q⁺ = q + h v⁺,  λ = m v⁺ − m v − h u
//! > friction:  v⁺ = w − clamp(w, −h μ g, h μ g),  w = v + h u/m
//!
//! Source: Tedrake, Underactuated Robotics, appendix "Multi-Body Dynamics", the two time-stepping
//! examples; the solutions of their complementarity problems.

use fastrand::Rng;
use jourdain::prelude::*;
use nalgebra::{Vector1, Vector2};

use crate::{between, close};

const G: f64 = 9.81;
const STATES: usize = 300;

/// A brick on wheels, with a wall behind it.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(brick, mass = m),
    joint(slide, prismatic(world -> brick), axis = [1, 0, 0], actuated),
    contact(wall, on = brick, plane(normal = [1, 0, 0])),
)]
struct Wall {
    m: f64,
}

/// A brick whose rail rubs as the ground would.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(brick, mass = m),
    joint(slide, prismatic(world -> brick), axis = [1, 0, 0], actuated, friction = mu * m * 9.81),
)]
struct Rail {
    m: f64,
    mu: f64,
}

/// A brick that lies on the ground.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(carriage, massless),
    joint(slide, prismatic(world -> carriage), axis = [1, 0, 0], actuated),
    link(brick, mass = m),
    joint(lift, prismatic(carriage -> brick), axis = [0, 0, 1]),
    contact(ground, on = brick, friction = mu),
)]
struct Ground {
    m: f64,
    mu: f64,
}

/// w without what friction can take of it.
fn rubbed(w: f64, most: f64) -> f64 {
    w - w.clamp(-most, most)
}

#[test]
fn brick_against_a_wall() -> Result<(), SimulationError> {
    let rng = &mut Rng::with_seed(2);
    let mut touched = 0;
    for _ in 0..STATES {
        let (m, h) = (between(rng, 0.1, 9.0), between(rng, 1e-3, 0.1));
        let (q, v, u) = (between(rng, 0.0, 0.1), between(rng, -2.0, 1.0), between(rng, -9.0, 9.0));
        let start = Simulation::new(Wall { m })?.step_size(h)?;
        let mut simulation = start.state(Vector1::new(q), Vector1::new(v))?;
        simulation.step(&Vector1::new(u))?;
        let expected = (v + h * u / m).max(-q / h);
        let State { q: end, v: found, time } = simulation.current();
        close("v⁺", found.as_slice(), &[expected], 1e-12);
        close("q⁺", end.as_slice(), &[q + h * expected], 1e-12);
        close("λ", &simulation.impulse().normal, &[m * (expected - v) - h * u], 1e-12);
        assert_eq!(*time, h);
        touched += usize::from(simulation.impulse().normal[0] > 0.0);
    }
    assert!((STATES / 10..STATES * 9 / 10).contains(&touched), "{touched}");
    Ok(())
}

#[test]
fn brick_with_friction() -> Result<(), SimulationError> {
    let rng = &mut Rng::with_seed(3);
    let mut stuck = 0;
    for _ in 0..STATES {
        let (m, mu) = (between(rng, 0.1, 9.0), between(rng, 0.05, 1.0));
        let (h, v) = (between(rng, 1e-3, 0.1), between(rng, -0.5, 0.5));
        let u = Vector1::new(between(rng, -9.0, 9.0));
        let expected = rubbed(v + h * u[0] / m, h * mu * G);
        let rail = Simulation::new(Rail { m, mu })?.step_size(h)?;
        let mut rail = rail.state(Vector1::new(0.3), Vector1::new(v))?;
        rail.step(&u)?;
        close("on a rail", rail.current().v.as_slice(), &[expected], 1e-12);
        let ground = Simulation::new(Ground { m, mu })?.step_size(h)?;
        let mut ground = ground.state(Vector2::new(0.3, 0.0), Vector2::new(v, 0.0))?;
        ground.step(&u)?;
        close("on the ground", ground.current().v.as_slice(), &[expected, 0.0], 1e-12);
        close("its weight", &ground.impulse().normal, &[m * G * h], 1e-12);
        stuck += usize::from(expected == 0.0);
    }
    assert!((STATES / 10..STATES * 9 / 10).contains(&stuck), "{stuck}");
    Ok(())
}

/// The velocity-level formulation takes the same step where the brick already touches.
#[test]
fn both_formulations_agree_in_contact() -> Result<(), SimulationError> {
    let law = Formulation::AnitescuPotra(AnitescuPotra::default());
    for (v, u) in [(0.2, 0.0), (0.0, 3.0), (-0.01, 0.0), (0.0, -50.0)] {
        let ends = [Formulation::StewartTrinkle, law].map(|formulation| {
            let brick = Simulation::new(Ground { m: 2.0, mu: 0.4 })?.formulation(formulation);
            let mut brick = brick.state(Vector2::zeros(), Vector2::new(v, 0.0))?;
            brick.step(&Vector1::new(u))?;
            Ok::<_, SimulationError>(brick.current().v)
        });
        let [first, second] = ends;
        close("v⁺", first?.as_slice(), second?.as_slice(), 1e-13);
    }
    Ok(())
}
