//! Five scenes of known end by every formulation with Coulomb's law as its limit, with ever smaller steps.
//!
//! Prints scene, formulation, steps per second and error of the position, fields separated by tabs. The
//! polygon's directions are those of the motion, and what is soft or relaxed shrinks with the step h:
//! κ = 2 h and ε = h in Todorov's form, margins in proportion to h.

use std::error::Error;

use jourdain::Robot;
use jourdain::contact::{Anitescu, AnitescuPotra, Cone, Formulation, Normal, Todorov};
use jourdain::nalgebra::SVector;
use jourdain::prelude::{Model, Simulation, State};
use jourdain::space::Storage;

const G: f64 = 9.81;
const FRICTION: f64 = 0.3;
/// Seconds of every scene.
const DURATION: f64 = 1.0;
/// Steps per second.
const RATES: [f64; 7] = [50.0, 100.0, 200.0, 400.0, 800.0, 1600.0, 3200.0];
/// m/s; what slides is lifted in proportion to it by the convex forms.
const FASTEST: f64 = 4.0;

/// A point on a plane that may be inclined, on a spring.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [along, 0, -down],
    link(carriage, massless),
    joint(across, prismatic(world -> carriage), axis = [1, 0, 0], stiffness = k),
    link(point, mass = 1),
    joint(above, prismatic(carriage -> point), axis = [0, 0, 1]),
    contact(ground, on = point, friction = 0.3),
)]
struct Point {
    along: f64,
    down: f64,
    k: f64,
}

/// A solid ball, in a plane.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(carriage, massless),
    joint(across, prismatic(world -> carriage), axis = [1, 0, 0]),
    link(lift, massless),
    joint(above, prismatic(carriage -> lift), axis = [0, 0, 1]),
    link(ball, mass = 1, inertia = [0.004, 0.004, 0.004]),
    joint(turn, continuous(lift -> ball), axis = [0, 1, 0]),
    contact(ground, on = ball, sphere = 0.1, friction = 0.3),
)]
struct Ball;

/// The formulations for a step, by name.
fn formulations(h: f64) -> Result<[(&'static str, Formulation); 7], jourdain::contact::Error> {
    let margin = 2.0 * FASTEST * h;
    let velocity = AnitescuPotra::new(1.0, margin)?;
    let todorov = Todorov::new(h, 2.0 * h)?.margin(margin)?;
    Ok([
        ("coulomb", Formulation::Coulomb(Normal::Gap)),
        ("coulomb velocity", Formulation::Coulomb(Normal::Velocity(velocity))),
        ("stewart-trinkle", Formulation::StewartTrinkle),
        ("anitescu-potra", Formulation::AnitescuPotra(velocity)),
        ("anitescu", Formulation::Anitescu(Anitescu::new(margin)?)),
        ("todorov", Formulation::Todorov(todorov)),
        ("todorov pyramid", Formulation::Todorov(todorov.cone(Cone::Pyramid))),
    ])
}

fn main() -> Result<(), Box<dyn Error>> {
    for rate in RATES {
        for (name, formulation) in formulations(1.0 / rate)? {
            for (scene, error) in errors(formulation, rate)? {
                println!("{scene}\t{name}\t{rate}\t{error:e}");
            }
        }
    }
    Ok(())
}

/// |x − x(T)| of each scene, m.
fn errors(formulation: Formulation, rate: f64) -> Result<[(&'static str, f64); 5], Box<dyn Error>> {
    let level = Point { along: 0.0, down: G, k: 0.0 };
    let (sin, cos) = 0.5_f64.sin_cos();
    let inclined = Point { along: G * sin, down: G * cos, k: 0.0 };
    let sprung = Point { along: 0.0, down: G, k: SPRING };
    let end = |q: [f64; 2], v: [f64; 2], robot: Point| {
        position(robot, (q.into(), v.into()), formulation, rate)
    };
    let ball = (SVector::from([0.0, 0.1, 0.0]), SVector::from([3.0, 0.0, 0.0]));
    Ok([
        ("stops", (end([0.0; 2], [2.0, 0.0], level)? - stops(2.0)).abs()),
        ("lands", (end([0.0, 0.5], [FASTEST, 0.0], level)? - lands(FASTEST, 0.5)).abs()),
        ("slides down", (end([0.0; 2], [0.0; 2], inclined)? - slides(sin, cos)).abs()),
        ("swings", (end([1.0, 0.0], [0.0; 2], sprung)? - swings(1.0)).abs()),
        ("rolls", (position(Ball, ball, formulation, rate)? - rolls(3.0)).abs()),
    ])
}

/// N/m.
const SPRING: f64 = 25.0;

/// x(T) from a state.
fn position<M: Model>(
    robot: M,
    (q, v): (M::Q, M::V),
    formulation: Formulation,
    rate: f64,
) -> Result<f64, Box<dyn Error>> {
    let simulation = Simulation::new(robot)?.step_size(1.0 / rate)?.formulation(formulation);
    let mut simulation = simulation.state(q, v)?;
    simulation.run(DURATION, |_: &State<M>| M::U::zeros())?;
    Ok(simulation.current().q[0])
}

/// From a speed to rest: v² / 2 μ g.
fn stops(speed: f64) -> f64 {
    speed * speed / (2.0 * FRICTION * G)
}

/// Flies, loses μ times the speed of its fall on landing, slides on: for the rest of the time, or to rest.
fn lands(speed: f64, height: f64) -> f64 {
    let flight = (2.0 * height / G).sqrt();
    let after = speed - FRICTION * G * flight;
    let rest = (DURATION - flight).min(after / (FRICTION * G));
    speed * flight + after * rest - 0.5 * FRICTION * G * rest * rest
}

/// ½ g (sin θ − μ cos θ) T².
fn slides(sin: f64, cos: f64) -> f64 {
    0.5 * G * (sin - FRICTION * cos) * DURATION * DURATION
}

/// Half a swing of a spring after the other, each about ±μ m g / k, until it sticks or time is up.
fn swings(start: f64) -> f64 {
    let (middle, rate) = (FRICTION * G / SPRING, SPRING.sqrt());
    let half = std::f64::consts::PI / rate;
    let (mut x, mut time) = (start, DURATION);
    while x.abs() > middle && time > half {
        x = 2.0 * middle * x.signum() - x;
        time -= half;
    }
    if x.abs() <= middle {
        return x;
    }
    let center = middle * x.signum();
    center + (x - center) * (rate * time).cos()
}

/// Slips until v = 5/7 v₀, then rolls.
fn rolls(speed: f64) -> f64 {
    let slip = 2.0 / 7.0 * speed / (FRICTION * G);
    let rolling = speed - FRICTION * G * slip;
    speed * slip - 0.5 * FRICTION * G * slip * slip + rolling * (DURATION - slip)
}
