//! What the projections satisfy, and their derivatives.

use super::law::Friction;
use super::polygon::Sides;
use crate::contact::direction;

const STEP: f64 = 1e-7;

/// Numbers between −1 and 1, the same every time.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

fn dot<const N: usize>(x: [f64; N], y: [f64; N]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

fn points(count: usize) -> impl Iterator<Item = ([f64; 3], f64)> {
    let mut numbers = Numbers(5);
    (0..count).map(move |_| {
        let x = [(); 3].map(|()| numbers.next());
        (x, 0.05 + 1.5 * numbers.next().abs())
    })
}

fn difference(x: [f64; 3], y: [f64; 3]) -> [f64; 3] {
    core::array::from_fn(|k| x[k] - y[k])
}

/// x − P is orthogonal to P and in the polar cone, of which all rays tell.
#[test]
fn cones_are_projected_onto() {
    for count in [4, 6, 8, 12] {
        for (x, friction) in points(2_000) {
            let rays = |friction: f64, count: usize| {
                (0..count).map(move |k| {
                    let [a, b] = direction(k, count);
                    [1.0, friction * a, friction * b]
                })
            };
            let pyramid = Friction::Pyramid(Sides::new(count)).project(x, friction).value;
            let round = Friction::Convex.project(x, friction).value;
            for (p, sides) in [(pyramid, count), (round, 360)] {
                let left = difference(x, p);
                assert!(dot(left, p).abs() < 1e-14, "{x:?} {p:?}");
                assert!(rays(friction, sides).all(|ray| dot(left, ray) < 1e-14), "{x:?} {p:?}");
            }
            let [n, a, b] = round;
            assert!(a.hypot(b) <= friction * n + 1e-15);
            let support = |[n, a, b]: [f64; 3]| {
                (0..count).all(|k| {
                    // Of a side, the normal is halfway between two corners.
                    let [[c, d], [e, f]] = [direction(k, count), direction((k + 1) % count, count)];
                    let half = (core::f64::consts::PI / count as f64).cos();
                    (c + e) * a + (d + f) * b <= 2.0 * half * half * friction * n + 1e-14
                })
            };
            assert!(support(pyramid), "{x:?} {pyramid:?}");
        }
    }
}

/// Tangential impulses are the nearest in the disc or polygon of the normal one.
#[test]
fn sections_are_projected_onto() {
    for count in [4, 6, 10] {
        for (x, friction) in points(2_000) {
            for law in [Friction::Coulomb, Friction::Polygon(Sides::new(count))] {
                let [n, a, b] = law.project(x, friction).value;
                assert_eq!(n, x[0].max(0.0));
                let corners = if let Friction::Polygon(_) = law { count } else { 360 };
                for k in 0..corners {
                    let corner = direction(k, corners).map(|d| friction * n * d);
                    let way = dot([x[1] - a, x[2] - b], [corner[0] - a, corner[1] - b]);
                    assert!(x[0] <= 0.0 || way < 1e-14, "{x:?} {law:?}");
                }
            }
        }
    }
}

/// Except at kinks, which random points miss.
#[test]
fn derivatives_are_those_of_projections() {
    let laws = [
        Friction::Coulomb,
        Friction::Convex,
        Friction::Polygon(Sides::new(4)),
        Friction::Polygon(Sides::new(6)),
        Friction::Pyramid(Sides::new(4)),
        Friction::Pyramid(Sides::new(10)),
        Friction::Sticking,
    ];
    for law in laws {
        let mut wrong = 0;
        for (x, friction) in points(2_000) {
            let derivative = law.project(x, friction).derivative;
            for (k, column) in derivative.into_iter().enumerate() {
                let at = |by: f64| {
                    let mut x = x;
                    x[k] += by;
                    law.project(x, friction).value
                };
                let slope = difference(at(STEP), at(-STEP)).map(|d| d / (2.0 * STEP));
                wrong += usize::from(difference(slope, column).iter().any(|x| x.abs() > 1e-5));
            }
        }
        assert!(wrong <= 4, "{law:?}: {wrong}");
    }
}
