//! Runs whose energy is watched.

use jourdain::contact::Formulation;
use jourdain::prelude::*;
use jourdain::space::Storage;

use crate::passivity::{Balance, elastic, energy, step};

/// What a step may gain, by the largest energy before: rounding.
const ROUNDING: f64 = 1e-12;

/// What was found in a run, or in several.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found {
    pub(crate) steps: usize,
    /// The most that a step gained beyond what gaps and declared constraints gave, by the largest energy before.
    pub(crate) gained: f64,
    /// In which step of which run that was.
    pub(crate) worst: String,
    /// The most that declared constraints gave beyond it, by the same.
    pub(crate) constrained: f64,
    /// By how much T + U and what springs store are above the start at most, in the first half of the run and in the
    /// second, by the energy of the start.
    pub(crate) rises: [f64; 2],
    /// Half of the range of the power of weight and springs, by the same, 1/s.
    pub(crate) power: f64,
    /// Why runs ended early, with whose they were.
    pub(crate) errors: Vec<String>,
}

impl Found {
    /// The worse of both, of steps.
    pub(crate) fn add(&mut self, other: Self) {
        self.steps += other.steps;
        if other.gained > self.gained {
            (self.gained, self.worst) = (other.gained, other.worst);
        }
        self.constrained = self.constrained.max(other.constrained);
        self.errors.extend(other.errors);
    }

    /// No step gained anything, and none failed.
    pub(crate) fn assert(&self) {
        let Self { steps, gained, worst, constrained, errors, .. } = self;
        println!("{steps} steps, gained {gained:.1e}, constrained {constrained:.1e}");
        errors.iter().for_each(|error| println!("{error}"));
        assert!(*gained <= ROUNDING, "{gained:e} of {worst}");
    }
}

/// With steps of `h` seconds from (q, v), whose forces are those of their beginning.
pub(crate) fn simulation<M: Model + Clone>(
    robot: &M,
    (q, v): (&M::Q, &M::V),
    h: f64,
    formulation: Formulation,
) -> Simulation<M> {
    let simulation = Simulation::new(robot.clone()).expect("a robot").step_size(h).expect("a step");
    let simulation = simulation.formulation(formulation).symplectic(false);
    simulation.state(q.clone(), v.clone()).expect("a state")
}

/// A run of so many seconds. What a step gains is found where its forces are those of its beginning.
pub(crate) fn run<M: Model + Clone>(mut simulation: Simulation<M>, seconds: f64) -> Found {
    let (robot, h) = (&simulation.model().clone(), simulation.time_step());
    let formulation = simulation.conditions().formulation;
    let State { q, v, .. } = simulation.current();
    let first = energy(robot, simulation.current());
    let start = robot.kinetic_energy(q, v) + elastic(robot, simulation.current());
    let (mut largest, mut fallen) = (start, 0.0_f64);
    let mut found = Found::default();
    let steps = (seconds / h).round() as usize;
    let mut powers = [power(robot, simulation.current()); 2];
    for k in 0..steps {
        let Balance { gained, granted, constraints, kinetic } = match step(&mut simulation) {
            Ok(balance) => balance,
            Err(error) => {
                found.errors.push(format!("{} of {h} s after {k} steps: {error}", M::NAME));
                break;
            }
        };
        found.steps += 1;
        largest = largest.max(kinetic).max(fallen);
        let beyond = gained - granted;
        assert!(beyond.is_finite() && constraints.is_finite() && largest > 0.0, "{}", M::NAME);
        let gained = (beyond - constraints) / largest;
        if gained > found.gained {
            found.gained = gained;
            found.worst = format!("{} of {h} s in step {k} by {formulation:?}", M::NAME);
        }
        found.constrained = found.constrained.max(beyond / largest);
        let rise = energy(robot, simulation.current()) - first;
        fallen = fallen.max(-rise);
        let power = power(robot, simulation.current());
        powers = [powers[0].min(power), powers[1].max(power)];
        let half = &mut found.rises[2 * k / steps];
        *half = half.max(rise);
    }
    let size = start.max(fallen);
    found.rises = found.rises.map(|rise| rise / size);
    found.power = 0.5 * (powers[1] - powers[0]) / size;
    found
}

/// Of weight and springs, W.
fn power<M: Model>(robot: &M, State { q, v, .. }: &State<M>) -> f64 {
    let (weight, elastic) = (robot.gravity_force(q), robot.passive_force(q, &M::V::zeros()));
    (0..M::NV).map(|i| v[i] * (weight[i] + elastic[i])).sum()
}
