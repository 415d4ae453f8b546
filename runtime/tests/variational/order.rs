//! Steps are of the second order: errors against exact solutions shrink by four when steps are halved.

use nalgebra::{Quaternion, UnitQuaternion, Vector3, vector};

use super::robots::{Gyroscope, Pendulum};
use super::*;

/// The observed orders of errors with steps that are halved each time.
fn orders(errors: &[f64]) -> Vec<f64> {
    errors.windows(2).map(|pair| (pair[0] / pair[1]).log2()).collect()
}

pub(crate) fn assert_second_order(what: &str, errors: &[f64]) {
    for order in orders(errors) {
        assert!((order - 2.0).abs() < 0.05, "{what}: {errors:?}");
    }
}

/// 2π √(l/g) / agm(1, cos ½ amplitude).
pub(crate) fn period(amplitude: f64) -> f64 {
    let (mut a, mut b) = (1.0, (0.5 * amplitude).cos());
    for _ in 0..6 {
        (a, b) = (0.5 * (a + b), f64::sqrt(a * b));
    }
    std::f64::consts::TAU / 9.81_f64.sqrt() / a
}

#[test]
fn a_pendulum_comes_back_after_its_period() {
    let amplitude = 2.0;
    for rule in RULES {
        let error = |steps: u32| {
            // A quarter of a period more: there errors of the time show.
            let time = 1.25 * period(amplitude);
            let h = time / f64::from(steps);
            let run = Variational::new(Pendulum).unwrap().rule(rule).step_size(h).unwrap();
            let mut run = run.state(vector![amplitude], vector![0.0]).unwrap();
            run.run(time, |_: &State<Pendulum>| Vector0::zeros()).unwrap();
            run.current().q[0].abs()
        };
        assert_second_order(&format!("{rule:?}"), &[100, 200, 400, 800].map(error));
    }
}

/// R(t) = exp(L t / I₁) R₀ exp(e₃ ω₃ (1 − I₃ / I₁) t), the momentum L being constant in space.
fn free_top(rotation: &UnitQuaternion<f64>, w: &Vector3<f64>, t: f64) -> UnitQuaternion<f64> {
    let (equal, own) = (0.3, 0.1);
    let momentum = rotation * Vector3::new(equal * w.x, equal * w.y, own * w.z);
    let about_axis = Vector3::z() * (w.z * (1.0 - own / equal) * t);
    UnitQuaternion::from_scaled_axis(momentum * (t / equal))
        * rotation
        * UnitQuaternion::from_scaled_axis(about_axis)
}

#[test]
fn a_body_that_spins_in_space_turns_as_it_must() {
    let rotation = UnitQuaternion::from_scaled_axis(Vector3::new(0.3, -0.7, 0.4));
    let (u, w) = (Vector3::new(0.5, 0.1, -0.3), Vector3::new(1.5, -0.4, 4.0));
    let i = rotation.coords;
    let q = vector![0.1, 0.2, 0.3, i.x, i.y, i.z, i.w];
    let v = vector![u.x, u.y, u.z, w.x, w.y, w.z];
    let time = 1.0;
    for rule in RULES {
        let error = |steps: u32| {
            let h = time / f64::from(steps);
            let run = Variational::new(Gyroscope).unwrap().rule(rule).step_size(h).unwrap();
            let mut run = run.state(q, v).unwrap();
            run.run(time, |_: &State<Gyroscope>| Vector0::zeros()).unwrap();
            let end = run.current().q;
            // The centre of mass moves along a straight line, whatever the step.
            let place = Vector3::new(end[0], end[1], end[2]) - Vector3::new(0.1, 0.2, 0.3);
            assert!((place - rotation * u * time).norm() < 1e-12);
            let found = Quaternion::new(end[6], end[3], end[4], end[5]);
            free_top(&rotation, &w, time).angle_to(&UnitQuaternion::new_unchecked(found))
        };
        assert_second_order(&format!("{rule:?}"), &[40, 80, 160, 320].map(error));
    }
}
