//! The UR5 moves between two postures along a smooth path, with gravity compensation and a
//! proportional–derivative law at each joint.
//!
//! > τ = −τ_g(q) + K_p (q_d − q) + K_d (v_d − v)

use std::error::Error;

use jourdain::playback::{Plane, Scene};
use jourdain::prelude::*;
use jourdain_examples::{fact, save};
use jourdain_models::Ur5;
use nalgebra::{SVector, vector};

/// Of each of the three moves, in seconds.
const MOVE: f64 = 2.0;

fn main() -> Result<(), Box<dyn Error>> {
    let mut simulation = Simulation::new(Ur5)?.state(path(0.0).0, SVector::zeros())?;
    let mut recording = Recording::new(100.0)?;
    let mut largest = SVector::<f64, 6>::zeros();
    let controller = |state: &State<Ur5>| {
        let torque = torque(state);
        largest = largest.sup(&torque.abs());
        torque
    };
    simulation.run_recorded(3.0 * MOVE, controller, &mut recording)?;
    let errors = recording.samples().iter().map(|sample| {
        let (wanted, _) = path(sample.state.time);
        (sample.state.q - wanted).amax()
    });
    let error = errors.fold(0.0, f64::max);
    println!("UR5, three moves of {MOVE} s");
    println!("joints       {error:.1e} rad at most from the path");
    println!("torque       {:.1} N m at most, at the shoulder", largest.max());
    let mut scene = Scene::film(&Ur5, &recording);
    scene.ground.push(Plane::HORIZONTAL);
    scene.title = "UR5".into();
    scene.subtitle = "Three smooth moves, gravity compensation and joint PD".into();
    scene.facts = vec![
        fact("largest joint error", format!("{error:.0e} rad")),
        fact("largest torque", format!("{:.0} N m", largest.max())),
    ];
    save(&scene, "ur5")?;
    Ok(())
}

fn torque(state: &State<Ur5>) -> SVector<f64, 6> {
    let stiffness = vector![2000.0, 2000.0, 1000.0, 200.0, 200.0, 100.0];
    let damping = vector![150.0, 150.0, 80.0, 10.0, 10.0, 5.0];
    let (q, v) = path(state.time);
    stiffness.component_mul(&(q - state.q)) + damping.component_mul(&(v - state.v))
        - Ur5.gravity_force(&state.q)
}

/// Configuration and velocity on the path: polynomials of fifth degree between postures at rest.
fn path(time: f64) -> (SVector<f64, 6>, SVector<f64, 6>) {
    let postures = [
        vector![0.0, -1.57, 1.57, -1.57, -1.57, 0.0],
        vector![1.2, -1.1, 1.5, -2.0, -1.57, 1.0],
        vector![-1.0, -1.9, 0.8, -0.5, -1.0, -1.0],
        vector![0.0, -1.57, 1.57, -1.57, -1.57, 0.0],
    ];
    let leg = ((time / MOVE) as usize).min(2);
    let s = (time / MOVE - leg as f64).min(1.0);
    let blend = s.powi(3) * (10.0 + s * (6.0 * s - 15.0));
    let rate = 30.0 * (s * (1.0 - s)).powi(2) / MOVE;
    let way = postures[leg + 1] - postures[leg];
    (postures[leg] + blend * way, rate * way)
}
