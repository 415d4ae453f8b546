//! A block that a spring pulls over the ground sticks and slips, by two laws of friction.
//!
//! Draws the phase portrait to `target/stick_slip.svg`, and the motion with bristles to a page.

use std::error::Error;

use jourdain::compliant::{self, Bristles, Friction, Regularised, Stribeck};
use jourdain::integrate::Effort;
use jourdain::playback::{Color, Scene, Shape};
use jourdain::prelude::*;
use jourdain::record::Sample;
use jourdain_examples::portrait::{Orbit, Portrait, Span, Words};
use jourdain_examples::{fact, plot, save};
use jourdain_models::StickSlip;
use nalgebra::{SVector, Vector3};

const ROBOT: StickSlip = StickSlip { m: 1.0, k: 50.0, speed: 0.05 };
const DURATION: f64 = 12.0;
/// μ at rest and sliding, and the speed in m/s at which most of the difference is gone.
const FRICTION: [f64; 3] = [0.5, 0.3, 0.05];

fn main() -> Result<(), Box<dyn Error>> {
    let [at_rest, sliding, speed] = FRICTION;
    let curve = Stribeck::new(at_rest, sliding, speed)?;
    let bristles = Bristles::new(curve, 1e5, 200.0)?;
    let (recording, effort) = run(bristles)?;
    let (smooth, other_effort) = run(Regularised::new(curve, 2e-3)?)?;
    let orbits = [
        drawn("bristles: sticks", "#0b6e99", &recording),
        drawn("regularised: creeps", "#c1502e", &smooth),
    ];
    let words = Words {
        title: "A block of 1 kg, pulled by a spring at 5 cm/s; below, its motion with bristles",
        x: "stretch of the spring, m",
        y: "speed of the block, m/s",
    };
    Portrait { words, orbits: &orbits, strip: &modes(&recording) }.save("stick_slip")?;
    println!(
        "stick–slip oscillator, {DURATION} s, friction {at_rest} at rest and {sliding} sliding"
    );
    for (name, effort, recording) in
        [("bristles", effort, &recording), ("regularised", other_effort, &smooth)]
    {
        let (slips, creep) = (slips(recording), slowest(recording));
        println!(
            "{name:<12} {slips} slips, {creep:.1e} m/s while it sticks; {} steps, {} evaluations",
            effort.steps, effort.evaluations
        );
    }
    save(&scene(&recording)?, "stick_slip")?;
    Ok(())
}

fn run(friction: impl Into<Friction>) -> Result<(Recording<StickSlip>, Effort), Box<dyn Error>> {
    let mut recording = Recording::new(500.0)?;
    let mut simulation = oscillator(friction)?;
    simulation.run_recorded(DURATION, |_: &State<_>| SVector::zeros(), &mut recording)?;
    Ok((recording, simulation.effort()))
}

/// At rest on the ground, the carriage on its way.
fn oscillator(
    friction: impl Into<Friction>,
) -> Result<CompliantSimulation<StickSlip>, compliant::Error> {
    let simulation = CompliantSimulation::new(ROBOT)?.friction(friction)?;
    simulation.state(SVector::zeros(), Vector3::new(0.0, 0.0, ROBOT.speed))
}

/// s.
fn stretch(sample: &Sample<StickSlip>) -> f64 {
    sample.state.q[2] - sample.state.q[0]
}

fn drawn(name: &str, color: &'static str, recording: &Recording<StickSlip>) -> Orbit {
    let points = recording.samples().iter().map(|s| (stretch(s), s.state.v[0]));
    Orbit::new(name, color, vec![points.collect()])
}

/// When the block sticks, but for what its bristles give way, and when it slips.
fn modes(recording: &Recording<StickSlip>) -> Vec<Span> {
    let mut spans = Vec::new();
    for Sample { state, .. } in recording.samples() {
        let name = if state.v[0].abs() < 1e-3 { "sticks" } else { "slips" };
        let from = spans.last().map_or(state.time, |last: &Span| last.to);
        Span::note(&mut spans, name, [from, state.time]);
    }
    spans
}

/// How often the block begins to move as fast as the carriage.
fn slips(recording: &Recording<StickSlip>) -> usize {
    let pairs = recording.samples().windows(2);
    pairs.filter(|two| two[0].state.v[0] < ROBOT.speed && two[1].state.v[0] >= ROBOT.speed).count()
}

/// The least speed in the second half.
fn slowest(recording: &Recording<StickSlip>) -> f64 {
    let late = recording.samples().iter().filter(|s| s.state.time > 0.5 * DURATION);
    late.map(|s| s.state.v[0].abs()).fold(f64::INFINITY, f64::min)
}

fn scene(recording: &Recording<StickSlip>) -> Result<Scene, Box<dyn Error>> {
    let mut scene = Scene::film(&ROBOT, recording);
    let size = Vector3::new(0.05, 0.05, 0.04);
    let above = Vector3::new(0.0, 0.0, 0.04);
    // The spring as a strut that slides into another one, long enough for its largest stretch.
    let [reach, radius] = [0.75 * StickSlip::LENGTH, 0.006];
    let strut = |to: f64, radius, color| {
        Shape::capsule(above, above + Vector3::new(to, 0.0, 0.0), radius, color)
    };
    let cube = Shape::cuboid(size, Color::ORANGE).at(above);
    scene.dress("block", [cube, strut(reach, 1.6 * radius, Color::STEEL)])?;
    let ball = Shape::sphere(0.03, Color::GRAPHITE).at(above);
    scene.dress("carriage", [ball, strut(-reach, radius, Color::GRAPHITE)])?;
    scene.title = "Stick–slip oscillator".into();
    scene.subtitle =
        "A block pulled by a spring whose end moves at 5 cm/s; friction by elastic bristles".into();
    scene.plots = vec![
        plot(recording, "Stretch of the spring", "m", &[("s", &stretch)]),
        plot(recording, "Speed of the block", "m/s", &[("ẋ", &|s| s.state.v[0])]),
        plot(recording, "Friction", "N", &[("F", &|s| -s.forces[0].x)]),
    ];
    scene.facts = vec![fact("slips", slips(recording).to_string())];
    Ok(scene)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The period is that of sticking, from the least stretch to the largest, and of half a swing.
    #[test]
    fn the_block_slips_periodically() {
        let [at_rest, sliding, speed] = FRICTION;
        let curve = Stribeck::new(at_rest, sliding, speed).unwrap();
        let (recording, _) = run(Bristles::new(curve, 1e5, 200.0).unwrap()).unwrap();
        let late = || recording.samples().iter().filter(|s| s.state.time > 0.5 * DURATION);
        let most = late().map(stretch).fold(0.0, f64::max);
        let least = late().map(stretch).fold(f64::INFINITY, f64::min);
        // Friction that did not weaken would let it stretch on by V/ω while the block becomes as fast as what pulls it.
        let breaking = at_rest * 9.81 / ROBOT.k;
        let overshoot = ROBOT.speed * f64::sqrt(ROBOT.m / ROBOT.k);
        assert!((breaking..breaking + overshoot).contains(&most), "{most}");
        let sticking = (most - least) / ROBOT.speed;
        let starts: Vec<f64> = recording
            .samples()
            .windows(2)
            .filter(|two| two[0].state.v[0] < ROBOT.speed && two[1].state.v[0] >= ROBOT.speed)
            .map(|two| two[1].state.time)
            .collect();
        let [.., before, last] = starts[..] else { panic!("{starts:?}") };
        let swing = std::f64::consts::PI * f64::sqrt(ROBOT.m / ROBOT.k);
        assert!(((last - before) / (sticking + swing) - 1.0).abs() < 0.2, "{sticking} {starts:?}");
        assert!(slowest(&recording) < 1e-4);
    }
}
