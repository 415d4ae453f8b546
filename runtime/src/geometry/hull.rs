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
use super::edge::Edge;
use super::feature::Corner;
use super::lanes::Lanes;

/// A distance below this, by the size of the hull, is none.
const FLAT: f64 = 1e-9;
/// How thick a hull must be at least, by its size.
const THIN: f64 = 1e-6;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Hull {
    pub(super) points: Vec<Vector3<f64>>,
    /// How far each point is along a direction.
    along: Lanes,
    /// How far a point is above each face.
    above: Lanes,
    pub(super) faces: Vec<Face>,
    /// Of each point, the faces that it is a corner of.
    faces_at: Vec<Vec<u32>>,
    /// Each once, with the faces beside it.
    edges: Vec<(Edge, [u32; 2])>,
    /// The mean of the points, which is within it.
    pub(super) middle: Vector3<f64>,
    /// The largest distance of a point from the origin, m.
    pub(super) extent: f64,
    /// The largest distance of a point from the first one, m.
    size: f64,
}

/// A face, its corners counterclockwise as seen from outside.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Face {
    /// Outwards, of unit length.
    pub(super) normal: Vector3<f64>,
    /// How far along the normal points are at most, m.
    offset: f64,
    /// How far the middle is below its plane, m.
    depth: f64,
    pub(super) corners: Vec<u16>,
    /// The numbers of its edges.
    edges: Vec<u32>,
}

impl Face {
    /// How far a point is above its plane, m.
    pub(super) fn height(&self, x: &Vector3<f64>) -> f64 {
        self.normal.dot(x) - self.offset
    }
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
        let middle = points.iter().sum::<Vector3<f64>>() / points.len() as f64;
        let mut faces = wrapping.faces().ok_or(flat)?;
        for face in &mut faces {
            let along = points.iter().map(|x| face.normal.dot(x));
            face.offset = along.fold(f64::NEG_INFINITY, f64::max);
            face.depth = -face.height(&middle);
        }
        let edges = edges_between(&faces, &points);
        for ((_, sides), edge) in edges.iter().zip(0..) {
            sides.iter().for_each(|&k| faces[k as usize].edges.push(edge));
        }
        Ok(Self {
            along: Lanes::new(points.iter().map(|&point| (point, 0.0))),
            above: Lanes::new(faces.iter().map(|face| (face.normal, face.offset))),
            faces_at: faces_at(&faces, points.len()),
            edges,
            middle,
            extent: points.iter().map(Vector3::norm).fold(0.0, f64::max),
            points,
            faces,
            size,
        })
    }

    /// The point that is the furthest along `d`, among several the first.
    pub(super) fn furthest(&self, d: &Vector3<f64>) -> usize {
        self.along.largest(d)
    }

    /// A point of it near `x`: this, or where the line from the middle to it leaves the hull.
    pub(super) fn near(&self, x: &Vector3<f64>) -> Vector3<f64> {
        let away = x - self.middle;
        let within = self.faces.iter().fold(1.0, |share, face| {
            let rate = face.normal.dot(&away);
            if rate * share > face.depth { face.depth / rate } else { share }
        });
        self.middle + away * within
    }

    /// The face that a point is the furthest above.
    pub(super) fn face_under(&self, x: &Vector3<f64>) -> &Face {
        &self.faces[self.above.largest(x)]
    }

    /// From a point along each of the edges that begin there, m.
    pub(super) fn edges_at(&self, point: usize) -> impl Iterator<Item = Vector3<f64>> + '_ {
        let beside = self.faces_at[point].iter().map(|&face| &self.faces[face as usize]);
        let all = beside.flat_map(|face| edges(&face.corners));
        let here = all.filter(move |[from, _]| usize::from(*from) == point);
        here.map(|[from, to]| self.points[usize::from(to)] - self.points[usize::from(from)])
    }

    /// Lists the corners of the face that looks most along the unit vector `d`, of those with most of the furthest points.
    pub(super) fn feature(&self, d: &Vector3<f64>, corners: &mut Vec<Corner>) {
        let near = self.points[self.furthest(d)].dot(d) - FLAT * self.size;
        let corner = |index: u16| Corner { point: self.points[usize::from(index)], index };
        corners.clear();
        corners.extend(
            (0..).zip(&self.points).filter(|(_, p)| p.dot(d) >= near).map(|(k, _)| corner(k)),
        );
        let mut best: Option<(usize, f64, u32)> = None;
        for &k in corners.iter().flat_map(|corner| &self.faces_at[usize::from(corner.index)]) {
            let face = &self.faces[k as usize];
            let is_near = |k: &&u16| corners.iter().any(|corner| corner.index == **k);
            let count =
                if corners.len() == 1 { 1 } else { face.corners.iter().filter(is_near).count() };
            let rank = (count, face.normal.dot(d), k);
            best = if best.is_none_or(|best| rank > best) { Some(rank) } else { best };
        }
        corners.clear();
        if let Some((.., k)) = best {
            corners.extend(self.faces[k as usize].corners.iter().map(|&k| corner(k)));
        }
    }

    /// Calls `found` for the edges beside which a face is with the first point higher than `floor` above it, and one with the second.
    pub(super) fn edges_under(
        &self,
        [x, y]: &[Vector3<f64>; 2],
        floor: f64,
        mut found: impl FnMut(&Edge),
    ) {
        let is_under = |k: u32, x: &Vector3<f64>| self.faces[k as usize].height(x) > floor;
        // An edge between two such faces is found beside the first of them.
        self.above.for_above(x, floor, |k| {
            let edges = &self.faces[k as usize].edges;
            for (edge, sides) in edges.iter().map(|&edge| &self.edges[edge as usize]) {
                let other = if sides[0] == k { sides[1] } else { sides[0] };
                let is_found = other < k && is_under(other, x);
                if !is_found && (is_under(k, y) || is_under(other, y)) {
                    found(edge);
                }
            }
        });
    }

    /// Whether a point is in it, or no further outside than the tolerance.
    pub(super) fn contains(&self, x: &Vector3<f64>, tolerance: f64) -> bool {
        !self.faces.iter().any(|face| face.height(x) > tolerance)
    }
}

fn faces_at(faces: &[Face], points: usize) -> Vec<Vec<u32>> {
    let mut all = alloc::vec![Vec::new(); points];
    for (face, k) in faces.iter().zip(0..) {
        face.corners.iter().for_each(|&corner| all[usize::from(corner)].push(k));
    }
    all
}

/// The edges that two faces have in common, with the numbers of these.
fn edges_between(faces: &[Face], points: &[Vector3<f64>]) -> Vec<(Edge, [u32; 2])> {
    let numbered = || faces.iter().zip(0..);
    let all = || numbered().flat_map(|(face, k)| edges(&face.corners).map(move |edge| (edge, k)));
    let normal = |k: u32| faces[k as usize].normal;
    let mut found = Vec::new();
    for ([i, j], k) in all().filter(|([i, j], _)| i < j) {
        let beside = all().find(|(edge, _)| *edge == [j, i]);
        let [point, end] = [i, j].map(|k| points[usize::from(k)]);
        let along = (end - point).try_normalize(0.0);
        found.extend(beside.zip(along).map(|((_, other), along)| {
            (Edge { point, along, normals: [normal(k), normal(other)] }, [k, other])
        }));
    }
    found
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
        self.faces.push(Face { normal, offset: 0.0, depth: 0.0, corners, edges: Vec::new() });
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
