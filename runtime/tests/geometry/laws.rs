//! What holds of gaps, normals and points whatever the solids are.

use jourdain::Pose;
use jourdain::geometry::{Solid, Touch};
use nalgebra::Vector3;

use crate::solids::{direction, for_pairs, least, random_pose, touches};

/// Poses of each pair of kinds.
const POSES: usize = 60;

fn moved(pose: &Pose, by: &Pose) -> Pose {
    Pose { rotation: by.rotation * pose.rotation, position: by.point(&pose.position) }
}

fn shifted(pose: &Pose, by: Vector3<f64>) -> Pose {
    Pose { position: pose.position + by, ..*pose }
}

/// The error of a gap, m.
const ERROR: f64 = 1e-9;

/// Whether each point of one list is a point of the other, up to the error.
fn same(ours: &[Touch], others: &[Touch], error: f64) -> bool {
    let near = |a: &Touch, b: &Touch| {
        (a.point - b.point).norm() < error
            && (a.normal - b.normal).norm() < error
            && (a.gap - b.gap).abs() < error
    };
    ours.len() == others.len() && ours.iter().all(|a| others.iter().any(|b| near(a, b)))
}

fn exchanged(touch: &Touch) -> Touch {
    Touch { normal: -touch.normal, feature: touch.feature.exchanged(), ..*touch }
}

#[test]
fn exchange_reverses_normals() {
    for_pairs(POSES, 2, |_, [a, b], [p, q]| {
        let (a, b) = (a.solid(), b.solid());
        let ours = touches((&a, p), (&b, q), 0.1);
        let others: Vec<_> = touches((&b, q), (&a, p), 0.1).iter().map(exchanged).collect();
        let gaps = (least(&ours) - least(&others)).abs();
        assert!(ours.is_empty() && others.is_empty() || gaps < ERROR, "{ours:?} {others:?}");
        // Where two directions are as good as each other either may be taken.
        let distinct = ours.first().zip(others.first());
        if distinct.is_some_and(|(x, y)| (x.normal - y.normal).norm() < 1e-7) {
            assert!(same(&ours, &others, 1e-6), "{ours:?} {others:?}");
        }
    });
}

#[test]
fn rigid_motion_moves_points_and_normals() {
    for_pairs(POSES, 3, |rng, [a, b], [p, q]| {
        let (a, b, by) = (a.solid(), b.solid(), random_pose(3.0, rng));
        let before = touches((&a, p), (&b, q), 0.1);
        let after = touches((&a, &moved(p, &by)), (&b, &moved(q, &by)), 0.1);
        let expected: Vec<_> = before
            .iter()
            .map(|touch| Touch {
                point: by.point(&touch.point),
                normal: by.rotation * touch.normal,
                ..*touch
            })
            .collect();
        assert!((least(&after) - least(&expected)).abs() < ERROR || before.is_empty());
        let distinct = after.first().zip(expected.first());
        if distinct.is_some_and(|(x, y)| (x.normal - y.normal).norm() < 1e-6) {
            assert!(same(&after, &expected, 1e-5), "{after:?} {expected:?}");
        }
    });
}

/// The gap is the largest s(n): apart along the normal it grows as far as one goes, and no direction gives more.
#[test]
fn no_direction_separates_more() {
    for_pairs(POSES, 4, |rng, [a, b], [p, q]| {
        let (a, b) = (a.solid(), b.solid());
        let ours = touches((&a, p), (&b, q), f64::INFINITY);
        let (gap, n) = (least(&ours), ours[0].normal);
        for distance in [1e-3, 0.1, 1.0] {
            let there = touches((&a, &shifted(p, n * distance)), (&b, q), f64::INFINITY);
            assert!((least(&there) - gap - distance).abs() < ERROR, "{gap} {distance}");
        }
        // To move by some distance changes the gap by no more than that.
        let step = direction(rng) * 0.01;
        let there = touches((&a, &shifted(p, step)), (&b, q), f64::INFINITY);
        assert!((least(&there) - gap).abs() < 0.01 + ERROR);
    });
}

/// The rates of the gap along the normal and about the point are those of the rows n and (x − p) × n.
#[test]
fn rows_are_derivatives_of_the_gap() {
    let (mut count, mut all) = (0, 0);
    for_pairs(POSES, 5, |rng, [a, b], [p, q]| {
        let (a, b) = (a.solid(), b.solid());
        let ours = touches((&a, p), (&b, q), f64::INFINITY);
        let touch = ours.iter().min_by(|x, y| x.gap.total_cmp(&y.gap)).unwrap();
        let (u, w) = (direction(rng), direction(rng));
        let expected = touch.normal.dot(&(u + w.cross(&(touch.point - p.position))));
        let gap = |h: f64| least(&turned((&a, p), (&b, q), (u, w), h));
        let rate = |h: f64| (gap(h) - gap(-h)) / (2.0 * h);
        all += 1;
        // Where the gap has a kink the rates from both sides are different.
        let (h, now) = (1e-5, touch.gap);
        if ((gap(h) - now) - (now - gap(-h))).abs() < 1e-8 {
            count += 1;
            assert!((rate(h) - expected).abs() < 1e-4, "{a:?} {b:?}: {} {expected}", rate(h));
        }
    });
    assert!(10 * count > 9 * all, "{count} of {all}");
}

/// After the first has moved by h (u, w).
fn turned(
    (a, p): (&Solid, &Pose),
    second: (&Solid, &Pose),
    (u, w): (Vector3<f64>, Vector3<f64>),
    h: f64,
) -> Vec<Touch> {
    let turn = nalgebra::Rotation3::new(w * h);
    let there = Pose { rotation: turn * p.rotation, position: p.position + u * h };
    touches((a, &there), second, f64::INFINITY)
}

/// The gap is s(n) of its normal, and of all other directions s is not above it, near the normal or anywhere.
#[test]
fn the_gap_is_the_largest_separation() {
    for_pairs(POSES, 6, |rng, [a, b], [p, q]| {
        let ours = touches((&a.solid(), p), (&b.solid(), q), f64::INFINITY);
        let (gap, normal) = (least(&ours), ours[0].normal);
        let separation = |n: Vector3<f64>| -a.reach(p, &-n) - b.reach(q, &n);
        assert!((separation(normal) - gap).abs() < 1e-9, "{a:?} {b:?}");
        for k in 0..300 {
            let scale = 10.0_f64.powi(k % 6 - 5);
            let other = (normal + direction(rng) * scale).normalize();
            assert!(separation(other) < gap + ERROR, "{a:?} {b:?} {gap} {}", separation(other));
            assert!(separation(direction(rng)) < gap + ERROR, "{a:?} {b:?}");
        }
    });
}
