//! Cores of solids: a box, which is a line or a point where it has no width, a cylinder, or a hull.
//!
//! A core answers two questions about a direction: which of its points is the furthest, and which of its faces, edges
//! and vertices looks there.

use alloc::vec::Vec;
use core::f64::consts::{FRAC_1_SQRT_2, TAU};

use nalgebra::Vector3;

use super::edge::Edge;
use super::feature::Corner;
use super::hull::Hull;

/// Corners of the polygon that stands for the rim of a cylinder.
const RIM: u16 = 8;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Core {
    /// About the origin: half of its edges. Those of a line are (0, 0, l/2).
    Box(Vector3<f64>),
    /// Along z about the origin.
    Cylinder {
        radius: f64,
        half: f64,
    },
    Hull(Hull),
}

impl Core {
    pub(super) const fn name(&self) -> &'static str {
        match self {
            Self::Box(_) => "box",
            Self::Cylinder { .. } => "cylinder",
            Self::Hull(_) => "hull",
        }
    }

    pub(super) fn is_point(&self) -> bool {
        matches!(self, Self::Box(half) if *half == Vector3::zeros())
    }

    /// Whether it has no width but along z.
    pub(super) fn is_line(&self) -> bool {
        matches!(self, Self::Box(half) if half.x == 0.0 && half.y == 0.0)
    }

    /// The largest distance of a point from the origin.
    pub(super) fn extent(&self) -> f64 {
        match self {
            Self::Box(half) => half.norm(),
            Self::Cylinder { radius, half } => libm::hypot(*radius, *half),
            Self::Hull(hull) => hull.extent,
        }
    }

    /// A point within it.
    pub(super) fn middle(&self) -> Vector3<f64> {
        if let Self::Hull(hull) = self { hull.middle } else { Vector3::zeros() }
    }

    /// A point that is the furthest along `d`, of any length.
    pub(super) fn support(&self, d: &Vector3<f64>) -> Vector3<f64> {
        match self {
            Self::Box(half) => half.zip_map(d, f64::copysign),
            Self::Cylinder { radius, half } => {
                let across = radial(d) * *radius;
                Vector3::new(across.x, across.y, half.copysign(d.z))
            }
            Self::Hull(hull) => hull.points[hull.furthest(d)],
        }
    }

    /// Calls `found` for the edges that come into question by both points: each is more than `floor` above one of the two faces
    /// beside the edge. A line has four edges in the same place.
    pub(super) fn edges_under(
        &self,
        points: &[Vector3<f64>; 2],
        floor: f64,
        mut found: impl FnMut(&Edge),
    ) {
        match self {
            Self::Box(half) => {
                let edges = box_edges(half).filter(|edge| {
                    points.iter().all(|x| edge.heights(x).iter().any(|height| *height > floor))
                });
                edges.for_each(|edge| found(&edge));
            }
            Self::Cylinder { .. } => {}
            Self::Hull(hull) => hull.edges_under(points, floor, found),
        }
    }

    /// All corners; of a cylinder those that look along the unit vector `d`, and the point that is the furthest.
    pub(super) fn corners(&self, d: &Vector3<f64>, to: &mut Vec<Corner>) {
        match self {
            Self::Box(half) => {
                to.clear();
                to.extend(corners(*half));
            }
            Self::Cylinder { .. } => {
                self.feature(d, to);
                to.push(Corner { point: self.support(d), index: 2 * RIM + 2 });
            }
            Self::Hull(hull) => {
                to.clear();
                let points = hull.points.iter().zip(0..);
                to.extend(points.map(|(&point, index)| Corner { point, index }));
            }
        }
    }

    /// The corners of the face, edge or vertex that looks along the unit vector `d`, around it.
    pub(super) fn feature(&self, d: &Vector3<f64>, corners: &mut Vec<Corner>) {
        corners.clear();
        match self {
            Self::Box(half) => box_feature(half, d, corners),
            Self::Cylinder { radius, half } if d.z.abs() > FRAC_1_SQRT_2 => {
                corners.extend(rim(*radius, *half, d.z > 0.0));
            }
            Self::Cylinder { radius, half } => {
                let across = radial(d) * *radius;
                corners.extend([-*half, *half].iter().zip(2 * RIM..).map(|(&z, index)| Corner {
                    point: Vector3::new(across.x, across.y, z),
                    index,
                }));
            }
            Self::Hull(hull) => hull.feature(d, corners),
        }
    }
}

/// The corners of one side's rim.
fn rim(radius: f64, half: f64, upper: bool) -> impl Iterator<Item = Corner> {
    let z = if upper { half } else { -half };
    (0..RIM).map(move |k| {
        let (sine, cosine) = libm::sincos(TAU * f64::from(k) / f64::from(RIM));
        let point = Vector3::new(radius * cosine, radius * sine, z);
        Corner { point, index: RIM * u16::from(upper) + k }
    })
}

/// The unit vector of the part of `d` across z; x, if there is none.
fn radial(d: &Vector3<f64>) -> Vector3<f64> {
    let across = Vector3::new(d.x, d.y, 0.0);
    across.try_normalize(0.0).unwrap_or_else(Vector3::x)
}

/// Of a box's three faces that look that way the one that does most, less what has no width.
fn box_feature(half: &Vector3<f64>, d: &Vector3<f64>, corners: &mut Vec<Corner>) {
    let facing = d.abs().imax();
    let start: [bool; 3] = core::array::from_fn(|k| d[k] > 0.0 && half[k] > 0.0);
    let wide = |k: usize| k != facing && half[k] > 0.0;
    let [i, j] = [(facing + 1) % 3, (facing + 2) % 3];
    let turns: &[[bool; 2]] = match (wide(i), wide(j)) {
        (true, true) => &[[false, false], [true, false], [true, true], [false, true]],
        (true, false) => &[[false, false], [true, false]],
        (false, true) => &[[false, false], [false, true]],
        (false, false) => &[[false, false]],
    };
    for turn in turns {
        let mut upper = start;
        (upper[i], upper[j]) = (turn[0], turn[1]);
        corners.push(box_corner(half, upper));
    }
}

/// The edges of a box that have a length.
fn box_edges(half: &Vector3<f64>) -> impl Iterator<Item = Edge> {
    let long = (0..3).filter(|&k| half[k] > 0.0);
    long.flat_map(move |k| {
        [[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]].map(|[p, q]| {
            let normals = [Vector3::ith((k + 1) % 3, p), Vector3::ith((k + 2) % 3, q)];
            let along = Vector3::ith(k, 1.0);
            let point = (normals[0] + normals[1] - along).component_mul(half);
            Edge { point, along, normals }
        })
    })
}

/// The corners of a box, each once.
pub(super) fn corners(half: Vector3<f64>) -> impl Iterator<Item = Corner> {
    let sides = (0..8).map(|bits: u8| [0, 1, 2].map(|k| bits >> k & 1 == 1));
    let distinct = sides.filter(move |upper| (0..3).all(|k| half[k] > 0.0 || !upper[k]));
    distinct.map(move |upper| box_corner(&half, upper))
}

/// The corner of a box on these sides; its index counts them in binary.
fn box_corner(half: &Vector3<f64>, upper: [bool; 3]) -> Corner {
    let side = |k: usize| if upper[k] { half[k] } else { -half[k] };
    let index = (0..3).map(|k| u16::from(upper[k]) << k).sum();
    Corner { point: Vector3::new(side(0), side(1), side(2)), index }
}
