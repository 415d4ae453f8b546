//! The G1 drops onto its feet from 5 cm and stands, every joint held by a proportional–derivative
//! law.
//!
//! Each sole touches the ground at four points, so that twelve forces at most are determined of the
//! twenty-four: the step finds one choice of them.

use std::error::Error;
use std::time::Instant;

use jourdain::playback::Scene;
use jourdain::prelude::*;
use jourdain_examples::{audited_run, fact, save};
use jourdain_models::G1;
use nalgebra::SVector;

const DURATION: f64 = 4.0;
/// Of the soles above the ground at the start, in metres.
const DROP: f64 = 0.05;

fn main() -> Result<(), Box<dyn Error>> {
    let mut posture = G1::standing(0.0);
    posture[2] = DROP - G1.gap(&posture).min();
    let controller = controller(&posture);
    let mut simulation = Simulation::new(G1)?.step_size(5e-4)?.state(posture, SVector::zeros())?;
    let mut recording = Recording::new(100.0)?;
    let clock = Instant::now();
    let audit = audited_run(&mut simulation, DURATION, controller, &mut recording)?;
    let speed = audit.steps as f64 / clock.elapsed().as_secs_f64();

    let State { q, v, .. } = simulation.current();
    let height = G1.center_of_mass(q).z;
    println!("G1, {} degrees of freedom, dropped from {DROP} m", G1::NV);
    println!("speed        {speed:.0} steps of 0.5 ms per second, each judged from outside");
    println!("residual     {:.1e} at most, recomputed from q, v, v⁺, Λ", audit.residual);
    println!(
        "penetration  {:.1e} m at most, {:.1e} m in the last second",
        audit.penetration, audit.final_penetration
    );
    println!("feet         {:.1e} m/s at most in the last second", audit.final_speed);
    println!("stands       centre of mass at {height:.3} m, joints at {:.1e} rad/s", v.amax());
    println!("torque       {:.0} N m at most", audit.input);
    let mut scene = Scene::film(&G1, &recording);
    scene.title = "Unitree G1".into();
    scene.subtitle = format!(
        "Dropped from 5 cm; joint PD control, {} degrees of freedom, {} frictional contacts",
        G1::NV,
        <G1 as Model>::CONTACTS.len()
    );
    scene.facts = vec![
        fact("steps per second", format!("{speed:.0}")),
        fact("largest residual", format!("{:.0e}", audit.residual)),
        fact("foot speed at rest", format!("{:.0e} m/s", audit.final_speed)),
    ];
    save(&scene, "humanoid")?;
    Ok(())
}

/// Legs and waist as stiff as their motors are strong; arms with 20 rad/s of bandwidth.
fn controller(posture: &SVector<f64, 36>) -> Pd<G1> {
    // The first coordinates of each.
    const LEGS: usize = 6;
    const ARMS: usize = 21;
    let (mass, limits) = (G1.mass_matrix(posture), G1.coordinate_parameters());
    let stiffness = |k: usize| match k {
        0..LEGS => 0.0,
        LEGS..ARMS => 8.0 * limits[k].effort,
        _ => 400.0 * mass[(k, k)],
    };
    let damping = |k: usize| match k {
        0..LEGS => 0.0,
        LEGS..ARMS => 0.2 * limits[k].effort,
        _ => 40.0 * mass[(k, k)],
    };
    let gains = |gain: &dyn Fn(usize) -> f64| SVector::from_fn(|k, _| gain(k));
    Pd::new(&G1, *posture, 0.0, 0.0).gains(gains(&stiffness), gains(&damping))
}
