//! What a run may start from.

use jourdain::hybrid::contact::ContactError;
use jourdain::prelude::*;
use nalgebra::vector;

use super::failures::Ball;
use super::nothing;

/// A pendulum on a bar.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(a, mass = 1),
    joint(x, prismatic(world -> a), axis = [1, 0, 0], passive),
    link(b, mass = 1),
    joint(z, prismatic(a -> b), axis = [0, 0, 1], passive),
    rod(bar, a = world @ [0, 0, 0], b = b @ [0, 0, 0], length = 1),
)]
struct Barred;

#[test]
fn a_constraint_that_does_not_hold_is_refused() {
    let mut barred = HybridSimulation::new(Barred).unwrap();
    barred = barred.state(vector![1.1, 0.0], vector![0.0, 0.0]).unwrap();
    match barred.run(1.0, nothing).unwrap_err() {
        ContactError::Violated { constraint, error, phase } => {
            assert!(constraint == "bar" && error > 0.05 && phase.q[0] == 1.1);
        }
        other => panic!("{other}"),
    }
}

/// A micrometre is what numbers are rounded by, whatever the tolerance: it is put right.
#[test]
fn a_start_that_is_rounded_is_on_the_ground() {
    for tolerance in [1e-12, 1e-9] {
        let ball = HybridSimulation::new(Ball).unwrap().tolerance(tolerance).unwrap();
        let mut near = ball.clone().state(vector![-0.9e-6], vector![0.0]).unwrap();
        near.run(1.0, nothing).unwrap();
        assert!(near.mode_name() == "ground closed" && near.current().q[0].abs() < 1e-15);
        let mut deep = ball.state(vector![-1.1e-6], vector![0.0]).unwrap();
        match deep.run(1.0, nothing).unwrap_err() {
            ContactError::Overlap { part, depth, .. } => {
                assert!(part == "ground" && depth == 1.1e-6);
            }
            other => panic!("{other}"),
        }
    }
}

/// With a tolerance of a tenth of a millimetre a start may be as far off.
#[test]
fn a_start_need_not_be_better_than_the_tolerance() {
    let ball = HybridSimulation::new(Ball).unwrap().tolerance(1e-4).unwrap();
    let mut ball = ball.state(vector![-1e-4], vector![0.0]).unwrap();
    ball.run(1.0, nothing).unwrap();
    assert!(ball.mode_name() == "ground closed" && ball.current().q[0].abs() < 1e-15);
}

/// A bead on a ring, in units that are so many metres.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(slide, massless),
    joint(x, prismatic(world -> slide), axis = [1, 0, 0], passive),
    link(bead, mass = 1),
    joint(z, prismatic(slide -> bead), axis = [0, 0, 1], passive),
    constraint(ring, h = size * (x * x + z * z - 1)),
)]
struct Ring {
    size: f64,
}

/// How far a constraint is missed does not depend on its units, but on how far the bead would have to move, or by how much
/// its velocity would have to change.
#[test]
fn constraints_are_missed_in_metres() {
    for size in [1e-3, 1.0, 1e3] {
        let missed = |q, v| {
            let mut ring = HybridSimulation::new(Ring { size }).unwrap().state(q, v).unwrap();
            match ring.run(0.01, nothing) {
                Ok(()) => None,
                Err(ContactError::Violated { constraint: "ring", error, .. }) => Some(error),
                Err(other) => panic!("{other}"),
            }
        };
        assert_eq!(missed(vector![1.0, 0.0], vector![0.0, 0.3]), None);
        assert_eq!(missed(vector![1.0 + 0.9e-6, 0.0], vector![0.9e-6, 0.3]), None);
        let far = missed(vector![1.0 + 1.1e-6, 0.0], vector![0.0, 0.3]);
        assert!(far.is_some_and(|error| (error - 1.1e-6).abs() < 1e-11), "{size}: {far:?}");
        let fast = missed(vector![1.0, 0.0], vector![1.1e-6, 0.3]);
        assert!(fast.is_some_and(|error| (error - 1.1e-6).abs() < 1e-11), "{size}: {fast:?}");
    }
}
