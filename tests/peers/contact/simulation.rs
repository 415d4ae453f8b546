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
use jourdain::control::{Pd, Servos};
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
    effort: f64,
}

/// What a program is given.
struct Scene {
    step: f64,
    kick: f64,
    settling: usize,
    q: Vec<f64>,
    servos: Vec<Servo>,
    wave: Vec<f64>,
    /// Whether servos are motors.
    motors: bool,
}

impl Scene {
    fn read(path: &str) -> Result<Self, Failure> {
        let text = fs::read_to_string(path)?;
        let numbers: Vec<f64> =
            text.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
        let (&[step, kick, settling, nq, _, motors], rest) =
            numbers.split_first_chunk().ok_or("no scene")?;
        let (q, servos) = rest.split_at_checked(nq as usize).ok_or("no configuration")?;
        let (servos, _) = servos.as_chunks();
        let servos = servos.iter().map(
            |&[output, q, v, stiffness, damping, rest, ripple, shift, effort]| {
                let [output, q, v, shift] = [output, q, v, shift].map(|x: f64| x as usize);
                Servo { output, q, v, stiffness, damping, rest, ripple, shift, effort }
            },
        );
        let wave = (0..WAVE).map(|k| (0.1 * k as f64).sin()).collect();
        let (settling, q) = (settling as usize, q.to_vec());
        Ok(Self { step, kick, settling, q, servos: servos.collect(), wave, motors: motors == 1.0 })
    }

    /// The servos as motors, if they are.
    fn motors<M: Model>(&self, robot: &M) -> Option<Motors<M>> {
        let [mut stiffness, mut damping, mut effort] = [(); 3].map(|()| M::V::zeros());
        for s in &self.servos {
            (stiffness[s.v], damping[s.v], effort[s.v]) = (s.stiffness, s.damping, s.effort);
        }
        let mut target = M::Q::zeros();
        target.as_mut_slice().copy_from_slice(&self.q);
        let pd = Pd::new(robot, target.clone(), 0.0, 0.0).gains(stiffness, damping).effort(effort);
        self.motors.then(|| Motors { servos: pd.implicit(), target })
    }

    /// Moves the targets of motors to those of step `k`.
    fn aim<M: Model>(&self, k: Option<usize>, motors: &mut Motors<M>) {
        for s in &self.servos {
            let ripple =
                k.map_or(0.0, |k| s.ripple / s.stiffness * self.wave[(k + s.shift) % WAVE]);
            motors.target[s.q] = s.rest + ripple;
        }
        motors.servos.set_target(motors.target.clone());
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

/// Servos that are motors, and where they shall go.
#[derive(Clone)]
struct Motors<M: Model> {
    servos: Servos<M>,
    target: M::Q,
}

/// A simulation and what drives it.
#[derive(Clone)]
struct Driven<'a, M: Model> {
    simulation: Simulation<M>,
    scene: &'a Scene,
    motors: Option<Motors<M>>,
}

impl<M: Model + Clone> Driven<'_, M> {
    /// Step `k`, which does not ripple if there is none; its pivots.
    fn step(&mut self, k: Option<usize>) -> Result<usize, Failure> {
        let Self { simulation, scene, motors } = self;
        let report = match motors {
            Some(motors) => {
                scene.aim(k, motors);
                simulation.step_with(&mut motors.servos)
            }
            None => simulation.step(&scene.input(k, simulation.current())),
        };
        Ok(black_box(report?).outcome.pivots)
    }

    /// The square root of the sum of squares of the servos' forces.
    fn torque(&self) -> f64 {
        let (motors, input) =
            (self.simulation.motor_force(), self.scene.input(None, self.simulation.current()));
        let force = |s: &Servo| if self.motors.is_some() { motors[s.v] } else { input[s.output] };
        self.scene.servos.iter().map(|s| force(s).powi(2)).sum::<f64>().sqrt()
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
    let simulation = settled.recovery(1.0)?.state(q, M::V::zeros())?;
    let mut settled = Driven { simulation, scene, motors: scene.motors(robot) };
    settle(&mut settled, name)?;
    if budget.is_zero() {
        return Ok(());
    }
    for drive in ["rest", "kicked"] {
        for start in ["warm", "cold"] {
            let mut driven = settled.clone();
            driven.simulation = driven.simulation.warm_start(start == "warm");
            let mut timed = Timed { driven, k: 0, pivots: 0 };
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
fn settle<M: Model + Clone>(driven: &mut Driven<'_, M>, name: &str) -> Result<(), Failure> {
    let (mut impulse, scene) = (0.0, driven.scene);
    for k in 0..scene.settling {
        driven.step(None)?;
        if k + AVERAGED >= scene.settling {
            impulse += driven.simulation.impulse().normal.iter().sum::<f64>();
        }
    }
    let (simulation, torque) = (&driven.simulation, driven.torque());
    let height = simulation.current().q[2];
    let force = impulse / (AVERAGED as f64 * scene.step);
    let touching = simulation.gaps().iter().filter(|gap| **gap < TOUCHING).count();
    println!("fact\t{name}\t{height:.6}\t{force:.6}\t{touching}\t{torque:.6}");
    Ok(())
}

/// How many contacts press.
fn pressing<M: Model>(simulation: &Simulation<M>) -> usize {
    simulation.impulse().normal.iter().filter(|impulse| **impulse > 0.0).count()
}

/// A simulation that is timed.
struct Timed<'a, M: Model> {
    driven: Driven<'a, M>,
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
            contacts += pressing(&self.driven.simulation);
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
        self.pivots = self.driven.step(Some(self.k))?;
        self.k += 1;
        Ok(())
    }

    /// Gives the base another velocity.
    fn kick(&mut self, angle: f64) -> Result<(), Failure> {
        let Driven { simulation, scene, .. } = &mut self.driven;
        let State { q, mut v, .. } = simulation.current().clone();
        v[0] = scene.kick * angle.cos();
        v[1] = scene.kick * angle.sin();
        v.as_mut_slice()[3..6].fill(0.0);
        Ok(simulation.reset(q, v)?)
    }
}
