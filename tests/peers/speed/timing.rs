//! How generated kernels are timed: the Rust half of `timing.hpp`, with the same command line, plus
//! `describe`, which prints one line for each joint, link and moving body.

use std::env;
use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};

use jourdain::kernel::{F64x8, Input, evaluate};
use jourdain::prelude::*;
use jourdain::space::Storage;

use crate::states::{self, State};

/// What can go wrong: an argument, a file.
pub type Failure = Box<dyn Error>;

/// Nanoseconds of a sample, at most, where that is more than one state.
const SAMPLE: f64 = 2e4;

/// What the command line asks for.
pub struct Session<M: Model> {
    states: Vec<State<M>>,
    /// The same states.
    eights: Vec<Eight>,
    /// Of each kernel; none to print values instead.
    budget: Duration,
    kernels: Vec<String>,
}

impl<M: Model> Session<M> {
    /// None if a description was asked for, which is then printed.
    ///
    /// # Errors
    ///
    /// A command line of another form, or a file that cannot be read.
    pub fn new() -> Result<Option<Self>, Failure> {
        let arguments: Vec<String> = env::args().skip(1).collect();
        match &arguments[..] {
            [word] if word == "describe" => {
                states::describe::<M>();
                Ok(None)
            }
            [states, seconds, kernels @ ..] => {
                let states = read(states)?;
                let (eights, _) = states.as_chunks();
                Ok(Some(Self {
                    eights: eights.iter().map(Eight::new).collect(),
                    states,
                    budget: Duration::try_from_secs_f64(seconds.parse()?)?,
                    kernels: kernels.to_vec(),
                }))
            }
            _ => Err("expected `describe` or `STATES SECONDS KERNEL...`".into()),
        }
    }

    /// Times what computes a kernel at one state and at eight, or prints what they compute at the
    /// first.
    pub fn time<T: Storage>(
        &self,
        kernel: &str,
        mut one: impl FnMut(&State<M>, &mut T),
        mut eight: impl FnMut(&Eight, &mut [F64x8]),
    ) {
        if !self.kernels.iter().any(|wanted| wanted == kernel) {
            return;
        }
        let mut out = T::zeros();
        let mut lanes = vec![F64x8::default(); out.as_slice().len()];
        if self.budget.is_zero() {
            one(&self.states[0], &mut out);
            print(kernel, "one", out.as_slice());
            eight(&self.eights[0], &mut lanes);
            print(kernel, "batch", &lanes.iter().map(|x| x[0]).collect::<Vec<_>>());
            return;
        }
        let time = median(&self.states, self.budget, |state| {
            one(state, &mut out);
            black_box(&mut out);
        });
        print(kernel, "one", &[time]);
        let time = median(&self.eights, self.budget, |states| {
            eight(states, &mut lanes);
            black_box(&mut lanes);
        });
        print(kernel, "batch", &[time / 8.0]);
    }
}

/// Eight states side by side.
pub struct Eight {
    /// Configurations.
    pub q: Vec<F64x8>,
    /// Velocities.
    pub v: Vec<F64x8>,
    /// Accelerations.
    pub v_dot: Vec<F64x8>,
    /// Generalised forces.
    pub tau: Vec<F64x8>,
}

impl Eight {
    fn new<M: Model>(states: &[State<M>; 8]) -> Self {
        let side_by_side = |numbers: fn(&State<M>) -> &[f64]| {
            let column = |k| states.each_ref().map(|state| numbers(state)[k]).into();
            (0..numbers(&states[0]).len()).map(column).collect()
        };
        Self {
            q: side_by_side(|state| state.q.as_slice()),
            v: side_by_side(|state| state.v.as_slice()),
            v_dot: side_by_side(|state| state.v_dot.as_slice()),
            tau: side_by_side(|state| state.tau.as_slice()),
        }
    }
}

/// The poses of all links without the vector that [`Model::link_poses`] returns them in.
pub fn poses<M: Model, T: Storage>(state: &State<M>, out: &mut T) {
    let input = Input { q: state.q.as_slice(), ..Input::default() };
    evaluate::<M::LinkPoses>(&input, out.as_mut_slice());
}

fn print(kernel: &str, function: &str, numbers: &[f64]) {
    let numbers: Vec<String> = numbers.iter().map(f64::to_string).collect();
    println!("{kernel}\t{function}\t{}", numbers.join("\t"));
}

/// The nanoseconds of `run`, the median of the samples that fit in the budget.
fn median<S>(states: &[S], budget: Duration, mut run: impl FnMut(&S)) -> f64 {
    let mut sample = |states: &[S]| {
        let start = Instant::now();
        states.iter().for_each(|state| run(black_box(state)));
        1e9 * start.elapsed().as_secs_f64() / states.len() as f64
    };
    let time = (0..3).map(|_| sample(states)).fold(f64::INFINITY, f64::min);
    let mut length = states.len();
    while length > 1 && length as f64 * time > SAMPLE {
        length /= 2;
    }
    let mut samples = Vec::new();
    let start = Instant::now();
    for states in states.chunks_exact(length).cycle() {
        samples.push(sample(states));
        if start.elapsed() > budget {
            break;
        }
    }
    let middle = samples.len() / 2;
    *samples.select_nth_unstable_by(middle, f64::total_cmp).1
}

fn read<M: Model>(path: &str) -> Result<Vec<State<M>>, Failure> {
    let states = states::read(path)?;
    if states.len() >= 8 && states.len().is_power_of_two() {
        Ok(states)
    } else {
        Err("expected eight states, or sixteen, or …".into())
    }
}
