//! Closed loops that come through singular positions: along their branch to the tolerance, or a typed error.

use core::f64::consts::FRAC_PI_2;

use jourdain::HybridError;
use jourdain::prelude::*;
use nalgebra::{SVector, Vector3, vector};

use super::linkages::{Crossing, FourBar, Kite, Platform, ShortCranks, SliderCrank, assembled};

type Vector0 = SVector<f64, 0>;

/// Runs with tolerances from 10⁻⁴ to 10⁻¹¹, whose ends agree with `exact` to a multiple of these.
fn assert_followed<M: Model<U = Vector0> + Copy>(
    model: M,
    (q, v): (&M::Q, &M::V),
    (time, exact): (f64, f64),
    on_branch: impl Fn(&M::Q) -> f64,
) {
    for tolerance in (4..=11).map(|k| 10f64.powi(-k)) {
        let run = HybridSimulation::new(model).unwrap().tolerance(tolerance).unwrap();
        let mut run = run.state(q.clone(), v.clone()).unwrap();
        let start = run.energy();
        run.run(time, |_: &State<M>| Vector0::zeros()).unwrap();
        let (end, gained) = (&run.current().q, run.energy() - start);
        assert!(run.events().is_empty());
        assert!((end[0] - exact).abs() < 100.0 * tolerance + 1e-8, "{tolerance} {end:?}");
        assert!(on_branch(end).abs() < 1e-9, "{tolerance} {end:?}");
        assert!(gained.abs() < 100.0 * tolerance + 1e-8, "{tolerance} {gained}");
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
fn a_platform_comes_through_its_dead_centres() {
    let (q, v) = (SVector::zeros(), vector![1.0, 1.0, 1.0, -1.0]);
    assert_followed(Platform, (&q, &v), (10.0, 31.767867431), |q| {
        (q[0] - q[1]).abs() + (q[0] - q[2]).abs() + (q[0] + q[3]).abs()
    });
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

/// The error of a start at a distance from a dead centre, with a speed.
fn start(distance: f64, speed: f64, tolerance: f64) -> Result<f64, HybridError> {
    let q = (FRAC_PI_2 + distance) * vector![1.0, 1.0, -1.0];
    let run = HybridSimulation::new(FourBar).unwrap().tolerance(tolerance).unwrap();
    let mut run = run.state(q, speed * vector![1.0, 1.0, -1.0]).unwrap();
    run.run(1.0, |_: &State<FourBar>| Vector0::zeros())?;
    let q = run.current().q;
    assert!((q[0] - q[1]).abs() < 1e-9 && (q[0] + q[2]).abs() < 1e-9, "{q}");
    Ok(q[0])
}

#[test]
fn rest_in_a_singular_position_says_so() {
    for tolerance in (4..=11).map(|k| 10f64.powi(-k)) {
        for (distance, speed) in [(0.0, 0.0), (0.0, 1e-3), (1e-9, 0.0), (1e-7, -1e-3)] {
            let error = start(distance, speed, tolerance).unwrap_err();
            assert!(error.to_string().contains("singular position"), "{error}");
            assert!(matches!(error, HybridError::SingularPosition { constraint: "pin", .. }));
        }
        // Or the tolerance tells.
        for (distance, speed) in [(0.0, 1.0), (1e-9, 1.0), (1e-3, 0.0), (1e-4, -0.1), (2e-5, 0.0)] {
            let [end, exact] = [tolerance, 1e-12].map(|of| start(distance, speed, of).unwrap());
            assert!((end - exact).abs() < 100.0 * tolerance, "{distance} {speed} {end} {exact}");
        }
    }
}

/// Cranks that turn while the other one rests, out of the dead centre.
#[test]
fn a_velocity_chooses_its_branch() {
    let q = FRAC_PI_2 * vector![1.0, 1.0, -1.0];
    let run = HybridSimulation::new(FourBar).unwrap().tolerance(1e-8).unwrap();
    let mut run = run.state(q, vector![0.0, 1.0, 1.0]).unwrap();
    run.run(1.0, |_: &State<FourBar>| Vector0::zeros()).unwrap();
    let end = run.current().q;
    assert!((end[0] - q[0]).abs() < 1e-9 && (end[1] - 4.68185012643).abs() < 1e-7, "{end}");
}

/// What the rows of a dead centre let move, but no branch: 0.1 v₀² + 0.3 (v₀ + v₁)² is not 0.1 v₂². By events, by steps and by
/// discrete mechanics likewise, whatever size the velocity has.
#[test]
fn a_velocity_of_no_branch_is_refused() {
    let idle = |_: &State<ShortCranks>| Vector0::zeros();
    for size in [1.0, 0.1, 30.0] {
        let (q, v) = (Vector3::zeros(), size * vector![5.0, -6.0, 2.0]);
        let by_events = HybridSimulation::new(ShortCranks).unwrap().state(q, v).unwrap();
        let error = { by_events }.run(0.1, idle).unwrap_err();
        assert!(
            matches!(error, HybridError::SingularPosition { constraint: "pin", .. }),
            "{error}"
        );
        assert!(error.to_string().contains("branch"), "{error}");
        let by_steps = Simulation::new(ShortCranks).unwrap().state(q, v).unwrap();
        let discrete = Variational::new(ShortCranks).unwrap().state(q, v).unwrap();
        for error in [{ by_steps }.run(0.1, idle).err(), { discrete }.run(0.1, idle).err()] {
            let error = error.unwrap();
            let named =
                matches!(error, SimulationError::SingularPosition { constraint: "pin", .. });
            assert!(named && error.to_string().contains("branch"), "{size} {error}");
        }
    }
}
