//! A motor turns a slider-crank at a given rate: what the piston does, compared with the formula, and
//! what torque that takes.

use std::error::Error;
use std::f64::consts::TAU;

use jourdain::constrained::{Assembly, Constrained};
use jourdain::playback::{Color, Plane, Scene, Shape, UnknownBody};
use jourdain::prelude::*;
use jourdain::record::Sample;
use jourdain_examples::{Audit, audited_run, fact, plot, save};
use jourdain_models::SliderCrank;
use nalgebra::{SVector, Vector3, vector};

const ROBOT: SliderCrank = SliderCrank { r: 0.12, l: 0.35, m: 1.5, omega: TAU };
/// Turns of the crank, one a second.
const DURATION: f64 = 4.0;

fn main() -> Result<(), Box<dyn Error>> {
    let mut recording = Recording::new(f64::INFINITY)?;
    let (audit, turn) = run(&mut recording)?;
    let miss = recording.samples().iter().map(|s| (s.state.q[2] - stroke(s.state.q[0])).abs());
    let miss = miss.fold(0.0, f64::max);
    let torques = || recording.samples().iter().map(torque);
    let peak = torques().fold(0.0, |most: f64, x| most.max(x.abs()));
    let work = torques().sum::<f64>() * ROBOT.omega * 1e-3 / DURATION;

    println!("slider-crank, driven at {:.2} rad/s for {DURATION} s", ROBOT.omega);
    println!("residual     {:.1e} at most, recomputed from q, v, v⁺, Λ", audit.residual);
    println!("loop         open by {:.1e} m at most", audit.constraints);
    println!("piston       {miss:.1e} m at most from r cos φ + √(l² − r² sin² φ)");
    println!("crank        {turn:.9} rad, {:.9} rad told", ROBOT.omega * DURATION);
    println!("torque       {peak:.2} N m at most, and {work:.1e} J of work in a turn");

    let mut frames = Recording::new(100.0)?;
    run(&mut frames)?;
    let mut scene = Scene::film(&ROBOT, &frames);
    dress(&mut scene)?;
    scene.title = "Slider-crank".into();
    scene.subtitle = "One turn a second, whatever torque that takes; steps of 1 ms".into();
    scene.plots[0] = plot(&frames, "Piston", "m", &[("x", &|s| s.state.q[2])]);
    scene.plots.push(plot(&frames, "Torque of the motor", "N m", &[("λ", &torque)]));
    scene.facts = vec![
        fact("largest residual", format!("{:.0e}", audit.residual)),
        fact("loop open by", format!("{:.0e} m", audit.constraints)),
        fact("piston from the formula", format!("{miss:.0e} m")),
    ];
    save(&scene, "slider_crank")?;
    Ok(())
}

/// Runs from the dead centre, and by how much the crank has turned.
fn run(recording: &mut Recording<SliderCrank>) -> Result<(Audit, f64), Box<dyn Error>> {
    let mut closed = Constrained::new(ROBOT);
    let guess = vector![0.0, 0.0, ROBOT.r + ROBOT.l];
    let crank = Assembly::Weights(&[1.0, 0.0, 0.0]);
    let q = closed.assemble(&guess, crank, 0.0)?.value;
    let v = closed.assemble_velocity(&q, &vector![ROBOT.omega, 0.0, 0.0], crank, 0.0)?.value;
    let mut simulation = Simulation::new(ROBOT)?.state(q, v)?;
    let audit = audited_run(&mut simulation, DURATION, |_: &State<_>| SVector::zeros(), recording)?;
    Ok((audit, simulation.current().q[0] - q[0]))
}

/// Where the piston has to be.
fn stroke(phi: f64) -> f64 {
    let (sin, cos) = phi.sin_cos();
    ROBOT.r * cos + (ROBOT.l.powi(2) - (ROBOT.r * sin).powi(2)).sqrt()
}

/// The multiplier of the drive, the last row.
fn torque(sample: &Sample<SliderCrank>) -> f64 {
    sample.multipliers[2]
}

fn dress(scene: &mut Scene) -> Result<(), UnknownBody> {
    let along = |x: f64, y: f64| Vector3::new(x, y, 0.0);
    let bar = |length, y, color| Shape::capsule(along(0.0, y), along(length, y), 0.014, color);
    let pin = |x: f64| Shape::capsule(along(x, -0.045), along(x, 0.02), 0.018, Color::GRAPHITE);
    let wheel = Shape::capsule(along(0.0, -0.07), along(0.0, 0.07), 0.028, Color::GRAPHITE);
    let block = Shape::cuboid(Vector3::new(0.055, 0.05, 0.04), Color::BLUE);
    scene.dress("crank", [wheel, bar(ROBOT.r, 0.0, Color::ORANGE), pin(ROBOT.r)])?;
    scene.dress("rod", [bar(ROBOT.l, -0.03, Color::CHALK), pin(ROBOT.l)])?;
    scene.dress("piston", [block.at(along(0.0, 0.025))])?;
    let middle = Vector3::new(0.5 * (ROBOT.l + stroke(0.0) - ROBOT.r), 0.025, 0.0);
    let wall = |z: f64| {
        let half = Vector3::new(0.19, 0.055, 0.008);
        Shape::cuboid(half, Color::STEEL).at(middle + Vector3::new(0.0, 0.0, z))
    };
    let bearing = Shape::cuboid(Vector3::new(0.03, 0.02, 0.11), Color::STEEL);
    let post = |x: f64| {
        let half = Vector3::new(0.02, 0.05, 0.06);
        Shape::cuboid(half, Color::STEEL).at(Vector3::new(x, 0.025, -0.116))
    };
    let bearing = bearing.at(Vector3::new(0.0, 0.075, -0.07));
    scene.stand(
        "bed",
        [wall(0.049), wall(-0.049), post(middle.x + 0.1), post(middle.x - 0.1), bearing],
    );
    scene.ground.push(Plane { offset: -0.18, ..Plane::HORIZONTAL });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_piston_follows_the_formula() {
        let mut recording = Recording::new(f64::INFINITY).unwrap();
        let (audit, turn) = run(&mut recording).unwrap();
        assert!(audit.residual <= 1e-9 && audit.constraints < 1e-9, "{audit:?}");
        assert!((turn - ROBOT.omega * DURATION).abs() < 1e-9, "{turn}");
        for sample in recording.samples() {
            let q = &sample.state.q;
            assert!((q[2] - stroke(q[0])).abs() < 1e-9, "{q}");
        }
    }
}
