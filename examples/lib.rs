//! What the examples share: a run that is judged from outside, and words for a page.

pub mod chart;
mod drawing;
pub mod lqr;
pub mod portrait;
pub mod stride;

use std::path::PathBuf;

use jourdain::contact::{Transition, residual};
use jourdain::hybrid::Stretch;
use jourdain::integrate::Phase;
use jourdain::playback::{Fact, Plot, Scene, Series};
use jourdain::prelude::*;
use jourdain::record::Sample;
use jourdain::space::Storage;
use nalgebra::Vector3;

use crate::portrait::Piece;

/// What a run was like, computed from its states and impulses alone.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Audit {
    /// Number of steps.
    pub steps: u64,
    /// The largest natural residual of a step.
    pub residual: f64,
    /// The deepest penetration, in metres.
    pub penetration: f64,
    /// The deepest penetration in the last second, in metres.
    pub final_penetration: f64,
    /// The largest speed of a point of contact in the last second, in m/s.
    pub final_speed: f64,
    /// The largest input.
    pub input: f64,
    /// The largest error of a declared constraint, in metres or radians.
    pub constraints: f64,
}

/// Moves a simulation of the default formulation on by `duration` seconds, and judges each step by
/// q, v, v⁺ and Λ, whatever the simulation says of it.
///
/// # Errors
///
/// Those of [`Simulation::step`].
pub fn audited_run<M: Model>(
    simulation: &mut Simulation<M>,
    duration: f64,
    mut controller: impl Controller<M>,
    recording: &mut Recording<M>,
) -> Result<Audit, SimulationError> {
    let h = simulation.time_step();
    let end = simulation.current().time + duration;
    let mut audit = Audit::default();
    while simulation.current().time < end - 0.5 * h {
        let before = simulation.current().clone();
        let u = controller.input(&before);
        simulation.run_recorded(h, |_: &State<M>| u.clone(), recording)?;
        audit.judge(simulation, &before, &u);
        if simulation.current().time > end - 1.0 {
            audit.judge_rest(simulation);
        }
    }
    Ok(audit)
}

impl Audit {
    fn judge<M: Model>(&mut self, simulation: &Simulation<M>, before: &State<M>, u: &M::U) {
        let model = simulation.model();
        let step = Transition {
            conditions: simulation.conditions(),
            time: before.time,
            step_size: simulation.time_step(),
            q: &before.q,
            v: &before.v,
            force: &applied_force(model, before, u),
            v_next: &simulation.current().v,
            impulse: simulation.impulse(),
        };
        self.steps += 1;
        self.residual = worse(self.residual, residual(model, &step).max());
        self.penetration = worse(self.penetration, penetration(simulation));
        self.constraints = worse(self.constraints, violation(simulation));
        let largest = u.as_slice().iter().fold(0.0, |a: f64, b| a.max(b.abs()));
        self.input = self.input.max(largest);
    }

    fn judge_rest<M: Model>(&mut self, simulation: &Simulation<M>) {
        self.final_penetration = worse(self.final_penetration, penetration(simulation));
        let speeds = contact_velocities(simulation).into_iter();
        self.final_speed = speeds.map(|v| v.norm()).fold(self.final_speed, worse);
    }
}

/// The larger of two numbers, and NaN if one is.
fn worse(a: f64, b: f64) -> f64 {
    if b > a || b.is_nan() { b } else { a }
}

/// B u and the force of springs and dampers.
fn applied_force<M: Model>(model: &M, state: &State<M>, u: &M::U) -> M::V {
    let mut force = model.passive_force(&state.q, &state.v);
    let input_matrix = model.input_matrix();
    for (column, u) in input_matrix.as_slice().chunks_exact(M::NV).zip(u.as_slice()) {
        let force = force.as_mut_slice().iter_mut();
        force.zip(column).for_each(|(force, b)| *force += b * u);
    }
    force
}

/// The deepest penetration now, in metres.
fn penetration<M: Model>(simulation: &Simulation<M>) -> f64 {
    simulation.gaps().iter().fold(0.0, |deepest, gap| worse(deepest, -gap))
}

/// The largest error of a declared constraint now, in metres or radians.
fn violation<M: Model>(simulation: &Simulation<M>) -> f64 {
    let State { time, q, .. } = simulation.current();
    let mut errors = vec![f64::NAN; M::NC];
    simulation.model().constraint_into(q, *time, &mut errors);
    errors.iter().fold(0.0, |most, error| worse(most, error.abs()))
}

/// J v of each contact: along the normal and the tangents, in m/s.
fn contact_velocities<M: Model>(simulation: &Simulation<M>) -> Vec<Vector3<f64>> {
    let State { q, v, .. } = simulation.current();
    let rows = 3 * M::CONTACTS.len();
    let mut jacobian = vec![f64::NAN; rows * M::NV];
    simulation.model().contact_jacobian_into(q, &mut jacobian);
    let row = |i: usize| (0..M::NV).map(|j| jacobian[j * rows + i] * v[j]).sum();
    (0..M::CONTACTS.len())
        .map(|k| Vector3::new(row(3 * k), row(3 * k + 1), row(3 * k + 2)))
        .collect()
}

/// T + U now, in J.
pub fn energy<M: Model>(simulation: &Simulation<M>) -> f64 {
    let State { q, v, .. } = simulation.current();
    let model = simulation.model();
    model.kinetic_energy(q, v) + model.potential_energy(q)
}

/// A named value of a sample.
pub type Curve<'a, M> = (&'a str, &'a dyn Fn(&Sample<M>) -> f64);

/// Curves over the samples of a recording, to be drawn on a page.
pub fn plot<M: Model>(
    recording: &Recording<M>,
    title: &str,
    unit: &str,
    curves: &[Curve<'_, M>],
) -> Plot {
    let series = curves.iter().map(|(name, value)| Series {
        name: (*name).into(),
        values: recording.samples().iter().map(value).collect(),
    });
    Plot { title: title.into(), unit: unit.into(), series: series.collect() }
}

/// A curve of values, one of each frame of a scene.
pub fn curve(title: &str, unit: &str, name: &str, values: Vec<f64>) -> Plot {
    let series = vec![Series { name: name.into(), values }];
    Plot { title: title.into(), unit: unit.into(), series }
}

/// Nine phases of a stretch at equal times, its ends among them.
pub fn phases<'a>(stretch: &'a Stretch<'_>) -> impl Iterator<Item = Phase> + 'a {
    let length = stretch.end() - stretch.start();
    (0..=8).map(move |k| stretch.at(stretch.start() + f64::from(k) / 8.0 * length))
}

/// The phases of a stretch that are due as frames, so many in a second, after those that there are.
pub fn due<'a>(
    frames: usize,
    rate: f64,
    stretch: &'a Stretch<'_>,
) -> impl Iterator<Item = Phase> + use<'a> {
    let times = (frames..).map(move |frame| frame as f64 / rate);
    let times = times.take_while(|time| *time <= stretch.end());
    times.map(|time| stretch.at(time.max(stretch.start())))
}

/// A curve of what a recorded motion does from jump to jump of the velocity; each piece begins and ends where the events
/// do, and not with a sample.
pub fn pieces<M: Model>(
    simulation: &HybridSimulation<M>,
    recording: &Recording<M>,
    point: impl Fn(&[f64], &[f64]) -> (f64, f64),
) -> Vec<Piece> {
    let jumps =
        simulation.events().iter().filter(|event| event.phase_before.v != event.phase_after.v);
    let (mut pieces, mut piece) = (Vec::new(), Piece::new());
    let mut samples = recording.samples().iter().map(|sample| &sample.state).peekable();
    for event in jumps {
        while let Some(State { q, v, .. }) = samples.next_if(|state| state.time < event.time()) {
            piece.push(point(q.as_slice(), v.as_slice()));
        }
        let Phase { q, v, .. } = &event.phase_before;
        piece.push(point(q, v));
        let Phase { q, v, .. } = &event.phase_after;
        pieces.push(std::mem::replace(&mut piece, vec![point(q, v)]));
    }
    piece.extend(samples.map(|State { q, v, .. }| point(q.as_slice(), v.as_slice())));
    pieces.push(piece);
    pieces
}

/// A figure to state on a page.
pub fn fact(name: &str, value: impl Into<String>) -> Fact {
    Fact { name: name.into(), value: value.into() }
}

/// Writes `target/<name>.html` in the workspace and says so.
///
/// # Errors
///
/// Those of writing the file.
pub fn save(scene: &Scene, name: &str) -> std::io::Result<()> {
    let path = folder()?.join(name).with_extension("html");
    scene.save(&path)?;
    println!("open         target/{name}.html");
    Ok(())
}

/// `target` in the workspace, where examples draw.
///
/// # Errors
///
/// Those of making it.
pub fn folder() -> std::io::Result<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../target");
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}
