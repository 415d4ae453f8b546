//! Where solids touch a grid of heights, against searches over the surface and over the solid.

use fastrand::Rng;
use jourdain::Pose;
use jourdain::description::ShapeKind;
use jourdain::geometry::{Feature, Footing, Grid, Solid, Touch};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use std::f64::consts::TAU;

use crate::solids::{Described, least, pose, quaternion};

/// Heights of these points from −2 to 2 m along x and y, half a metre apart.
fn grid(height: impl Fn(f64, f64) -> f64) -> Grid {
    let at = |k: u32| f64::from(k) * 0.5 - 2.0;
    let heights = (0..81).map(|k| height(at(k % 9), at(k / 9))).collect();
    Grid::new([-2.0; 2], [0.5; 2], 9, heights).unwrap()
}

/// The height is that of a random function of x and one of y, so that cells are plane, or of both.
fn random_grid(twisted: bool, rng: &mut Rng) -> Grid {
    let mut numbers = || -> Vec<f64> { (0..81).map(|_| 0.5 * rng.f64()).collect() };
    let (both, along_x, along_y) = (numbers(), numbers(), numbers());
    let at = |x: f64| (2.0 * x + 4.0).round() as usize;
    grid(|x, y| if twisted { both[9 * at(y) + at(x)] } else { along_x[at(x)] + along_y[at(y)] })
}

fn touches(solid: &Solid, pose: &Pose, grid: &Grid) -> Vec<Touch> {
    Footing::default().touches(solid, pose, grid, 0.2).to_vec()
}

fn ball() -> Solid {
    Solid::new(ShapeKind::Sphere, &[0.2]).unwrap()
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose { rotation: Matrix3::identity(), position: Vector3::new(x, y, z) }
}

fn assert_near(touch: &Touch, gap: f64, normal: Vector3<f64>, foot: Vector3<f64>) {
    let ours = touch.point - touch.normal * (0.5 * touch.gap);
    let errors = [touch.gap - gap, (touch.normal - normal).norm(), (ours - foot).norm()];
    assert!(errors.iter().all(|x| x.abs() < 1e-12), "{touch:?} {errors:?}");
}

#[test]
fn a_ball_touches_a_crest_within_the_angle_of_its_slopes() {
    let roof = grid(|x, _| -x.abs());
    for (x, z) in [(0.0, 0.2), (0.05, 0.19), (-0.1, 0.2), (0.0, 0.3)] {
        let ours = touches(&ball(), &at(x, 0.3, z), &roof);
        let away = Vector3::new(x, 0.0, z);
        assert_eq!(ours.len(), 1, "{ours:?}");
        assert_near(&ours[0], away.norm() - 0.2, away.normalize(), Vector3::new(0.0, 0.3, 0.0));
    }
    let ours = touches(&ball(), &at(0.3, 0.3, 0.0), &roof);
    assert_eq!(ours.len(), 1, "{ours:?}");
    let slope = Vector3::new(0.5, 0.0, 0.5).normalize();
    assert_near(&ours[0], 0.3 / 2.0_f64.sqrt() - 0.2, slope, Vector3::new(0.15, 0.3, -0.15));
}

#[test]
fn a_ball_lies_between_two_slopes_and_on_a_peak() {
    let valley = grid(|x, _| x.abs());
    let ours = touches(&ball(), &at(0.02, 0.3, 0.3), &valley);
    assert_eq!(ours.len(), 2, "{ours:?}");
    for (touch, side) in ours.iter().zip([-1.0, 1.0]) {
        let normal = Vector3::new(-side, 0.0, 1.0).normalize();
        let distance = (0.3 - side * 0.02) / 2.0_f64.sqrt();
        assert_near(
            touch,
            distance - 0.2,
            normal,
            Vector3::new(0.02, 0.3, 0.3) - normal * distance,
        );
    }
    let peak = grid(|x, y| -x.abs() - y.abs());
    let away = Vector3::new(0.02, -0.03, 0.2);
    let ours = touches(&ball(), &at(0.02, -0.03, 0.2), &peak);
    assert_eq!(ours.iter().map(|touch| touch.feature).collect::<Vec<_>>(), [Feature::Peak(40)]);
    assert_near(&ours[0], away.norm() - 0.2, away.normalize(), Vector3::zeros());
}

/// Its lower face, turned by any angle, lies on the line from where the line enters to where it leaves.
#[test]
fn a_box_lies_across_a_ridge() {
    let roof = grid(|x, _| -0.5 * x.abs());
    let slab = Solid::new(ShapeKind::Box, &[0.8, 0.4, 0.1]).unwrap();
    for (turn, gap) in [(0.0_f64, 0.0), (0.3, 1e-3), (-0.2, -1e-3)] {
        let yaw = UnitQuaternion::from_euler_angles(0.0, 0.0, turn);
        let ours = touches(&slab, &pose(Vector3::new(0.1, 0.3, 0.05 + gap), &yaw), &roof);
        let near: Vec<_> = ours.iter().filter(|touch| touch.gap < 0.01).collect();
        assert_eq!(near.len(), 2, "{ours:?}");
        let middle = 0.3 - 0.1 * turn.tan();
        for (touch, side) in near.iter().zip([-1.0, 1.0]) {
            let foot = Vector3::new(0.0, middle + side * 0.2 / turn.cos(), 0.0);
            assert!(matches!(touch.feature, Feature::Crest { .. }), "{touch:?}");
            assert_near(touch, gap, Vector3::z(), foot);
        }
    }
}

/// A plane of any slope has no crests but its border, and what lies on it touches with its vertices.
#[test]
fn a_box_lies_on_a_plane_with_four_vertices() {
    let (flat, cube) = (grid(|_, _| 0.5), Solid::new(ShapeKind::Box, &[1.1; 3]).unwrap());
    let ours = touches(&cube, &at(0.2, 0.1, 1.05), &flat);
    let features: Vec<_> = ours.iter().map(|touch| touch.feature).collect();
    assert_eq!(features, [0, 1, 2, 3].map(Feature::First));
    // Half of it is beyond the border.
    let ours = touches(&cube, &at(2.0, 0.1, 1.05), &flat);
    let mut ends: Vec<_> = ours.iter().map(|touch| (touch.point.x, touch.point.y)).collect();
    ends.sort_by(|a, b| a.partial_cmp(b).unwrap());
    let expected = [(1.45, -0.45), (1.45, 0.65), (2.0, -0.45), (2.0, 0.65)];
    let near = |(a, b): (&(f64, f64), &(f64, f64))| (a.0 - b.0).hypot(a.1 - b.1) < 1e-12;
    assert!(ends.len() == 4 && ends.iter().zip(&expected).all(near), "{ends:?}");
    assert!(touches(&cube, &at(3.0, 0.1, 1.05), &flat).is_empty());
}

/// The distance of a point from the surface, by a search over all cells that is refined.
fn distance(center: &Vector3<f64>, grid: &Grid) -> f64 {
    let length = |x: f64, y: f64| {
        let [z, ..] = grid.height([x.clamp(-2.0, 2.0), y.clamp(-2.0, 2.0)]).unwrap();
        (center - Vector3::new(x, y, z)).norm()
    };
    let start =
        (0..161 * 161).map(|k| (f64::from(k % 161) / 40.0 - 2.0, f64::from(k / 161) / 40.0 - 2.0));
    let mut all: Vec<_> = start.map(|(x, y)| (length(x, y), x, y)).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let refined = all[..20].iter().map(|&(mut best, mut x, mut y)| {
        let mut step = 0.02;
        while step > 1e-12 {
            let tries = [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)];
            let moves = tries.map(|(i, j)| (x + step * i, y + step * j));
            let found = moves.iter().find(|(x, y)| length(*x, *y) < best);
            match found {
                Some(&(i, j)) => (best, x, y) = (length(i, j), i, j),
                None => step *= 0.5,
            }
        }
        best
    });
    refined.fold(f64::INFINITY, f64::min)
}

#[test]
fn balls_are_as_near_as_a_search_says() {
    let rng = &mut Rng::with_seed(21);
    let mut count = 0;
    for _ in 0..60 {
        let grid = random_grid(true, rng);
        let [x, y] = [0; 2].map(|_| 2.0 * rng.f64() - 1.0);
        let center = Vector3::new(x, y, grid.height([x, y]).unwrap()[0] + 0.35 * rng.f64());
        let expected = distance(&center, &grid) - 0.2;
        let gap = least(&touches(&ball(), &at(x, y, center.z), &grid));
        if expected < 0.19 {
            count += 1;
            assert!((gap - expected).abs() < 1e-6, "{gap} {expected}");
        }
    }
    assert!(count > 40, "{count}");
}

/// Points all over a solid, some thousandths apart.
fn surface(of: &Described) -> Vec<Vector3<f64>> {
    let (s, unit) = (&of.sizes, |k: u32, n: u32| 2.0 * f64::from(k) / f64::from(n) - 1.0);
    let square = (0..61).flat_map(|i| (0..61).map(move |j| (unit(i, 60), unit(j, 60))));
    let sides = square
        .clone()
        .flat_map(|(u, v)| (0..3).flat_map(move |k| [-1.0, 1.0].map(|w| ([u, v, w], k))));
    let cube = sides.map(|(x, k)| Vector3::new(x[k], x[(k + 1) % 3], x[(k + 2) % 3]));
    let round = |angle: f64| Vector3::new(angle.cos(), angle.sin(), 0.0);
    match of.kind {
        ShapeKind::Box => {
            cube.map(|x| x.component_mul(&Vector3::new(s[0], s[1], s[2])) * 0.5).collect()
        }
        ShapeKind::Capsule => cube
            .map(|x| x.normalize() * s[0] + Vector3::z() * (0.5 * s[1] * x.z.signum()))
            .chain((0..=60).flat_map(|i| {
                (0..240).map(move |k| {
                    round(TAU * f64::from(k) / 240.0) * s[0]
                        + Vector3::z() * (0.5 * s[1] * unit(i, 60))
                })
            }))
            .collect(),
        _ => (0..240)
            .flat_map(|k| {
                let out = round(TAU * f64::from(k) / 240.0) * s[0];
                let wall = (0..=60).map(move |i| out + Vector3::z() * (0.5 * s[1] * unit(i, 60)));
                let lids = (0..30).flat_map(move |i| {
                    [-0.5, 0.5].map(|z| out * (f64::from(i) / 30.0) + Vector3::z() * (z * s[1]))
                });
                wall.chain(lids)
            })
            .collect(),
    }
}

/// Lowered until the smallest gap is zero, no point of the solid is under ground, and one is just above.
#[test]
fn solids_come_down_on_what_is_highest_under_them() {
    let rng = &mut Rng::with_seed(22);
    for kind in ["box", "capsule", "cylinder"] {
        for _ in 0..20 {
            let (described, grid) = (Described::random(kind, rng), random_grid(false, rng));
            let (solid, turn) = (described.solid(), quaternion(rng));
            let [x, y] = [0; 2].map(|_| rng.f64() - 0.5);
            let there = |z: f64| pose(Vector3::new(x, y, z), &turn);
            let gap = |z: f64| least(&touches(&solid, &there(z), &grid));
            let steps = (0..150).map(|k| 3.0 - 0.02 * f64::from(k));
            let mut low = steps.into_iter().find(|&z| gap(z) < 0.0).unwrap();
            let mut high = low + 0.02;
            for _ in 0..40 {
                let middle = 0.5 * (low + high);
                *(if gap(middle) < 0.0 { &mut low } else { &mut high }) = middle;
            }
            let rests = there(high);
            let above = surface(&described).into_iter().map(|local| {
                let point = rests.point(&local);
                point.z - grid.height([point.x, point.y]).unwrap()[0]
            });
            let clearance = above.fold(f64::INFINITY, f64::min);
            assert!((-1e-6..0.02).contains(&clearance), "{kind} {clearance} {described:?}");
        }
    }
}
