//! The rim of a cylinder beside edges and other rims, against searches along it that know nothing of normals.

use fastrand::Rng;
use jourdain::Pose;
use jourdain::description::ShapeKind;
use jourdain::geometry::Solid;
use nalgebra::{Matrix3, Rotation3, Vector3};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, TAU};

use crate::solids::{direction, pose, quaternion, touches};

/// Intervals that a rim is cut into.
const PARTS: u32 = 400;

/// Of a rod, m.
const RADIUS: f64 = 0.01;

/// A circle: its centre and two radii that are across each other.
type Circle = [Vector3<f64>; 3];

fn on([center, x, y]: &Circle, angle: f64) -> Vector3<f64> {
    center + x * angle.cos() + y * angle.sin()
}

/// The point of a circle where the rate of its distance along it turns from negative to positive, and the distance is
/// the least. `other` is the nearest point of what it is compared with, at which that does not change the distance.
fn nearest(circle: &Circle, other: impl Fn(&Vector3<f64>) -> Vector3<f64>) -> [Vector3<f64>; 2] {
    let [_, x, y] = circle;
    let rate = |angle: f64| {
        let a = on(circle, angle);
        (a - other(&a)).dot(&(y * angle.cos() - x * angle.sin()))
    };
    let root = |k: u32| {
        let [mut low, mut high] = [k, k + 1].map(|k| TAU * f64::from(k) / f64::from(PARTS));
        (rate(low) <= 0.0 && rate(high) > 0.0).then(|| {
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                *(if rate(middle) <= 0.0 { &mut low } else { &mut high }) = middle;
            }
            let a = on(circle, low);
            [a, other(&a)]
        })
    };
    let length = |[a, b]: &[Vector3<f64>; 2]| (a - b).norm();
    (0..PARTS).filter_map(root).min_by(|a, b| length(a).total_cmp(&length(b))).unwrap()
}

/// The rims of a cylinder of radius 0.3 and length 0.5.
fn rims(pose: &Pose) -> [Circle; 2] {
    let axis = |k: usize| pose.rotation.column(k).into_owned();
    [0.25, -0.25].map(|z| [pose.position + axis(2) * z, axis(0) * 0.3, axis(1) * 0.3])
}

fn cylinder() -> Solid {
    Solid::new(ShapeKind::Cylinder, &[0.3, 0.5]).unwrap()
}

fn on_segment([from, to]: &[Vector3<f64>; 2], x: &Vector3<f64>) -> Vector3<f64> {
    let along = to - from;
    from + along * (along.dot(&(x - from)) / along.norm_squared()).clamp(0.0, 1.0)
}

/// The nearest of all points of a circle, whose radii are equal.
fn on_circle([center, x, y]: &Circle, other: &Vector3<f64>) -> Vector3<f64> {
    let away = other - center;
    let place = x * x.dot(&away) + y * y.dot(&away);
    center + place * (x.norm() / place.norm())
}

/// A pose for `solid` at which its point `local`, with the edge y and the faces that meet there turned by half, is
/// beside the upper rim at an angle and a distance.
fn beside(local: Vector3<f64>, rng: &mut Rng) -> Pose {
    let (angle, down) = (TAU * rng.f64(), 0.2 + 0.6 * rng.f64());
    let out = Vector3::new(angle.cos(), angle.sin(), 0.0);
    let away = (out * down.cos() + Vector3::z() * down.sin()).normalize();
    let edge = away.cross(&direction(rng)).normalize();
    let tilt = Rotation3::from_axis_angle(&Vector3::y_axis(), -FRAC_PI_4);
    let frame = Matrix3::from_columns(&[edge.cross(&-away), edge, -away]);
    let rotation = frame * tilt.into_inner();
    let place = out * 0.3 + Vector3::z() * 0.25 + away * (0.02 + 0.2 * rng.f64());
    Pose { rotation, position: place - rotation * local }
}

fn moved(by: &Pose, pose: &Pose) -> Pose {
    Pose { rotation: by.rotation * pose.rotation, position: by.point(&pose.position) }
}

/// Compares with the nearest points, where these are nearer than anything else.
fn check(solid: &Solid, at: [&Pose; 2], [a, b]: [Vector3<f64>; 2], counted: &mut usize) {
    let (gap, normal) = ((a - b).norm(), (a - b).normalize());
    let touch = touches((&cylinder(), at[0]), (solid, at[1]), f64::INFINITY)
        .into_iter()
        .min_by(|x, y| x.gap.total_cmp(&y.gap))
        .unwrap();
    // The rim and the edge are of the solids, which are therefore not further apart.
    assert!(touch.gap < gap + 1e-12, "{} {gap}", touch.gap);
    if (touch.gap - gap).abs() < 1e-7 {
        *counted += 1;
        let errors =
            [touch.gap - gap, (touch.normal - normal).norm(), (touch.point - 0.5 * (a + b)).norm()];
        assert!(errors.iter().all(|x| x.abs() < 1e-11), "{errors:?}");
    }
}

#[test]
fn the_normal_between_a_rim_and_an_edge_is_exact() {
    let rng = &mut Rng::with_seed(11);
    let (cube, corner) = (Solid::new(ShapeKind::Box, &[1.0; 3]).unwrap(), [0.5, 0.0, 0.5]);
    let points = (0..8).flat_map(|k| [0, 1, 2].map(|i| f64::from(k >> i & 1) - 0.5));
    let hull = Solid::new(ShapeKind::Hull { points: 8 }, &points.collect::<Vec<_>>()).unwrap();
    let rod = Solid::new(ShapeKind::Capsule, &[RADIUS, 1.0]).unwrap();
    let mut counts = [0; 3];
    for _ in 0..200 {
        let by = pose(direction(rng), &quaternion(rng));
        for (k, (solid, local, end)) in [
            (&cube, Vector3::from(corner), Vector3::y() * 0.5),
            (&hull, Vector3::from(corner), Vector3::y() * 0.5),
            (&rod, Vector3::zeros(), Vector3::z() * 0.5),
        ]
        .into_iter()
        .enumerate()
        {
            let mut at = moved(&by, &beside(local, rng));
            // A rod is along its z.
            let turn = Rotation3::from_axis_angle(&Vector3::x_axis(), FRAC_PI_2);
            at.rotation *= if k == 2 { turn.into_inner() } else { Matrix3::identity() };
            let edge = [local - end, local + end].map(|x| at.point(&x));
            let [a, b] = nearest(&rims(&by)[0], |x| on_segment(&edge, x));
            let surface = if k == 2 { b + (a - b).normalize() * RADIUS } else { b };
            check(solid, [&by, &at], [a, surface], &mut counts[k]);
        }
    }
    assert!(counts.iter().all(|&count| count > 150), "{counts:?}");
}

#[test]
fn the_normal_between_two_rims_is_exact() {
    let rng = &mut Rng::with_seed(12);
    let mut count = 0;
    for _ in 0..200 {
        let by = pose(direction(rng), &quaternion(rng));
        let at = moved(&by, &beside(Vector3::new(0.3, 0.0, 0.25), rng));
        let [ours, theirs] = [&by, &at].map(|pose| rims(pose)[0]);
        let found = nearest(&ours, |x| on_circle(&theirs, x));
        check(&cylinder(), [&by, &at], found, &mut count);
    }
    assert!(count > 150, "{count}");
}
