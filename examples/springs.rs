//! Solo 12 falls on springs of different stiffness and stands, beside the rigid one of a time-stepping simulation.
//!
//! Says what each takes, and by how much its posture differs; draws the softest.

use std::error::Error;
use std::time::Instant;

use jourdain::compliant::{self, Bristles, Spring, Stribeck};
use jourdain::playback::Scene;
use jourdain::prelude::*;
use jourdain_examples::{fact, plot, save};
use jourdain_models::Solo12;
use nalgebra::SVector;

const HEIGHT: f64 = 0.3;
/// Of a run, and of standing after it, s.
const DURATION: f64 = 3.0;
const STANDING: f64 = 60.0;
/// N m/rad and N m s/rad.
const GAINS: [f64; 2] = [10.0, 0.3];
/// N/m.
const STIFFNESSES: [f64; 3] = [1e3, 1e4, 1e5];
const GRAVITY: f64 = 9.81;

fn main() -> Result<(), Box<dyn Error>> {
    let (mut rigid, controller) = (Simulation::new(Solo12)?, controller());
    rigid = rigid.state(Solo12::standing(HEIGHT), SVector::zeros())?;
    rigid.run(DURATION, controller.clone())?;
    println!("Solo 12 dropped from {HEIGHT} m, {DURATION} s, then standing for {STANDING} s");
    println!("k, N/m     height, m   below rigid   steps  evaluations       s   events   standing");
    for stiffness in STIFFNESSES {
        let mut simulation = dropped(stiffness)?;
        let clock = Instant::now();
        simulation.run(DURATION, controller.clone())?;
        let (effort, seconds) = (simulation.effort(), clock.elapsed().as_secs_f64());
        let clock = Instant::now();
        simulation.run(STANDING, controller.clone())?;
        let (after, standing) = (simulation.effort().steps, clock.elapsed().as_secs_f64());
        let height = simulation.current().q[2];
        println!(
            "{stiffness:<9e} {height:>10.6} {:>13.1e} {:>7} {:>12} {seconds:>7.4} {:>8}   {} steps, {standing:.1e} s",
            rigid.current().q[2] - height,
            effort.steps,
            effort.evaluations,
            simulation.event_count(),
            after - effort.steps,
        );
    }
    let mut recording = Recording::new(200.0)?;
    dropped(STIFFNESSES[0])?.run_recorded(DURATION, controller, &mut recording)?;
    let mut scene = Scene::film(&Solo12, &recording);
    scene.title = "Solo 12 on springs".into();
    scene.subtitle = format!("Dropped from {HEIGHT} m on contacts of {:.0} N/m", STIFFNESSES[0]);
    let gap = |k: usize| move |s: &jourdain::record::Sample<Solo12>| 1e3 * s.gaps[k];
    let force = |k: usize| move |s: &jourdain::record::Sample<Solo12>| s.forces[k].z;
    scene.plots = vec![
        plot(&recording, "Height", "m", &[("base", &|s| s.state.q[2])]),
        plot(&recording, "Gaps", "mm", &[("front left", &gap(0)), ("hind left", &gap(2))]),
        plot(&recording, "Forces", "N", &[("front left", &force(0)), ("hind left", &force(2))]),
    ];
    scene.facts = vec![fact("stiffness", format!("{:.0} N/m", STIFFNESSES[0]))];
    save(&scene, "springs")?;
    Ok(())
}

fn controller() -> Pd<Solo12> {
    Pd::new(&Solo12, Solo12::standing(HEIGHT), GAINS[0], GAINS[1])
}

/// In the air, on springs of Hunt and Crossley's law and bristles that are as stiff under a tenth of its weight.
fn dropped(stiffness: f64) -> Result<CompliantSimulation<Solo12>, compliant::Error> {
    let bristles = stiffness / 5.0;
    let damping = 2.0 * f64::sqrt(bristles / GRAVITY);
    let bristles = Bristles::new(Stribeck::constant(0.8)?, bristles, damping)?;
    CompliantSimulation::new(Solo12)?
        .springs(Spring::hunt_crossley(stiffness, 1.0, 2.0)?)
        .friction(bristles)?
        .state(Solo12::standing(HEIGHT), SVector::zeros())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_stands_lower_on_softer_springs_with_its_weight_on_its_feet() {
        let weight = 2.5 * GRAVITY;
        let mut heights = Vec::new();
        for stiffness in [1e3, 1e4] {
            let mut simulation = dropped(stiffness).unwrap();
            simulation.run(DURATION, controller()).unwrap();
            let forces = simulation.contact_forces();
            let lifted: f64 = forces.iter().map(|of| of.force.z).sum();
            assert_eq!(forces.len(), 4);
            assert!((lifted / weight - 1.0).abs() < 0.02, "{lifted}");
            heights.push(simulation.current().q[2]);
        }
        let sunk = heights[1] - heights[0];
        assert!((0.5e-2..0.7e-2).contains(&sunk), "{heights:?}");
    }
}
