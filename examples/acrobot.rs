//! The acrobot swings itself up with the motor at its elbow, and balances on top.
//!
//! While it swings, the elbow's acceleration is made what is wanted, and energy is pumped into the
//! shoulder by
//!
//! > q̈₂ = −k₁ q₂ − k₂ q̇₂ + k₃ (E_top − E) q̇₁,  u = M₂₁ q̈₁ + M₂₂ q̈₂ + b₂,  M₁₁ q̈₁ + M₁₂ q̈₂ + b₁ = 0
//!
//! Near the top a linear–quadratic regulator takes over.
//!
//! # Source
//!
//! Spong: The Swing Up Control Problem for the Acrobot, IEEE Control Systems 15 (1995); the pump is
//! that of Tedrake: Underactuated Robotics, chapter "Acrobots, Cart-Poles, and Quadrotors".

use std::error::Error;
use std::f64::consts::{PI, TAU};

use jourdain::playback::{Color, Scene, Shape, UnknownBody};
use jourdain::prelude::*;
use jourdain_examples::lqr::Balance;
use jourdain_examples::{fact, plot, save};
use jourdain_models::Acrobot;
use nalgebra::{Vector2, Vector3, vector};

const ROBOT: Acrobot = Acrobot { m1: 1.0, m2: 1.0, l1: 0.5, l2: 0.5, height: 1.2, mu: 0.8, e: 0.3 };
const UPRIGHT: Vector2<f64> = vector![PI, 0.0];
const DURATION: f64 = 8.0;

fn main() -> Result<(), Box<dyn Error>> {
    let mut pilot = Pilot::new();
    let mut simulation = Simulation::new(ROBOT)?.state(vector![1.0, 0.0], Vector2::zeros())?;
    let mut recording = Recording::new(100.0)?;
    simulation.run_recorded(
        DURATION,
        |state: &State<_>| vector![pilot.input(state)],
        &mut recording,
    )?;

    let error = (wrapped(&simulation.current().q) - UPRIGHT).amax();
    let torques = recording.samples().iter().map(|sample| sample.u.x.abs());
    let torque = torques.fold(0.0, f64::max);
    let caught = pilot.caught.map_or("not caught".into(), |time| format!("{time:.2} s"));
    println!("acrobot, released 1 rad from hanging");
    println!("upright      caught at {caught}, {error:.1e} rad away after {DURATION} s");
    println!("motor        {torque:.1} N m at most");
    let mut scene = Scene::film(&ROBOT, &recording);
    dress(&mut scene)?;
    scene.plots.pop();
    scene.plots.push(plot(&recording, "Motor", "N m", &[("u", &|s| s.u.x)]));
    scene.title = "Acrobot".into();
    scene.subtitle = "Swings up by pumping energy, then balances; one motor, at the elbow".into();
    scene.facts =
        vec![fact("caught at", caught), fact("largest torque", format!("{torque:.1} N m"))];
    save(&scene, "acrobot")?;
    Ok(())
}

/// Swings up until the regulator can take over, which it then does for good.
struct Pilot {
    balance: Balance,
    /// The regulator's cost below which it takes over.
    near: f64,
    /// When it took over, in seconds.
    caught: Option<f64>,
}

impl Pilot {
    fn new() -> Self {
        let balance = Balance::new(&ROBOT, UPRIGHT, [10.0, 10.0, 1.0, 1.0], 1.0);
        let near = balance.cost(&(UPRIGHT + vector![0.035, 0.0]), &Vector2::zeros());
        Self { balance, near, caught: None }
    }

    fn input(&mut self, State { time, q, v }: &State<Acrobot>) -> f64 {
        const STRONGEST: f64 = 25.0;
        let q = wrapped(q);
        if self.caught.is_none() && self.balance.cost(&q, v) < self.near {
            self.caught = Some(*time);
        }
        let wanted = if self.caught.is_some() { self.balance.input(&q, v) } else { pump(&q, v) };
        wanted.clamp(-STRONGEST, STRONGEST)
    }
}

/// The torque of the swing-up.
fn pump(q: &Vector2<f64>, v: &Vector2<f64>) -> f64 {
    let energy = ROBOT.kinetic_energy(q, v) + ROBOT.potential_energy(q);
    let lacking = ROBOT.potential_energy(&UPRIGHT) - energy;
    let elbow = -10.0 * q.y - 4.0 * v.y + 0.5 * lacking * v.x;
    let (mass, bias) = (ROBOT.mass_matrix(q), ROBOT.bias_force(q, v));
    let shoulder = -(mass[(0, 1)] * elbow + bias.x) / mass[(0, 0)];
    mass[(1, 0)] * shoulder + mass[(1, 1)] * elbow + bias.y
}

/// With the first angle within half a turn of upright.
fn wrapped(q: &Vector2<f64>) -> Vector2<f64> {
    vector![q.x - TAU * ((q.x - PI) / TAU).round(), q.y]
}

fn dress(scene: &mut Scene) -> Result<(), UnknownBody> {
    let down = |length: f64| Vector3::new(0.0, 0.0, -length);
    let rod = |length, color| Shape::capsule(Vector3::zeros(), down(length), 0.022, color);
    let bob = |length, color| Shape::sphere(0.05, color).at(down(length));
    let shoulder = Shape::sphere(0.035, Color::GRAPHITE);
    let upper = [shoulder, rod(ROBOT.l1, Color::STEEL), bob(ROBOT.l1, Color::ORANGE)];
    scene.dress("upper", upper)?;
    scene.dress("lower", [rod(ROBOT.l2, Color::CHALK), bob(ROBOT.l2, Color::GRAPHITE)])
}
