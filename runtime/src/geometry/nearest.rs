//! The nearest points of cores that do not overlap, in closed form.
//!
//! Those of two boxes are a vertex of one and a point of the other, or points of two edges.
//!
//! # Source
//!
//! Ericson: Real-Time Collision Detection (2005), sections 5.1.3 and 5.1.9.

use nalgebra::Vector3;

use super::core_shape::{self, Core};
use super::feature::Corner;
use super::placed::Placed;

/// Of the first and of the second core; `None` where there is no closed form. Of cores that overlap they are no
/// nearest points.
pub(super) fn points(first: &Placed<'_>, second: &Placed<'_>) -> Option<[Vector3<f64>; 2]> {
    match (first.core(), second.core()) {
        (Core::Hull(_), _) | (_, Core::Hull(_)) => None,
        (_, other) if other.is_point() => {
            Some([nearest_of(first, &second.position), second.position])
        }
        (one, _) if one.is_point() => Some([first.position, nearest_of(second, &first.position)]),
        (Core::Box(_), Core::Box(_)) => Some(of_boxes(first, second)),
        _ => None,
    }
}

fn of_boxes(first: &Placed<'_>, second: &Placed<'_>) -> [Vector3<f64>; 2] {
    let at_vertices = corners(first).map(|a| [a, nearest_of(second, &a)]);
    let at_others = corners(second).map(|b| [nearest_of(first, &b), b]);
    let at_edges = edges(first).flat_map(|a| edges(second).map(move |b| of_lines(a, b)));
    let mut best = [first.position, second.position];
    let mut least = f64::INFINITY;
    for pair in at_vertices.chain(at_others).chain(at_edges) {
        let square = (pair[0] - pair[1]).norm_squared();
        (least, best) = if square < least { (square, pair) } else { (least, best) };
    }
    best
}

/// The point of a box or a cylinder that is the nearest to another; of a hull one that is near.
pub(super) fn nearest_of(placed: &Placed<'_>, x: &Vector3<f64>) -> Vector3<f64> {
    let local = placed.local(x);
    let nearest = match placed.core() {
        Core::Box(half) => local.zip_map(half, |x, half| x.clamp(-half, half)),
        Core::Cylinder { radius, half } => {
            let across = Vector3::new(local.x, local.y, 0.0);
            across.cap_magnitude(*radius) + Vector3::z() * local.z.clamp(-half, *half)
        }
        Core::Hull(hull) => hull.near(&local),
    };
    placed.world(&nearest)
}

/// Whether a point is in a core, or no further outside than the tolerance.
pub(super) fn contains(placed: &Placed<'_>, x: &Vector3<f64>, tolerance: f64) -> bool {
    match placed.core() {
        Core::Hull(hull) => hull.contains(&placed.local(x), tolerance),
        _ => (nearest_of(placed, x) - x).norm() <= tolerance,
    }
}

fn half(placed: &Placed<'_>) -> Vector3<f64> {
    match placed.core() {
        Core::Box(half) => *half,
        _ => Vector3::zeros(),
    }
}

/// The corners of a box, each once.
fn corners(placed: &Placed<'_>) -> impl Iterator<Item = Vector3<f64>> {
    core_shape::corners(half(placed)).map(|corner| placed.world(&corner.point))
}

/// The edges of a box that have a length: where they begin, and where they lead.
fn edges(placed: &Placed<'_>) -> impl Iterator<Item = [Vector3<f64>; 2]> {
    let half = half(placed);
    (0..3).filter(move |&k| half[k] > 0.0).flat_map(move |k| {
        let length = placed.axis(k) * (2.0 * half[k]);
        let lower = core_shape::corners(half).filter(move |corner| corner.index >> k & 1 == 0);
        lower.map(move |corner| [placed.world(&corner.point), length])
    })
}

/// Pairs of points that may be the nearest ones, and unit vectors that may be the normal, of two features: those of
/// each edge of the one and each of the other. Vectors have either sense.
pub(super) fn of_features<'a>(
    first: &'a [Corner],
    second: &'a [Corner],
    tolerance: f64,
) -> impl Iterator<Item = ([Vector3<f64>; 2], Vector3<f64>)> + 'a {
    let line = |[a, b]: [&Corner; 2]| [a.point, b.point - a.point];
    around(first).map(line).flat_map(move |a| {
        around(second).map(line).flat_map(move |b| {
            let points = of_lines(a, b);
            let between = (points[0] - points[1]).try_normalize(tolerance);
            let across = a[1].cross(&b[1]).try_normalize(tolerance * tolerance);
            [between, across].into_iter().flatten().map(move |n| (points, n))
        })
    })
}

/// The edges of a feature, if it is a vertex this one alone.
fn around(corners: &[Corner]) -> impl Iterator<Item = [&Corner; 2]> {
    let next = corners.iter().skip(1).chain(corners.first());
    corners.iter().zip(next).map(|(a, b)| [a, b])
}

/// The nearest points of the lines from p to p + d and from q to q + e, of which either may have no length.
fn of_lines([p, d]: [Vector3<f64>; 2], [q, e]: [Vector3<f64>; 2]) -> [Vector3<f64>; 2] {
    let r = p - q;
    let (a, b, c) = (d.norm_squared(), d.dot(&e), e.norm_squared());
    let (along_d, along_e) = (d.dot(&r), e.dot(&r));
    let share = |x: f64, of: f64| if of > 0.0 { (x / of).clamp(0.0, 1.0) } else { 0.0 };
    let determinant = a * c - b * b;
    // Of parallel lines any point will do.
    let regular = determinant > 1e-14 * a * c;
    let s = if regular { share(b * along_e - along_d * c, determinant) } else { 0.0 };
    let t = share(b * s + along_e, c);
    let s = share(b * t - along_d, a);
    [p + d * s, q + e * t]
}
