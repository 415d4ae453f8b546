//! The G1 drops onto its feet from 5 cm and stands, every joint held by a proportional–derivative
//! law.
//!
//! Each sole touches the ground at four points, so that twelve forces at most are determined of the
//! twenty-four: the step finds one choice of them.

use std::error::Error;
use std::time::Instant;

use jourdain::playback::{Color, Scene, Shape, UnknownBody};
use jourdain::prelude::*;
use jourdain_examples::{audited_run, fact, save};
use jourdain_models::G1;
use nalgebra::{SVector, Vector3};

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
    dress(&mut scene)?;
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

/// A trunk and a head on the stick figure, and none of the sensors.
fn dress(scene: &mut Scene) -> Result<(), UnknownBody> {
    let at = |x: f64, z: f64| Vector3::new(x, 0.0, z);
    let chest = Shape::cuboid(Vector3::new(0.065, 0.085, 0.15), Color::GRAPHITE).at(at(0.0, 0.165));
    let badge = Shape::cuboid(Vector3::new(0.008, 0.05, 0.03), Color::ORANGE).at(at(0.064, 0.23));
    let neck = Shape::capsule(at(0.0, 0.3), at(0.0, 0.36), 0.03, Color::STEEL);
    let head = Shape::capsule(at(0.01, 0.4), at(0.01, 0.44), 0.065, Color::CHALK);
    let face = Shape::cuboid(Vector3::new(0.02, 0.045, 0.035), Color::GRAPHITE).at(at(0.062, 0.42));
    scene.dress("torso_link", [chest, badge, neck, head, face])?;
    let hips = Vector3::new(0.05, 0.07, 0.045);
    scene.dress("pelvis", [Shape::cuboid(hips, Color::GRAPHITE).at(at(0.0, -0.08))])?;
    for bare in [
        "pelvis_contour_link",
        "logo_link",
        "head_link",
        "imu_in_torso",
        "imu_in_pelvis",
        "d435_link",
        "mid360_link",
    ] {
        scene.dress(bare, [])?;
    }
    Ok(())
}
