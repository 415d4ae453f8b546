//! Tangents of planes, whose normals are constants or anything at run time.

use fastrand::Rng;

use super::{value, variables};
use crate::expr::{Graph, Vector3, tangents};

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn check(n: [f64; 3], [first, second]: [[f64; 3]; 2]) {
    let near = |found: f64, expected: f64| {
        assert!((found - expected).abs() < 1e-14, "{n:?}: {first:?} {second:?}");
    };
    near(dot(first, first), 1.0);
    near(dot(second, second), 1.0);
    near(dot(first, n), 0.0);
    near(dot(second, n), 0.0);
    near(dot(first, second), 0.0);
    let [a, b] = [first, second];
    near(n[2], a[0] * b[1] - a[1] * b[0]);
    near(n[0], a[1] * b[2] - a[2] * b[1]);
}

/// The tangents of a normal that is known at run time only, at `n`, and of the constant `n`.
fn both(n: [f64; 3]) -> [[[f64; 3]; 2]; 2] {
    let graph = Graph::new();
    let later = tangents(Vector3(variables(&graph)));
    let now = tangents(Vector3::constant(&graph, n));
    [later, now].map(|pair| pair.map(|t| t.0.map(|x| value(x, &n))))
}

#[test]
fn tangents_of_any_normal_are_orthonormal() {
    let axes = (0..3).flat_map(|k| {
        [1.0, -1.0].map(|sign| {
            let mut n = [0.0; 3];
            n[k] = sign;
            n
        })
    });
    let rng = &mut Rng::with_seed(12);
    let random = (0..200).map(|_| {
        let n = [0; 3].map(|_| 2.0 * rng.f64() - 1.0);
        let length = dot(n, n).sqrt();
        n.map(|x| x / length)
    });
    let tilted = [[1.0, 0.0, 1e-9], [1.0, 1e-9, -1e-9], [1e-9, 0.0, -1.0], [-1.0, 0.0, -1e-200]];
    for n in axes.chain(random).chain(tilted) {
        both(n).into_iter().for_each(|pair| check(n, pair));
    }
}

/// On the ground and on slopes along an axis, a normal in fields has the tangents of a constant one.
#[test]
fn the_first_tangent_is_x_on_slopes() {
    for angle in [0.0, 0.3, -1.0, 2.5] {
        let (sin, cos) = f64::sin_cos(angle);
        for n in [[sin, 0.0, cos], [0.0, sin, cos]] {
            let [later, now] = both(n);
            if n[0].abs() <= 0.9 {
                assert!((dot(later[0], now[0]) - 1.0).abs() < 1e-14, "{n:?}");
            }
        }
    }
}
