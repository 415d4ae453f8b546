//! The woodpecker toy pecks its way down a pole, event-driven.
//!
//! A sleeve with some play hangs on a pole and jams, by friction at its lower edge; a bird swings on a spring at the
//! sleeve. Where the bird swings back the sleeve comes free and falls, until the beak has struck the pole and the sleeve
//! jams again.
//!
//! Draws the bird in its phase plane and the modes to `target/woodpecker.svg`, the automaton that was seen to
//! `target/woodpecker.dot`, and the toy to a page.
//!
//! `cargo run --release --example woodpecker`
//!
//! # Source
//!
//! Glocker: Dynamik von Starrkörpersystemen mit Reibung und Stößen, dissertation, Technische Universität München (1995),
//! pages 162 ff., for the toy, its masses, lengths and laws of impact; Leine, Glocker, van Campen: Nonlinear dynamics of the
//! woodpecker toy, ASME Design Engineering Technical Conferences (2001), for a map of one number that describes it. They
//! take angles for small, which is not done here.

use std::error::Error;

use jourdain::hybrid::Event;
use jourdain::hybrid::contact::{Guard, Mode, Touch};
use jourdain::integrate::Phase;
use jourdain::playback::{Color, Scene, Shape};
use jourdain::prelude::*;
use jourdain::record::Sample;
use jourdain_examples::portrait::{Orbit, Piece, Portrait, Span, Words};
use jourdain_examples::{fact, folder, pieces, plot, save};
use nalgebra::{SVector, Vector3, vector};

/// A sleeve and a bird beside a pole, whose right face is the plane that all contacts touch. Angles turn from x to z. The
/// middle of the sleeve stays on the pole's axis: its play is in its angle.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    ground(normal = [1, 0, 0], offset = 0.0025),
    link(slide, massless),
    joint(height, prismatic(world -> slide), axis = [0, 0, 1], passive),
    link(sleeve, mass = 0.0003, inertia = [5e-9, 5e-9, 5e-9]),
    joint(tilt, revolute(slide -> sleeve), axis = [0, -1, 0], passive),
    link(bird, mass = 0.0045, com = [0.015, 0, 0], inertia = [7e-7, 7e-7, 7e-7]),
    joint(swing, revolute(sleeve -> bird), at = [0.01, 0, 0], axis = [0, -1, 0], passive,
          stiffness = 0.0056),
    contact(beak, on = bird, at = [-0.0051, 0, 0.02], friction = 0.3, restitution = 0.5),
    contact(lower, on = sleeve, at = [0.0031, 0, -0.0058], friction = 0.3),
    contact(upper, on = sleeve, at = [0.0031, 0, 0.0058], friction = 0.3),
)]
struct Woodpecker;

/// The sleeve's inner radius, half its height and the pole's radius, m.
const SLEEVE: [f64; 3] = [0.0031, 0.0058, 0.0025];
const WEIGHT: f64 = 0.0048 * 9.81;
const DURATION: f64 = 1.5;
/// A contact, as [`Woodpecker`] has them.
const LOWER: usize = 1;

fn main() -> Result<(), Box<dyn Error>> {
    let (cycle, multiplier) = cycle()?;
    let Peck { swing, duration, drop, struck } = cycle;
    println!("woodpecker toy");
    println!("limit cycle  of {duration:.9} s, {:.6} Hz", duration.recip());
    println!("             {:.6} mm down each time", 1e3 * drop);
    println!("             the bird turns at {swing:.9} rad from the sleeve");
    println!("multiplier   {multiplier:.6} of that angle");
    println!(
        "energy       {:.6} mJ each time, to impacts {:.6} mJ",
        1e3 * WEIGHT * drop,
        1e3 * struck
    );

    let (mut toy, recording) = recorded(-0.5, DURATION)?;
    for (time, mode) in toy.modes().iter().take(8) {
        println!("{time:10.6} s  {mode}");
    }
    draw(&toy, &recording, &cycle)?;
    std::fs::write(folder()?.join("woodpecker.dot"), toy.export())?;
    println!("drawing      target/woodpecker.svg, automaton target/woodpecker.dot");
    let mut scene = scene(&recording)?;
    scene.facts = vec![
        fact("period", format!("{duration:.6} s")),
        fact("down each time", format!("{:.3} mm", 1e3 * drop)),
        fact("multiplier", format!("{multiplier:.4}")),
    ];
    save(&scene, "woodpecker")?;
    Ok(())
}

/// The toy with its sleeve jammed at the lower edge, and the bird at rest at this angle from it.
fn jammed(swing: f64) -> Result<HybridSimulation<Woodpecker>, Box<dyn Error>> {
    let [inner, half, pole] = SLEEVE;
    let tilt = half.atan2(inner) - (pole / inner.hypot(half)).acos();
    let toy = HybridSimulation::new(Woodpecker)?.tolerance(1e-11)?;
    let toy = toy.state(vector![0.0, tilt, swing], SVector::zeros())?;
    Ok(toy.guard("turn", |state| -state.v[2]))
}

/// From one turn of the bird to the next one, with the sleeve jammed at both.
#[derive(Clone, Copy, Debug)]
struct Peck {
    /// The bird's angle from the sleeve at the end, in rad.
    swing: f64,
    /// In seconds.
    duration: f64,
    /// How far the toy comes down, in m.
    drop: f64,
    /// What impacts take, in J.
    struck: f64,
}

/// What follows a turn at this angle: there all else is at rest, and the height is of no account.
fn peck(swing: f64) -> Result<Peck, Box<dyn Error>> {
    let mut toy = jammed(swing)?;
    toy.run(0.3, |_: &State<_>| SVector::zeros())?;
    let has_turned = |event: &&Event<Mode>| {
        let jams = matches!(event.mode_after.contacts()[LOWER], Touch::Stick);
        jams && event.time() > 0.01 && toy.guards(event) == [Guard::Mark(0)]
    };
    let end = toy.events().iter().find(has_turned).ok_or("the toy stops or falls")?;
    let Phase { time, q, .. } = &end.phase_after;
    let impacts = toy.impacts().iter().filter(|(at, _)| at < time);
    let struck = -impacts.map(|(_, outcome)| outcome.energy_change()).sum::<f64>();
    Ok(Peck { swing: q[2], duration: *time, drop: -q[0], struck })
}

/// The peck that repeats itself, by Newton's method, and the derivative of the next angle by the last one there.
fn cycle() -> Result<(Peck, f64), Box<dyn Error>> {
    const H: f64 = 1e-4;
    let mut swing = -0.37;
    for _ in 0..20 {
        let across = |h: f64| -> Result<f64, Box<dyn Error>> {
            Ok((peck(swing + h)?.swing - peck(swing - h)?.swing) / (2.0 * h))
        };
        let multiplier = (4.0 * across(H)? - across(2.0 * H)?) / 3.0;
        let found = peck(swing)?;
        let missed = found.swing - swing;
        if missed.abs() < 1e-10 {
            return Ok((found, multiplier));
        }
        swing -= missed / (multiplier - 1.0);
    }
    Err("no peck repeats itself".into())
}

type Run = (HybridSimulation<Woodpecker>, Recording<Woodpecker>);

fn recorded(swing: f64, duration: f64) -> Result<Run, Box<dyn Error>> {
    let (mut toy, mut recording) = (jammed(swing)?, Recording::new(2000.0)?);
    toy.run_recorded(duration, |_: &State<_>| SVector::zeros(), &mut recording)?;
    Ok((toy, recording))
}

/// The bird's angle and its rate, from impact to impact.
fn bird(toy: &HybridSimulation<Woodpecker>, recording: &Recording<Woodpecker>) -> Vec<Piece> {
    pieces(toy, recording, |q, v| (q[1] + q[2], v[1] + v[2]))
}

/// The bird's angle from the level.
fn tilt(sample: &Sample<Woodpecker>) -> f64 {
    sample.state.q[1] + sample.state.q[2]
}

fn modes(toy: &HybridSimulation<Woodpecker>) -> Vec<Span> {
    let (mut spans, mut from) = (Vec::new(), 0.0);
    for event in toy.events() {
        let name = match event.mode_before.contacts()[LOWER] {
            Touch::Open | Touch::Passing => "sleeve is free",
            Touch::Stick => "sleeve jams",
            Touch::Slide { .. } => "sleeve slides",
        };
        Span::note(&mut spans, name, [from, event.time()]);
        from = event.time();
    }
    spans
}

fn draw(
    toy: &HybridSimulation<Woodpecker>,
    recording: &Recording<Woodpecker>,
    cycle: &Peck,
) -> Result<(), Box<dyn Error>> {
    let (repeated, once) = recorded(cycle.swing, cycle.duration)?;
    let released =
        format!("released at {:.1} rad", recording.samples().first().map_or(f64::NAN, tilt));
    let orbits = [
        Orbit::new(&released, "#9cc7d8", bird(toy, recording)),
        Orbit::new("limit cycle", "#c1502e", bird(&repeated, &once)),
    ];
    let words = Words {
        title: "Woodpecker toy: the bird, and below what its sleeve does",
        x: "angle from the level, rad",
        y: "rad/s",
    };
    Ok(Portrait { words, orbits: &orbits, strip: &modes(toy) }.save("woodpecker")?)
}

fn scene(recording: &Recording<Woodpecker>) -> Result<Scene, Box<dyn Error>> {
    let mut scene = Scene::film(&Woodpecker, recording);
    let at = |x: f64, z: f64| Vector3::new(x, 0.0, z);
    let rod = |from, to, radius, color| Shape::capsule(from, to, radius, color);
    let spring = |color| rod(at(0.0, 0.0), at(0.01, 0.0), 6e-4, color);
    let sleeve = Shape::cylinder(0.0042, 2.0 * SLEEVE[1], Color::STEEL);
    scene.dress("slide", [])?;
    scene.dress("sleeve", [sleeve, spring(Color::GRAPHITE)])?;
    scene.dress(
        "bird",
        [
            rod(at(0.018, -0.012), at(0.013, 0.01), 0.005, Color::GREEN),
            Shape::sphere(0.0048, Color::RED).at(at(0.01, 0.02)),
            rod(at(0.008, 0.02), at(-0.0041, 0.02), 0.001, Color::GRAPHITE),
            spring(Color::GRAPHITE),
        ],
    )?;
    let pole = Shape::cylinder(SLEEVE[2], 0.25, Color::CHALK).at(at(0.0, -0.08));
    scene.stand("pole", [pole]);
    scene.ground.clear();
    scene.title = "Woodpecker toy".into();
    scene.subtitle = "A sleeve that jams on a pole, and a bird on a spring".into();
    scene.plots = vec![
        plot(recording, "Height", "m", &[("z", &|s| s.state.q[0])]),
        plot(recording, "Angle of the sleeve", "rad", &[("θ", &|s| s.state.q[1])]),
        plot(recording, "Angle of the bird", "rad", &[("φ", &tilt)]),
    ];
    Ok(scene)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A time-stepping simulation of the same toy by Moreau's method, with absolute angles, has periods of 0.13084 s
    /// and falls of 14.546 mm at steps of 20 µs, and of 0.13077 s and 14.509 mm at 5 µs.
    #[test]
    fn the_cycle_is_that_of_another_derivation() {
        let (Peck { duration, drop, struck, .. }, multiplier) = cycle().unwrap();
        assert!((duration - 0.13077).abs() < 4e-5, "{duration}");
        assert!((drop - 14.509e-3).abs() < 2e-5, "{drop}");
        assert!(multiplier.abs() < 1.0 && (0.0..WEIGHT * drop).contains(&struck), "{struck}");
    }

    #[test]
    fn a_toy_that_is_let_go_comes_to_its_cycle() {
        let (mut found, (expected, _)) = (-0.5, cycle().unwrap());
        for _ in 0..8 {
            found = peck(found).unwrap().swing;
        }
        assert!((found - expected.swing).abs() < 1e-8, "{found} {expected:?}");
    }
}
