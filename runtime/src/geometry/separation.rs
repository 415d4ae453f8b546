//! The normal of two cores, of directions that come into question.

use nalgebra::Vector3;

use super::boxes;
use super::core_shape::Core;
use super::placed::Placed;

/// A unit vector from the second core to the first, and how far apart they are along it at least.
#[derive(Clone, Copy, Debug)]
pub(super) struct Separation {
    pub(super) normal: Vector3<f64>,
    /// s(n), m.
    pub(super) gap: f64,
}

/// s(n) of the cores for a unit vector n.
pub(super) fn along(first: &Placed<'_>, second: &Placed<'_>, n: &Vector3<f64>) -> Separation {
    let gap = n.dot(&(first.support(&-n) - second.support(n)));
    Separation { normal: *n, gap }
}

/// The best direction by normals of faces, cross products of edges and radii of cylinders; `None` where one of them
/// leaves more than `reach` between the cores. Of directions that are as good as each other to `tolerance` it is
/// the first. For boxes there is no better one where they overlap.
pub(super) fn best(
    first: &Placed<'_>,
    second: &Placed<'_>,
    (reach, tolerance): (f64, f64),
) -> Option<Separation> {
    if let [Core::Box(a), Core::Box(b)] = [first.core(), second.core()] {
        return boxes::best([first, second], [a, b], (reach, tolerance));
    }
    let mut best: Option<Separation> = None;
    let mut consider = |n: Vector3<f64>| {
        let found = along(first, second, &n);
        let better = best.is_none_or(|best| found.gap > best.gap + tolerance);
        best = if better { Some(found) } else { best };
        found.gap <= reach
    };
    let between = first.position - second.position;
    let towards = |n: Vector3<f64>| if n.dot(&between) < 0.0 { -n } else { n };
    let near = normals(first).all(|n| consider(if n.1 { -n.0 } else { towards(n.0) }))
        && normals(second).all(|n| consider(if n.1 { n.0 } else { towards(n.0) }))
        && axes(first).all(|u| {
            let across = |w: Vector3<f64>| u.cross(&w).try_normalize(PARALLEL);
            axes(second).filter_map(across).all(|n| consider(towards(n)))
        })
        && radial([first, second], &between).all(|n| consider(towards(n)));
    best.filter(|_| near)
}

/// Directions whose cross product is below this have no plane.
pub(super) const PARALLEL: f64 = 1e-9;

/// Normals of faces, and whether they point outwards; else their reverse is a normal too.
fn normals(placed: &Placed<'_>) -> impl Iterator<Item = (Vector3<f64>, bool)> {
    let (coordinate, faces) = match placed.core() {
        Core::Box(_) => (0..3, &[][..]),
        Core::Cylinder { .. } => (2..3, &[][..]),
        Core::Hull(hull) => (0..0, &hull.faces[..]),
    };
    let outward = faces.iter().map(|face| (placed.rotation * face.normal, true));
    coordinate.map(|k| (placed.axis(k), false)).chain(outward)
}

/// Directions of edges, or of the lines on a cylinder; those of a hull are too many.
pub(super) fn axes<'a>(placed: &'a Placed<'a>) -> impl Iterator<Item = Vector3<f64>> + 'a {
    let has = move |k: usize| match placed.core() {
        Core::Box(half) => half[k] > 0.0,
        Core::Cylinder { .. } => k == 2,
        Core::Hull(_) => false,
    };
    (0..3).filter(move |&k| has(k)).map(|k| placed.axis(k))
}

/// Across the axes of cylinders and lines, between the centres.
fn radial<'a>(
    both: [&'a Placed<'a>; 2],
    between: &'a Vector3<f64>,
) -> impl Iterator<Item = Vector3<f64>> + 'a {
    let round = both.into_iter().filter(|placed| matches!(placed.core(), Core::Cylinder { .. }));
    round.filter_map(move |placed| {
        let axis = placed.axis(2);
        (between - axis * axis.dot(between)).try_normalize(0.0)
    })
}
