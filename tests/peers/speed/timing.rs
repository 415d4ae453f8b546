//! How generated kernels are timed: the Rust half of `timing.hpp`, with the same command line, plus
//! `describe`, which prints one line for each joint, link and moving body.

use std::env;
use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};

use jourdain::kernel::{Input, evaluate};
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
            [states, seconds, kernels @ ..] => Ok(Some(Self {
                states: read(states)?,
                budget: Duration::try_from_secs_f64(seconds.parse()?)?,
                kernels: kernels.to_vec(),
            })),
            _ => Err("expected `describe` or `STATES SECONDS KERNEL...`".into()),
        }
    }

    /// Times `run`, which computes a kernel at one state, or prints what it computes at the first.
    pub fn one<T: Storage>(&self, kernel: &str, mut run: impl FnMut(&State<M>, &mut T)) {
        if !self.kernels.iter().any(|wanted| wanted == kernel) {
            return;
        }
        let mut out = T::zeros();
        if self.budget.is_zero() {
            run(&self.states[0], &mut out);
            let values: Vec<String> = out.as_slice().iter().map(f64::to_string).collect();
            return println!("{kernel}\tone\t{}", values.join("\t"));
        }
        let mut sample = |states: &[State<M>]| {
            let start = Instant::now();
            for state in states {
                run(black_box(state), &mut out);
                black_box(&mut out);
            }
            1e9 * start.elapsed().as_secs_f64() / states.len() as f64
        };
        println!("{kernel}\tone\t{:.3}", self.median(&mut sample));
    }

    /// The median of `sample`, which returns the nanoseconds for one of the states it is given.
    fn median(&self, sample: &mut impl FnMut(&[State<M>]) -> f64) -> f64 {
        let length = self.length(sample);
        let mut samples = Vec::new();
        let start = Instant::now();
        for states in self.states.chunks_exact(length).cycle() {
            samples.push(sample(states));
            if start.elapsed() > self.budget {
                break;
            }
        }
        let middle = samples.len() / 2;
        *samples.select_nth_unstable_by(middle, f64::total_cmp).1
    }

    /// States in a sample, a power of two.
    fn length(&self, sample: &mut impl FnMut(&[State<M>]) -> f64) -> usize {
        let time = (0..3).map(|_| sample(&self.states)).fold(f64::INFINITY, f64::min);
        let mut length = self.states.len();
        while length > 1 && length as f64 * time > SAMPLE {
            length /= 2;
        }
        length
    }
}

/// The poses of all links without the vector that [`Model::link_poses`] returns them in.
pub fn link_poses<M: Model, T: Storage>(state: &State<M>, out: &mut T) {
    let input = Input { fields: &[], q: state.q.as_slice(), v: &[], a: &[] };
    evaluate::<M::LinkPoses>(&input, out.as_mut_slice());
}

fn read<M: Model>(path: &str) -> Result<Vec<State<M>>, Failure> {
    let states = states::read(path)?;
    if states.len().is_power_of_two() {
        Ok(states)
    } else {
        Err("no power of two of states".into())
    }
}
