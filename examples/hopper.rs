//! A mass on a massless spring runs, and comes to its gait by itself: two gaits of one energy, the stable one and the one
//! that bounds what comes to it.
//!
//! The leg lands at the same angle every time, and leaves the ground where its spring is at rest. Energy is conserved, so
//! that one multiplier is 1; that of the apex' height says what is stable.
//!
//! Draws height and its rate and the modes to `target/hopper.svg`, and the run to a page.
//!
//! `cargo run --release --example hopper`
//!
//! # Source
//!
//! Seyfarth, Geyer, Günther, Blickhan: A movement criterion for running, Journal of Biomechanics 35 (2002).

use std::error::Error;
use std::f64::consts::{FRAC_PI_2, PI};

use jourdain::hybrid::{Closures, Hybrid, LinearReturn, ReturnMap, Stretch};
use jourdain::integrate::{At, Phase, Space, Tolerance};
use jourdain::playback::{Body, Color, ForceArrow, Plane, Scene, Shape, Snapshot};
use jourdain_examples::portrait::{Orbit, Piece, Portrait, Span, Words};
use jourdain_examples::stride::{leaning, up};
use jourdain_examples::{curve, due, fact, phases, save};
use nalgebra::Vector3;

const G: f64 = 9.81;
/// Mass in kg, stiffness in N/m, length at rest in m, and angle from the ground at which the leg lands, in rad.
const M: f64 = 80.0;
const K: f64 = 20e3;
const L: f64 = 1.0;
const LANDING: f64 = 68.0 * PI / 180.0;
/// At an apex of one metre, m/s: it stands for the energy.
const SPEED: f64 = 5.0;
const DURATION: f64 = 12.0;
/// How far below the unstable gait's apex the run begins, in m.
const LOWER: f64 = 0.01;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Mode {
    Rising,
    Falling,
    Stance,
}

/// The mass at (x, z), with x from the last foothold.
fn hopper() -> Closures<Mode> {
    use Mode::{Falling, Rising, Stance};
    let fly = |_: At<'_>, v_dot: &mut [f64], _: &mut [f64]| v_dot.copy_from_slice(&[0.0, -G]);
    let bounce = |at: At<'_>, v_dot: &mut [f64], _: &mut [f64]| {
        let [x, z] = force(at.q).map(|force| force / M);
        v_dot.copy_from_slice(&[x, z - G]);
    };
    let land = |phase: &mut Phase| {
        phase.q[0] = -L * LANDING.cos();
        Stance
    };
    Closures::new()
        .mode(Rising, fly)
        .mode(Falling, fly)
        .mode(Stance, bounce)
        .guard(Rising, "apex", |at| at.v[1], |_| Falling)
        .guard(Falling, "touch-down", |at| at.q[1] - L * LANDING.sin(), land)
        .guard(Stance, "lift-off", |at| L - at.q[0].hypot(at.q[1]), |_| Rising)
}

/// Of the spring on the mass, in N.
fn force(q: &[f64]) -> [f64; 2] {
    let pressed = K * (L / q[0].hypot(q[1]) - 1.0);
    [pressed * q[0], pressed * q[1]]
}

fn energy(mode: Mode, Phase { q, v, .. }: &Phase) -> f64 {
    let pressed = if mode == Mode::Stance { L - q[0].hypot(q[1]) } else { 0.0 };
    0.5 * M * (v[0] * v[0] + v[1] * v[1]) + M * G * q[1] + 0.5 * K * pressed * pressed
}

/// At an apex of this height, with the energy of all gaits.
fn apex(height: f64) -> Phase {
    let speed = (SPEED * SPEED + 2.0 * G * (1.0 - height)).sqrt();
    Phase { q: vec![0.5, height], v: vec![speed, 0.0], ..Phase::neutral(&Space::flat(2, 0)) }
}

/// From apex to apex.
fn return_map() -> Result<ReturnMap<Closures<Mode>>, Box<dyn Error>> {
    let (hopper, tolerance) = (hopper(), Tolerance::new(1e-13, 1e-13)?);
    let guard = hopper.find("apex").ok_or("there is no apex")?;
    Ok(ReturnMap::new(hopper, &Space::flat(2, 0), Mode::Falling, guard, tolerance).longest(5.0)?)
}

/// A periodic motion.
struct Gait {
    start: Phase,
    period: LinearReturn,
    /// The derivative of the next apex' height by that of the last one, at constant energy.
    multiplier: f64,
}

/// The gait with an apex near this height, by Newton's method at constant energy.
fn gait(guess: f64) -> Result<Gait, Box<dyn Error>> {
    let (mut map, mut start) = (return_map()?, apex(guess));
    for _ in 0..20 {
        let period = map.linearise(&start)?;
        let [height, speed] = [start.q[1], start.v[0]];
        let multiplier = period.derivative[(1, 1)] - G / speed * period.derivative[(1, 2)];
        let missed = period.phase.q[1] - height;
        if missed.abs() < 1e-12 {
            start.q[0] = period.phase.q[0];
            return Ok(Gait { start, period, multiplier });
        }
        start = apex(height - missed / (multiplier - 1.0));
    }
    Err(format!("there is no gait near {guess} m").into())
}

fn run(from: Phase, tolerance: f64) -> Result<Hybrid<Closures<Mode>>, Box<dyn Error>> {
    let tolerance = Tolerance::new(tolerance, tolerance)?;
    Ok(Hybrid::new(hopper(), &Space::flat(2, 0), Mode::Falling, from, tolerance)?)
}

/// The largest change of energy, relative to it, in so many seconds at a tolerance.
fn energy_error(from: &Phase, duration: f64, tolerance: f64) -> Result<f64, Box<dyn Error>> {
    let (mut largest, expected) = (0.0_f64, energy(Mode::Falling, from));
    run(from.clone(), tolerance)?.run_observed(duration, |_, mode, stretch| {
        let change = energy(*mode, &stretch.at(stretch.end())) - expected;
        largest = largest.max((change / expected).abs());
    })?;
    Ok(largest)
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("hopper of {M} kg on {K} N/m, landing at {:.0}°", LANDING.to_degrees());
    let (stable, unstable) = (gait(0.95)?, gait(1.37)?);
    say("stable", &stable);
    say("unstable", &unstable);
    let start = apex(unstable.start.q[1] - LOWER);
    let error = energy_error(&start, 1000.0, 1e-12)?;
    println!("energy       is kept to {error:.1e} of it in 1000 s at a tolerance of 1e-12");

    let mut film = Film::new();
    run(start, 1e-10)?.run_observed(DURATION, |_, mode, stretch| film.add(*mode, &stretch))?;
    draw(&film, [&stable, &unstable])?;
    let mut scene = film.page();
    scene.title = "Spring-loaded hopper".into();
    scene.subtitle = "80 kg on a spring that lands at 68°: it finds its gait by itself".into();
    scene.facts = vec![
        fact("period", format!("{:.9} s", stable.period.duration)),
        fact("multiplier", format!("{:.9}", stable.multiplier)),
        fact("energy kept to", format!("{error:.0e}")),
    ];
    save(&scene, "hopper")?;
    Ok(())
}

fn say(what: &str, Gait { start, period, multiplier }: &Gait) {
    println!("{what:<12} gait of {:.9} s, multiplier {multiplier:.9}", period.duration);
    println!("             apex {:.9} m high, passed at {:.9} m/s", start.q[1], start.v[0]);
    let values = period.eigenvalues();
    let values: Vec<String> = values.iter().map(|value| format!("{:.9}", value.re)).collect();
    println!("             return map's eigenvalues {}", values.join(", "));
}

/// What is seen of a run.
struct Film {
    scene: Scene,
    /// Where the last foothold is along the ground, in m.
    foot: f64,
    last: Option<(Mode, Phase)>,
    /// Of height and its rate.
    motion: Vec<Piece>,
    modes: Vec<Span>,
    /// The leg's angle and the rate of height at lift-off.
    left: [f64; 2],
}

impl Film {
    fn new() -> Self {
        let rod = |up: f64, radius, color| {
            Shape::capsule(Vector3::zeros(), up * Vector3::z(), radius, color)
        };
        let thigh = vec![rod(-0.55 * L, 0.04, Color::STEEL), Shape::sphere(0.15, Color::ORANGE)];
        let shank = vec![rod(0.6 * L, 0.025, Color::GRAPHITE)];
        let bodies = [("thigh", thigh), ("shank", shank)];
        let bodies = bodies.map(|(name, shapes)| Body { name: name.into(), shapes }).into();
        Self {
            scene: Scene { bodies, ground: vec![Plane::HORIZONTAL], ..Scene::default() },
            foot: 0.0,
            last: None,
            motion: Vec::new(),
            modes: Vec::new(),
            left: [LANDING - FRAC_PI_2, 1.0],
        }
    }

    fn add(&mut self, mode: Mode, stretch: &Stretch<'_>) {
        if self.last.as_ref().is_none_or(|(last, _)| *last != mode) {
            self.change(mode);
        }
        let name = if mode == Mode::Stance { "stance" } else { "flight" };
        Span::note(&mut self.modes, name, [stretch.start(), stretch.end()]);
        let points = phases(stretch).map(|phase| (phase.q[1], phase.v[1]));
        if let Some(piece) = self.motion.last_mut() {
            piece.extend(points);
        }
        for phase in due(self.scene.frames.len(), 100.0, stretch) {
            self.scene.frames.push(self.snapshot(mode, &phase));
        }
        self.last = Some((mode, stretch.at(stretch.end())));
    }

    /// Another mode begins, with a new foothold where the leg lands.
    fn change(&mut self, mode: Mode) {
        match (&self.last, mode) {
            (Some((_, end)), Mode::Stance) => self.foot += end.q[0] + L * LANDING.cos(),
            (Some((_, end)), Mode::Rising) => self.left = [end.q[0].atan2(end.q[1]), end.v[1]],
            _ => {}
        }
        self.motion.push(Vec::new());
    }

    /// In flight the leg turns from where it left the ground to where it lands, as the rate of height goes.
    fn snapshot(&self, mode: Mode, phase: &Phase) -> Snapshot {
        let place = Vector3::new(self.foot + phase.q[0], 0.0, phase.q[1]);
        let [left, rate] = self.left;
        let share = (0.5 - 0.5 * phase.v[1] / rate).clamp(0.0, 1.0);
        let (length, angle, force) = match mode {
            Mode::Stance => {
                let [x, z] = force(&phase.q);
                let (length, angle) = (phase.q[0].hypot(phase.q[1]), phase.q[0].atan2(phase.q[1]));
                (length, angle, Vector3::new(x, 0.0, z))
            }
            _ => (L, left + share * (LANDING - FRAC_PI_2 - left), Vector3::zeros()),
        };
        let foot = place - length * up(angle);
        let poses = [place, foot].map(|position| leaning(position, angle)).into();
        Snapshot { time: phase.time, poses, forces: vec![ForceArrow { point: foot, force }] }
    }

    fn page(self) -> Scene {
        let of = |value: fn(&Snapshot) -> f64| self.scene.frames.iter().map(value).collect();
        let plots = vec![
            curve("Height of the mass", "m", "z", of(|frame| frame.poses[0].position.z)),
            curve("Force of the leg", "N", "F", of(|frame| frame.forces[0].force.norm())),
        ];
        Scene { plots, ..self.scene }
    }
}

fn draw(film: &Film, [stable, unstable]: [&Gait; 2]) -> Result<(), Box<dyn Error>> {
    let closed = |gait: &Gait| -> Result<Vec<Piece>, Box<dyn Error>> {
        let mut film = Film::new();
        run(gait.start.clone(), 1e-11)?
            .run_observed(gait.period.duration, |_, mode, stretch| film.add(*mode, &stretch))?;
        Ok(film.motion)
    };
    let orbits = [
        Orbit::new("1 cm below the unstable gait", "#9cc7d8", film.motion.clone()),
        Orbit::new("stable gait", "#c1502e", closed(stable)?),
        Orbit::new("unstable gait", "#7a8b3a", closed(unstable)?),
    ];
    let words = Words {
        title: "Hopper: its height, and below its modes",
        x: "height of the mass, m",
        y: "m/s",
    };
    Ok(Portrait { words, orbits: &orbits, strip: &film.modes }.save("hopper")?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The height of the next apex by that of the last one, differentiated by differences; it is among the map's eigenvalues.
    #[test]
    fn multipliers_are_those_of_the_height() {
        for guess in [0.95, 1.37] {
            let Gait { start, period, multiplier } = gait(guess).unwrap();
            let mut map = return_map().unwrap();
            let mut next = |by: f64| map.apply(&apex(start.q[1] + by)).unwrap().phase.q[1];
            let [one, two] = [1e-4, 2e-4].map(|h| (next(h) - next(-h)) / (2.0 * h));
            let expected = (4.0 * one - two) / 3.0;
            assert!((multiplier - expected).abs() < 1e-8, "{multiplier} {expected}");
            let values = period.eigenvalues();
            assert!(values.iter().any(|value| (value - multiplier).norm() < 1e-8), "{values:?}");
        }
    }

    #[test]
    fn energy_is_kept() {
        assert!(energy_error(&apex(1.0), 20.0, 1e-12).unwrap() < 1e-10);
    }
}
