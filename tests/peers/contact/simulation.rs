//! A scene, simulated by every formulation and timed: the Rust half of `scene.hpp`, with the same lines in
//! and out, plus `describe`, which prints one line for each joint.
//!
//! Steps that start cold have `warm_start` off, as MuJoCo's have its flag. A kick is a reset, whose time is not counted.

use std::env;
use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::time::{Duration, Instant};

use jourdain::contact::{Anitescu, AnitescuPotra, Cone, Formulation, Normal, Todorov};
use jourdain::prelude::{Model, Simulation, State};
use jourdain::space::Storage;

/// What can go wrong: an argument, a file, a step.
pub type Failure = Box<dyn Error>;

const AVERAGED: usize = 50;
const TEN: usize = 10;
const TENS: usize = 5;
const WAVE: usize = 628;
/// The gap of a contact that touches is less, m.
const TOUCHING: f64 = 1e-4;

/// A force on an input.
struct Servo {
    output: usize,
    q: usize,
    v: usize,
    stiffness: f64,
    damping: f64,
    rest: f64,
    ripple: f64,
    shift: usize,
}

/// What a program is given.
struct Scene {
    step: f64,
    kick: f64,
    settling: usize,
    q: Vec<f64>,
    servos: Vec<Servo>,
    wave: Vec<f64>,
}

impl Scene {
    fn read(path: &str) -> Result<Self, Failure> {
        let text = fs::read_to_string(path)?;
        let numbers: Vec<f64> =
            text.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
        let (&[step, kick, settling, nq, _], rest) =
            numbers.split_first_chunk().ok_or("no scene")?;
        let (q, servos) = rest.split_at_checked(nq as usize).ok_or("no configuration")?;
        let (servos, _) = servos.as_chunks();
        let servos =
            servos.iter().map(|&[output, q, v, stiffness, damping, rest, ripple, shift]| {
                let [output, q, v, shift] = [output, q, v, shift].map(|x: f64| x as usize);
                Servo { output, q, v, stiffness, damping, rest, ripple, shift }
            });
        let wave = (0..WAVE).map(|k| (0.1 * k as f64).sin()).collect();
        let (settling, q) = (settling as usize, q.to_vec());
        Ok(Self { step, kick, settling, q, servos: servos.collect(), wave })
    }

    /// The input of step `k`, which does not ripple if there is none.
    fn input<M: Model>(&self, k: Option<usize>, state: &State<M>) -> M::U {
        let mut u = M::U::zeros();
        for s in &self.servos {
            let ripple = k.map_or(0.0, |k| s.ripple * self.wave[(k + s.shift) % WAVE]);
            u[s.output] = s.stiffness * (s.rest - state.q[s.q]) - s.damping * state.v[s.v] + ripple;
        }
        u
    }
}

/// The formulations, by name and whether friction has a polygon.
fn formulations() -> [(&'static str, bool, Formulation); 9] {
    let velocity = Normal::Velocity(AnitescuPotra::default());
    let todorov = Todorov::default();
    [
        ("coulomb", false, Formulation::Coulomb(Normal::Gap)),
        ("coulomb velocity", false, Formulation::Coulomb(velocity)),
        ("todorov", false, Formulation::Todorov(todorov)),
        ("todorov pyramid", true, Formulation::Todorov(todorov.cone(Cone::Pyramid))),
        ("anitescu", true, Formulation::Anitescu(Anitescu::default())),
        ("stewart-trinkle", true, Formulation::StewartTrinkle),
        ("anitescu-potra", true, Formulation::AnitescuPotra(AnitescuPotra::default())),
        ("frictionless", false, Formulation::Frictionless(Normal::Gap)),
        ("sticking", false, Formulation::Sticking(Normal::Gap)),
    ]
}

/// Does what the command line asks for: `describe`, or SCENE SECONDS [SETTING...].
///
/// # Errors
///
/// A command line of another form, or a file that is no scene.
pub fn run<M: Model + Clone>(robot: &M) -> Result<(), Failure> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match &arguments[..] {
        [word] if word == "describe" => {
            for j in M::JOINTS {
                println!("{}\t{}\t{}", j.name, j.q, j.v);
            }
            Ok(())
        }
        [scene, seconds, wanted @ ..] => {
            let scene = Scene::read(scene)?;
            let budget = Duration::try_from_secs_f64(seconds.parse()?)?;
            for (name, polygon, formulation) in formulations() {
                let sides = M::CONTACTS.first().filter(|_| polygon).map(|c| c.directions);
                let sides = sides.map_or(String::new(), |sides| format!(" of {sides} sides"));
                let name = &format!("{name}{sides}");
                if !wanted.is_empty() && !wanted.contains(name) {
                    continue;
                }
                if let Err(failure) = compute(robot, &scene, budget, name, formulation) {
                    println!("fail\t{name}\t{failure}");
                }
            }
            Ok(())
        }
        _ => Err("expected `describe` or SCENE SECONDS [SETTING...]".into()),
    }
}

fn compute<M: Model + Clone>(
    robot: &M,
    scene: &Scene,
    budget: Duration,
    name: &str,
    formulation: Formulation,
) -> Result<(), Failure> {
    let mut q = M::Q::zeros();
    q.as_mut_slice().copy_from_slice(&scene.q);
    let settled = Simulation::new(robot.clone())?.step_size(scene.step)?.formulation(formulation);
    // Kicks and cold starts go on from states of a run, where what turns is slightly within the ground.
    let mut settled = settled.recovery(1.0)?.state(q, M::V::zeros())?;
    settle(&mut settled, scene, name)?;
    if budget.is_zero() {
        return Ok(());
    }
    for drive in ["rest", "kicked"] {
        for start in ["warm", "cold"] {
            let simulation = settled.clone().warm_start(start == "warm");
            let mut timed = Timed { simulation, scene, k: 0, pivots: 0 };
            let figures = timed.measure(budget, drive == "kicked");
            match figures {
                Ok(figures) => println!("time\t{name}\t{drive}\t{start}\t{figures}"),
                Err(failure) => println!("fail\t{name}, {drive}, {start}\t{failure}"),
            }
        }
    }
    Ok(())
}

/// Lets the scene come to rest and prints where and how it rests.
fn settle<M: Model + Clone>(
    simulation: &mut Simulation<M>,
    scene: &Scene,
    name: &str,
) -> Result<(), Failure> {
    let mut impulse = 0.0;
    for k in 0..scene.settling {
        simulation.step(&scene.input(None, simulation.current()))?;
        if k + AVERAGED >= scene.settling {
            impulse += simulation.impulse().normal.iter().sum::<f64>();
        }
    }
    let height = simulation.current().q[2];
    let force = impulse / (AVERAGED as f64 * scene.step);
    let touching = simulation.gaps().iter().filter(|gap| **gap < TOUCHING).count();
    println!("fact\t{name}\t{height:.6}\t{force:.6}\t{touching}");
    Ok(())
}

/// How many contacts press.
fn pressing<M: Model>(simulation: &Simulation<M>) -> usize {
    simulation.impulse().normal.iter().filter(|impulse| **impulse > 0.0).count()
}

/// A simulation that is timed.
struct Timed<'a, M: Model> {
    simulation: Simulation<M>,
    scene: &'a Scene,
    k: usize,
    /// Of the last step.
    pivots: usize,
}

impl<M: Model + Clone> Timed<'_, M> {
    /// Median and least time of a step in nanoseconds, contacts, and iterations, fields separated by tabs.
    fn measure(&mut self, budget: Duration, kicked: bool) -> Result<String, Failure> {
        let mut samples: [Vec<f64>; TENS] = Default::default();
        let (mut contacts, mut iterations) = (0, 0);
        let begin = Instant::now();
        while samples[0].is_empty() || begin.elapsed() < budget {
            if kicked {
                self.kick(2.4 * samples[0].len() as f64)?;
            }
            for of in &mut samples {
                let start = Instant::now();
                for _ in 0..TEN {
                    self.step()?;
                }
                of.push(1e9 * start.elapsed().as_secs_f64() / TEN as f64);
            }
            contacts += pressing(&self.simulation);
            iterations += self.pivots;
        }
        let cycles = samples[0].len() as f64;
        let [contacts, iterations] = [contacts, iterations].map(|sum| sum as f64 / cycles);
        samples.iter_mut().for_each(|of| of.sort_by(f64::total_cmp));
        let mean = |of: fn(&Vec<f64>) -> f64| samples.iter().map(of).sum::<f64>() / TENS as f64;
        let (median, least) = (mean(|of| of[of.len() / 2]), mean(|of| of[0]));
        Ok(format!("{median:.1}\t{least:.1}\t{contacts:.2}\t{iterations:.2}"))
    }

    fn step(&mut self) -> Result<(), Failure> {
        let u = self.scene.input(Some(self.k), self.simulation.current());
        self.k += 1;
        self.pivots = black_box(self.simulation.step(&u)?).outcome.pivots;
        Ok(())
    }

    /// Gives the base another velocity.
    fn kick(&mut self, angle: f64) -> Result<(), Failure> {
        let State { q, mut v, .. } = self.simulation.current().clone();
        v[0] = self.scene.kick * angle.cos();
        v[1] = self.scene.kick * angle.sin();
        v.as_mut_slice()[3..6].fill(0.0);
        Ok(self.simulation.reset(q, v)?)
    }
}
