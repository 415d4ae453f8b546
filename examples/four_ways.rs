//! A leg falls onto its foot, which stays where it lands: from event to event, by time stepping, on springs, and by
//! discrete mechanics.
//!
//! With restitution zero and a foot that sticks all four tend to one motion. Draws how far each is from it, by its steps
//! or by the time in which springs give way, to `target/four_ways.svg`, and the motion to a page.

use std::error::Error;

use jourdain::compliant::{self, Bristles, Spring, Stribeck};
use jourdain::prelude::*;
use jourdain_examples::chart::{Curve, Words, svg};
use jourdain_examples::{fact, folder, plot, save};
use nalgebra::{SVector, Vector4, vector};

/// A leg with springs in hip and knee, whose body moves in a plane without turning.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(slide, massless),
    joint(x, prismatic(world -> slide), axis = [1, 0, 0], passive),
    link(body, mass = 5),
    joint(z, prismatic(slide -> body), axis = [0, 0, 1], passive),
    link(thigh, com = [0, 0, -0.1], inertia = [4e-3, 4e-3, 2e-4], mass = 0.6),
    joint(hip, revolute(body -> thigh), axis = [0, 1, 0],
          stiffness = 60, damping = 3, rest = -0.6, passive),
    link(shank, com = [0, 0, -0.1], inertia = [4e-3, 4e-3, 2e-4], mass = 0.3),
    joint(knee, revolute(thigh -> shank), at = [0, 0, -0.2], axis = [0, 1, 0],
          stiffness = 60, damping = 3, rest = 1.2, passive),
    contact(foot, on = shank, at = [0, 0, -0.2], friction = mu),
)]
struct Leg {
    mu: f64,
}

const LEG: Leg = Leg { mu: 3.0 };
/// In contact for most of it, s.
const DURATION: f64 = 0.3;
/// The lengths of steps, and the times in which springs give way, s.
const STEPS: [f64; 5] = [4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4];
const TIMES: [f64; 5] = [1.6e-2, 1.2e-2, 8e-3, 6e-3, 4e-3];

type Vector = Vector4<f64>;
type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let (exact, landing) = by_events()?;
    println!("a leg lands at {landing:.6} s; q after {DURATION} s is {:.9}", exact.transpose());
    let mut curves = Vec::new();
    for (name, color, parameters, run) in ways() {
        let mut points = Vec::new();
        for parameter in parameters {
            points.push((parameter, (run(parameter)? - exact).amax()));
        }
        let errors: Vec<String> = points.iter().map(|of| format!("{:.1e}", of.1)).collect();
        println!("{name:<20} {}  of order {:.2}", errors.join("  "), order(&points));
        curves.push(Curve { name: name.into(), color, points });
    }
    let words = Words {
        title: "A leg that lands: distance to the motion from event to event after 0.3 s",
        x: "step, or time in which springs give way, s",
        y: "largest error of a coordinate, m or rad",
    };
    std::fs::write(folder()?.join("four_ways.svg"), svg(&words, &curves)?)?;
    draw(landing)
}

/// A way to move: its name and colour, what it shrinks, and q at the end.
type Way = (&'static str, &'static str, [f64; 5], fn(f64) -> Outcome<Vector>);

fn ways() -> [Way; 3] {
    [
        ("time stepping", "#c1502e", STEPS, by_steps),
        ("discrete mechanics", "#0b6e99", STEPS, by_discrete_mechanics),
        ("springs", "#7a8b3a", TIMES, on_springs),
    ]
}

/// A bent leg, 4 cm above the ground.
fn start() -> Vector {
    vector![0.0, 0.4 * f64::cos(0.6) + 0.04, -0.6, 1.2]
}

fn nothing(_: &State<Leg>) -> SVector<f64, 0> {
    SVector::zeros()
}

/// q at the end and when the foot lands.
fn by_events() -> Outcome<(Vector, f64)> {
    let mut leg = HybridSimulation::new(LEG)?.tolerance(1e-12)?.state(start(), Vector::zeros())?;
    leg.run(DURATION, nothing)?;
    Ok((leg.current().q, leg.events().first().map_or(f64::NAN, |event| event.time())))
}

fn by_steps(h: f64) -> Outcome<Vector> {
    let mut leg = Simulation::new(LEG)?.step_size(h)?.state(start(), Vector::zeros())?;
    leg.run(DURATION, nothing)?;
    Ok(leg.current().q)
}

fn by_discrete_mechanics(h: f64) -> Outcome<Vector> {
    let mut leg = Variational::new(LEG)?.step_size(h)?.state(start(), Vector::zeros())?;
    leg.run(DURATION, nothing)?;
    Ok(leg.current().q)
}

fn on_springs(time: f64) -> Outcome<Vector> {
    let mut leg = sprung(time)?.tolerance(1e-9)?;
    leg.run(DURATION, nothing)?;
    Ok(leg.current().q)
}

/// A spring and a damper of the ratio `time` that throw back nothing, the stiffer the more: on a mass m the damping ratio
/// is c / 2√(k m) = √(L/time) / 2 with k = m L/time³.
fn sprung(time: f64) -> Result<CompliantSimulation<Leg>, compliant::Error> {
    const MASS: f64 = 6.0;
    const LONGEST: f64 = 0.1;
    let stiffness = MASS * LONGEST / time.powi(3);
    let bristles = stiffness / 60.0;
    CompliantSimulation::new(LEG)?
        .springs(Spring::linear(stiffness, stiffness * time)?)
        .friction(Bristles::new(Stribeck::constant(LEG.mu)?, bristles, bristles * time)?)?
        .state(start(), Vector::zeros())
}

/// p of error ~ parameterᵖ, by least squares.
fn order(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let logarithms = points.iter().map(|(x, y)| (x.ln(), y.ln()));
    let (x, y) = logarithms.clone().fold((0.0, 0.0), |(a, b), (x, y)| (a + x / n, b + y / n));
    let sums = logarithms
        .fold((0.0, 0.0), |(a, b), (p, q)| (a + (p - x) * (q - y), b + (p - x) * (p - x)));
    sums.0 / sums.1
}

fn draw(landing: f64) -> Outcome<()> {
    let mut recording = Recording::new(500.0)?;
    let mut leg = HybridSimulation::new(LEG)?.tolerance(1e-10)?.state(start(), Vector::zeros())?;
    leg.run_recorded(1.0, nothing, &mut recording)?;
    let mut scene = Scene::film(&LEG, &recording);
    scene.title = "A leg that lands".into();
    scene.subtitle = "From event to event; the foot stays where it lands".into();
    let height = |s: &jourdain::record::Sample<Leg>| s.state.q[1];
    let force = |s: &jourdain::record::Sample<Leg>| s.forces[0].z;
    scene.plots = vec![
        plot(&recording, "Height of the body", "m", &[("body", &height)]),
        plot(&recording, "Force on the foot", "N", &[("foot", &force)]),
    ];
    scene.facts = vec![fact("landing", format!("{landing:.6} s"))];
    save(&scene, "four_ways")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_ways_tend_to_the_motion_from_event_to_event() {
        let exact = by_events().unwrap().0;
        for (name, _, parameters, run) in ways() {
            let error = |parameter| (run(parameter).unwrap() - exact).amax();
            let points = parameters.map(|parameter| (parameter, error(parameter)));
            let order = order(&points);
            assert!(order > 0.9 && points[4].1 < 1e-4, "{name}: {order}, {points:?}");
        }
    }
}
