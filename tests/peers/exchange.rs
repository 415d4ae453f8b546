//! The Rust half of the comparison with Pinocchio: what a robot says of itself, and its
//! quantities at given states.
//!
//! `subject describe` prints one line a fact, fields separated by tabs. `subject evaluate STATES
//! RESULTS` reads states (q, v, v̇, τ) as little-endian `f64`, writes the quantities of each in the
//! same form, and prints their names and lengths, so that the reader need not know their order.

use std::error::Error;
use std::{env, fs, thread};

use jourdain::prelude::*;
use jourdain::space::Storage;

use crate::states::{self, State};

/// What can go wrong: an argument, a file, a robot that cannot be computed with.
pub type Failure = Box<dyn Error + Send + Sync>;

/// Matrices of a hundred joints, by value and unoptimised, need more than the usual stack.
const STACK: usize = 64 << 20;

const REFERENCES: [(&str, ReferenceFrame); 3] = [
    ("local", ReferenceFrame::Local),
    ("world", ReferenceFrame::World),
    ("aligned", ReferenceFrame::LocalWorldAligned),
];

/// What is recorded beside the kernels that every robot has.
pub type More<M> = fn(&M, &State<M>, &mut Record);

/// Does what the command line asks.
///
/// # Errors
///
/// A command line of another form, or a file that cannot be read or written.
pub fn run<M: Model + Send + 'static>(robot: M, more: More<M>) -> Result<(), Failure> {
    let worker = thread::Builder::new().stack_size(STACK).spawn(move || obey(&robot, more))?;
    worker.join().unwrap_or_else(|_| Err("a computation panicked".into()))
}

fn obey<M: Model>(robot: &M, more: More<M>) -> Result<(), Failure> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["describe"] => describe::<M>(),
        ["evaluate", states, results] => return evaluate_file(robot, more, states, results),
        _ => return Err("expected `describe` or `evaluate STATES RESULTS`".into()),
    }
    Ok(())
}

fn describe<M: Model>() {
    println!("size\t{}\t{}\t{}", M::NQ, M::NV, M::NU);
    states::describe::<M>();
    for (kernel, count) in M::OPERATIONS {
        println!("operations\t{kernel}\t{}", count.arithmetic());
    }
}

fn evaluate_file<M: Model>(
    robot: &M,
    more: More<M>,
    states: &str,
    results: &str,
) -> Result<(), Failure> {
    let mut bytes = Vec::new();
    let mut names = Vec::new();
    for state in states::read::<M>(states)? {
        let mut record = evaluate(robot, &state);
        more(robot, &state, &mut record);
        bytes.extend(record.values.iter().flat_map(|x| x.to_le_bytes()));
        names = record.names;
    }
    for (name, length) in names {
        println!("quantity\t{name}\t{length}");
    }
    Ok(fs::write(results, bytes)?)
}

/// Named numbers, in the order in which they were recorded.
#[derive(Default)]
pub struct Record {
    names: Vec<(String, usize)>,
    values: Vec<f64>,
}

impl Record {
    /// Adds a quantity.
    pub fn push(&mut self, name: impl Into<String>, values: &[f64]) {
        self.names.push((name.into(), values.len()));
        self.values.extend_from_slice(values);
    }
}

fn evaluate<M: Model>(robot: &M, state: &State<M>) -> Record {
    let mut record = Record::default();
    record_dynamics(robot, state, &mut record);
    record_whole_body(robot, state, &mut record);
    for frame in M::FRAMES {
        if let Some(id) = FrameId::<M>::named(frame.name) {
            record_frame(robot, state, frame.name, id, &mut record);
        }
    }
    record
}

fn record_dynamics<M: Model>(robot: &M, state: &State<M>, record: &mut Record) {
    let State { q, v, v_dot, tau } = state;
    record.push("mass_matrix", robot.mass_matrix(q).as_slice());
    record.push("coriolis_matrix", robot.coriolis_matrix(q, v).as_slice());
    record.push("gravity_force", robot.gravity_force(q).as_slice());
    record.push("bias_force", robot.bias_force(q, v).as_slice());
    record.push("inverse_dynamics", robot.inverse_dynamics(q, v, v_dot).as_slice());
    record.push("forward_dynamics", robot.forward_dynamics(q, v, tau).as_slice());
    record.push("singular", &[singularity(robot.check_mass_matrix(q))]);
}

/// 0 for a mass matrix that is positive definite, 1 for the typed error that it is not, NaN for
/// any other.
fn singularity(checked: Result<(), ModelError>) -> f64 {
    match checked {
        Ok(()) => 0.0,
        Err(ModelError::SingularMassMatrix { .. }) => 1.0,
        Err(_) => f64::NAN,
    }
}

fn record_whole_body<M: Model>(robot: &M, state: &State<M>, record: &mut Record) {
    let State { q, v, .. } = state;
    record.push("kinetic_energy", &[robot.kinetic_energy(q, v)]);
    record.push("potential_energy", &[robot.potential_energy(q)]);
    record.push("center_of_mass", robot.center_of_mass(q).as_slice());
    record.push("momentum", robot.momentum(q, v).as_slice());
    let poses: Vec<f64> = robot.link_poses(q).iter().flat_map(flatten).collect();
    record.push("link_poses", &poses);
    let moved = robot.integrate(q, v);
    record.push("integrate", moved.as_slice());
    record.push("difference", robot.difference(q, &moved).as_slice());
    record.push("check", &[if robot.check(q, v).is_ok() { 1.0 } else { f64::NAN }]);
}

fn record_frame<M: Model>(
    robot: &M,
    state: &State<M>,
    name: &str,
    id: FrameId<M>,
    record: &mut Record,
) {
    let State { q, v, .. } = state;
    record.push(format!("{name} pose"), &flatten(&robot.frame_pose(id, q)));
    let mut jacobian = vec![f64::NAN; 6 * M::NV];
    for (axes, reference) in REFERENCES {
        robot.frame_jacobian_into(id, reference, q, &mut jacobian);
        record.push(format!("{name} jacobian {axes}"), &jacobian);
        let bias = robot.frame_bias(id, reference, q, v);
        record.push(format!("{name} bias {axes}"), bias.as_slice());
    }
}

/// The rotation column by column, then the position.
fn flatten(pose: &Pose) -> [f64; 12] {
    let mut numbers = [0.0; 12];
    numbers[..9].copy_from_slice(pose.rotation.as_slice());
    numbers[9..].copy_from_slice(pose.position.as_slice());
    numbers
}
