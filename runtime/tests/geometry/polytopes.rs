//! Boxes, capsules and hulls against the largest separation of all directions that can have it.
//!
//! Of two polytopes these are, up to their sense, the normals of any three points of one, what is across any two lines
//! between points of each, and, where they are apart, the lines between points, and between a point and a line.

use fastrand::Rng;
use jourdain::Pose;
use jourdain::description::ShapeKind;
use jourdain::geometry::{Narrow, Touch};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};

use crate::solids::{Described, direction, least, pose, quaternion, touches};

/// Pairs that are compared.
const PAIRS: usize = 500;
/// The error of a gap, by the sizes of both.
const ERROR: f64 = 3e-9;

/// A solid with the points of its core, and the radius about these.
struct Known {
    described: Described,
    points: Vec<Vector3<f64>>,
    radius: f64,
}

impl Known {
    fn hull(points: &[Vector3<f64>]) -> Self {
        let kind = ShapeKind::Hull { points: points.len() };
        let sizes = points.iter().flat_map(|x| [x.x, x.y, x.z]).collect();
        Self { described: Described { kind, sizes }, points: points.to_vec(), radius: 0.0 }
    }

    fn cuboid([x, y, z]: [f64; 3]) -> Self {
        let described = Described { kind: ShapeKind::Box, sizes: vec![x, y, z] };
        let half = 0.5 * Vector3::new(x, y, z);
        Self { described, points: corners(half, Vector3::zeros()), radius: 0.0 }
    }

    fn capsule(radius: f64, length: f64) -> Self {
        let described = Described { kind: ShapeKind::Capsule, sizes: vec![radius, length] };
        let end = Vector3::z() * (0.5 * length);
        Self { described, points: vec![end, -end], radius }
    }

    /// Of about this size: round, flat, a prism, a block with points within its faces that is far from its origin.
    fn random(size: f64, rng: &mut Rng) -> Self {
        let mut edge = || size * (0.1 + 0.9 * rng.f64());
        let [x, y, z] = [edge(), edge(), edge()];
        let round = |count: usize, flat: f64, rng: &mut Rng| {
            let one = |_| direction(rng).component_mul(&Vector3::new(size, size, size * flat));
            (0..count).map(one).collect::<Vec<_>>()
        };
        match rng.usize(..7) {
            0 => Self::cuboid([x, y, z]),
            1 => Self::capsule(0.3 * x, y),
            2 => Self::hull(&round(4 + rng.usize(..6), 10.0_f64.powf(-4.0 * rng.f64()), rng)),
            3 => {
                let count = 3 + rng.usize(..3);
                let angle = |k: usize| std::f64::consts::TAU * k as f64 / count as f64;
                let rim = |z: f64| {
                    move |k: usize| Vector3::new(x * angle(k).cos(), y * angle(k).sin(), z)
                };
                Self::hull(
                    &(0..count).map(rim(-z)).chain((0..count).map(rim(z))).collect::<Vec<_>>(),
                )
            }
            4 => {
                let mut points = corners(Vector3::new(x, y, z), Vector3::new(x, 0.0, z));
                points.push(Vector3::new(x, 0.5 * y, 2.0 * z));
                Self::hull(&points)
            }
            _ => Self::hull(&round(4 + rng.usize(..6), 1.0, rng)),
        }
    }

    fn placed(&self, pose: &Pose) -> Vec<Vector3<f64>> {
        self.points.iter().map(|x| pose.point(x)).collect()
    }
}

fn corners(half: Vector3<f64>, middle: Vector3<f64>) -> Vec<Vector3<f64>> {
    let side = |k: usize, i: usize| if k >> i & 1 == 1 { half[i] } else { -half[i] };
    (0..8).map(|k| middle + Vector3::new(side(k, 0), side(k, 1), side(k, 2))).collect()
}

/// Between any two points.
fn lines(points: &[Vector3<f64>]) -> Vec<[Vector3<f64>; 2]> {
    let from = |i: usize| (0..i).map(move |j| [points[i], points[i] - points[j]]);
    (0..points.len()).flat_map(from).collect()
}

/// The largest separation of the cores.
fn separation(ours: &[Vector3<f64>], others: &[Vector3<f64>]) -> f64 {
    let mut best = f64::NEG_INFINITY;
    let mut consider = |n: Vector3<f64>| {
        let Some(n) = n.try_normalize(1e-12) else { return };
        for n in [n, -n] {
            let low = ours.iter().map(|x| n.dot(x)).fold(f64::INFINITY, f64::min);
            let high = others.iter().map(|x| n.dot(x)).fold(f64::NEG_INFINITY, f64::max);
            best = best.max(low - high);
        }
    };
    let [a, b] = [ours, others].map(lines);
    for all in [&a, &b] {
        for (i, [_, u]) in all.iter().enumerate() {
            all[..i].iter().for_each(|[_, w]| consider(u.cross(w)));
        }
    }
    for [_, u] in &a {
        b.iter().for_each(|[_, w]| consider(u.cross(w)));
    }
    for x in ours {
        others.iter().for_each(|y| consider(x - y));
    }
    for (points, lines) in [(ours, &b), (others, &a)] {
        for x in points {
            for [p, u] in lines {
                let away = x - p;
                consider(away - u * (u.dot(&away) / u.norm_squared()));
            }
        }
    }
    best
}

/// Turned at random, or along the axes.
fn turn(rng: &mut Rng) -> Matrix3<f64> {
    if rng.bool() {
        return pose(Vector3::zeros(), &quaternion(rng)).rotation;
    }
    let [quarter, axis] = [rng.usize(..4) as f64, rng.usize(..3) as f64];
    let angle = quarter * std::f64::consts::FRAC_PI_2;
    let turns = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), angle)
        * UnitQuaternion::from_axis_angle(&Vector3::z_axis(), axis * std::f64::consts::FRAC_PI_2);
    turns.to_rotation_matrix().into_inner()
}

#[test]
fn gaps_are_the_largest_separations_of_all_directions() {
    let rng = &mut Rng::with_seed(21);
    let (mut kept, mut found, mut apart) = (Narrow::default(), 0, 0);
    for pair in 0..PAIRS {
        let size = [1.0, 1.0, 1e-3, 1e3][rng.usize(..4)];
        let ratio = [1.0, 1.0, 1.0, 30.0][rng.usize(..4)];
        let [a, b] = [size, size * ratio].map(|size| Known::random(size, rng));
        let [one, other] = [&a, &b].map(|of| of.described.solid());
        let extent = one.extent() + other.extent();
        let p = Pose { rotation: turn(rng), position: direction(rng) * (extent * rng.f64()) };
        let away = direction(rng) * (0.8 * extent * rng.f64());
        let mut q = Pose { rotation: turn(rng), position: p.position + away };
        let gap = |q: &Pose| separation(&a.placed(&p), &b.placed(q)) - a.radius - b.radius;
        if rng.bool() {
            // They just touch, or nearly so.
            let first = touches((&one, &p), (&other, &q), f64::INFINITY);
            let by = [0.0, 1e-10, -1e-10, 1e-5, -1e-5, 1e-3, -1e-3][rng.usize(..7)];
            q.position += first[0].normal * (least(&first) - by * extent);
        }
        let (expected, margin) = (gap(&q), 1e-2 * extent);
        let all = kept.touches((&one, &p), (&other, &q), f64::INFINITY).to_vec();
        let near: Vec<Touch> = kept.touches((&one, &p), (&other, &q), margin).to_vec();
        let text = || format!("{pair}: {:?} {p:?} {:?} {q:?}", a.described, b.described);
        let error = (least(&all) - expected).abs();
        assert!(error <= ERROR * extent, "{} {expected:e}, {}", least(&all), text());
        let n = all[0].normal;
        let separated = -a.described.reach(&p, &-n) - b.described.reach(&q, &n);
        assert!((separated - least(&all)).abs() <= ERROR * extent, "{separated}, {}", text());
        if (expected - margin).abs() > ERROR * extent {
            assert_eq!(near.is_empty(), expected > margin, "{expected:e}, {}", text());
        }
        // What was found before changes nothing.
        assert_eq!(near, touches((&one, &p), (&other, &q), margin), "{}", text());
        found += usize::from(!near.is_empty());
        apart += usize::from(expected > 0.0);
    }
    assert!(4 * found > PAIRS && 4 * apart > PAIRS, "{found} near, {apart} apart");
}

/// Boxes that lie on each other, turned out of each other by hardly anything: rounding by the sine of edges is no gap.
#[test]
fn boxes_that_are_nearly_parallel_touch() {
    let mut narrow = Narrow::default();
    let [a, b] = [[1.0, 0.7, 0.4], [0.6, 0.9, 0.5]].map(Known::cuboid);
    let [one, other] = [&a, &b].map(|of| of.described.solid());
    for power in 5..13 {
        for (axis, share) in
            [(Vector3::x_axis(), 0.3), (Vector3::y_axis(), 0.7), (Vector3::z_axis(), 1.1)]
        {
            let angle = share * 10.0_f64.powi(-power);
            let p = Pose {
                rotation: pose(Vector3::zeros(), &UnitQuaternion::new(Vector3::new(0.3, 0.2, 0.7)))
                    .rotation,
                ..Pose::default()
            };
            let turned = UnitQuaternion::from_axis_angle(&axis, angle).to_rotation_matrix();
            let rotation = p.rotation * turned.into_inner();
            let away = p.rotation * Vector3::new(0.1, 0.05, -0.45);
            let q = Pose { rotation, position: away };
            let expected = separation(&a.placed(&p), &b.placed(&q));
            let found = narrow.touches((&one, &p), (&other, &q), 1e-6);
            assert!(!found.is_empty(), "{angle:e}");
            assert!(
                (least(found) - expected).abs() < 2e-9,
                "{angle:e}: {} {expected:e}",
                least(found)
            );
        }
    }
}
