//! Closed loops that come through singular positions: along their branch, or a typed error.

use core::f64::consts::FRAC_PI_2;

use nalgebra::{Vector3, vector};

use super::linkages::{Crossing, FourBar, Kite, Platform, ShortCranks, SliderCrank, assembled};
use super::*;

/// Runs with several steps, whose ends are on the branch and tend to `exact` with h².
fn assert_followed<M: Model<U = Vector0> + Copy>(
    model: M,
    (q, v): (&M::Q, &M::V),
    (time, exact): (f64, f64),
    on_branch: impl Fn(&M::Q) -> f64,
) {
    for rule in RULES {
        let errors = [1e-2, 5e-3, 2.5e-3].map(|h| {
            let run = Variational::new(model).unwrap().rule(rule).step_size(h).unwrap();
            let mut run = run.state(q.clone(), v.clone()).unwrap();
            run.run(time, |_: &State<M>| Vector0::zeros()).unwrap();
            let end = &run.current().q;
            assert!(on_branch(end).abs() < 1e-11, "{rule:?} {h} {end:?}");
            (end[0] - exact).abs()
        });
        for [coarse, fine] in [[errors[0], errors[1]], [errors[1], errors[2]]] {
            let is_exact = coarse < 1e-9 && fine < 1e-9;
            assert!(is_exact || (coarse / fine - 4.0).abs() < 0.2, "{rule:?} {errors:?}");
        }
    }
}

#[test]
fn a_parallelogram_comes_through_its_dead_centres() {
    let (q, v) = (Vector3::zeros(), vector![1.0, 1.0, -1.0]);
    assert_followed(FourBar, (&q, &v), (10.0, 31.914741298), |q| {
        (q[0] - q[1]).abs() + (q[0] + q[2]).abs()
    });
}

#[test]
fn short_cranks_come_through_their_dead_centres() {
    let ways = vector![1.0, -1.0, 1.0];
    let mut run = Variational::new(ShortCranks).unwrap().state(ways, 5.0 * ways).unwrap();
    run.run(2.0, |_: &State<ShortCranks>| Vector0::zeros()).unwrap();
    let q = run.current().q;
    assert!((q[0] + q[1]).abs() + (q[0] - q[2]).abs() < 1e-11, "{q}");
}

#[test]
fn a_platform_comes_through_its_dead_centres() {
    let (q, v) = (SVector::zeros(), vector![1.0, 1.0, 1.0, -1.0]);
    assert_followed(Platform, (&q, &v), (10.0, 31.767867431), |q| {
        (q[0] - q[1]).abs() + (q[0] - q[2]).abs() + (q[0] + q[3]).abs()
    });
}

#[test]
fn a_slider_comes_through_the_axis_of_its_crank() {
    let (q, v) = (&vector![1.0, 1.1, 1.7], &vector![4.0, -8.0, 3.0]);
    let (q, v) = assembled(SliderCrank, (q, v));
    let before = 2.0 * q[0] + q[1];
    assert_followed(SliderCrank, (&q, &v), (10.0, 33.064303662), |q| 2.0 * q[0] + q[1] - before);
}

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

/// Where a start at a distance from a dead centre leads in a second.
fn start(distance: f64, v: Vector3<f64>, h: f64) -> Result<Vector3<f64>, SimulationError> {
    let q = (FRAC_PI_2 + distance) * vector![1.0, 1.0, -1.0];
    let run = Variational::new(FourBar).unwrap().step_size(h).unwrap();
    let mut run = run.state(q, v).unwrap();
    run.run(1.0, |_: &State<FourBar>| Vector0::zeros())?;
    Ok(run.current().q)
}

#[test]
fn rest_in_a_singular_position_says_so() {
    for h in [1e-2, 1e-3] {
        for (distance, speed) in [(0.0, 0.0), (0.0, 1e-3), (1e-9, 0.0), (1e-8, -1e-3)] {
            let error = start(distance, speed * vector![1.0, 1.0, -1.0], h).unwrap_err();
            assert!(error.to_string().contains("singular position"), "{error}");
            let is_named =
                matches!(error, SimulationError::SingularPosition { constraint: "pin", .. });
            assert!(is_named, "{error}");
        }
    }
}

/// Both cranks, or the second one alone with the coupler.
#[test]
fn a_velocity_chooses_its_branch() {
    for distance in [0.0, 1e-9] {
        for h in [1e-2, 1e-3] {
            let end = start(distance, vector![1.0, 1.0, -1.0], h).unwrap();
            let apart = (end[0] - end[1]).abs() + (end[0] + end[2]).abs();
            assert!(apart < 1e-11 && (end[0] - 4.7546256119).abs() < 0.1 * h * h + 1e-8, "{end}");
            let end = start(distance, vector![0.0, 1.0, 1.0], h).unwrap();
            let rests = (end[0] - FRAC_PI_2).abs();
            assert!(rests < 1e-8 && (end[1] - 4.6818501264).abs() < h * h + 1e-8, "{end}");
        }
    }
}
