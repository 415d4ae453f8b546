//! The double pendulum swings freely; what it shows is how well energy is kept.

use std::error::Error;

use jourdain::playback::{Color, Plane, Scene, Shape, UnknownBody};
use jourdain::prelude::*;
use jourdain_examples::{energy, fact, save};
use jourdain_models::DoublePendulum;
use nalgebra::{Vector2, Vector3, vector};

const ROBOT: DoublePendulum = DoublePendulum { m1: 1.0, m2: 1.0, l1: 0.5, l2: 0.5 };
const DURATION: f64 = 10.0;

fn main() -> Result<(), Box<dyn Error>> {
    let mut recording = Recording::new(60.0)?;
    let coarse = drift(1e-3, &mut Recording::new(60.0)?)?;
    let fine = drift(1e-4, &mut recording)?;
    println!("double pendulum, {DURATION} s of free motion");
    println!("energy drift {coarse:.1e} J at most with steps of 1 ms");
    println!("             {fine:.1e} J at most with steps of 0.1 ms");
    let mut scene = Scene::film(&ROBOT, &recording);
    dress(&mut scene)?;
    scene.ground.push(Plane { offset: -1.2, ..Plane::HORIZONTAL });
    scene.title = "Double pendulum".into();
    scene.subtitle = "Two point masses on massless rods, released at rest".into();
    scene.facts =
        vec![fact("step", "0.1 ms"), fact("largest energy drift", format!("{fine:.0e} J"))];
    save(&scene, "double_pendulum")?;
    Ok(())
}

/// The largest deviation of T + U from its value at the start, in J, at the recorded times.
fn drift(h: f64, recording: &mut Recording<DoublePendulum>) -> Result<f64, SimulationError> {
    let mut simulation =
        Simulation::new(ROBOT)?.step_size(h)?.state(vector![2.2, 0.6], Vector2::zeros())?;
    let start = energy(&simulation);
    simulation.run_recorded(DURATION, |_: &State<_>| Vector2::zeros(), recording)?;
    let energies = recording.samples().iter();
    let energies = energies.map(|sample| sample.kinetic_energy + sample.potential_energy);
    Ok(energies.fold(0.0, |worst, energy| worst.max((energy - start).abs())))
}

fn dress(scene: &mut Scene) -> Result<(), UnknownBody> {
    let down = |length: f64| Vector3::new(0.0, 0.0, -length);
    let rod = |length| Shape::capsule(Vector3::zeros(), down(length), 0.012, Color::STEEL);
    let bob = |length, color| Shape::sphere(0.05, color).at(down(length));
    let pivot = Shape::sphere(0.022, Color::GRAPHITE);
    scene.dress("upper", [pivot, rod(ROBOT.l1), bob(ROBOT.l1, Color::BLUE)])?;
    scene.dress("lower", [rod(ROBOT.l2), bob(ROBOT.l2, Color::ORANGE)])
}
