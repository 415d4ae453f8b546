//! Rows in any units: a constraint and a thousand times it are judged alike.

use jourdain::constrained::{Assembly, Constrained, Error};
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

/// A bead on a ring that grows, and has a spoke beside it that does not reach it.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(along, massless),
    joint(x, prismatic(world -> along), axis = [1, 0, 0]),
    link(bead, mass = 0.5),
    joint(z, prismatic(along -> bead), axis = [0, 0, 1]),
    constraint(ring, h = size * (x * x + z * z - 1 - t)),
    constraint(spoke, h = other * (x - 2)),
)]
struct Growing {
    size: f64,
    other: f64,
}

const SIZES: [f64; 5] = [1e-8, 1e-4, 1.0, 1e4, 1e8];

#[test]
fn assemblies_and_projections_do_not_depend_on_the_units_of_rows() {
    let v = vector![0.3, 1.0, -0.7];
    for away in [0.0, 1e-12, 1e-8, 1e-6, 1e-4, 1e-2, 0.3] {
        let guess = vector![0.6 + away, 0.2, 0.8 - 0.5 * away];
        let found = |size: f64| {
            let mut held = Constrained::new(Bead { size, pace: size });
            let assembled = held.assemble(&guess, Assembly::Mass, 0.0).unwrap();
            assert!(assembled.is_nearest(), "{size:e}, {away:e}: {assembled:?}");
            (assembled, held.project(&guess, &v, 0.0).unwrap())
        };
        let (expected, projected) = found(1.0);
        for size in SIZES {
            let (other, (q, v)) = found(size);
            let apart = (other.value - expected.value).amax().max((q - projected.0).amax());
            assert!(apart <= 1e-12, "{size:e}, {away:e}: {apart:e}");
            assert!((v - projected.1).amax() <= 1e-12, "{size:e}, {away:e}: {v}");
            let [x, _, z] = q.into();
            assert!((x * x + z * z - 1.0).abs() <= 1e-13, "{size:e}, {away:e}: {q}");
            assert!((x * v[0] + z * v[2]).abs() <= 1e-13, "{size:e}, {away:e}: {v}");
            assert!(other.residual <= 1e-13, "{size:e}, {away:e}: {other:?}");
        }
    }
}

#[test]
fn what_fights_is_named_in_any_units_alike() {
    for size in SIZES {
        for other in SIZES {
            let mut held = Constrained::new(Growing { size, other });
            match held.assemble(&vector![1.2, 0.1], Assembly::Mass, 0.0) {
                Err(Error::NotAssemblable { residual, constraints }) => {
                    assert!((0.1..1.0).contains(&residual), "{size:e} {other:e}: {residual:e}");
                    assert_eq!(constraints.len(), 2, "{size:e} {other:e}");
                }
                other => panic!("{size:e}: {other:?}"),
            }
        }
    }
}

/// Faster, the bead would not stay on a ring that grows.
#[test]
fn scaling_to_an_energy_keeps_rows_in_any_units() {
    let (q, v) = (vector![0.6, 0.8], vector![-0.8, 1.0]);
    for size in [1e-12, 1e-10, 1e-8, 1.0, 1e8] {
        let mut held = Constrained::new(Growing { size, other: 1.0 });
        held.set_active("spoke", false).unwrap();
        let (q, v) = held.project_with_energy(&q, &v, 40.0, 0.0).unwrap();
        // ẋ x + ż z = ½.
        assert!((q.dot(&v) - 0.5).abs() <= 1e-14, "{size:e}: {v}");
    }
}
