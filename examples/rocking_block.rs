//! A slender block rocks on its edges until it stands, event-driven.
//!
//! Housner's law for a block that neither slips nor bounces says what an impact leaves of its angular velocity, and an
//! inverted pendulum when the next one comes: infinitely many of them in a finite time.
//!
//! `cargo run --release --example rocking_block`

use std::error::Error;
use std::time::Instant;

use jourdain::hybrid::Cause;
use jourdain::playback::{Color, Plane, Scene, Shape};
use jourdain::prelude::*;
use jourdain::record::Sample;
use jourdain_examples::portrait::{Orbit, Portrait, Span, Words};
use jourdain_examples::{fact, folder, pieces, plot, save};
use nalgebra::{SVector, Vector3, vector};

/// A block of 0.2 m × 0.8 m in a plane, on the edges of its base.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(slide, massless),
    joint(x, prismatic(world -> slide), axis = [1, 0, 0], passive),
    link(lift, massless),
    joint(z, prismatic(slide -> lift), axis = [0, 0, 1], passive),
    link(block, box(size = [0.2, 0.2, 0.8]), mass = 5),
    joint(angle, revolute(lift -> block), axis = [0, 1, 0], passive),
    contact(left, on = block, at = [-0.1, 0, -0.4], friction = 2),
    contact(right, on = block, at = [0.1, 0, -0.4], friction = 2),
)]
struct RockingBlock;

/// Halves of its width and height, m.
const SIZE: [f64; 2] = [0.1, 0.4];
const TILT: f64 = 0.2;
const DURATION: f64 = 8.0;
const TOLERANCE: f64 = 1e-9;

fn main() -> Result<(), Box<dyn Error>> {
    let mut timed = tilted()?;
    let clock = Instant::now();
    timed.run(DURATION, |_: &State<_>| SVector::zeros())?;
    let speed = DURATION / clock.elapsed().as_secs_f64();

    let mut block = tilted()?;
    let mut recording = Recording::new(100.0)?;
    block.run_recorded(DURATION, |_: &State<_>| SVector::zeros(), &mut recording)?;
    let left = impacts(&block);
    let error = left.iter().take(8).map(|left| (left - housner()).abs()).fold(0.0, f64::max);
    println!("a block of 5 kg, {TILT} rad from upright, tolerance {TOLERANCE:e}");
    for (time, mode) in block.modes().iter().take(5) {
        println!("{time:10.6} s  {mode}");
    }
    println!("impacts      {} were resolved, and infinitely many in all", left.len());
    println!("each leaves  {:.9} of the angular velocity, Housner {:.9}", left[0], housner());
    println!("difference   {error:.1e} at most in the first eight");
    let end = block.modes().last().map_or(f64::NAN, |(time, _)| *time);
    println!("stands       {} from {end:.9} s on", block.mode_name());
    println!("speed        {speed:.0} × real time");
    let graph = folder()?.join("rocking_block.dot");
    std::fs::write(&graph, block.export())?;
    println!("wrote        {}", graph.display());

    draw(&block, &recording)?;

    let mut scene = Scene::film(&RockingBlock, &recording);
    let solid = Shape::cuboid(Vector3::new(SIZE[0], 0.1, SIZE[1]), Color::ORANGE);
    scene.dress("block", [solid])?;
    scene.ground.push(Plane::HORIZONTAL);
    let bears = |k: usize| move |sample: &Sample<_>| sample.forces[k].z;
    scene.plots = vec![
        plot(&recording, "Angle", "rad", &[("θ", &|s| s.state.q.z)]),
        plot(&recording, "Normal forces", "N", &[("left", &bears(0)), ("right", &bears(1))]),
        plot(&recording, "Energy", "J", &[("T + U", &|s| s.kinetic_energy + s.potential_energy)]),
    ];
    scene.title = "Rocking block".into();
    scene.subtitle =
        "Event-driven: it rocks from edge to edge, infinitely often, and stands".into();
    scene.facts = vec![
        fact("impacts against Housner", format!("{error:.0e}")),
        fact("stands from", format!("{end:.6} s")),
        fact("times real time", format!("{speed:.0}")),
    ];
    save(&scene, "rocking_block")?;
    Ok(())
}

/// Angle and rate from impact to impact, and below what it stands on.
fn draw(
    block: &HybridSimulation<RockingBlock>,
    recording: &Recording<RockingBlock>,
) -> Result<(), Box<dyn Error>> {
    let pieces = pieces(block, recording, |q, v| (q[2], v[2]));
    let (modes, mut spans) = (block.modes(), Vec::new());
    let ends = modes.iter().skip(1).map(|(time, _)| *time).chain([DURATION]);
    for ((from, mode), to) in modes.iter().zip(ends) {
        Span::note(&mut spans, stance(mode), [*from, to]);
    }
    let words = Words {
        title: "Rocking block: its angle, and below the edge that it stands on",
        x: "angle from upright, rad",
        y: "rad/s",
    };
    let orbits = [Orbit::new("released at rest", "#0b6e99", pieces)];
    Ok(Portrait { words, orbits: &orbits, strip: &spans }.save("rocking_block")?)
}

/// What the name of a mode says.
fn stance(mode: &str) -> &'static str {
    match mode {
        "left stick, right open" => "left edge",
        "left open, right stick" => "right edge",
        _ => "stands",
    }
}

/// The block on its right edge.
fn tilted() -> Result<HybridSimulation<RockingBlock>, Box<dyn Error>> {
    let height = SIZE[0] * TILT.sin() + SIZE[1] * TILT.cos();
    let simulation = HybridSimulation::new(RockingBlock)?.tolerance(TOLERANCE)?;
    Ok(simulation.state(vector![0.0, height, TILT], SVector::zeros())?)
}

/// What each impact leaves of the angular velocity.
fn impacts(block: &HybridSimulation<RockingBlock>) -> Vec<f64> {
    let events = block.events().iter();
    let resolved = events.filter(|event| matches!(event.cause, Cause::Guards(_)));
    resolved.map(|event| event.phase_after.v[2] / event.phase_before.v[2]).collect()
}

/// 1 − ³⁄₂ sin² α, tan α = b / h.
fn housner() -> f64 {
    let [b, h] = SIZE;
    1.0 - 1.5 * b * b / (b * b + h * h)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impacts_are_housner_s() {
        let mut block = tilted().unwrap();
        block.run(2.0, |_: &State<_>| SVector::zeros()).unwrap();
        assert!(impacts(&block).iter().take(5).all(|left| (left - housner()).abs() < 1e-8));
    }
}
