//! Laws of the configuration manifold.

use jourdain::ModelError;
use jourdain::description::{Chart, Joint};
use jourdain::manifold::{check_quaternions, difference, integrate, neutral, pull_back, rate};
use proptest::prelude::*;

const JOINTS: [Joint; 3] = [
    Joint { name: "base", family: "floating", q: 0, nq: 7, v: 0, nv: 6, chart: Chart::Pose },
    Joint { name: "ball", family: "spherical", q: 7, nq: 4, v: 6, nv: 3, chart: Chart::Quaternion },
    Joint { name: "arm", family: "planar", q: 11, nq: 3, v: 9, nv: 3, chart: Chart::Vector },
];
const NQ: usize = 14;
const NV: usize = 12;

fn plus(q: &[f64], v: &[f64]) -> Vec<f64> {
    let mut out = q.to_vec();
    integrate(&JOINTS, v, 1.0, &mut out);
    out
}

fn minus(q0: &[f64], q1: &[f64]) -> Vec<f64> {
    let mut v = vec![f64::NAN; NV];
    difference(&JOINTS, q0, q1, &mut v);
    v
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

fn norms(q: &[f64]) -> [f64; 2] {
    [&q[3..7], &q[7..11]].map(|x| x.iter().map(|x| x * x).sum::<f64>().sqrt())
}

/// A configuration, reached from the neutral one.
fn configuration() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(-3.0..3.0, NV).prop_map(|v| {
        let mut q = vec![0.0; NQ];
        neutral(&JOINTS, &mut q);
        plus(&q, &v)
    })
}

/// A velocity whose angular parts are `angle` long.
fn velocity(angle: f64) -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(-1.0..1.0f64, NV).prop_map(move |mut v| {
        for range in [3..6, 6..9] {
            let part = &mut v[range];
            let norm = part.iter().map(|x| x * x).sum::<f64>().sqrt().max(1e-3);
            part.iter_mut().for_each(|x| *x *= angle / norm);
        }
        v
    })
}

fn any_velocity() -> impl Strategy<Value = Vec<f64>> {
    let angles = [0.0, 1e-200, 1e-12, 1e-7, 1e-4, 0.0299, 0.0301, 1.0, 3.0, 3.13, 3.1412];
    prop::sample::select(angles.to_vec()).prop_flat_map(velocity)
}

proptest! {
    #[test]
    fn difference_inverts_integration(q in configuration(), v in any_velocity()) {
        let back = minus(&q, &plus(&q, &v));
        prop_assert!(distance(&back, &v) < 2e-13, "{back:?} {v:?}");
    }

    /// Against central differences of xᵀ (q₁ ⊖ q₀).
    #[test]
    fn slopes_of_a_difference(
        q0 in configuration(), v in any_velocity(), x in prop::collection::vec(-1.0..1.0f64, NV),
    ) {
        let q1 = plus(&q0, &v);
        let mut slope = x.clone();
        pull_back(&JOINTS, &q0, &q1, &mut slope);
        for (k, slope) in slope.into_iter().enumerate() {
            let value = |step: f64| {
                let moved: Vec<f64> = (0..NV).map(|j| if j == k { step } else { 0.0 }).collect();
                let d = minus(&q0, &plus(&q1, &moved));
                d.iter().zip(&x).map(|(d, x)| d * x).sum::<f64>()
            };
            let difference = (value(1e-5) - value(-1e-5)) / 2e-5;
            prop_assert!((slope - difference).abs() < 1e-8, "{k}: {slope} {difference}");
        }
    }

    #[test]
    fn integration_inverts_difference(q0 in configuration(), q1 in configuration()) {
        let mut reached = plus(&q0, &minus(&q0, &q1));
        for range in [3..7, 7..11] {
            let same: f64 = range.clone().map(|k| reached[k] * q1[k]).sum();
            reached[range].iter_mut().for_each(|x| *x *= same.signum());
        }
        prop_assert!(distance(&reached, &q1) < 1e-13);
    }

    #[test]
    fn constant_velocities_form_a_one_parameter_group(
        q in configuration(), v in velocity(2.0), s in -3.0..3.0f64, t in -3.0..3.0f64,
    ) {
        let mut twice = q.clone();
        integrate(&JOINTS, &v, s, &mut twice);
        integrate(&JOINTS, &v, t, &mut twice);
        let mut once = q.clone();
        integrate(&JOINTS, &v, s + t, &mut once);
        prop_assert!(distance(&once, &twice) < 1e-13);
    }

    #[test]
    fn rotations_come_out_with_unit_length(q in configuration(), e in -300.0..12.0f64, v in velocity(1.0)) {
        let v: Vec<f64> = v.iter().map(|x| x * 10f64.powf(e)).collect();
        for norm in norms(&plus(&q, &v)) {
            prop_assert!((norm - 1.0).abs() < 1e-14);
        }
    }

    #[test]
    fn rate_is_the_derivative_of_integration(q in configuration(), v in velocity(1.0)) {
        let h = 1e-5;
        let (mut ahead, mut behind) = (q.clone(), q.clone());
        integrate(&JOINTS, &v, h, &mut ahead);
        integrate(&JOINTS, &v, -h, &mut behind);
        let slope: Vec<f64> = ahead.iter().zip(&behind).map(|(a, b)| (a - b) / (2.0 * h)).collect();
        let mut exact = vec![f64::NAN; NQ];
        rate(&JOINTS, &q, &v, &mut exact);
        prop_assert!(distance(&exact, &slope) < 1e-9);
    }

    #[test]
    fn the_velocity_is_that_of_the_body(q in configuration(), v in velocity(2.5), t in 0.1..1.0f64) {
        let mut later = q.clone();
        integrate(&JOINTS, &v, t, &mut later);
        let back: Vec<f64> = minus(&q, &later).iter().map(|x| x / t).collect();
        prop_assert!(distance(&back, &v) < 1e-12);
    }
}

/// Half a turn about z while moving along the body's x is half a circle of radius 1/π.
#[test]
fn half_a_circle() {
    let pi = std::f64::consts::PI;
    let mut q = vec![0.0; NQ];
    neutral(&JOINTS, &mut q);
    let mut v = vec![0.0; NV];
    (v[0], v[5]) = (1.0, pi);
    let end = plus(&q, &v);
    assert!(distance(&end[..7], &[0.0, 2.0 / pi, 0.0, 0.0, 0.0, 1.0, 0.0]) < 1e-15);
    let back = minus(&q, &end);
    assert!(distance(&back, &v) < 1e-15);
}

#[test]
fn the_shortest_rotation_is_taken_whatever_the_sign() {
    let mut q = vec![0.0; NQ];
    neutral(&JOINTS, &mut q);
    let mut opposite = q.clone();
    opposite[3..11].iter_mut().for_each(|x| *x = -*x);
    assert_eq!(distance(&minus(&q, &opposite), &[0.0; NV]), 0.0);
    let mut v = vec![0.0; NV];
    v[8] = 4.0;
    let back = minus(&q, &plus(&q, &v));
    assert!((back[8] - (4.0 - 2.0 * std::f64::consts::PI)).abs() < 1e-15);
}

#[test]
fn nan_passes_through() {
    let mut q = vec![0.0; NQ];
    neutral(&JOINTS, &mut q);
    for k in 0..NV {
        let mut v = vec![0.1; NV];
        v[k] = f64::NAN;
        let end = plus(&q, &v);
        assert!(end.iter().any(|x| x.is_nan()), "velocity {k}");
        assert!(minus(&q, &end).iter().any(|x| x.is_nan()), "difference after {k}");
    }
    for k in 0..NQ {
        let mut bad = q.clone();
        bad[k] = f64::NAN;
        assert!(minus(&bad, &q).iter().any(|x| x.is_nan()), "configuration {k}");
        assert!(plus(&bad, &[0.1; NV]).iter().any(|x| x.is_nan()), "configuration {k}");
    }
}

#[test]
fn short_slices_do_not_panic() {
    let (mut q, mut v, mut out) = ([0.0; NQ], [0.0; NV], [0.0; NQ]);
    for nq in 0..NQ {
        for nv in 0..NV {
            integrate(&JOINTS, &v[..nv], 1.0, &mut q[..nq]);
            rate(&JOINTS, &q[..nq], &v[..nv], &mut out[..nv]);
            difference(&JOINTS, &q, &out[..nq], &mut v[..nv]);
        }
        neutral(&JOINTS, &mut q[..nq]);
        let _ = check_quaternions(&JOINTS, &q[..nq]);
    }
    let wrong = [Joint { nq: 2, nv: usize::MAX, ..JOINTS[0] }, Joint { nq: 9, nv: 9, ..JOINTS[1] }];
    integrate(&wrong, &v, 1.0, &mut q);
    difference(&wrong, &q, &out, &mut v);
    rate(&wrong, &q, &v, &mut out);
}

#[test]
fn a_quaternion_of_another_length_is_named() {
    let mut q = vec![0.0; NQ];
    neutral(&JOINTS, &mut q);
    assert_eq!(check_quaternions(&JOINTS, &q), Ok(()));
    q[10] = 1.0 + 2e-6;
    assert_eq!(
        check_quaternions(&JOINTS, &q),
        Err(ModelError::NotUnitQuaternion { joint: "ball", norm: 1.0 + 2e-6 })
    );
    q[6] = f64::NAN;
    assert!(matches!(
        check_quaternions(&JOINTS, &q),
        Err(ModelError::NotUnitQuaternion { joint: "base", .. })
    ));
}
