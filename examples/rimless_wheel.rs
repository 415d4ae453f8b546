//! Two rimless wheels on a slope: the faster one rolls on, and the slower one rocks back and comes to stand.
//!
//! Draws both in the phase plane, and the modes of the slower one, to `target/rimless_wheel.svg`, the automaton that was
//! seen to `target/rimless_wheel.dot`, and the wheels to a page.

use std::error::Error;
use std::f64::consts::FRAC_PI_8 as ALPHA;

use jourdain::hybrid::{Cause, Closures, Hybrid, ReturnMap};
use jourdain::integrate::{Phase, Space, Tolerance};
use jourdain::playback::{Body, Color, Scene, Shape, Snapshot};
use jourdain_examples::portrait::{Orbit, Piece, Portrait, Span, Words};
use jourdain_examples::stride::{leaning, slope, up};
use jourdain_examples::{due, fact, folder, save};
use nalgebra::Vector3;

const G: f64 = 9.81;
const SLOPE: f64 = 0.08;
const DURATION: f64 = 8.0;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Wheel {
    Pivoting,
    Standing,
}

/// Eight spokes of one metre and a mass at the hub. θ is the angle of the spoke that stands from the vertical, and the
/// further state counts spokes down the slope.
fn wheel() -> Closures<Wheel> {
    use Wheel::{Pivoting, Standing};
    let step = |spokes: f64| {
        move |phase: &mut Phase| {
            phase.q[0] -= 2.0 * ALPHA * spokes;
            phase.v[0] *= (2.0 * ALPHA).cos();
            phase.z[0] += spokes;
            Pivoting
        }
    };
    let stand = |phase: &mut Phase| {
        phase.v[0] = 0.0;
        Standing
    };
    let rest = |_: jourdain::integrate::At<'_>, v_dot: &mut [f64], z_dot: &mut [f64]| {
        (v_dot[0], z_dot[0]) = (0.0, 0.0);
    };
    Closures::new()
        .mode(Pivoting, |at, v_dot, z_dot| (v_dot[0], z_dot[0]) = (G * at.q[0].sin(), 0.0))
        .mode(Standing, rest)
        .guard(Pivoting, "next spoke", |at| SLOPE + ALPHA - at.q[0], step(1.0))
        .guard(Pivoting, "last spoke", |at| at.q[0] - (SLOPE - ALPHA), step(-1.0))
        .limit(Pivoting, "next spoke", stand)
        .limit(Pivoting, "last spoke", stand)
}

/// Right after a step.
fn stepped(speed: f64) -> (Space, Phase) {
    let space = Space::flat(1, 1);
    (space.clone(), Phase { q: vec![SLOPE - ALPHA], v: vec![speed], ..Phase::neutral(&space) })
}

fn main() -> Result<(), Box<dyn Error>> {
    let (space, start) = stepped(1.0);
    let tolerance = Tolerance::new(1e-13, 1e-13)?;
    let mut map = ReturnMap::new(wheel(), &space, Wheel::Pivoting, 0, tolerance).free(&[2])?;
    let cycle = map.cycle(&start, 1e-12)?;
    let exact = (4.0 * G * ALPHA.sin() * SLOPE.sin()).sqrt() / (2.0 * ALPHA).tan();
    println!("rimless wheel of eight spokes on a slope of {SLOPE}");
    println!("fixed point  {:.10} rad/s, in closed form {exact:.10}", cycle.start.v[0]);
    let multipliers: Vec<String> =
        cycle.period.eigenvalues().iter().map(|value| format!("{:.10}", value.re.abs())).collect();
    println!("return map   has the eigenvalues {}", multipliers.join(", "));

    let (rolling, standing) = (Run::new(1.0)?, Run::new(0.96)?);
    let Some((last, limit)) = standing.limit else { return Err("the wheel does not stand".into()) };
    println!("standing     after {last} impacts at {limit:.9} s");
    std::fs::write(folder()?.join("rimless_wheel.dot"), &standing.automaton)?;
    draw(&rolling, &standing)?;
    let mut scene = film(&[&rolling, &standing]);
    scene.title = "Rimless wheels".into();
    scene.subtitle =
        "At 1.00 rad/s after a step a wheel rolls on, at 0.96 rad/s it rocks back".into();
    scene.facts = vec![
        fact("fixed point", format!("{:.9} rad/s", cycle.start.v[0])),
        fact("all impacts over at", format!("{limit:.9} s")),
    ];
    save(&scene, "rimless_wheel")?;
    Ok(())
}

/// A run of a wheel.
struct Run {
    pieces: Vec<Piece>,
    phases: Vec<Phase>,
    modes: Vec<Span>,
    automaton: String,
    /// Number of impacts that were resolved, and when there are no more.
    limit: Option<(usize, f64)>,
}

impl Run {
    fn new(speed: f64) -> Result<Self, Box<dyn Error>> {
        let (space, start) = stepped(speed);
        let (mut pieces, mut phases, mut count) = (vec![Vec::new()], Vec::new(), start.z[0]);
        let mut wheel = Hybrid::new(wheel(), &space, Wheel::Pivoting, start, Tolerance::default())?;
        wheel.run_observed(DURATION, |_, _, stretch| {
            for k in 0..=20 {
                let time =
                    stretch.start() + f64::from(k) / 20.0 * (stretch.end() - stretch.start());
                let phase = stretch.at(time);
                if phase.z[0] != count {
                    count = phase.z[0];
                    pieces.push(Vec::new());
                }
                pieces
                    .last_mut()
                    .into_iter()
                    .for_each(|piece| piece.push((phase.q[0], phase.v[0])));
            }
            phases.extend(due(phases.len(), 60.0, &stretch));
        })?;
        let history = wheel.history();
        let begun: Vec<(f64, &Wheel)> = history.modes().collect();
        let ends = begun.iter().skip(1).map(|mode| mode.0).chain([DURATION]);
        let spans = begun.iter().zip(ends);
        let modes =
            spans.map(|((from, mode), to)| Span { from: *from, to, name: format!("{mode:?}") });
        let limit = history.events().iter().enumerate().find_map(|(n, event)| match &event.cause {
            Cause::Accumulation(end) => Some((n, end.time)),
            Cause::Guards(_) | Cause::Start => None,
        });
        let (modes, automaton) = (modes.collect(), history.graphviz(wheel.automaton()));
        Ok(Self { pieces, phases, modes, automaton, limit })
    }
}

fn draw(rolling: &Run, standing: &Run) -> Result<(), Box<dyn Error>> {
    let orbits = [
        Orbit::new("1.00 rad/s: rolls", "#0b6e99", rolling.pieces.clone()),
        Orbit::new("0.96 rad/s: rocks back", "#c1502e", standing.pieces.clone()),
    ];
    let words = Words {
        title: "Rimless wheel: the spoke that stands",
        x: "angle from the vertical, rad",
        y: "rad/s",
    };
    Ok(Portrait { words, orbits: &orbits, strip: &standing.modes }.save("rimless_wheel")?)
}

/// The wheels side by side.
fn film(runs: &[&Run]) -> Scene {
    let spoke = |k: usize| {
        let angle = 2.0 * ALPHA * k as f64;
        let color = if k == 0 { Color::ORANGE } else { Color::STEEL };
        Shape::capsule(Vector3::zeros(), -up(angle), 0.03, color)
    };
    let wheel = || (0..8).map(spoke).chain([Shape::sphere(0.15, Color::GRAPHITE)]).collect();
    let bodies = runs.iter().map(|_| Body { name: "wheel".into(), shapes: wheel() }).collect();
    let down = Vector3::new(SLOPE.cos(), 0.0, -SLOPE.sin());
    let frames = (0..runs[0].phases.len()).map(|k| {
        let pose = |(row, run): (usize, &&Run)| {
            let phase = &run.phases[k.min(run.phases.len() - 1)];
            let foot = 2.0 * ALPHA.sin() * phase.z[0] * down + 2.5 * row as f64 * Vector3::y();
            let turned = phase.q[0] + 2.0 * ALPHA * phase.z[0];
            leaning(foot + up(phase.q[0]), turned)
        };
        let poses = runs.iter().enumerate().map(pose).collect();
        Snapshot { time: k as f64 / 60.0, poses, forces: vec![] }
    });
    Scene { bodies, ground: slope(SLOPE), frames: frames.collect(), ..Scene::default() }
}
