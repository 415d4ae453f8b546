//! Rows in any units: a constraint and a thousand times it are judged alike.

use jourdain::prelude::*;
use nalgebra::{SVector, vector};

type Input = SVector<f64, 0>;

/// A bead on a ring that also moves across it, by a law of its speed.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(along, massless),
    joint(x, prismatic(world -> along), axis = [1, 0, 0]),
    link(across, massless),
    joint(y, prismatic(along -> across), axis = [0, 1, 0]),
    link(bead, mass = 0.5),
    joint(z, prismatic(across -> bead), axis = [0, 0, 1]),
    constraint(ring, h = size * (x * x + z * z - 1)),
    constraint(speed, h_v = pace * (rate(y) * rate(y) * rate(y) - 1 - t)),
)]
struct Bead {
    size: f64,
    pace: f64,
}

/// Steps from beside the ring; the states.
fn steps(bead: Bead) -> Vec<State<Bead>> {
    let mut simulation = Simulation::new(bead).unwrap().step_size(5e-3).unwrap();
    simulation.reset(vector![1.0 + 1e-5, 0.0, 0.0], vector![0.0, 1.0, -1.0]).unwrap();
    let step = |_| {
        let report = simulation.step(&Input::zeros()).unwrap();
        assert!(report.residual.max() < 1e-9, "{bead:?}: {report:?}");
        simulation.current().clone()
    };
    (0..400).map(step).collect()
}

#[test]
fn steps_do_not_depend_on_the_units_of_rows() {
    let expected = steps(Bead { size: 1.0, pace: 1.0 });
    for (size, pace) in [(1e4, 1.0), (1e-4, 1.0), (1e-4, 1e4), (1e4, 1e-4), (1e8, 1e-8)] {
        for (found, expected) in steps(Bead { size, pace }).iter().zip(&expected) {
            let apart = (found.q - expected.q).amax().max((found.v - expected.v).amax());
            assert!(apart < 1e-9, "{size:e}, {pace:e}, {}: {apart:e}", found.time);
            let [x, _, z] = found.q.into();
            assert!((x * x + z * z - 1.0).abs() < 1e-11, "{size:e}, {pace:e}: {}", found.q);
        }
    }
}

#[test]
fn a_start_is_refused_in_any_units_alike() {
    for size in [1e-8, 1e-4, 1.0, 1e4, 1e8] {
        let bead = Bead { size, pace: 1.0 };
        let mut simulation = Simulation::new(bead).unwrap();
        simulation.reset(vector![1.0 + 0.02, 0.0, 0.0], SVector::zeros()).unwrap();
        match simulation.step(&Input::zeros()) {
            Err(SimulationError::Violated { constraint: "ring", error, .. }) => {
                assert!((error - 0.02).abs() < 1e-3, "{size:e}: {error:e}");
            }
            other => panic!("{size:e}: {other:?}"),
        }
    }
}
