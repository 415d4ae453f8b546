//! A world, simulated twice under each of two laws and timed: the Rust half of `programs.py`, which says
//! what is read and printed.

use std::env;
use std::error::Error;
use std::fs;
use std::time::{Duration, Instant};

use jourdain::contact::{Formulation, Residual, Todorov};
use jourdain::nalgebra::{Quaternion, UnitQuaternion, Vector3};
use jourdain::prelude::*;
use jourdain::space::Storage;
use jourdain::world::{Body, RobotId, World, WorldError};

/// What can go wrong: an argument, a file, a world that cannot be set up.
pub type Failure = Box<dyn Error>;

/// Points are counted each so many steps.
const COUNTED: usize = 10;
/// Of water, kg/m³.
const WATER: f64 = 1000.0;

/// A line of a scene, word by word.
pub struct Words<'a>(std::str::SplitWhitespace<'a>);

impl<'a> Words<'a> {
    fn word(&mut self) -> Result<&'a str, Failure> {
        self.0.next().ok_or_else(|| "a line that ends too early".into())
    }

    fn number(&mut self) -> Result<f64, Failure> {
        Ok(self.word()?.parse()?)
    }

    fn numbers(&mut self) -> Result<Vec<f64>, Failure> {
        Ok(self.0.by_ref().map(str::parse).collect::<Result<_, _>>()?)
    }

    fn array<const N: usize>(&mut self) -> Result<[f64; N], Failure> {
        let mut numbers = [0.0; N];
        for number in &mut numbers {
            *number = self.number()?;
        }
        Ok(numbers)
    }

    fn name(&mut self) -> Result<String, Failure> {
        Ok(self.word()?.replace('_', " "))
    }
}

/// A force on an input.
#[derive(Clone)]
struct Servo {
    output: usize,
    q: usize,
    v: usize,
    stiffness: f64,
    damping: f64,
    effort: f64,
    /// Times and where the coordinate shall be.
    way: Vec<[f64; 2]>,
}

impl Servo {
    fn force(&self, time: f64, q: f64, v: f64) -> f64 {
        let next = self.way.partition_point(|of| of[0] <= time);
        let [target, rate] = match (self.way[..next].last(), self.way.get(next)) {
            (Some(&[from, before]), Some(&[until, after])) => {
                let rate = (after - before) / (until - from);
                [before + rate * (time - from), rate]
            }
            (Some(&[_, x]), None) | (None, Some(&[_, x])) => [x, 0.0],
            (None, None) => [q, v],
        };
        let force = self.stiffness * (target - q) + self.damping * (rate - v);
        force.clamp(-self.effort, self.effort)
    }
}

/// What is seen of something that moves: q, v, and how many contacts of its own press.
type Seen = (Vec<f64>, Vec<f64>, usize);

type Look = Box<dyn Fn(&World) -> Result<Seen, WorldError>>;

/// A world that is filled, and how it is looked at.
pub struct Filled {
    world: World,
    looks: Vec<Look>,
}

impl Filled {
    /// Adds a robot whose line is begun.
    ///
    /// # Errors
    ///
    /// A line of another form, and what the world refuses.
    pub fn add<M: Model + Clone + Send + 'static>(
        &mut self,
        robot: M,
        name: String,
        lines: &mut dyn Iterator<Item = Words<'_>>,
    ) -> Result<(), Failure> {
        let (mut q, mut v, mut base) = (M::Q::zeros(), M::V::zeros(), 0);
        let mut order = Vec::new();
        if let Some(joint) = M::JOINTS.iter().find(|joint| joint.family == "floating") {
            let mut line = lines.next().ok_or("no place of a robot")?;
            q.as_mut_slice()[joint.q..][..7].copy_from_slice(&line.array::<7>()?);
            v.as_mut_slice()[joint.v..][..3].copy_from_slice(&line.array::<3>()?);
            base = joint.nv;
            order.extend(joint.q..joint.q + 7);
        }
        let mut servos = Vec::new();
        for mut line in lines.take(M::JOINTS.iter().filter(|joint| joint.nv == 1).count()) {
            let name = line.word()?;
            let joint = M::JOINTS.iter().find(|joint| joint.name == name);
            let joint = joint.ok_or_else(|| format!("no joint `{name}`"))?;
            let [start, stiffness, damping, effort] = line.array()?;
            q[joint.q] = start;
            order.push(joint.q);
            let (output, way) = (joint.v - base, line.numbers()?.as_chunks().0.to_vec());
            servos.push(Servo { output, q: joint.q, v: joint.v, stiffness, damping, effort, way });
        }
        let simulation = Simulation::new(robot)?.state(q, v)?;
        let id = self.world.add(name, simulation, &Pose::default())?;
        self.world.control(id, move |state: &State<M>| {
            let mut u = M::U::zeros();
            for servo in &servos {
                u[servo.output] = servo.force(state.time, state.q[servo.q], state.v[servo.v]);
            }
            u
        })?;
        self.look_at(id, order);
        Ok(())
    }

    /// Has coordinates seen in an order.
    fn look_at<M: Model + Clone + Send + 'static>(&mut self, id: RobotId<M>, order: Vec<usize>) {
        self.looks.push(Box::new(move |world| {
            let simulation = world.robot(id)?;
            let State { q, v, .. } = simulation.current();
            let normal = &simulation.impulse().normal;
            let pressing = normal.iter().filter(|impulse| **impulse > 0.0).count();
            Ok((order.iter().map(|&k| q[k]).collect(), v.as_slice().to_vec(), pressing))
        }));
    }

    fn body(&mut self, mut line: Words<'_>, friction: f64) -> Result<(), Failure> {
        let (name, density) = (line.name()?, line.number()?);
        let [x, y, z, a, b, c, w] = line.array()?;
        let turn = UnitQuaternion::from_quaternion(Quaternion::new(w, a, b, c));
        let rotation = turn.to_rotation_matrix().into_inner();
        let pose = Pose { rotation, position: Vector3::new(x, y, z) };
        let kind = line.word()?;
        let body = match kind {
            "box" => Body::cuboid(line.array()?)?,
            "sphere" => Body::ball(line.number()?)?,
            "capsule" => Body::capsule(line.number()?, line.number()?)?,
            "cylinder" => Body::cylinder(line.number()?, line.number()?)?,
            "hull" => Body::hull(line.numbers()?.as_chunks().0)?,
            _ => return Err(format!("`{kind}` is no solid").into()),
        };
        let body = body.friction(friction)?;
        if density > 0.0 {
            let mass = body.total_mass() * density / WATER;
            let id = self.world.add_body(name, &body.mass(mass)?, &pose)?;
            self.look_at(id, (0..7).collect());
        } else {
            self.world.fix(name, &body, &pose)?;
        }
        Ok(())
    }

    fn seen(&self) -> Result<Vec<Seen>, WorldError> {
        self.looks.iter().map(|look| look(&self.world)).collect()
    }

    /// How many points press.
    fn pressing(&self) -> Result<usize, WorldError> {
        let between = self.world.contacts().filter(|of| of.force.dot(&of.axes[0]) > 0.0).count();
        let own: usize = self.seen()?.iter().map(|(.., pressing)| pressing).sum();
        Ok(between + own)
    }

    fn print(&self, setting: &str, step: usize) -> Result<(), WorldError> {
        let seen = self.seen()?;
        let q: Vec<String> = seen.iter().flat_map(|of| &of.0).map(f64::to_string).collect();
        println!("state\t{setting}\t{step}\t{}", q.join(" "));
        Ok(())
    }
}

/// Adds a robot of a kind, by the kind's name.
pub type Add = fn(
    &mut Filled,
    kind: &str,
    name: String,
    lines: &mut dyn Iterator<Item = Words<'_>>,
) -> Result<(), Failure>;

/// A scene as it is read.
struct Scene<'a> {
    text: &'a str,
    step: f64,
    steps: usize,
    friction: f64,
    /// Steps after which the state is printed.
    looks: Vec<usize>,
}

impl<'a> Scene<'a> {
    fn new(text: &'a str) -> Result<Self, Failure> {
        let mut first = Words(text.lines().next().unwrap_or_default().split_whitespace());
        let [step, steps, friction] = first.array()?;
        let looks = first.numbers()?.into_iter().map(|of| of as usize).collect();
        Ok(Self { text, step, steps: steps as usize, friction, looks })
    }

    fn fill(&self, formulation: Formulation, add: Add) -> Result<Filled, Failure> {
        let ground = Ground::plane(Vector3::z(), 0.0, self.friction, 0.0)?;
        let world = World::new().step_size(self.step)?.formulation(formulation).ground(ground);
        let mut filled = Filled { world, looks: Vec::new() };
        let mut lines = self.text.lines().skip(1).map(|line| Words(line.split_whitespace()));
        while let Some(mut line) = lines.next() {
            match line.word()? {
                "robot" => {
                    let (name, kind) = (line.name()?, line.word()?);
                    add(&mut filled, kind, name, &mut lines)?;
                }
                "body" => filled.body(line, self.friction)?,
                word => return Err(format!("`{word}` is nothing that is in a world").into()),
            }
        }
        Ok(filled)
    }
}

/// What a run took, and how it ended.
#[derive(Default)]
struct Run {
    times: Vec<Duration>,
    residual: Residual,
    penetration: f64,
    iterations: usize,
    /// Points that press, as they were counted last.
    pressing: usize,
    /// What is wrong, if something is.
    error: Option<String>,
    /// Whether it took too long.
    is_stopped: bool,
    last: Vec<Seen>,
}

impl Run {
    fn of(
        scene: &Scene<'_>,
        setting: &str,
        mut filled: Filled,
        limit: Duration,
        first: Option<&Self>,
    ) -> Result<Self, Failure> {
        let (mut run, mut sum, prints) = (Self::default(), Duration::ZERO, first.is_none());
        // One that the clock has stopped goes as far the second time.
        let (steps, limit) = match first {
            Some(first) if first.is_stopped => (first.times.len(), Duration::MAX),
            Some(_) => (scene.steps, Duration::MAX),
            None => (scene.steps, limit),
        };
        while run.times.len() < steps {
            if prints && scene.looks.contains(&run.times.len()) {
                filled.print(setting, run.times.len())?;
            }
            if sum > limit {
                let (time, seconds) = (filled.world.time(), limit.as_secs_f64());
                run.error = Some(format!("at {time:.3} s: stopped after {seconds} s"));
                run.is_stopped = true;
                break;
            }
            let start = Instant::now();
            let stepped = filled.world.step();
            let elapsed = start.elapsed();
            match stepped {
                Ok(report) => {
                    run.residual = run.residual.worse(&report.residual);
                    run.penetration = run.penetration.max(report.penetration);
                    run.iterations += report.pivots;
                }
                Err(error) => {
                    run.error = Some(error.to_string());
                    break;
                }
            }
            run.times.push(elapsed);
            sum += elapsed;
            if run.times.len() % COUNTED == 0 {
                run.pressing = filled.pressing()?;
            }
        }
        if prints {
            filled.print(setting, run.times.len())?;
        }
        run.last = filled.seen()?;
        Ok(run)
    }

    fn print(&self, setting: &str) {
        let steps = self.times.len();
        let mean = |of: &[Duration]| {
            1e3 * of.iter().sum::<Duration>().as_secs_f64() / of.len().max(1) as f64
        };
        let (all, last) = (mean(&self.times), mean(&self.times[steps - steps / 5..]));
        let iterations = self.iterations as f64 / steps.max(1) as f64;
        println!(
            "run\t{setting}\t{all:.6}\t{last:.6}\t{steps}\t{}\t{:.3e}\t{:.3e}\t{iterations:.2}\t{}",
            self.pressing,
            self.residual.max(),
            self.penetration,
            self.error.as_deref().unwrap_or("-"),
        );
    }

    /// Whether every bit of another run is that of this one, and both went as far.
    fn is(&self, other: &Self) -> bool {
        let bits = |of: &Self| -> Vec<u64> {
            let numbers = of.last.iter().flat_map(|(q, v, _)| q.iter().chain(v));
            numbers.map(|x| x.to_bits()).collect()
        };
        self.times.len() == other.times.len() && bits(self) == bits(other)
    }
}

/// Does what the command line asks for: SCENE LIMIT.
///
/// # Errors
///
/// A command line of another form, or a file that is no scene.
pub fn run(add: Add) -> Result<(), Failure> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [path, limit] = &arguments[..] else {
        return Err("expected SCENE LIMIT".into());
    };
    let text = fs::read_to_string(path)?;
    let (scene, limit) = (Scene::new(&text)?, Duration::try_from_secs_f64(limit.parse()?)?);
    let settings = [
        ("coulomb", Formulation::coulomb()),
        ("todorov", Formulation::Todorov(Todorov::default())),
    ];
    for (name, formulation) in settings {
        let first = Run::of(&scene, name, scene.fill(formulation, add)?, limit, None)?;
        first.print(name);
        let second = Run::of(&scene, name, scene.fill(formulation, add)?, limit, Some(&first))?;
        second.print(name);
        println!("same\t{name}\t{}", if second.is(&first) { "yes" } else { "no" });
    }
    Ok(())
}
