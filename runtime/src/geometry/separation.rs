//! The normal of two cores, of directions that come into question.

use nalgebra::Vector3;

use super::boxes;
use super::core_shape::Core;
use super::hull::{Face, Hull};
use super::nearest::nearest_of;
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
    let [ours, others] = [Facing::new(first, second), Facing::new(second, first)];
    let hulls = || ours.iter().chain(&others);
    let known = hulls().map(|hull| hull.gap).fold(f64::NEG_INFINITY, f64::max);
    (known <= reach).then_some(())?;
    let floor = known - 2.0 * tolerance;
    let middles = first.middle() - second.middle();
    // Of what is symmetric one sense of a normal is not the best.
    let symmetric = hulls().next().is_none();
    let mut search = Search { cores: [first, second], middles, reach, tolerance, best: None };
    let near = normals(first).all(|n| search.consider_line(&n, symmetric))
        && ours.iter().all(|hull| hull.normals(floor).all(|n| search.consider(&-n)))
        && normals(second).all(|n| search.consider_line(&n, symmetric))
        && others.iter().all(|hull| hull.normals(floor).all(|n| search.consider(&n)))
        && axes(first).all(|u| {
            let across = |w: Vector3<f64>| u.cross(&w).try_normalize(PARALLEL);
            axes(second).filter_map(across).all(|n| search.consider_line(&n, true))
        })
        && radial([first, second], &(first.position - second.position))
            .all(|n| search.consider_line(&n, true));
    search.best.filter(|_| near).map(|(best, _)| best)
}

/// Directions that are compared.
struct Search<'a> {
    cores: [&'a Placed<'a>; 2],
    /// From the middle of the second core to that of the first.
    middles: Vector3<f64>,
    reach: f64,
    tolerance: f64,
    /// With what is between the points that are the furthest along it.
    best: Option<(Separation, Vector3<f64>)>,
}

impl Search<'_> {
    /// Takes a unit vector, if it is better; whether it leaves no more than the reach.
    fn consider(&mut self, n: &Vector3<f64>) -> bool {
        // No direction leaves more than what is between any two points, along it.
        if self.best.is_some_and(|(best, between)| n.dot(&between) <= best.gap) {
            return true;
        }
        let [first, second] = self.cores;
        let between = first.support(&-n) - second.support(n);
        let found = Separation { normal: *n, gap: n.dot(&between) };
        if self.best.is_none_or(|(best, _)| found.gap > best.gap + self.tolerance) {
            self.best = Some((found, between));
        }
        found.gap <= self.reach
    }

    /// The same of a unit vector or its reverse: that from the second core to the first, or both.
    fn consider_line(&mut self, n: &Vector3<f64>, is_one: bool) -> bool {
        let towards = if n.dot(&self.middles) < 0.0 { -n } else { *n };
        self.consider(&towards) && (is_one || self.consider(&-towards))
    }
}

/// The faces of a hull, and points of another core: along the normal of a face that leaves no more than each of them is
/// above it.
struct Facing<'a> {
    placed: &'a Placed<'a>,
    hull: &'a Hull,
    /// In the frame of the hull.
    points: [Vector3<f64>; 2],
    /// What the face that may leave most by the first point does leave.
    gap: f64,
}

impl<'a> Facing<'a> {
    /// `None` of what is no hull.
    fn new(placed: &'a Placed<'a>, other: &Placed<'_>) -> Option<Self> {
        let Core::Hull(hull) = placed.core() else { return None };
        let near = placed.local(&nearest_of(other, &placed.middle()));
        let face = hull.face_under(&near);
        let furthest = placed.local(&other.support(&-(placed.rotation * face.normal)));
        Some(Self { placed, hull, points: [near, furthest], gap: face.height(&furthest) })
    }

    /// Outward normals of the faces that may leave more than `floor`.
    fn normals(&self, floor: f64) -> impl Iterator<Item = Vector3<f64>> + '_ {
        let may = move |face: &&Face| self.points.iter().all(|x| face.height(x) > floor);
        self.hull.faces.iter().filter(may).map(|face| self.placed.rotation * face.normal)
    }
}

/// Directions whose cross product is below this have no plane.
pub(super) const PARALLEL: f64 = 1e-9;

/// Normals of the faces of a box or a cylinder, whose reverse is a normal too.
fn normals<'a>(placed: &'a Placed<'a>) -> impl Iterator<Item = Vector3<f64>> + 'a {
    let coordinates = match placed.core() {
        Core::Box(_) => 0..3,
        Core::Cylinder { .. } => 2..3,
        Core::Hull(_) => 0..0,
    };
    coordinates.map(|k| placed.axis(k))
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
