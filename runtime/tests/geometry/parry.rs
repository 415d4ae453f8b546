//! Gaps and normals against those of the crate parry3d-f64.

use fastrand::Rng;
use jourdain::Pose;
use jourdain::description::ShapeKind;
use nalgebra::{Rotation3, UnitQuaternion, Vector3};
use parry3d_f64::math::{Pose as Theirs, Rotation, Vector};
use parry3d_f64::query;
use parry3d_f64::shape::{Ball, Capsule, ConvexPolyhedron, Cuboid, Cylinder, Shape};

use crate::solids::{Described, direction, for_pairs, least, random_pose, touches};

/// Poses of each pair of kinds.
const POSES: usize = 500;

/// Theirs, and the rotation from ours to its frame: its cylinders are along y.
fn theirs(described: &Described) -> (Box<dyn Shape>, UnitQuaternion<f64>) {
    let s = &described.sizes;
    let vectors = |s: &[f64]| -> Vec<Vector> {
        s.chunks_exact(3).map(|x| Vector::new(x[0], x[1], x[2])).collect()
    };
    let upright = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), std::f64::consts::FRAC_PI_2);
    let plain = UnitQuaternion::identity();
    match described.kind {
        ShapeKind::Point => (Box::new(Ball::new(0.0)), plain),
        ShapeKind::Sphere => (Box::new(Ball::new(s[0])), plain),
        ShapeKind::Capsule => (Box::new(Capsule::new_z(0.5 * s[1], s[0])), plain),
        ShapeKind::Box => (Box::new(Cuboid::new(0.5 * vectors(s)[0])), plain),
        ShapeKind::Cylinder => (Box::new(Cylinder::new(0.5 * s[1], s[0])), upright),
        ShapeKind::Hull { .. } => {
            (Box::new(ConvexPolyhedron::from_convex_hull(&vectors(s)).unwrap()), plain)
        }
    }
}

fn place(pose: &Pose, turn: &UnitQuaternion<f64>) -> Theirs {
    let rotation = Rotation3::from_matrix_unchecked(pose.rotation);
    let [x, y, z, w] = (UnitQuaternion::from_rotation_matrix(&rotation) * turn).coords.into();
    let p = pose.position;
    Theirs::from_parts(Vector::new(p.x, p.y, p.z), Rotation::from_xyzw(x, y, z, w))
}

/// Where both find a gap it is the same, and the normal where they are clearly apart.
#[test]
fn gaps_and_normals_are_those_of_another_library() {
    let (mut worst, mut count) = ([0.0_f64; 3], 0);
    for_pairs(POSES, 1, |_, [a, b], [p, q]| {
        let ours = touches((&a.solid(), p), (&b.solid(), q), f64::INFINITY);
        let gap = least(&ours);
        let ((one, turn), (other, other_turn)) = (theirs(a), theirs(b));
        let (at, other_at) = (place(p, &turn), place(q, &other_turn));
        let found = query::contact(&at, &*one, &other_at, &*other, f64::MAX);
        let Ok(Some(found)) = found else { return };
        count += 1;
        let error = gap - found.dist;
        if found.dist > 0.0 {
            worst[0] = worst[0].max(error.abs());
            assert!(error.abs() < 1e-5, "{a:?} {b:?} {p:?} {q:?}: {gap} {}", found.dist);
        } else {
            // Theirs is found from within, and of round solids it is not deep enough.
            let round = [a, b].iter().any(|solid| matches!(solid.kind, ShapeKind::Capsule));
            let allowed = if round { 5e-3 } else { 1e-6 };
            worst[1] = worst[1].max(error.abs());
            assert!(error < 1e-6 && error > -allowed, "{a:?} {b:?} {p:?} {q:?}: {error:e}");
        }
        if found.dist > 1e-3 {
            let normal = Vector3::new(found.normal2.x, found.normal2.y, found.normal2.z);
            worst[2] = worst[2].max((ours[0].normal - normal).norm());
        }
    });
    let [apart, overlapping, normal] = worst;
    println!(
        "{count} poses: {apart:.1e} apart, {overlapping:.1e} overlapping, normals {normal:.1e}"
    );
    assert!(count > 10_000 && normal < 1e-2, "{count} {worst:?}");
}

/// Of points on a sphere all are vertices, and faces are small.
#[test]
fn hulls_of_many_points_are_as_near_as_those_of_another_library() {
    let rng = &mut Rng::with_seed(7);
    for count in [50, 200] {
        let many = |rng: &mut Rng| Described {
            kind: ShapeKind::Hull { points: count },
            sizes: (0..count).flat_map(|_| <[f64; 3]>::from(direction(rng) * 0.5)).collect(),
        };
        let [a, b] = [many(rng), many(rng)];
        let (one, other) = ((a.solid(), theirs(&a).0), (b.solid(), theirs(&b).0));
        for _ in 0..50 {
            let [p, q] = [random_pose(0.0, rng), random_pose(1.5, rng)];
            let plain = UnitQuaternion::identity();
            let (at, other_at) = (place(&p, &plain), place(&q, &plain));
            let found = query::contact(&at, &*one.1, &other_at, &*other.1, f64::MAX);
            let gap = least(&touches((&one.0, &p), (&other.0, &q), f64::INFINITY));
            // Its iterations end early where they are deep in each other.
            let Some(found) = found.ok().flatten().filter(|found| found.dist > -0.05) else {
                continue;
            };
            assert!((gap - found.dist).abs() < 1e-6, "{gap} {}", found.dist);
        }
    }
}
