//! Which points touch.

use jourdain::Pose;
use jourdain::description::ShapeKind;
use jourdain::geometry::{Feature, Solid, Touch};
use nalgebra::{UnitQuaternion, Vector3};

use crate::solids::{pose, touches};

fn solid(kind: ShapeKind, sizes: &[f64]) -> Solid {
    Solid::new(kind, sizes).unwrap()
}

fn at(x: f64, y: f64, z: f64, turn: [f64; 3]) -> Pose {
    pose(Vector3::new(x, y, z), &UnitQuaternion::from_euler_angles(turn[0], turn[1], turn[2]))
}

fn cube() -> Solid {
    solid(ShapeKind::Box, &[1.0; 3])
}

fn on_cube(first: &Solid, there: &Pose, margin: f64) -> Vec<Touch> {
    touches((first, there), (&cube(), &at(0.0, 0.0, 0.0, [0.0; 3])), margin)
}

/// The points, which have the gap, and the normal z.
fn assert_on_top(touches: &[Touch], points: &[[f64; 2]], gap: f64) {
    assert_eq!(touches.len(), points.len(), "{touches:#?}");
    for &[x, y] in points {
        let expected = Vector3::new(x, y, 0.5 + 0.5 * gap);
        let is_there = |touch: &Touch| (touch.point - expected).norm() < 1e-9;
        assert!(touches.iter().any(is_there), "{x} {y} {touches:#?}");
    }
    for touch in touches {
        assert!((touch.gap - gap).abs() < 1e-9 && (touch.normal - Vector3::z()).norm() < 1e-9);
    }
}

#[test]
fn a_box_stands_on_a_box_with_four_points() {
    for gap in [0.0, 1e-3, -1e-3] {
        let upper = at(0.0, 0.0, 1.0 + gap, [0.0; 3]);
        let corners = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]];
        assert_on_top(&on_cube(&cube(), &upper, 0.01), &corners, gap);
        let shifted = at(0.2, 0.3, 1.0 + gap, [0.0; 3]);
        let corners = [[-0.3, -0.2], [0.5, -0.2], [0.5, 0.5], [-0.3, 0.5]];
        assert_on_top(&on_cube(&cube(), &shifted, 0.01), &corners, gap);
    }
    let eighth = std::f64::consts::FRAC_PI_4;
    let turned = on_cube(&cube(), &at(0.0, 0.0, 1.0, [0.0, 0.0, eighth]), 0.01);
    assert_eq!(turned.len(), 8);
    assert!(turned.iter().all(|touch| matches!(touch.feature, Feature::Crossing(..))));
}

#[test]
fn an_edge_has_two_points_and_a_corner_one() {
    let eighth = std::f64::consts::FRAC_PI_4;
    let half = 0.5_f64.sqrt();
    let edge = on_cube(&cube(), &at(0.0, 0.1, 0.5 + half, [0.0, eighth, 0.0]), 0.01);
    assert_on_top(&edge, &[[0.0, -0.4], [0.0, 0.5]], 0.0);
    let turn = UnitQuaternion::rotation_between(&Vector3::repeat(-1.0), &-Vector3::z()).unwrap();
    let high = pose(Vector3::new(0.1, 0.2, 0.5 + 0.75_f64.sqrt()), &turn);
    let corner = on_cube(&cube(), &high, 0.01);
    assert_on_top(&corner, &[[0.1, 0.2]], 0.0);
    assert_eq!(corner[0].feature, Feature::First(0));
}

#[test]
fn round_solids_have_few_points() {
    let sphere = solid(ShapeKind::Sphere, &[0.2]);
    assert_on_top(&on_cube(&sphere, &at(0.1, 0.4, 0.7, [0.0; 3]), 0.01), &[[0.1, 0.4]], 0.0);
    let capsule = solid(ShapeKind::Capsule, &[0.1, 0.6]);
    let lying = at(0.0, 0.0, 0.6, [0.0, std::f64::consts::FRAC_PI_2, 0.0]);
    assert_on_top(&on_cube(&capsule, &lying, 0.01), &[[-0.3, 0.0], [0.3, 0.0]], 0.0);
    let standing = at(0.0, 0.0, 0.9, [0.0; 3]);
    assert_on_top(&on_cube(&capsule, &standing, 0.01), &[[0.0, 0.0]], 0.0);
    let cylinder = solid(ShapeKind::Cylinder, &[0.1, 0.6]);
    let lying = at(0.0, 0.0, 0.6, [0.0, std::f64::consts::FRAC_PI_2, 0.0]);
    assert_on_top(&on_cube(&cylinder, &lying, 0.01), &[[-0.3, 0.0], [0.3, 0.0]], 0.0);
    let standing = on_cube(&cylinder, &at(0.0, 0.0, 0.8, [0.0; 3]), 0.01);
    assert_eq!(standing.len(), 8);
    let hull: Vec<f64> = (0..8)
        .flat_map(|k| [0, 1, 2].map(|i| if k >> i & 1 == 1 { 0.25 } else { -0.25 }))
        .collect();
    let hull = solid(ShapeKind::Hull { points: 8 }, &hull);
    let corners = [[-0.25, -0.25], [0.25, -0.25], [0.25, 0.25], [-0.25, 0.25]];
    assert_on_top(&on_cube(&hull, &at(0.0, 0.0, 0.75, [0.0; 3]), 0.01), &corners, 0.0);
}

/// Points within faces and edges, and such as are there twice, are no vertices.
#[test]
fn hulls_have_the_vertices_of_their_points_only() {
    let side = [-0.25, 0.0, 0.25];
    let points = side.iter().flat_map(|&x| side.iter().flat_map(move |&y| side.map(|z| [x, y, z])));
    let twice: Vec<f64> = points.clone().chain(points).flatten().collect();
    let hull = solid(ShapeKind::Hull { points: twice.len() / 3 }, &twice);
    let corners = [[-0.25, -0.25], [0.25, -0.25], [0.25, 0.25], [-0.25, 0.25]];
    assert_on_top(&on_cube(&hull, &at(0.0, 0.0, 0.75, [0.0; 3]), 0.01), &corners, 0.0);
}

/// The names of points do not change as a box slides and tilts a little.
#[test]
fn points_keep_their_names() {
    let features =
        |touches: &[Touch]| touches.iter().map(|touch| touch.feature).collect::<Vec<_>>();
    let start = features(&on_cube(&cube(), &at(0.2, 0.1, 1.0, [0.0; 3]), 0.01));
    assert_eq!(start.len(), 4);
    for k in 0..100 {
        let s = f64::from(k) * 1e-5;
        let there = at(0.2 + s, 0.1 - s, 1.0 + s, [s, -s, s]);
        assert_eq!(features(&on_cube(&cube(), &there, 0.01)), start, "{k}");
    }
}
