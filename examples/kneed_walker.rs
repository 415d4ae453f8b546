//! A walker with knees goes down a slope without motors: its limit cycle, and how stable that is.
//!
//! Draws the motion of a thigh in its phase plane and the modes to `target/kneed_walker.svg`, the automaton that was seen
//! to `target/kneed_walker.dot`, and the walk to a page.
//!
//! `cargo run --release --example kneed_walker`

use std::error::Error;

use jourdain::hybrid::{Cycle, Hybrid, ReturnMap, Stretch};
use jourdain::integrate::{Phase, Space, Tolerance};
use jourdain::playback::{Body, Color, Scene, Shape, Snapshot};
use jourdain_examples::portrait::{Orbit, Piece, Portrait, Span, Words};
use jourdain_examples::stride::{Stride, leaning, slope, up};
use jourdain_examples::{curve, due, fact, folder, phases, save};
use jourdain_models::kneed_walker::Knee;
use jourdain_models::{KneedWalk, KneedWalker};
use nalgebra::{Vector3, vector};

const SLOPE: f64 = 0.0504;
const ROBOT: KneedWalker = KneedWalker::CHEN;
const LEG: f64 = ROBOT.leg();
const THIGH: f64 = LEG - ROBOT.shank();
const DURATION: f64 = 10.0;

/// Chen's state after a step, with angles from the vertical that grow backwards: of the leg that stands and of the other
/// one, in rad, and their rates in rad/s. It lies near the cycle, but for 0.02 rad/s.
const PUBLISHED: [f64; 4] = [0.1877, -0.2884, -1.1014, -0.0399];

fn main() -> Result<(), Box<dyn Error>> {
    println!("kneed walker on a slope of {SLOPE}");
    let cycle = limit_cycle()?;
    say(&cycle);
    let mut film = Film::new();
    let mut walk = walk(disturbed(&cycle))?;
    walk.run_observed(DURATION, |walker, knee, stretch| film.add(walker, *knee, &stretch))?;
    let history = walk.history();
    std::fs::write(folder()?.join("kneed_walker.dot"), history.graphviz(walk.automaton()))?;
    println!("automaton    target/kneed_walker.dot, after {} events", history.events().len());
    draw(&film, &cycle)?;
    let mut scene = film.page();
    let multiplier = cycle.period.eigenvalues()[0];
    scene.facts = vec![
        fact("period", format!("{:.9} s", cycle.period.duration)),
        fact("limit cycle found to", format!("{:.0e}", cycle.residual)),
        fact("largest multiplier", format!("{:.6}", multiplier.re.hypot(multiplier.im))),
    ];
    save(&scene, "kneed_walker")?;
    Ok(())
}

/// Right after a step, as published.
fn published() -> Phase {
    let [stance, swing, stance_rate, swing_rate] = PUBLISHED.map(|value| -value);
    Phase {
        q: vec![stance, swing - stance, 0.0],
        v: vec![stance_rate, swing_rate - stance_rate, 0.0],
        ..Phase::neutral(&Space::of::<KneedWalker>(0))
    }
}

fn limit_cycle() -> Result<Cycle, Box<dyn Error>> {
    let (space, tolerance) = (Space::of::<KneedWalker>(0), Tolerance::new(1e-14, 1e-14)?);
    let walker = KneedWalk::new(ROBOT, SLOPE);
    let map = ReturnMap::new(walker, &space, Knee::Free, KneedWalk::TOUCHDOWN, tolerance);
    Ok(map.longest(5.0)?.cycle(&published(), 1e-12)?)
}

/// A little slower than the cycle.
fn disturbed(cycle: &Cycle) -> Phase {
    let mut phase = cycle.start.clone();
    phase.v[0] *= 0.99;
    phase
}

fn walk(from: Phase) -> Result<Hybrid<KneedWalk>, Box<dyn Error>> {
    let (space, tolerance) = (Space::of::<KneedWalker>(0), Tolerance::new(1e-10, 1e-10)?);
    Ok(Hybrid::new(KneedWalk::new(ROBOT, SLOPE), &space, Knee::Free, from, tolerance)?)
}

fn say(cycle: &Cycle) {
    let Cycle { start, period, residual, .. } = cycle;
    println!("limit cycle  of {:.9} s, found to {residual:.0e}", period.duration);
    let [stance, swing] = [-start.q[0], -start.q[0] - start.q[1]];
    let [stance_rate, swing_rate] = [-start.v[0], -start.v[0] - start.v[1]];
    println!("begins with  {stance:.6} {swing:.6} rad, {stance_rate:.6} {swing_rate:.6} rad/s");
    println!("published    {PUBLISHED:?}");
    println!("return map   has the eigenvalues");
    for value in period.eigenvalues() {
        // Zeros without a sign.
        println!("             {:12.9} {:+.9} i", value.re + 0.0, value.im + 0.0);
    }
}

/// A thigh in its phase plane over two steps, in which it first stands and then swings.
fn one_leg(from: &Phase, duration: f64) -> Result<Vec<Piece>, Box<dyn Error>> {
    let mut film = Film::new();
    walk(from.clone())?.run_observed(duration, |walker, knee, of| film.add(walker, *knee, &of))?;
    Ok(film.stride.pieces)
}

/// What is seen of a walk.
struct Film {
    scene: Scene,
    stride: Stride,
    last: Option<(Knee, Phase)>,
    modes: Vec<Span>,
    /// Of each frame: the bend of the knee in rad, and the height of the foot that swings, in m.
    curves: [Vec<f64>; 2],
}

impl Film {
    fn new() -> Self {
        let rod = |length: f64, mass: f64, size: f64, color| {
            let rod = Shape::capsule(Vector3::zeros(), -length * Vector3::z(), 0.015, color);
            vec![rod, Shape::sphere(size, color).at(-mass * Vector3::z())]
        };
        let body = |name: &str, shapes| Body { name: name.into(), shapes };
        let (thigh, shank) = (ROBOT.b2, ROBOT.b1);
        let bodies = vec![
            body("hip", vec![Shape::sphere(0.06, Color::GRAPHITE)]),
            body("left thigh", rod(THIGH, thigh, 0.06, Color::BLUE)),
            body("left shank", rod(ROBOT.shank(), shank, 0.03, Color::BLUE)),
            body("right thigh", rod(THIGH, thigh, 0.06, Color::ORANGE)),
            body("right shank", rod(ROBOT.shank(), shank, 0.03, Color::ORANGE)),
        ];
        Self {
            scene: Scene { bodies, ground: slope(SLOPE), ..Scene::default() },
            stride: Stride::new(LEG),
            last: None,
            modes: Vec::new(),
            curves: [Vec::new(), Vec::new()],
        }
    }

    fn add(&mut self, walker: &KneedWalk, knee: Knee, stretch: &Stretch<'_>) {
        match &self.last {
            Some((last, end)) if *last != knee => {
                if *last == Knee::Locked {
                    self.stride.exchange(end);
                }
                // Locking is a jump too.
                self.stride.pieces.push(Vec::new());
            }
            _ => {}
        }
        let name = if knee == Knee::Free { "knee free" } else { "knee locked" };
        Span::note(&mut self.modes, name, [stretch.start(), stretch.end()]);
        phases(stretch).for_each(|phase| self.stride.trace(&phase));
        for phase in due(self.scene.frames.len(), 60.0, stretch) {
            self.scene.frames.push(self.snapshot(&phase));
            self.curves[0].push(phase.q[2]);
            self.curves[1].push(walker.clearance(&vector![phase.q[0], phase.q[1], phase.q[2]]));
        }
        self.last = Some((knee, stretch.at(stretch.end())));
    }

    fn snapshot(&self, phase: &Phase) -> Snapshot {
        let (stance, thigh) = (phase.q[0], phase.q[0] + phase.q[1]);
        let hip = self.stride.hip(phase);
        let leg = |thigh: f64, bend: f64| {
            [leaning(hip, thigh), leaning(hip - THIGH * up(thigh), thigh + bend)]
        };
        let [left, right] = self.stride.sides(leg(stance, 0.0), leg(thigh, phase.q[2]));
        let poses = [leaning(hip, 0.0)].into_iter().chain(left).chain(right).collect();
        Snapshot { time: phase.time, poses, forces: vec![] }
    }

    fn page(self) -> Scene {
        let [bend, height] = self.curves;
        let plots = vec![
            curve("Bend of the knee that swings", "rad", "knee", bend),
            curve("Height of the foot that swings", "m", "foot", height),
        ];
        let title = "Kneed walker".into();
        let subtitle = "Two legs with knees and without motors on a slope of 2.9°".into();
        Scene { title, subtitle, plots, ..self.scene }
    }
}

fn draw(film: &Film, cycle: &Cycle) -> Result<(), Box<dyn Error>> {
    let closed = one_leg(&cycle.start, 2.0 * cycle.period.duration)?;
    let orbits = [
        Orbit::new("1 % slower at the start", "#9cc7d8", film.stride.pieces.clone()),
        Orbit::new("limit cycle", "#c1502e", closed),
    ];
    let words = Words {
        title: "Kneed walker: one thigh, whose leg stands and swings in turn",
        x: "angle from the vertical, rad",
        y: "rad/s",
    };
    Ok(Portrait { words, orbits: &orbits, strip: &film.modes }.save("kneed_walker")?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What forty steps from the published state come to with absolute angles, point masses and the impulse on the foot
    /// as unknowns, by Runge and Kutta's method at a step of 1 ms.
    #[test]
    fn the_cycle_is_that_of_another_derivation() {
        let Cycle { start, period, .. } = limit_cycle().unwrap();
        assert!((period.duration - 0.564328166).abs() < 1e-9, "{}", period.duration);
        let (stance, swing) = (-0.188185460, 0.288985460);
        let (stance_rate, swing_rate) = (1.109587331, 0.057148108);
        let expected = [stance, swing - stance, 0.0, stance_rate, swing_rate - stance_rate, 0.0];
        for (found, expected) in start.q.iter().chain(&start.v).zip(expected) {
            assert!((found - expected).abs() < 2e-9, "{found} {expected}");
        }
        let largest = period.eigenvalues()[0];
        assert!(largest.re.hypot(largest.im) < 1.0, "{largest}");
    }
}
