//! The compass gait of the textbook walks down a slope: its limit cycle, how stable that is, and how fast it is computed.
//!
//! Draws the motion of a leg in its phase plane and the modes to `target/compass_gait.svg`, the automaton that was seen to
//! `target/compass_gait.dot`, and the walk to a page.

use std::error::Error;
use std::time::Instant;

use jourdain::State;
use jourdain::hybrid::{Cycle, Hybrid, ReturnMap, Stretch};
use jourdain::integrate::{Phase, Space, Tolerance};
use jourdain::playback::{Body, Color, Plot, Scene, Series, Shape, Snapshot};
use jourdain_examples::portrait::{Orbit, Piece, Portrait, Span, Words};
use jourdain_examples::stride::{Stride, leaning, slope};
use jourdain_examples::{due, fact, folder, phases, save};
use jourdain_models::compass_gait::Swing;
use jourdain_models::{CompassBiped, CompassGait, CompassWalk};
use nalgebra::{SVector, Vector3};

const SLOPE: f64 = 0.0525;
const ROBOT: CompassGait = CompassGait::TEXTBOOK;
const LEG: f64 = ROBOT.a + ROBOT.b;
/// What the walk begins with.
const START: [f64; 2] = [1.2, -1.0];

fn main() -> Result<(), Box<dyn Error>> {
    println!("compass gait on a slope of {SLOPE}");
    let (cycle, other) = (limit_cycle([1.0918, -0.7146])?, limit_cycle([1.2, -1.0])?);
    say("stable", &cycle);
    say("unstable", &other);
    let (speed, evaluations) = speed()?;
    println!(
        "speed        {speed:.0} times real time at 1e-9, {evaluations:.0} evaluations a step"
    );
    println!("             {:.0} times as a robot whose feet are contacts", speed_by_contacts()?);

    let mut film = Film::new();
    let mut walk = walk(stepped(START), 1e-9)?;
    walk.run_observed(12.0, |_, mode, stretch| film.add(*mode, &stretch))?;
    let history = walk.history();
    std::fs::write(folder()?.join("compass_gait.dot"), history.graphviz(walk.automaton()))?;
    println!("automaton    target/compass_gait.dot, after {} events", history.events().len());
    draw(&film, [&cycle, &other])?;
    let mut scene = film.page();
    scene.title = "Compass gait".into();
    scene.subtitle = "Two stiff legs without motors on a slope of 3°".into();
    scene.facts = vec![
        fact("period", format!("{:.9} s", cycle.period.duration)),
        fact("limit cycle found to", format!("{:.0e}", cycle.residual)),
        fact("times real time", format!("{speed:.0}")),
    ];
    save(&scene, "compass_gait")?;
    Ok(())
}

/// Right after a step.
fn stepped(v: [f64; 2]) -> Phase {
    let stance = SLOPE - 0.271;
    Phase {
        q: vec![stance, 2.0 * (SLOPE - stance)],
        v: v.into(),
        ..Phase::neutral(&Space::of::<CompassGait>(0))
    }
}

/// The cycle that Newton's method finds from a velocity.
fn limit_cycle(guess: [f64; 2]) -> Result<Cycle, Box<dyn Error>> {
    let (space, tolerance) = (Space::of::<CompassGait>(0), Tolerance::new(1e-14, 1e-14)?);
    let walker = CompassWalk::new(ROBOT, SLOPE);
    let mut map = ReturnMap::new(walker, &space, Swing::Early, CompassWalk::TOUCHDOWN, tolerance);
    Ok(map.cycle(&stepped(guess), 1e-12)?)
}

fn say(what: &str, cycle: &Cycle) {
    println!(
        "{what} cycle of {:.9} s, found to {:.0e}; eigenvalues of the return map",
        cycle.period.duration, cycle.residual
    );
    for value in cycle.period.eigenvalues() {
        // Zeros without a sign.
        println!("             {:12.9} {:+.9} i", value.re + 0.0, value.im + 0.0);
    }
}

fn walk(from: Phase, tolerance: f64) -> Result<Hybrid<CompassWalk>, Box<dyn Error>> {
    let (space, tolerance) = (Space::of::<CompassGait>(0), Tolerance::new(tolerance, tolerance)?);
    Ok(Hybrid::new(CompassWalk::new(ROBOT, SLOPE), &space, Swing::Early, from, tolerance)?)
}

/// Seconds of walking in one of computing, and evaluations of the dynamics for each step of the walk.
fn speed() -> Result<(f64, f64), Box<dyn Error>> {
    const DURATION: f64 = 1000.0;
    let mut walk = walk(stepped(START), 1e-9)?;
    let begun = Instant::now();
    walk.run_to(DURATION)?;
    let speed = DURATION / begun.elapsed().as_secs_f64();
    let touchdown = CompassWalk::TOUCHDOWN;
    let steps = walk.history().events().iter().filter(|e| e.has_fired(touchdown)).count();
    Ok((speed, walk.effort().evaluations as f64 / steps as f64))
}

/// Seconds of walking in one of computing, of a robot whose feet are contacts.
fn speed_by_contacts() -> Result<f64, Box<dyn Error>> {
    const DURATION: f64 = 200.0;
    let biped = CompassBiped::TEXTBOOK;
    let [q, v] = biped.ahead(-0.032, [0.46, -1.78]);
    let mut walk = biped.walk()?.tolerance(1e-9)?.state(q, v)?;
    let begun = Instant::now();
    walk.run(DURATION, |_: &State<_>| SVector::zeros())?;
    Ok(DURATION / begun.elapsed().as_secs_f64())
}

/// A leg in its phase plane, which first stands and then swings.
fn one_leg(from: &Phase, duration: f64) -> Result<Vec<Piece>, Box<dyn Error>> {
    let mut film = Film::new();
    walk(from.clone(), 1e-10)?.run_observed(duration, |_, mode, of| film.add(*mode, &of))?;
    Ok(film.stride.pieces)
}

/// What is seen of a walk.
struct Film {
    scene: Scene,
    stride: Stride,
    last: Option<(Swing, Phase)>,
    modes: Vec<Span>,
    /// Of each frame, the angles of the legs from the vertical in rad: that which is followed, and the other one.
    angles: [Vec<f64>; 2],
}

impl Film {
    fn new() -> Self {
        let rod = |color| {
            let mass = Shape::sphere(0.05, color).at(Vector3::new(0.0, 0.0, -ROBOT.b));
            let down = Vector3::new(0.0, 0.0, -LEG);
            vec![Shape::capsule(Vector3::zeros(), down, 0.015, color), mass]
        };
        let hip = vec![Shape::sphere(0.08, Color::GRAPHITE)];
        let body = |name: &str, shapes| Body { name: name.into(), shapes };
        let bodies = vec![
            body("hip", hip),
            body("left", rod(Color::BLUE)),
            body("right", rod(Color::ORANGE)),
        ];
        Self {
            scene: Scene { bodies, ground: slope(SLOPE), ..Scene::default() },
            stride: Stride::new(LEG),
            last: None,
            modes: Vec::new(),
            angles: [Vec::new(), Vec::new()],
        }
    }

    fn add(&mut self, mode: Swing, stretch: &Stretch<'_>) {
        match &self.last {
            Some((Swing::Late, end)) if mode == Swing::Early => {
                self.stride.exchange(end);
                self.stride.pieces.push(Vec::new());
            }
            _ => {}
        }
        let name = match mode {
            Swing::Early => "early swing",
            Swing::Late => "late swing",
        };
        Span::note(&mut self.modes, name, [stretch.start(), stretch.end()]);
        phases(stretch).for_each(|phase| self.stride.trace(&phase));
        for phase in due(self.scene.frames.len(), 60.0, stretch) {
            self.scene.frames.push(self.snapshot(&phase));
            let angles = self.stride.sides(phase.q[0], phase.q[0] + phase.q[1]);
            self.angles.iter_mut().zip(angles).for_each(|(all, angle)| all.push(angle));
        }
        self.last = Some((mode, stretch.at(stretch.end())));
    }

    fn page(self) -> Scene {
        let [left, right] = self.angles;
        let series = [("left", left), ("right", right)]
            .map(|(name, values)| Series { name: name.into(), values })
            .into();
        let plot = Plot { title: "Angles of the legs".into(), unit: "rad".into(), series };
        Scene { plots: vec![plot], ..self.scene }
    }

    fn snapshot(&self, phase: &Phase) -> Snapshot {
        let (stance, swing) = (phase.q[0], phase.q[0] + phase.q[1]);
        let pose = |angle| leaning(self.stride.hip(phase), angle);
        let [left, right] = self.stride.sides(pose(stance), pose(swing));
        Snapshot { time: phase.time, poses: vec![pose(0.0), left, right], forces: vec![] }
    }
}

fn draw(film: &Film, [stable, unstable]: [&Cycle; 2]) -> Result<(), Box<dyn Error>> {
    let closed = |cycle: &Cycle| one_leg(&cycle.start, 2.0 * cycle.period.duration);
    let orbits = [
        Orbit::new("twelve seconds of walking", "#9cc7d8", film.stride.pieces.clone()),
        Orbit::new("stable limit cycle", "#c1502e", closed(stable)?),
        Orbit::new("unstable limit cycle", "#7a8b3a", closed(unstable)?),
    ];
    let words = Words {
        title: "Compass gait: one leg, which stands and swings in turn",
        x: "angle from the vertical, rad",
        y: "rad/s",
    };
    Ok(Portrait { words, orbits: &orbits, strip: &film.modes }.save("compass_gait")?)
}
