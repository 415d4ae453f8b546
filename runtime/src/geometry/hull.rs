//! The convex hull of points.
//!
//! Faces are found by wrapping: about an edge of a known face the plane is turned until it meets the first point, and
//! all points in that plane are a face. A hull of n points and F faces takes a time in proportion to n F.
//!
//! # Source
//!
//! Chand, Kapur: An Algorithm for Convex Polytopes, Journal of the ACM 17 (1970).

use alloc::vec::Vec;
use core::cmp::Ordering;

use nalgebra::Vector3;

use super::Error;

/// A distance below this, by the size of the hull, is none.
const FLAT: f64 = 1e-9;
/// How thick a hull must be at least, by its size.
const THIN: f64 = 1e-6;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Hull {
    pub(super) points: Vec<Vector3<f64>>,
    pub(super) faces: Vec<Face>,
    /// The largest distance of a point from the first one, m.
    size: f64,
}

/// A face, its corners counterclockwise as seen from outside.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Face {
    /// Outwards, of unit length.
    pub(super) normal: Vector3<f64>,
    pub(super) corners: Vec<u16>,
}

impl Hull {
    /// Of finite points, three numbers each.
    ///
    /// # Errors
    ///
    /// [`Error::Flat`] if it has no volume.
    pub(super) fn new(points: &[f64]) -> Result<Self, Error> {
        let all = points.as_chunks::<3>().0.iter().map(|&[x, y, z]| Vector3::new(x, y, z));
        let flat = Error::Flat { points: all.len() };
        let points = distinct(all);
        if points.len() > usize::from(u16::MAX) || !has_volume(&points) {
            return Err(flat);
        }
        let size = points.iter().map(|p| (p - points[0]).norm()).fold(0.0, f64::max);
        let wrapping = Wrapping { points: &points, tolerance: FLAT * size, faces: Vec::new() };
        let faces = wrapping.faces().ok_or(flat)?;
        Ok(Self { points, faces, size })
    }

    /// The point that is the furthest along `d`, among several the first.
    pub(super) fn furthest(&self, d: &Vector3<f64>) -> usize {
        furthest(&self.points, |p| p.dot(d))
    }

    /// From a point along each of the edges that begin there, m.
    pub(super) fn edges_at(&self, point: usize) -> impl Iterator<Item = Vector3<f64>> + '_ {
        let all = self.faces.iter().flat_map(|face| edges(&face.corners));
        let here = all.filter(move |[from, _]| usize::from(*from) == point);
        here.map(|[from, to]| self.points[usize::from(to)] - self.points[usize::from(from)])
    }

    /// Of the faces with most of the furthest points along the unit vector `d` the one that looks there most.
    pub(super) fn face_towards(&self, d: &Vector3<f64>) -> Option<&Face> {
        let height = |k: u16| self.points[usize::from(k)].dot(d);
        let top = self.points[self.furthest(d)].dot(d);
        let near = top - FLAT * self.size;
        let count = |face: &Face| face.corners.iter().filter(|&&k| height(k) >= near).count();
        let rank = |face: &Face| (count(face), face.normal.dot(d));
        let ranked = self.faces.iter().map(|face| (rank(face), face));
        let best = ranked.max_by(|(a, _), (b, _)| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        best.map(|(_, face)| face)
    }

    /// Whether a point is in it, or no further outside than the tolerance.
    pub(super) fn contains(&self, x: &Vector3<f64>, tolerance: f64) -> bool {
        let above = |face: &Face| {
            let corner = face.corners.first().map(|&k| self.points[usize::from(k)]);
            corner.is_some_and(|corner| face.normal.dot(&(x - corner)) > tolerance)
        };
        !self.faces.iter().any(above)
    }
}

fn furthest(points: &[Vector3<f64>], along: impl Fn(&Vector3<f64>) -> f64) -> usize {
    let mut best = (f64::NEG_INFINITY, 0);
    for (k, point) in points.iter().enumerate() {
        let value = along(point);
        best = if value > best.0 { (value, k) } else { best };
    }
    best.1
}

/// The points without those that are where one is already.
fn distinct(all: impl ExactSizeIterator<Item = Vector3<f64>>) -> Vec<Vector3<f64>> {
    let mut points: Vec<Vector3<f64>> = Vec::with_capacity(all.len());
    let mut size = 0.0_f64;
    for point in all {
        size = points.first().map_or(0.0, |first| (point - first).norm()).max(size);
        if !points.iter().any(|other| (point - other).norm() <= FLAT * size) {
            points.push(point);
        }
    }
    points
}

/// Whether there is a tetrahedron of points whose height, width and length are all of some size.
fn has_volume(points: &[Vector3<f64>]) -> bool {
    let Some(&a) = points.first() else { return false };
    let far = |along: &dyn Fn(&Vector3<f64>) -> f64| points[furthest(points, along)];
    let b = far(&|p| (p - a).norm());
    let size = (b - a).norm();
    let Some(line) = (b - a).try_normalize(0.0) else { return false };
    let c = far(&|p| line.cross(&(p - a)).norm());
    let Some(normal) = line.cross(&(c - a)).try_normalize(THIN * size) else { return false };
    let d = far(&|p| normal.dot(&(p - a)).abs());
    normal.dot(&(d - a)).abs() > THIN * size
}

struct Wrapping<'a> {
    points: &'a [Vector3<f64>],
    tolerance: f64,
    faces: Vec<Face>,
}

impl Wrapping<'_> {
    /// `None` where rounding leaves holes.
    fn faces(mut self) -> Option<Vec<Face>> {
        let by = |a: &Vector3<f64>, b: &Vector3<f64>| {
            let order = |k: usize| a[k].total_cmp(&b[k]);
            order(0).then(order(1)).then(order(2))
        };
        let first = (0..self.points.len()).min_by(|&i, &j| by(&self.points[i], &self.points[j]))?;
        let p = self.points[first];
        let normal = self.turned(&p, &Vector3::y())?;
        let on_plane = |x: &Vector3<f64>| normal.dot(&(x - p)).abs() <= self.tolerance;
        let other = furthest(self.points, |x| if on_plane(x) { (x - p).norm() } else { -1.0 });
        let axis = (self.points[other] - p).try_normalize(self.tolerance)?;
        self.add_face(&p, &axis)?;
        let mut face = 0;
        while let Some(corners) = self.faces.get(face).map(|face| face.corners.clone()) {
            for [i, j] in edges(&corners) {
                if !self.has_edge([j, i]) {
                    let [from, to] = [j, i].map(|k| self.points[usize::from(k)]);
                    self.add_face(&from, &(to - from).try_normalize(0.0)?)?;
                    self.has_edge([j, i]).then_some(())?;
                }
            }
            face += 1;
        }
        Some(self.faces)
    }

    fn has_edge(&self, edge: [u16; 2]) -> bool {
        self.faces.iter().any(|face| edges(&face.corners).any(|other| other == edge))
    }

    /// The outward normal of the plane through a line with all points on its inner side, and on the left of the line.
    fn turned(&self, from: &Vector3<f64>, axis: &Vector3<f64>) -> Option<Vector3<f64>> {
        let mut best: Option<Vector3<f64>> = None;
        // Where the line is no edge but lies within a face, a point that was passed can be the one.
        for point in self.points.iter().chain(self.points) {
            let away = point - from;
            let Some(normal) = axis.cross(&away).try_normalize(self.tolerance) else { continue };
            best = match best {
                Some(best) if best.dot(&away) <= self.tolerance => Some(best),
                _ => Some(normal),
            };
        }
        best
    }

    /// The face on the left of an edge along the unit vector `axis`.
    fn add_face(&mut self, from: &Vector3<f64>, axis: &Vector3<f64>) -> Option<()> {
        let normal = self.turned(from, axis)?;
        let within = |point: &Vector3<f64>| normal.dot(&(point - from)) >= -self.tolerance;
        let numbered = self.points.iter().zip(0..=u16::MAX);
        let plane = [*axis, normal.cross(axis)];
        let face = numbered.filter(|(point, _)| within(point)).map(|(point, k)| {
            let away = point - from;
            (plane.map(|axis| axis.dot(&away)), k)
        });
        let corners = polygon(face.collect(), self.tolerance);
        (corners.len() > 2 && self.faces.len() < 2 * self.points.len()).then_some(())?;
        self.faces.push(Face { normal, corners });
        Some(())
    }
}

/// The edges around a face.
pub(super) fn edges(corners: &[u16]) -> impl Iterator<Item = [u16; 2]> + '_ {
    let next = corners.iter().skip(1).chain(corners.first());
    corners.iter().zip(next).map(|(&i, &j)| [i, j])
}

/// The corners of the convex hull of numbered points of a plane, counterclockwise (Andrew's monotone chain).
fn polygon(mut points: Vec<([f64; 2], u16)>, tolerance: f64) -> Vec<u16> {
    let order = |a: &[f64; 2], b: &[f64; 2]| match a[0].total_cmp(&b[0]) {
        Ordering::Equal => a[1].total_cmp(&b[1]),
        different => different,
    };
    points.sort_by(|a, b| order(&a.0, &b.0));
    let mut corners = chain(points.iter(), tolerance);
    let upper = chain(points.iter().rev(), tolerance);
    corners.extend(upper);
    corners
}

/// One half of it, without its last point.
fn chain<'a>(points: impl Iterator<Item = &'a ([f64; 2], u16)>, tolerance: f64) -> Vec<u16> {
    let mut kept: Vec<([f64; 2], u16)> = Vec::new();
    for &(x, k) in points {
        while let [.., (a, _), (b, _)] = kept[..] {
            let [u, w] = [[b[0] - a[0], b[1] - a[1]], [x[0] - a[0], x[1] - a[1]]];
            if u[0] * w[1] - u[1] * w[0] > tolerance * libm::hypot(w[0], w[1]) {
                break;
            }
            kept.pop();
        }
        kept.push((x, k));
    }
    kept.pop();
    kept.into_iter().map(|(_, k)| k).collect()
}
