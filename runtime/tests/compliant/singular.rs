//! Closed loops that come through singular positions: along their branch to the tolerance, or a typed error.

use core::f64::consts::FRAC_PI_2;

use jourdain::compliant;
use jourdain::prelude::*;
use nalgebra::{SVector, Vector3, vector};

use super::linkages::{Crossing, FourBar, Kite, Platform, ShortCranks, SliderCrank, assembled};

type Vector0 = SVector<f64, 0>;

fn started<M: Model + Copy>(
    model: M,
    (q, v): (&M::Q, &M::V),
    tolerance: f64,
) -> CompliantSimulation<M> {
    let run = CompliantSimulation::new(model).unwrap().tolerance(tolerance).unwrap();
    run.state(q.clone(), v.clone()).unwrap()
}

/// Runs with tolerances from 10⁻⁴ to 10⁻⁹, whose ends agree with `exact` to a multiple of these.
fn assert_followed<M: Model<U = Vector0> + Copy>(
    model: M,
    start: (&M::Q, &M::V),
    (time, exact): (f64, f64),
    on_branch: impl Fn(&M::Q) -> f64,
) {
    for tolerance in (4..=9).map(|k| 10f64.powi(-k)) {
        let mut run = started(model, start, tolerance);
        let before = run.energy();
        run.run(time, |_: &State<M>| Vector0::zeros()).unwrap();
        let (end, gained) = (&run.current().q, run.energy() - before);
        assert!((end[0] - exact).abs() < 1000.0 * tolerance + 1e-8, "{tolerance} {end:?}");
        assert!(on_branch(end).abs() < 1e-9, "{tolerance} {end:?}");
        assert!(gained.abs() < 1000.0 * tolerance + 1e-8, "{tolerance} {gained}");
    }
}

#[test]
fn a_parallelogram_comes_through_its_dead_centres() {
    let (q, v) = (Vector3::zeros(), vector![1.0, 1.0, -1.0]);
    assert_followed(FourBar, (&q, &v), (10.0, 31.914741298), |q| {
        (q[0] - q[1]).abs() + (q[0] + q[2]).abs()
    });
}

/// From elsewhere, and from the dead centre itself, in which the motion agrees with the one by events.
#[test]
fn short_cranks_come_through_their_dead_centres() {
    for (angle, speed) in [(1.0, 5.0), (0.0, 5.0), (0.0, -7.0)] {
        let ways = vector![1.0, -1.0, 1.0];
        let (q, v) = (angle * ways, speed * ways);
        let mut events = HybridSimulation::new(ShortCranks).unwrap().tolerance(1e-12).unwrap();
        events.reset(q, v).unwrap();
        events.run(2.0, |_: &State<ShortCranks>| Vector0::zeros()).unwrap();
        assert_followed(ShortCranks, (&q, &v), (2.0, events.current().q[0]), |q| {
            (q[0] + q[1]).abs() + (q[0] - q[2]).abs()
        });
    }
}

/// The rod turns twice as fast as the crank, in the other direction.
#[test]
fn a_slider_comes_through_the_axis_of_its_crank() {
    let (q, v) = (&vector![1.0, 1.1, 1.7], &vector![4.0, -8.0, 3.0]);
    let (q, v) = assembled(SliderCrank, (q, v));
    let before = 2.0 * q[0] + q[1];
    assert_followed(SliderCrank, (&q, &v), (10.0, 33.064303662), |q| 2.0 * q[0] + q[1] - before);
}

/// The crank goes round and round; the long sides, which fold onto each other, do not go round together.
#[test]
fn a_kite_folds() {
    let (q, v) = assembled(Kite, (&vector![0.5, 0.0, 0.5], &vector![6.0, 0.0, 3.0]));
    assert_followed(Kite, (&q, &v), (10.0, 107.899845284), |q| q[1] + q[2] - FRAC_PI_2);
}

#[test]
fn a_bead_goes_on_along_its_line() {
    let (q, v) = (vector![-1.0, 0.0], vector![0.7, 0.0]);
    assert_followed(Crossing, (&q, &v), (10.0, 6.0), |q| q[1]);
}

#[test]
fn rest_in_a_dead_centre_says_so() {
    for tolerance in (3..=9).map(|k| 10f64.powi(-k)) {
        for (distance, speed) in [(0.0, 0.0), (0.0, 1e-3), (1e-9, 0.0), (1e-7, -1e-3)] {
            let ways = vector![1.0, 1.0, -1.0];
            let (q, v) = ((FRAC_PI_2 + distance) * ways, speed * ways);
            let mut run = started(FourBar, (&q, &v), tolerance);
            let error = run.run(1.0, |_: &State<FourBar>| Vector0::zeros()).unwrap_err();
            let is_singular = matches!(
                error,
                compliant::Error::Simulation(SimulationError::SingularPosition {
                    constraint: "pin",
                    ..
                })
            );
            assert!(is_singular, "{tolerance} {error}");
        }
    }
}

/// Redundant rows are not followed through: an error, and never another branch.
#[test]
fn a_platform_says_where_it_would_come_through() {
    let (q, v) = (SVector::zeros(), vector![1.0, 1.0, 1.0, -1.0]);
    for tolerance in (3..=5).map(|k| 10f64.powi(-k)) {
        let mut run = started(Platform, (&q, &v), tolerance);
        let error = run.run(10.0, |_: &State<Platform>| Vector0::zeros()).unwrap_err();
        let is_singular =
            matches!(error, compliant::Error::Simulation(SimulationError::SingularPosition { .. }));
        assert!(is_singular, "{tolerance} {error}");
    }
}

/// Cranks that turn while the other one rests, out of the dead centre.
#[test]
fn a_velocity_chooses_its_branch() {
    let q = FRAC_PI_2 * vector![1.0, 1.0, -1.0];
    let mut run = started(FourBar, (&q, &vector![0.0, 1.0, 1.0]), 1e-8);
    run.run(1.0, |_: &State<FourBar>| Vector0::zeros()).unwrap();
    let end = run.current().q;
    assert!((end[0] - q[0]).abs() < 1e-9 && (end[1] - 4.68185012643).abs() < 1e-7, "{end}");
}
